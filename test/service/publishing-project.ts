import type { Logger } from 'pino'
import { onTestFinished } from 'vitest'
import { platformOfChannel } from '../../src/service/publishing/postiz-settings.ts'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { borrowDatabase } from '../support/borrowed-database.ts'
import { createTestClock, TEST_START, waitUntil } from '../support/clock.ts'
import type { FakePostizOptions, PostizChannel } from '../support/fake-postiz.ts'
import { SERVICE_TEMPLATE, startTestService, type TestService } from '../support/service.ts'
import { BOT_TOKEN, CHAT, startNetworks } from './publishing-networks.ts'

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS

/** Text that encodings and markup can damage. */
export const DELICATE_TEXT =
  'Launch <b>day</b> & "more" if a<b & c>d!\n\n*Not* _markup_ 🚀👩‍🚀 &amp;\nhttps://acme.example/?a=1&copy=2#x'

type ProjectOptions = {
  /** Connects the channel of the bot, as by default, or leaves Telegram without an account. */
  hasTelegram?: boolean
  /** Adds a channel to Postiz for each, and connects it. */
  channels?: (Pick<PostizChannel, 'identifier'> & Partial<PostizChannel>)[]
  postiz?: FakePostizOptions
  publishing?: NonNullable<Parameters<typeof startTestService>[0]>['publishing']
  log?: Logger
}

export type PublishingProject = Awaited<ReturnType<typeof startPublishingProject>>

/** The settings of an account that a platform needs. */
const ACCOUNT_SETTINGS: Record<string, Record<string, string>> = {
  PINTEREST: { board: 'board-1' },
  REDDIT: { subreddit: '/r/acme' },
  YOUTUBE: { visibility: 'public' },
  TIKTOK: { privacy: 'SELF_ONLY' },
}

