import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '../support/clock.ts'
import {
  HOUR_MS,
  MINUTE_MS,
  type PublishingProject,
  SECOND_MS,
  startPublishingProject,
} from './publishing-project.ts'

const PUBLISHERS = ['Telegram', 'Postiz'] as const

const startProject = (publisher: (typeof PUBLISHERS)[number]) =>
  publisher === 'Telegram'
    ? startPublishingProject()
    : startPublishingProject({ hasTelegram: false, channels: [{ identifier: 'threads' }] })

/** Creates a post for a later time. Returns its id. */
async function createPostIn(ms: number, project: PublishingProject): Promise<string> {
  const ScheduleDate = new Date(project.clock.now().getTime() + ms).toISOString()
  const { body } = await project.createPost({ Content: 'Launch day', ScheduleDate })
  return body.data.Id
}

/** Stops the service for a time, and changes the database in between. */
async function stopFor(ms: number, project: PublishingProject, statements: string[] = []) {
  await waitUntil(
    async () => (await project.service.pool.query('select from service.heartbeat')).rowCount === 1,
  )
  await project.stopService()
  project.clock.advance(ms)
  const client = new pg.Client(project.service.databaseUrl)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
  await project.restartService()
  const lastBeat = new Date(project.clock.now().getTime() - MINUTE_MS)
  await waitUntil(async () => {
    const { rowCount } = await project.service.pool.query('select from service.heartbeat where at >= $1', [
      lastBeat,
    ])
    return rowCount === 1
  })
}

/** Restores a backup that was made before the posts were due. */
const restoreBackup = (madeAt: Date) => [
  "update service.post set results = null, status = 'SCHEDULED', published_at = null, version = 1",
  'delete from service.job',
  `update service.heartbeat set at = '${madeAt.toISOString()}', gap_from = null, gap_to = null`,
]

/** Sends a post, and restores a backup of an earlier time. Returns the post's id. */
async function sendAndRestore(project: PublishingProject, beforeStop = async () => {}): Promise<string> {
  const madeAt = project.clock.now()
  const id = await project.schedule({ Content: 'Launch day' })
  const { telegram, postiz } = project
  await waitUntil(() => telegram.sent.length + postiz.posts.length === 1)
  if (telegram.sent.length) await project.settle(id)
  else await project.findPause()
  await beforeStop()
  await stopFor(10 * MINUTE_MS, project, restoreBackup(madeAt))
  return id
}

const countSent = ({ telegram, postiz }: PublishingProject) =>
  telegram.sent.length +
  postiz.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /posts').length

const DOWN_OR_RESTORED = 'Upnext was down when the post was due, or was later restored from a backup'

