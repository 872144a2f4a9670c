import { describe, expect, it, onTestFinished } from 'vitest'
import { parseCommand, runCommand } from '../../src/service/commands/run-command.ts'
import { connectAccount, recordHeartbeat, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { waitUntil } from '../support/clock.ts'
import { startHttpServer } from '../support/servers.ts'
import { NO_PUBLISHERS } from '../support/service.ts'
import { BOT_TOKEN } from './publishing-networks.ts'
import { MINUTE_MS, startPublishingProject } from './publishing-project.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const startWithWebhook = async (respond: Parameters<typeof startHttpServer>[0]) => {
  const project = await startPublishingProject({ hasTelegram: false })
  const program = await startHttpServer(respond)
  onTestFinished(program.close)
  const { service, clock } = project
  const args = ['account', 'add', 'webhook', '--project', 'Acme', '--platform', 'pinterest']
  const context = { db: service.db, now: clock.now(), runtime: clock.runtime, publishing: NO_PUBLISHERS }
  await runCommand(parseCommand([...args, '--url', program.url]), context)
  return { project, program }
}
const FIELDS = { Content: 'Launch day', Platforms: ['PINTEREST'] }

const readLog = async ({ service }: Awaited<ReturnType<typeof startPublishingProject>>) => {
  const { rows } = await service.pool.query(
    "select level, message from service.log where actor = 'scheduler' order by id",
  )
  return rows
}

describe('a post whose first request may have arrived', () => {
  it('has an unknown result if the program rejects the repetition', async () => {
    const { project, program } = await startWithWebhook(({ index }, response) => {
      if (index === 0) response.destroy()
      else response.writeHead(409).end()
    })
    const id = await project.schedule(FIELDS)
    await project.waitForError(id, "the webhook didn't respond")
    await project.skipPause()
    expect(program.received).toHaveLength(2)
    expect((await project.getPost(id)).Results).toMatchObject([
      { State: 'UNKNOWN', Error: 'the webhook responded with 409' },
    ])
  })

  it('has an unknown result if its media is gone before the repetition', async () => {
    const { project } = await startWithWebhook((_request, response) => void response.destroy())
    const id = await project.schedule({ ...FIELDS, Media: project.files.add('lamp.png', PNG) })
    await project.waitForError(id, "the webhook didn't respond")
    project.files.fail({ status: 404 })
    await project.skipPause()
    expect((await project.getPost(id)).Results).toMatchObject([{ State: 'UNKNOWN' }])
  })

  it.each([
    ['is gone', { status: 404 }],
    ['cannot be fetched', { status: 503 }],
  ])('has an unknown result if a killed run may have sent it, and its media %s', async (_case, fault) => {
    const { project, program } = await startWithWebhook((_request, response) => void response.end())
    await project.pauseAccounts()
    const id = await project.schedule({ ...FIELDS, Media: project.files.add('lamp.png', PNG) })
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.leaveRequestBehind(id)
    project.files.fail(fault)
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Status: 'PUBLISHED', Results: [{ State: 'UNKNOWN' }] })
    expect(program.received).toEqual([])
  })

  it('has failed if the program could never be reached', async () => {
    const { project, program } = await startWithWebhook(() => {})
    await program.close()
    const id = await project.schedule(FIELDS)
    await project.skipPauses(id)
    expect((await project.getPost(id)).Results).toMatchObject([
      { State: 'FAILED', Error: "gave up: the webhook couldn't be reached" },
    ])
  })

  it('is logged as one that may be out, with the reason', async () => {
    const project = await startPublishingProject()
    const ScheduleDate = new Date(project.clock.now().getTime() + 10 * MINUTE_MS).toISOString()
    const id = (await project.createPost({ Content: 'Launch day', ScheduleDate })).body.data.Id
    await waitUntil(
      async () => (await project.service.pool.query('select from service.heartbeat')).rowCount === 1,
    )
    await project.stopService()
    project.clock.advance(30 * MINUTE_MS)
    await project.restartService()
    await project.settle(id)
    expect(project.telegram.sent).toEqual([])
    const message =
      'A post may be out on TELEGRAM (Upnext was down when the post was due, or was later restored from a backup).'
    expect(await readLog(project)).toEqual([{ level: 'WARNING', message }])
  })

  it('is logged without a reason if the person who marks it as failed gives none', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(() => ({ kind: 'dropped' }))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.settle(id)
    await project.setResults(id, { Platforms: ['TELEGRAM'], State: 'FAILED' })
    const { rows } = await project.service.pool.query('select message from service.log order by id')
    expect(rows.map(({ message }) => message).join('\n')).not.toContain('undefined')
  })
})

