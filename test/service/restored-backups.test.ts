import { describe, expect, it, onTestFinished } from 'vitest'
import { parseCommand, runCommand } from '../../src/service/commands/run-command.ts'
import { recordGapSinceBackup } from '../../src/service/stores/accounts-store.ts'
import { waitUntil } from '../support/clock.ts'
import { startHttpServer } from '../support/servers.ts'
import { NO_PUBLISHERS } from '../support/service.ts'
import {
  HOUR_MS,
  MINUTE_MS,
  type PublishingProject,
  SECOND_MS,
  startPublishingProject,
} from './publishing-project.ts'

const DAY_MS = 24 * HOUR_MS
const TABLES = ['post', 'job', 'heartbeat']
const DOWN_OR_RESTORED = 'Upnext was down when the post was due, or was later restored from a backup'

/** Makes a backup. The result restores it after a time, as `pg_restore` and `npm run after-restore` do. */
async function makeBackup({ service, clock, ...project }: PublishingProject) {
  const { pool, db } = service
  await waitUntil(async () => (await pool.query('select from service.heartbeat')).rowCount === 1)
  const backup = new Map<string, unknown>()
  for (const table of TABLES) {
    const { rows } = await pool.query(`select coalesce(jsonb_agg(t), '[]') as rows from service.${table} t`)
    backup.set(table, JSON.stringify(rows[0].rows))
  }
  return async (ms: number) => {
    await project.stopService()
    clock.advance(ms)
    for (const [table, rows] of backup) {
      await pool.query(`delete from service.${table}`)
      await pool.query(
        `insert into service.${table} overriding system value select * from jsonb_populate_recordset(null::service.${table}, $1)`,
        [rows],
      )
    }
    await recordGapSinceBackup(db, clock.now())
    await project.restartService()
  }
}

const timeIn = (ms: number, { clock }: PublishingProject) =>
  new Date(clock.now().getTime() + ms).toISOString()

/** Creates a post for a later time. Returns its id. */
async function createPostIn(ms: number, project: PublishingProject, fields = {}): Promise<string> {
  const { body } = await project.createPost({
    Content: 'Launch day',
    ScheduleDate: timeIn(ms, project),
    ...fields,
  })
  return body.data.Id
}

/** Waits until Postiz has been asked about the post several times, and expects that a person is asked. */
async function expectQuestion(id: string, project: PublishingProject) {
  await project.waitForError(id, DOWN_OR_RESTORED)
  await project.skipPauses(id)
  expect((await project.getPost(id)).Results).toMatchObject([
    { State: 'UNKNOWN', Error: "the network doesn't list the post" },
  ])
}

describe('a post on Postiz that was changed after the backup', () => {
  const start = () => startPublishingProject({ hasTelegram: false, channels: [{ identifier: 'threads' }] })
  const countCreated = ({ postiz }: PublishingProject) =>
    postiz.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /posts').length

  it('is left to a person if it was moved and published', async () => {
    const project = await start()
    const id = await createPostIn(3 * DAY_MS, project)
    const restoreAfter = await makeBackup(project)
    await project.updatePost(id, { Content: 'Launch day', ScheduleDate: timeIn(MINUTE_MS, project) })
    project.clock.advance(MINUTE_MS + SECOND_MS)
    await waitUntil(() => project.postiz.posts.length === 1)
    await project.findPause()
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await restoreAfter(3 * DAY_MS + 10 * MINUTE_MS)
    await expectQuestion(id, project)
    expect(countCreated(project)).toBe(1)
  })

  it('is left to a person if it was cancelled', async () => {
    const project = await start()
    const id = await createPostIn(30 * MINUTE_MS, project)
    const restoreAfter = await makeBackup(project)
    await project.deletePost(id)
    await restoreAfter(45 * MINUTE_MS)
    await expectQuestion(id, project)
    expect(countCreated(project)).toBe(0)
  })
})

describe('a post of a webhook account that was changed after the backup', () => {
  it('is left to a person if it was published', async () => {
    const project = await startPublishingProject({ hasTelegram: false })
    const { service, clock } = project
    const program = await startHttpServer((_request, response) => response.end())
    onTestFinished(program.close)
    const args = ['account', 'add', 'webhook', '--project', 'Acme', '--platform', 'pinterest']
    const context = { db: service.db, now: clock.now(), runtime: clock.runtime, publishing: NO_PUBLISHERS }
    await runCommand(parseCommand([...args, '--url', program.url]), context)
    const Platforms = ['PINTEREST']
    const id = await createPostIn(MINUTE_MS, project, { Content: 'Wrong price', Platforms })
    const restoreAfter = await makeBackup(project)
    const ScheduleDate = timeIn(MINUTE_MS, project)
    await project.updatePost(id, { Content: 'Right price', ScheduleDate, Platforms })
    clock.advance(MINUTE_MS + SECOND_MS)
    const events = () => program.received.map(({ body }) => JSON.parse(body).data)
    await waitUntil(() => events().length === 1)
    await project.confirm(events()[0].PublicationId, { State: 'PUBLISHED' })
    expect(await project.getPost(id)).toMatchObject({ Status: 'PUBLISHED' })
    await restoreAfter(10 * MINUTE_MS)
    await project.waitForError(id, DOWN_OR_RESTORED)
    // The program has a day to say that the post is out.
    await project.skipPause()
    await project.skipPause(25 * HOUR_MS)
    expect(await project.getPost(id)).toMatchObject({
      Content: 'Wrong price',
      Results: [{ State: 'UNKNOWN', Error: "it wasn't confirmed within a day" }],
    })
    expect(events().map(({ Content }) => Content)).toEqual(['Right price'])
  })
})
