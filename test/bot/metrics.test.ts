import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { createLog } from '../../src/log.ts'
import { measureProcess } from '../../src/metrics/measure-process.ts'
import { serveMetrics } from '../../src/metrics/serve-metrics.ts'
import { findAlerts, promtoolPath, readSeries, type Scrape, WITHOUT_PROMTOOL } from '../support/promtool.ts'
import { openDigestWorkspace } from './digest-workspace.ts'
import { BAD_POST, openPublishingWorkspace } from './publishing-workspace.ts'
import { openUpnext, type Respond, type Upnext } from './workspace.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Reads what Prometheus would read. */
async function watch({ metrics }: Upnext): Promise<() => Promise<Scrape>> {
  const log = createLog('silent')
  const { url, close } = await serveMetrics({ metrics, log, host: '127.0.0.1', port: 0 })
  cleanups.push(close)
  return async () => readSeries(await (await fetch(url)).text())
}

const MAX_WAIT = { timeout: 60_000, interval: 50 }

async function open(options: Parameters<typeof openUpnext>[0] = {}) {
  const upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, ...options })
  cleanups.push(upnext.close)
  const scrape = await watch(upnext)
  const mara = upnext.person('mara')
  await mara.runAndHear('/upnext next', /./)
  return { upnext, mara, scrape, before: await scrape() }
}

describe('the alerts', () => {
  if (process.env.CI && !promtoolPath) throw new Error(WITHOUT_PROMTOOL)
  if (!promtoolPath) console.warn(WITHOUT_PROMTOOL)
  const test = it.skipIf(!promtoolPath)

  test('are silent while nothing is wrong', async () => {
    const { mara, scrape } = await open()
    const schedule = async (text: string) => {
      await mara.run(`/schedule-post ${text} tomorrow 9am on X`)
      const { id } = await mara.form('Schedule a post')
      await mara.submitAndHear({ view: id, values: {} }, /Scheduled/)
    }
    // The first form also waits for code to be compiled.
    await schedule('Launch eve!')
    const before = await scrape()
    await schedule('Launch day!')
    const after = await scrape()
    expect(after.get('upnext_slack_form_open_duration_seconds_count')).toBe('2')
    expect(await findAlerts(before, after)).toEqual([])
  })

  test('find an instance that no longer answers', async () => {
    const { before } = await open()
    expect(await findAlerts(before, undefined)).toEqual(['UpnextDown', 'UpnextInstanceDown'])
  })

  test('find a bot without a connection to Slack', async () => {
    const { upnext, scrape, before } = await open()
    await upnext.slack.close()
    await vi.waitFor(
      async () => expect((await scrape()).get('upnext_ready{upnext_server="bot"}')).toBe('0'),
      MAX_WAIT,
    )
    const alerts = await findAlerts(before, await scrape())
    await upnext.restartSlack()
    expect(alerts).toContain('UpnextNotReady')
  })

  test('find slow acknowledgments', async () => {
    let isSlow = false
    const respond: Respond = async ({ method }) => {
      if (isSlow && method === 'POST') await setTimeout(1200)
      return undefined
    }
    const { mara, scrape, before } = await open({ respond })
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    isSlow = true
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled/)
    expect(await findAlerts(before, await scrape())).toEqual(['UpnextSlowAcknowledgments'])
  })

  test('find slow forms', async () => {
    const { upnext, mara, scrape, before } = await open()
    upnext.slack.controls.injectFault({ method: 'views.open', delay_ms: 1200, times: 1 })
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    await mara.form('Schedule a post')
    expect(await findAlerts(before, await scrape())).toEqual(['UpnextSlowForms'])
  })

  test('count a form that Slack does not open as slow', async () => {
    const { upnext, mara, scrape, before } = await open()
    upnext.slack.controls.injectFault({ method: 'views.open', error: 'internal_error', times: 1 })
    await mara.runAndHear('/schedule-post Launch day! tomorrow 9am on X', /Slack|wrong/)
    expect(await findAlerts(before, await scrape())).toContain('UpnextSlowForms')
  })

  test('find a service that fails', async () => {
    let isDown = false
    const { mara, scrape, before } = await open({
      respond: () => (isDown ? Response.json({}, { status: 500 }) : undefined),
    })
    isDown = true
    await mara.runAndHear('/upnext templates', /./)
    const during = await scrape()
    for (let count = 0; count < 3; count++) await mara.runAndHear('/upnext templates', /./)
    expect(await findAlerts(before, during, await scrape())).toEqual(['UpnextFailingService'])
  })

  test('find a limit of Slack', async () => {
    const { upnext, scrape, before } = await open()
    upnext.slack.controls.injectFault({ method: 'users.info', status: 429, retry_after: 0, times: 100 })
    const scrapes = [before]
    for (const handle of ['yuki', 'priya']) {
      await upnext.person(handle).runAndHear('/upnext next', /./)
      scrapes.push(await scrape())
    }
    expect(await findAlerts(...scrapes, await scrape())).toEqual(['UpnextFailingSlack'])
  })

  test('find jobs that fail', async () => {
    const { upnext, scrape, before } = await open()
    const { pool } = upnext.service
    await pool.query('alter table upnext.channel_project rename to hidden')
    await pool.query(
      `insert into upnext.job (kind, id, key, added_at, due_at)
       select 'message update', n::text, n::text, now(), '2026-01-01' from generate_series(1, 8) n`,
    )
    await vi.waitFor(async () => {
      upnext.wait({ minutes: 0 })
      expect(await findAlerts(before, await scrape())).toContain('UpnextFailingJobs')
    }, MAX_WAIT)
  })

  test('find work that is late', async () => {
    const { upnext, scrape, before } = await open()
    await upnext.service.pool.query(
      `insert into upnext.job (kind, id, key, added_at, due_at, lease, leased_until)
       values
         ('notification', 'first', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', gen_random_uuid(), '2027-01-01'),
         ('notification', 'late', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', null, null)`,
    )
    expect(await findAlerts(before, await scrape())).toEqual(['UpnextLateJobs'])
  })

  test('find a database without free connections, and a process that is busy', async () => {
    const { upnext, scrape } = await open()
    const pool = new pg.Pool({ connectionString: upnext.service.databaseUrl, max: 1 })
    cleanups.push(measureProcess(upnext.metrics, pool), () => pool.end())
    const calm = await scrape()
    const client = await pool.connect()
    const waiting = pool.query('select 1')
    // The delay is measured from one tick of a timer to the next, so the first tick must come before the busy time.
    await setTimeout(50)
    const until = performance.now() + 1500
    while (performance.now() < until);
    await setTimeout(50)
    const after = await scrape()
    client.release()
    await waiting
    expect(await findAlerts(calm, after)).toEqual(['UpnextBusyDatabase', 'UpnextBusyProcess'])
  })

  test('find posts that a platform rejects', async () => {
    const workspace = await openPublishingWorkspace()
    cleanups.push(workspace.close)
    const scrape = await watch(workspace)
    await workspace.addTelegram()
    const before = await scrape()
    workspace.telegram.plan(() => BAD_POST)
    await workspace.schedule('Launch day!', { time: '14:00' })
    await workspace.passTo('14:00')
    await workspace.hearOfResults()
    expect(await findAlerts(before, await scrape())).toContain('UpnextFailedPosts')
  })

  test('find posts about which a platform gave no answer', async () => {
    const workspace = await openPublishingWorkspace()
    cleanups.push(workspace.close)
    const scrape = await watch(workspace)
    await workspace.addTelegram()
    const before = await scrape()
    workspace.telegram.plan(() => ({ kind: 'dropped' }))
    await workspace.schedule('Launch day!', { time: '14:00' })
    await workspace.passTo('14:00')
    await workspace.hearOfResults()
    expect(await findAlerts(before, await scrape())).toContain('UpnextUnknownOutcomes')
  })

  test('find posts that nothing sends', async () => {
    const { upnext, scrape, before } = await open()
    const client = await upnext.service.pool.connect()
    await client.query('begin')
    await client.query(
      `insert into service.post (project_id, content, status, platforms, schedule_date)
       values ($1, 'Launch day!', 'SCHEDULED', '{X}', '2026-11-20T13:00Z')`,
      [upnext.project],
    )
    await client.query('commit; begin; lock table service.post in share mode')
    await upnext.passTime({ minutes: 70 })
    const after = await scrape()
    await client.query('commit')
    client.release()
    expect(await findAlerts(before, after)).toContain('UpnextLatePosts')
  })

  test('find digests that are late', async () => {
    const workspace = await openDigestWorkspace()
    cleanups.push(workspace.close)
    const scrape = await watch(workspace)
    await workspace.setUpDigest(20)
    const before = await scrape()
    workspace.setServiceDown(true)
    workspace.advance(30)
    await workspace.settled()
    workspace.setServiceDown(false)
    workspace.advance(5)
    await workspace.waitForScheduled()
    workspace.advance(5)
    await vi.waitFor(
      async () => expect(await findAlerts(before, await scrape())).toContain('UpnextLateDigests'),
      MAX_WAIT,
    )
  })

  it('are each explained', async () => {
    const rules = parse(await readFile('docs/alerts.yml', 'utf8')).groups[0].rules
    const sections = (await readFile('docs/alerts.md', 'utf8')).split('\n## ').slice(1)
    const explained = sections.map((section) => section.split('\n', 1)[0])
    expect(explained).toEqual(rules.map(({ alert }: { alert: string }) => alert))
    for (const section of sections) expect(section.trim().split('\n').length).toBeLessThanOrEqual(10)
  })
})

