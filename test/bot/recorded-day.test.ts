import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { MAX_RUNNING_REQUESTS } from '../../src/bot/slack/running-requests.ts'
import { createLog } from '../../src/log.ts'
import { measureProcess } from '../../src/metrics/measure-process.ts'
import { serveMetrics } from '../../src/metrics/serve-metrics.ts'
import { collectTraces, NAMES_AND_TOKENS } from '../support/collect-traces.ts'
import { keepBusy } from '../support/keep-busy.ts'
import { evaluateAlerts, promtoolPath, type Recorded, readSeries } from '../support/promtool.ts'
import { BAD_POST, openPublishingWorkspace } from './publishing-workspace.ts'

/** The longest window of an alert ends before the next fault. */
const HOURS_EACH = 3
const FAULT_MINUTES = 12
/** Longer than the windows of the alerts about failing calls, so that a fault isn't lost among what works. */
const CALM_MINUTES = 15

type Workspace = Awaited<ReturnType<typeof openDay>>

async function openDay() {
  const service = { isDown: false, isSlow: false, isStuck: false }
  const upnext = await openPublishingWorkspace({
    async respond({ method }) {
      if (service.isSlow && method === 'POST') await setTimeout(1200)
      if (service.isStuck) await setTimeout(3000)
      return service.isDown ? Response.json({}, { status: 500 }) : undefined
    },
  })
  await upnext.addTelegram()
  const connections = new pg.Pool({ connectionString: upnext.service.databaseUrl })
  const stopMeasuring = measureProcess(upnext.metrics, connections)
  const metrics = await serveMetrics({
    metrics: upnext.metrics,
    log: createLog('silent'),
    host: '127.0.0.1',
    port: 0,
  })
  const recorded: Recorded[] = []
  const record = async (minutes: number) => {
    const scrape = readSeries(await (await fetch(metrics.url)).text())
    recorded.push({ scrape, minutes })
  }
  let count = 0
  /** Opens the form for another post on another day, because one like it would be a question. */
  const openPost = async () => {
    count++
    await upnext.mara.run(`/schedule-post Launch ${count}! in ${count + 1} days at 9am on X`)
    return (await upnext.mara.form('Schedule a post')).id
  }
  /** What happens on any day. */
  const work = async () => {
    for (const member of [upnext.mara, upnext.yuki]) await member.runAndHear('/upnext next', /./)
    await upnext.mara.submitAndHear({ view: await openPost(), values: {} }, /Scheduled/)
    await upnext.passTime({ minutes: 2 })
    await upnext.settled()
  }
  return {
    upnext,
    service,
    recorded,
    record,
    openPost,
    work,
    close: async () => {
      stopMeasuring()
      await connections.end()
      await metrics.close()
      await upnext.close()
    },
  }
}