describe.each(PUBLISHERS)('a post on %s that was due while the service was down', (publisher) => {
  it('is not sent if that was more than an hour ago', async () => {
    const project = await startProject(publisher)
    const id = await createPostIn(10 * MINUTE_MS, project)
    await stopFor(71 * MINUTE_MS, project)
    // Only Postiz can be asked whether the post is out already.
    const result =
      publisher === 'Telegram'
        ? { State: 'UNKNOWN', Error: DOWN_OR_RESTORED }
        : { State: 'FAILED', Error: expect.stringMatching(/^Upnext couldn't publish the post/) }
    expect(await project.settle(id)).toMatchObject({ Results: [result] })
    expect(countSent(project)).toBe(0)
  })

  it.each([
    ['is published', HOUR_MS],
    ['fails as missed', HOUR_MS + SECOND_MS],
  ])('%s if another part of the service ran, and its date is %d ms ago', async (_case, lateness) => {
    const project = await startProject(publisher)
    const id = await createPostIn(MINUTE_MS, project)
    const now = new Date(project.clock.now().getTime() + MINUTE_MS + lateness)
    await stopFor(MINUTE_MS + lateness, project, [`update service.heartbeat set at = '${now.toISOString()}'`])
    if (lateness === HOUR_MS) {
      await waitUntil(() => countSent(project) === 1)
      return
    }
    expect(await project.settle(id)).toMatchObject({ Status: 'FAILED' })
    expect(countSent(project)).toBe(0)
  })

  it('is published after a restart', async () => {
    const project = await startProject(publisher)
    await createPostIn(MINUTE_MS, project)
    await stopFor(2 * MINUTE_MS, project)
    await waitUntil(() => countSent(project) === 1)
  })

  it('does not delay the posts that are due later', async () => {
    const project = await startProject(publisher)
    await stopFor(30 * MINUTE_MS, project)
    await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => countSent(project) === 1)
  })

  it('is published if a person decides so', async () => {
    const project = await startProject(publisher)
    const id = await createPostIn(MINUTE_MS, project)
    await stopFor(100 * MINUTE_MS, project)
    const { Platforms } = await project.settle(id)
    await project.setResults(id, { Platforms, State: 'PUBLISHING' })
    await waitUntil(() => countSent(project) === 1)
  })
})

describe('a post on Telegram that may be out although the service has no data about it', () => {
  it('is left to a person', async () => {
    const project = await startProject('Telegram')
    const id = await createPostIn(10 * MINUTE_MS, project)
    await stopFor(30 * MINUTE_MS, project)
    expect(await project.settle(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'UNKNOWN', Error: DOWN_OR_RESTORED }],
    })
    expect(countSent(project)).toBe(0)
  })

  it('is not sent again after a backup was restored', async () => {
    const project = await startProject('Telegram')
    const id = await sendAndRestore(project)
    expect(await project.settle(id)).toMatchObject({
      Results: [{ State: 'UNKNOWN', Error: DOWN_OR_RESTORED }],
    })
    expect(countSent(project)).toBe(1)
  })

  it('is not sent again if the backup was restored within two minutes', async () => {
    const project = await startProject('Telegram')
    const madeAt = project.clock.now()
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => project.telegram.sent.length === 1)
    await project.settle(id)
    const restoredAt = new Date(project.clock.now().getTime() + 30 * SECOND_MS).toISOString()
    // `npm run after-restore` records this gap.
    const gap = `update service.heartbeat set gap_from = at, gap_to = '${restoredAt}'`
    await stopFor(30 * SECOND_MS, project, [...restoreBackup(madeAt), gap])
    expect(await project.settle(id)).toMatchObject({
      Results: [{ State: 'UNKNOWN', Error: DOWN_OR_RESTORED }],
    })
    expect(countSent(project)).toBe(1)
  })

  it('is left to a person even if other posts were due in an earlier gap', async () => {
    const project = await startProject('Telegram')
    const ids = [await createPostIn(10 * MINUTE_MS, project), await createPostIn(40 * MINUTE_MS, project)]
    await stopFor(30 * MINUTE_MS, project)
    await stopFor(30 * MINUTE_MS, project)
    for (const id of ids)
      expect(await project.settle(id)).toMatchObject({
        Results: [{ State: 'UNKNOWN', Error: DOWN_OR_RESTORED }],
      })
  })
})