/** Starts the service with a project whose posts are published on a fake of Telegram and a fake of Postiz. */
export async function startPublishingProject(options: ProjectOptions = {}) {
  const { hasTelegram = true, channels = [], log } = options
  const clock = createTestClock()
  const networks = await startNetworks(clock.now, options.postiz)
  const { telegram, postiz, files } = networks
  const borrowed = await borrowDatabase(SERVICE_TEMPLATE)
  const instances = new Set<TestService>()
  onTestFinished(async () => {
    // First, because a service waits for its requests before it stops.
    await Promise.all([telegram.close(), postiz.close(), files.close()])
    for (const instance of instances) await instance.stop()
    await borrowed.database.close()
  })

  const startInstance = async (): Promise<TestService> => {
    const instance = await startTestService({
      borrowed,
      // The pauses between attempts have no jitter.
      runtime: { ...clock.runtime, random: () => 0.5 },
      publishing: {
        telegramApiUrl: telegram.url,
        postiz: { url: postiz.url, apiKey: postiz.key },
        ownMediaPrefixes: [`${files.url}/media/`],
        ...options.publishing,
      },
      timing: { publishIntervalMs: 10, jobIntervalMs: 10 },
      ...(log && { log }),
    })
    instances.add(instance)
    return instance
  }

  let service = await startInstance()
  const project_id = await service.addProject('Acme')
  const admin = await service.addMember(project_id, 'ADMIN')

  const addAccount = async (
    account: Omit<Parameters<typeof saveAccount>[1], 'project_id' | 'checked_at'>,
  ) => {
    const saved = await saveAccount(service.db, { project_id, checked_at: TEST_START, ...account })
    await connectAccount(service.db, saved)
    return saved
  }

  const connectTelegram = () =>
    addAccount({
      platform: 'TELEGRAM',
      publisher: 'TELEGRAM',
      name: 'Acme',
      target: String(CHAT),
      credentials: BOT_TOKEN,
      settings: '{}',
    })

  const connectChannel = async (channel: Pick<PostizChannel, 'identifier'> & Partial<PostizChannel>) => {
    const { id, name, identifier } = postiz.addChannel(channel)
    const platform = platformOfChannel(identifier)
    if (!platform) throw new Error(`Upnext has no platform for ${identifier}.`)
    const settings = JSON.stringify(ACCOUNT_SETTINGS[platform] ?? {})
    return addAccount({ platform, publisher: 'POSTIZ', name, target: id, credentials: null, settings })
  }

  if (hasTelegram) await connectTelegram()
  for (const channel of channels) await connectChannel(channel)
  const { rows } = await service.pool.query(
    'select platform from service.account where is_connected order by platform',
  )
  const Platforms: string[] = rows.map(({ platform }) => platform)

  const extension = `/extensions/v1/projects/${project_id}`
  const request = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, path, { ...admin, ...(json !== undefined && { json }), headers })

  const project = {
    ...networks,
    clock,
    project_id,
    admin,
    request,
    /** The service that requests go to. */
    get service() {
      return service
    },
    /** Starts another instance of the service, which shares the database and its connections. */
    startInstance,
    async stopService() {
      instances.delete(service)
      await service.stop()
    },
    async restartService() {
      service = await startInstance()
    },

    /** Creates a post that is due in a second, unless the fields have another date. */
    createPost: (fields: Record<string, unknown>) =>
      request('POST', `/api/v1/projects/${project_id}/posts`, {
        ScheduleDate: new Date(clock.now().getTime() + SECOND_MS).toISOString(),
        Timezone: 'UTC',
        Platforms,
        ...fields,
      }),
    /** Creates a post, and waits for its date. Returns its id. */
    async schedule(fields: Record<string, unknown>): Promise<string> {
      const { status, body } = await project.createPost(fields)
      if (status !== 201) throw new Error(`The response has the status ${status}: ${JSON.stringify(body)}`)
      clock.advance(SECOND_MS)
      return body.data.Id
    },
    getPost: async (id: string) => (await request('GET', `${extension}/posts/${id}`)).body.data,
    updatePost: async (id: string, fields: Record<string, unknown>) => {
      const { Version } = await project.getPost(id)
      const json = { Timezone: 'UTC', Platforms, ...fields }
      return request('PUT', `${extension}/posts/${id}`, json, { 'if-match': `"${Version}"` })
    },
    deletePost: async (id: string) => {
      const { Version } = await project.getPost(id)
      return request('DELETE', `${extension}/posts/${id}`, undefined, { 'if-match': `"${Version}"` })
    },
    confirm: (publication_id: string, json: object) =>
      request('POST', `/extensions/v1/projects/${project_id}/publications/${publication_id}`, json),
    setResults: (id: string, json: object) => request('PUT', `${extension}/posts/${id}/results`, json),
    /** Waits until all platforms have settled, and returns the post. */
    async settle(id: string) {
      const post = { current: await project.getPost(id) }
      await waitUntil(async () => {
        post.current = await project.getPost(id)
        return post.current.Status !== 'SCHEDULED'
      })
      return post.current
    },
    publish: async (fields: Record<string, unknown>) => project.settle(await project.schedule(fields)),

    /** Waits until the next attempt or lookup has a date, and returns its pause in seconds. */
    async findPause(): Promise<number> {
      const job = await findWaitingJob()
      return (job.due_at.getTime() - clock.now().getTime()) / SECOND_MS
    },
    /** Moves the clock to the next attempt or lookup, or further, and waits until it has ended. Returns the pause in seconds. */
    async skipPause(minMs = 0): Promise<number> {
      const { kind, id, attempts, due_at } = await findWaitingJob()
      const pauseMs = due_at.getTime() - clock.now().getTime()
      const skippedMs = Math.max(pauseMs, minMs)
      // Without a beat, the jump would look like an outage of the service.
      const resumedAt = new Date(clock.now().getTime() + skippedMs)
      await service.pool.query('update service.heartbeat set at = $1', [resumedAt])
      clock.advance(skippedMs)
      await waitUntil(async () => {
        const job = await findJob(kind, id)
        return !job || (job.attempts > attempts && job.lease === null)
      })
      return pauseMs / SECOND_MS
    },
    /** Skips all pauses of a post's attempts and lookups. Returns the pauses in seconds. */
    async skipPauses(id: string): Promise<number[]> {
      const pauses: number[] = []
      while ((await project.getPost(id)).Status === 'SCHEDULED') pauses.push(await project.skipPause())
      return pauses
    },
    /** Waits until the result of the post's only platform has this error. */
    waitForError: (id: string, error: string) =>
      waitUntil(async () => (await project.getPost(id)).Results?.[0].Error?.includes(error)),

    listAccounts: async () => (await request('GET', `${extension}/accounts`)).body.data.Items,
    getAccount: async () => (await project.listAccounts())[0],
    connectTelegram,
    connectChannel,
    /** Marks the post as sent, as a run of the service does that is killed before the response. */
    leaveRequestBehind: (id: string) =>
      service.pool.query(
        `update service.post set results = (
           select jsonb_agg(result || jsonb_build_object('sent_at', $2::text)) from jsonb_array_elements(results) result
         ) where id = $1`,
        [id, clock.now().toISOString()],
      ),
    /** Keeps all accounts from publishing for a minute. */
    pauseAccounts: () =>
      service.pool.query('update service.account set paused_until = $1', [
        new Date(clock.now().getTime() + MINUTE_MS),
      ]),
  }
  return project

  async function findWaitingJob(): Promise<JobRow> {
    let found: JobRow | undefined
    await waitUntil(async () => {
      const { rows } = await service.pool.query(
        `select * from service.job where kind in ('publish', 'confirm publication') and lease is null and due_at > $1
         order by due_at limit 1`,
        [clock.now()],
      )
      found = rows[0]
      return found !== undefined
    })
    return found as JobRow
  }

  async function findJob(kind: string, id: string): Promise<JobRow | undefined> {
    const { rows } = await service.pool.query('select * from service.job where kind = $1 and id = $2', [
      kind,
      id,
    ])
    return rows[0]
  }
}

type JobRow = { kind: string; id: string; attempts: number; due_at: Date; lease: string | null }