/** Each makes one thing fail, and repairs it. Another scrape follows. */
const FAULTS: Record<string, (day: Workspace) => Promise<void>> = {
  async UpnextSlowAcknowledgments({ upnext: { mara }, service, openPost }) {
    const view = await openPost()
    service.isSlow = true
    await mara.submitAndHear({ view, values: {} }, /Scheduled/)
    service.isSlow = false
  },
  async UpnextSlowForms({ upnext: { slack, mara }, openPost }) {
    slack.controls.injectFault({ method: 'views.open', delay_ms: 1200, times: 1 })
    await mara.closeView({ view: await openPost() })
  },
  async UpnextFailingService({ upnext: { mara }, service, record }) {
    service.isDown = true
    for (let count = 0; count < 4; count++) {
      await mara.runAndHear('/upnext templates', /./)
      await record(1)
    }
    service.isDown = false
  },
  async UpnextFailingSlack({ upnext: { slack, mara, yuki, passTime }, record }) {
    slack.controls.injectFault({ method: 'users.info', status: 429, retry_after: 0, times: 100 })
    for (const member of [mara, yuki]) {
      await passTime({ minutes: 2 })
      await member.runAndHear('/upnext next', /./)
      await record(1)
    }
    await record(2)
    slack.controls.clearFaults()
  },
  async UpnextFailedPosts({ upnext }) {
    upnext.telegram.plan(() => BAD_POST)
    await upnext.schedule('Launch week!', { time: '15:00' })
    await upnext.passTo('15:00')
    await upnext.hearOfResults()
  },
  async UpnextUnknownOutcomes({ upnext }) {
    upnext.telegram.plan(() => ({ kind: 'dropped' }))
    await upnext.schedule('Launch month!', { time: '16:00' })
    await upnext.passTo('16:00')
    await upnext.hearOfResults()
    upnext.telegram.plan(() => undefined)
  },
  async UpnextLateJobs({ upnext: { service }, record }) {
    await service.pool.query(
      `insert into upnext.job (kind, id, key, added_at, due_at, lease, leased_until)
       values
         ('notification', 'first', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', gen_random_uuid(), '2027-01-01'),
         ('notification', 'late', 'late', '2026-11-20T11:00Z', '2026-11-20T11:00Z', null, null)`,
    )
    await record(FAULT_MINUTES)
    await service.pool.query(`delete from upnext.job where key = 'late'`)
  },
  async UpnextBusyProcess({ record }) {
    // Several times, because one delay among a hundred shorter ones isn't the 99th percentile.
    for (let count = 0; count < 5; count++) {
      const until = performance.now() + 700
      while (performance.now() < until);
      await setTimeout(50)
    }
    await record(FAULT_MINUTES)
  },
  async UpnextRefusedRequests({ upnext: { mara, yuki }, service }) {
    service.isStuck = true
    const commands = Array.from({ length: MAX_RUNNING_REQUESTS }, () => yuki.run('/upnext templates'))
    await Promise.all(commands)
    const stop = keepBusy()
    await setTimeout(300)
    await mara.runAndHear('/upnext next', /very busy/)
    stop()
    service.isStuck = false
    do await mara.runAndHear('/upnext next', /./)
    while (mara.lastText()?.includes('very busy'))
  },
  async UpnextDown({ recorded }) {
    recorded.push({ scrape: undefined, minutes: FAULT_MINUTES })
  },
}

/** The only instance is all of them. */
const ALSO: Record<string, string[]> = { UpnextDown: ['UpnextDown', 'UpnextInstanceDown'] }

const names = Object.keys(FAULTS)
const slots = names.map((name, index) => ({ name, at: (index + 2) * HOURS_EACH * 60 - 1 }))
const questions = slots.map(({ at }) => ({ at, minutes: HOURS_EACH * 60 - 1 }))

/** The minutes that an hour's record lacks are those after it. */
async function fillUp({ recorded, record }: Workspace, hours: number): Promise<void> {
  const used = recorded.reduce((sum, { minutes }) => sum + minutes, 0)
  await record(hours * 60 - used)
}

let stopTracing: Awaited<ReturnType<typeof collectTraces>> | undefined
afterEach(async () => {
  await stopTracing?.()
  stopTracing = undefined
})

it.skipIf(!promtoolPath)(
  'finds each fault of a recorded day and nothing else, and traces no names',
  async () => {
    stopTracing = await collectTraces()
    const day = await openDay()
    await day.work()
    await fillUp(day, HOURS_EACH)
    for (const [index, name] of names.entries()) {
      await day.work()
      await day.record(CALM_MINUTES)
      await FAULTS[name]?.(day)
      await fillUp(day, (index + 2) * HOURS_EACH)
    }
    const fired = await evaluateAlerts(day.recorded, questions)
    expect(slots.map(({ at }) => fired.get(at))).toEqual(names.map((name) => ALSO[name] ?? [name]))
    await day.close()
    const traces = (await stopTracing()).join('\n')
    stopTracing = undefined
    expect(traces).toContain('views.open')
    expect([/launch/i, ...NAMES_AND_TOKENS].filter((secret) => secret.test(traces))).toEqual([])
  },
)

it.skipIf(!promtoolPath)('is silent on a calm day', async () => {
  const day = await openDay()
  for (let hour = 1; hour <= (names.length + 1) * HOURS_EACH; hour += HOURS_EACH) {
    await day.work()
    await fillUp(day, hour)
  }
  await fillUp(day, (names.length + 1) * HOURS_EACH + 1)
  expect(await evaluateAlerts(day.recorded, questions)).toEqual(new Map())
  await day.close()
})