it('has the same series however many posts and people there are', async () => {
  const { upnext, mara, scrape } = await open()
  const { pool, url } = upnext.service
  const { token } = await upnext.service.addMember(upnext.project, 'ADMIN')
  const call = async (path: string) =>
    (
      await fetch(`${url}/api/v1/projects/${upnext.project}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).text()
  await call('/posts')
  await call(`/templates/${crypto.randomUUID()}`)
  const before = [...(await scrape()).keys()].sort()
  await pool.query(
    `insert into service.post (id, project_id, content, status, platforms, schedule_date)
     select gen_random_uuid(), $1, 'Post ' || n, 'SCHEDULED', '{X}', '2026-12-01T09:00Z' from generate_series(1, 10000) n`,
    [upnext.project],
  )
  await call('/posts')
  await pool.query(
    `with person as (
       insert into service.person (id, email) select gen_random_uuid(), n || '@many.example' from generate_series(1, 1000) n returning id
     )
     insert into service.project_user (project_id, user_id, role, status) select $1, id, 'EDITOR', 'ACTIVE' from person`,
    [upnext.project],
  )
  for (let count = 0; count < 1000; count++) await call(`/templates/${crypto.randomUUID()}`)
  await mara.runAndHear('/upnext next', /./)
  const after = [...(await scrape()).keys()].sort()
  expect(after).toEqual(before)
  expect(after.join('\n')).not.toMatch(/[0-9a-f]{8}-|U0000|mara|Launch/)
})