describe('a post on Postiz that may be out although the service has no data about it', () => {
  it('is published once if Postiz does not have it', async () => {
    const project = await startProject('Postiz')
    await createPostIn(10 * MINUTE_MS, project)
    await stopFor(30 * MINUTE_MS, project)
    await waitUntil(() => project.postiz.posts.length === 1)
    const requests = project.postiz.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
    expect(requests).toEqual(['GET /posts', 'GET /integrations', 'POST /posts'])
  })

  it('is published without a request if Postiz has published it', async () => {
    const project = await startProject('Postiz')
    const id = await sendAndRestore(project, async () =>
      project.postiz.publishPost(project.postiz.posts[0]?.id ?? '', {
        releaseURL: 'https://threads.example/1',
      }),
    )
    expect(await project.settle(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'PUBLISHED', Link: 'https://threads.example/1', Error: null }],
    })
    expect(countSent(project)).toBe(1)
  })

  it('is also found if it was edited after the backup', async () => {
    const project = await startProject('Postiz')
    const madeAt = project.clock.now()
    const id = await createPostIn(MINUTE_MS, project)
    await project.service.pool.query('update service.post set version = version + 7')
    project.clock.advance(MINUTE_MS + SECOND_MS)
    await waitUntil(() => project.postiz.posts.length === 1)
    await project.findPause()
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await stopFor(10 * MINUTE_MS, project, restoreBackup(madeAt))
    expect(await project.settle(id)).toMatchObject({ Results: [{ State: 'PUBLISHED' }] })
    expect(countSent(project)).toBe(1)
  })

  it('is looked up until Postiz has published it, also if it was edited after the backup', async () => {
    const project = await startProject('Postiz')
    const madeAt = project.clock.now()
    const id = await createPostIn(MINUTE_MS, project)
    await project.service.pool.query('update service.post set version = version + 7')
    project.clock.advance(MINUTE_MS + SECOND_MS)
    await waitUntil(() => project.postiz.posts.length === 1)
    await project.findPause()
    await stopFor(10 * MINUTE_MS, project, restoreBackup(madeAt))
    expect(await project.skipPause()).toBe(60)
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'PUBLISHED', Error: null }] })
    expect(countSent(project)).toBe(1)
  })

  it('is looked up until Postiz has published it', async () => {
    const project = await startProject('Postiz')
    const id = await sendAndRestore(project)
    expect(await project.skipPause()).toBe(60)
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'PUBLISHED', Error: null }] })
    expect(countSent(project)).toBe(1)
  })

  it('is left to a person if Postiz does not publish it for a day', async () => {
    const project = await startProject('Postiz')
    const id = await sendAndRestore(project)
    await project.skipPause()
    await project.skipPause(25 * HOUR_MS)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'UNKNOWN' }] })
  })

  it('is looked up again while Postiz is down, and then published', async () => {
    const project = await startProject('Postiz')
    const id = await createPostIn(10 * MINUTE_MS, project)
    project.postiz.planOthers(() => ({ kind: 'status', status: 503 }))
    await stopFor(30 * MINUTE_MS, project)
    await project.waitForError(id, 'Internal server error')
    expect(countSent(project)).toBe(0)
    project.postiz.planOthers(() => undefined)
    expect(await project.skipPause()).toBe(5)
    await waitUntil(() => countSent(project) === 1)
  })

  it('is left to a person if Postiz stays down', async () => {
    const project = await startProject('Postiz')
    const id = await sendAndRestore(project, async () =>
      project.postiz.planOthers(() => ({ kind: 'status', status: 503 })),
    )
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'UNKNOWN' }] })
  })
})

describe('a post that waits for another attempt', () => {
  const wait = async (publisher: (typeof PUBLISHERS)[number]) => {
    const project = await startProject(publisher)
    const limit = { kind: 'status', status: 429, retryAfter: 15 * 60 } as const
    project.telegram.plan(() => limit)
    project.postiz.plan(() => limit)
    const id = await project.schedule({ Content: 'Launch day' })
    await project.findPause()
    project.telegram.plan(() => undefined)
    project.postiz.plan(() => undefined)
    return { project, id, before: countSent(project) }
  }

  it('is left to a person after an outage, because a backup may contain it although it is out', async () => {
    const { project, id, before } = await wait('Telegram')
    await stopFor(20 * MINUTE_MS, project)
    expect(await project.settle(id)).toMatchObject({
      Results: [{ State: 'UNKNOWN', Error: DOWN_OR_RESTORED }],
    })
    expect(countSent(project)).toBe(before)
  })

  it('is looked for in Postiz after an outage, and then sent', async () => {
    const { project, before } = await wait('Postiz')
    await stopFor(20 * MINUTE_MS, project)
    await waitUntil(() => countSent(project) === before + 1)
  })

  it('is not sent hours later', async () => {
    const { project, id, before } = await wait('Telegram')
    await project.skipPause(3 * HOUR_MS)
    expect(await project.settle(id)).toMatchObject({
      Results: [
        { State: 'FAILED', Error: expect.stringMatching(/^Upnext couldn't publish the post within an hour/) },
      ],
    })
    expect(countSent(project)).toBe(before)
  })
})