it('shortens a long error of a program that publishes posts', async () => {
  const { project, program } = await startWithWebhook((_request, response) => void response.end())
  const id = await project.schedule(FIELDS)
  await project.findPause()
  const { PublicationId } = JSON.parse(program.received[0]?.body ?? '').data
  const { status } = await project.confirm(PublicationId, { State: 'FAILED', Error: 'No. '.repeat(200) })
  expect([status, (await project.getPost(id)).Status]).toEqual([200, 'FAILED'])
})

it('follows a chat to its new id even if the project has an unused account with that id', async () => {
  const project = await startPublishingProject()
  const { service, telegram } = project
  telegram.addChat({ id: -5, type: 'group', title: 'Acme', botStatus: 'member', migratedTo: -1009999 })
  telegram.addChat({ id: -1009999, type: 'supergroup', title: 'Acme', botStatus: 'member' })
  await service.pool.query("update service.account set target = '-1009999'")
  const account = { platform: 'TELEGRAM', publisher: 'TELEGRAM', name: 'Acme', target: '-5' } as const
  const secrets = { credentials: BOT_TOKEN, settings: '{}', checked_at: project.clock.now() }
  const { project_id } = project
  await connectAccount(service.db, await saveAccount(service.db, { project_id, ...account, ...secrets }))
  const post = await project.publish({ Content: 'Hello', Platforms: ['TELEGRAM'] })
  expect(post.Results).toMatchObject([{ State: 'PUBLISHED', Error: null }])
  const { rows } = await service.pool.query('select target, is_connected from service.account')
  expect(rows).toEqual([{ target: '-1009999', is_connected: true }])
})

it('fetches an upload from this instance if its link leads to a private address', async () => {
  const project = await startPublishingProject()
  const upload = 'a'.repeat(32)
  const url = new URL(project.files.add(`${upload}.png`, PNG))
  const post = await project.publish({ Content: 'Hello', Media: `http://127.0.0.1:59999${url.pathname}` })
  expect(post.Results).toMatchObject([{ State: 'PUBLISHED' }])
  const other = await project.publish({ Content: 'Hello again', Media: 'http://127.0.0.1:59999/lamp.png' })
  expect(other.Results).toMatchObject([{ State: 'FAILED', Error: 'the media file is at a private address' }])
})

describe('invisible text', () => {
  it('is replaced by the text of the template', async () => {
    const project = await startPublishingProject()
    const { rows } = await project.service.pool.query(
      "insert into service.template (project_id, title, content) values ($1, 'T', 'From the template') returning id",
      [project.project_id],
    )
    await project.publish({ Content: '\u200b', TemplateId: rows[0].id })
    expect(project.telegram.sent.map(({ text }) => text)).toEqual(['From the template'])
  })

  it("doesn't replace the text of a post on one platform", async () => {
    const project = await startPublishingProject()
    const { status, body } = await project.createPost({ Content: 'Hello', Texts: { TELEGRAM: '\u200b' } })
    expect([status, body.data.Texts ?? null]).toEqual([201, null])
  })
})

it('remembers when an outage began if the service fails again soon after it', async () => {
  const { service, clock } = await startPublishingProject()
  await service.stop()
  const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE_MS)
  const beat = (gap_to: Date) =>
    service.pool.query(
      `insert into service.heartbeat (at, gap_from, gap_to, is_restored) values ($1, $2, $3, true)
        on conflict (id) do update set at = excluded.at, gap_from = excluded.gap_from, gap_to = excluded.gap_to,
          is_restored = excluded.is_restored`,
      [ago(3), ago(300), gap_to],
    )
  await beat(ago(4))
  expect(await recordHeartbeat(service.db, clock.now())).toEqual({
    from: ago(300),
    to: clock.now(),
    isRestored: true,
  })
  await beat(ago(200))
  expect(await recordHeartbeat(service.db, clock.now())).toEqual({
    from: ago(3),
    to: clock.now(),
    isRestored: false,
  })
})
