import type { ClientMessage, InputValues, ViewRecord } from 'local-slack'
import { type LocalSlack, openLocalSlack, type UserSession } from 'local-slack'
import type { Logger } from 'pino'
import { expect, vi } from 'vitest'
import { createApi } from '../../src/api/client.ts'
import { startBot } from '../../src/bot/start-bot.ts'
import { createLog } from '../../src/log.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { insertProjectUser } from '../../src/service/storage/people.ts'
import { connectStore } from '../../src/store/connect.ts'
import { startJobs } from '../../src/store/jobs.ts'
import { open as openDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { freePort } from '../support/sockets.ts'

export type Upnext = {
  slack: LocalSlack
  service: TestService
  project: string
  close: () => Promise<void>
  /** Lets time pass for the bot, and for nobody else. */
  wait: (time: { minutes: number }) => void
  /** A person in #launch or another channel, with what they see there. */
  person: (handle: string, channel?: string) => Member
}

export type Member = UserSession & {
  channel: string
  run: (text: string) => Promise<unknown>
  /** What the bot told them last, with all its words. */
  told: () => string | undefined
  /** Waits for the bot to say that. */
  hears: (words: string | RegExp) => Promise<void>
  /** Waits for a form to be filled in, with all that had to be fetched for it. */
  form: (title: string) => Promise<ViewRecord>
  /** Values for the open form, by block. */
  fill: (values: Record<string, string | string[]>) => InputValues
  /** Looks something up in a list of the open form; what `press` and `submitView` need to choose it. */
  pick: (block_id: string, label: string) => Promise<Picked>
  lastMessage: () => ClientMessage | undefined
  /** Presses what has that action in the message that came last. */
  pressLast: (action_id: string) => Promise<unknown>
}

export type Picked = {
  container: { view: string }
  block_id: string
  action_id: string
  value: string
  values: InputValues
}

type Options = {
  api?: { fetch?: typeof fetch; token?: string }
  /** The bot goes by this very list: it may be changed while the bot runs. */
  admins?: string[]
  guestsMayWrite?: boolean
  log?: Logger
  projects?: string[]
  overHttp?: boolean
  /** Whether the bot may call Slack as often as it likes: where people do in seconds what takes them hours. */
  isUnlimited?: boolean
  /** Another way to the database, for the bot alone. */
  databaseUrl?: (url: string) => Promise<string>
}

/** The bot on the real service, the real database and the local Slack: all of it but the process. */
export async function openUpnext({
  api = {},
  admins = [],
  guestsMayWrite = false,
  log = createLog('silent'),
  projects = ['Acme'],
  overHttp = false,
  isUnlimited = false,
  databaseUrl,
}: Options = {}): Promise<Upnext> {
  let passed = 0
  const runtime = { ...systemRuntime, now: () => new Date(Date.now() + passed) }
  const service = await startTestService()
  const ids: string[] = []
  for (const name of projects) ids.push(await service.addProject(name))
  const [project = ''] = ids
  const { token, id: user_id } = await service.addMember(project, 'ADMIN')
  const names = { first_name: null, last_name: null, phone_number: null }
  for (const project_id of ids.slice(1))
    await insertProjectUser(service.db, { project_id, user_id, role: 'ADMIN', status: 'ACTIVE', ...names })
  const port = overHttp ? await freePort() : 0
  const slack = await openLocalSlack({
    manifest: 'manifest.yml',
    runtime: systemRuntime,
    disableRateLimits: isUnlimited,
    ...(overHttp && { requestUrl: `http://127.0.0.1:${port}` }),
  })
  const own = databaseUrl && (await openDatabase(await databaseUrl(service.databaseUrl)))
  const db = await connectStore(own?.pool ?? service.pool)
  const { botToken, appToken, signingSecret } = slack.secrets
  const jobs = await startJobs({ pool: own?.pool ?? service.pool, onError: () => {} })
  const bot = await startBot({
    jobs,
    bot: {
      api: createApi({ ...systemRuntime, baseUrl: service.url, token, ...api }),
      db,
      log,
      runtime,
      admins,
      guestsMayWrite,
    },
    slack: { botToken, ...(overHttp ? { signingSecret } : { appToken }), apiUrl: slack.apiUrl },
    host: '127.0.0.1',
    port,
    digestsEveryMs: 500,
  })
  return {
    slack,
    service,
    project,
    async close() {
      await bot.stop()
      await jobs.stop({ graceful: true })
      await slack.close()
      await own?.close()
      await service.stop()
    },
    wait: ({ minutes }) => {
      passed += minutes * 60_000
    },
    person: (handle, channel = 'launch') => memberAt(slack.openSession(handle), channel),
  }
}

const PATIENCE = { timeout: 5000 }

type Block = { block_id?: string; element?: { action_id?: string } }

function memberAt(desk: UserSession, channelName: string): Member {
  const channel = desk.state().channels.find(({ name }) => name === channelName)?.id ?? ''
  const topView = () => desk.state().views.at(-1)
  const actionOf = (block_id: string) => {
    const blocks: Block[] = topView()?.blocks ?? []
    return blocks.find((block) => block.block_id === block_id)?.element?.action_id ?? ''
  }
  const lastMessage = () => desk.state().messages[channel]?.at(-1)
  const told = () => {
    const said = Object.values(desk.state().messages)
      .flat()
      .filter((message) => 'bot_id' in message)
    return textOf(said.sort((one, other) => (one.ts < other.ts ? -1 : 1)).at(-1))
  }
  return Object.assign(desk, {
    channel,
    told,
    lastMessage,
    run: (text: string) => desk.runCommand({ channel, text }),
    hears: (words: string | RegExp) => vi.waitFor(() => expect(told()).toMatch(words), PATIENCE),
    form: (title: string) =>
      vi.waitFor(() => {
        const view = topView()
        if (!view?.blocks.some(({ block_id }) => block_id === 'project'))
          throw new Error('The form is not ready.')
        expect(view.title.text).toBe(title)
        return view
      }, PATIENCE),
    fill: (values: Record<string, string | string[]>) =>
      Object.fromEntries(
        Object.entries(values).map(([block_id, value]) => [block_id, { [actionOf(block_id)]: value }]),
      ),
    async pick(block_id: string, label: string) {
      const at = { view: topView()?.id ?? '' }
      const action_id = actionOf(block_id)
      const found = await desk.loadOptions({ container: at, block_id, action_id, query: label })
      const options = 'options' in found ? found.options : []
      const named = options.find(({ text, value }) => text.text.includes(label) || value === label)
      const value = named?.value ?? ''
      expect(value, JSON.stringify(found)).not.toBe('')
      return { container: at, block_id, action_id, value, values: { [block_id]: { [action_id]: value } } }
    },
    async pressLast(action_id: string) {
      const message = lastMessage()
      const block = message?.blocks?.find((one) => JSON.stringify(one).includes(`"${action_id}"`))
      const at = { channel, ts: message?.ts ?? '' }
      return desk.dispatchAction({ container: at, block_id: block?.block_id ?? '', action_id })
    },
  })
}

/** All words of a message, whichever block they stand in. */
function textOf(message: unknown): string | undefined {
  if (!message) return undefined
  const words: string[] = []
  JSON.stringify(message, (key, value) => {
    if (key === 'text' && typeof value === 'string') words.push(value)
    return value
  })
  return words.join('\n')
}
