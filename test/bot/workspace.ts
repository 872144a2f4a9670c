import {
  type ClientMessage,
  type InputValues,
  type LocalSlack,
  openLocalSlack,
  type SessionOptions,
  type UserSession,
  type ViewRecord,
} from 'local-slack'
import type { Logger } from 'pino'
import { expect, vi } from 'vitest'
import { createApi } from '../../src/api/client.ts'
import { measureServiceCalls } from '../../src/api/measure-calls.ts'
import { connectBotDatabase, openBotTables } from '../../src/bot/connect-database.ts'
import { TYPING_PAUSE_MS } from '../../src/bot/forms/update-while-typing.ts'
import { UPLOAD_PROCESSING_MS } from '../../src/bot/slack/images/upload-drawing.ts'
import { startBot } from '../../src/bot/start-bot.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts'
import { type Runtime, systemRuntime } from '../../src/runtime.ts'
import { insertProjectUser } from '../../src/service/stores/people-store.ts'
import { createApiTime } from '../support/api-time.ts'
import { createRunningClock } from '../support/clock.ts'
import { type DatabaseTemplate, openTestDatabase } from '../support/database.ts'
import { controlPollers } from '../support/pollers.ts'
import { findFreePort } from '../support/servers.ts'
import { SERVICE_TEMPLATE, startTestService, type TestService } from '../support/service.ts'

export type Upnext = {
  readonly slack: LocalSlack
  /** Starts a new Slack with the same people, channels and secrets at the address of the one that was closed. */
  restartSlack: () => Promise<void>
  service: TestService
  metrics: Metrics
  /** Where the bot listens. */
  botUrl: string
  /** Where Slack sends its requests in HTTP mode. */
  requestUrl: string | undefined
  project: string
  close: () => Promise<void>
  /** The bot's clock. It starts with the clocks of the service and of Slack, on a Friday noon. */
  now: () => Date
  /** Moves the bot's clock, and no other. */
  wait: (time: { minutes: number }) => void
  /** Moves the clocks of the bot, the service and Slack, as if the service had run all the time. */
  passTime: (time: { minutes: number }) => Promise<void>
  /** Repeats the check until it passes, and moves all clocks forward between the attempts. */
  waitFor: (check: () => unknown) => Promise<void>
  /** Starts another instance of the bot, usually on the same database. It is stopped with the first one. */
  startSecondBot: (databaseUrl?: string) => Promise<void>
  /** Stops the first instance. */
  stopBot: () => Promise<void>
  /** Ends the time that the current runs and jobs of the bot's pollers have. */
  endRunTime: () => void
  /** Waits until the bot has nothing left to do at this point in time. */
  settled: () => Promise<void>
  /** Lets the API requests fail that the bot waits for while Slack waits for its answer. */
  endShortDeadlines: () => void
  /** Opens a session of a user in #launch or another channel. Unrestricted users can send what Slack itself wouldn't. */
  person: (handle: string, channel?: string, options?: SessionOptions) => Member
}

export type Member = UserSession & {
  handle: string
  channel: string
  run: (text: string) => Promise<unknown>
  /** All text of the latest message of the bot. */
  lastText: () => string | undefined
  /** Waits until the latest message of the bot matches. */
  hears: (words: string | RegExp) => Promise<void>
  /** Runs a command and waits until a new message of the bot matches. */
  runAndHear: (text: string, words: string | RegExp) => Promise<void>
  /** Shows the fields behind "More options". */
  showMore: () => Promise<void>
  /** Submits a form at once, before it shows how dates are read. */
  submitUnseen: UserSession['submitView']
  /** Presses the button of the confirmation above the form, not as a part of a double click. */
  confirm: (label: string) => ReturnType<UserSession['submitView']>
  /** Submits a form and waits until a new message of the bot matches. */
  submitAndHear: (input: { view: string; values: InputValues }, words: string | RegExp) => Promise<void>
  /** Waits until the form is open and its projects are loaded. */
  form: (title: string) => Promise<ViewRecord>
  /** Input for the open form, by block. */
  fill: (values: Record<string, string | string[]>) => InputValues
  /** Searches a menu of the open form. The result can be passed to `press` and `submitView`. */
  pick: (block_id: string, label: string) => Promise<PickedOption>
  /** Invites someone with the form, and waits until it has happened. */
  invite: (email: string, role: string) => Promise<void>
  lastMessage: () => ClientMessage | undefined
  /** Whether the latest message of the bot is a direct message. */
  isAnsweredInPrivate: () => boolean
  /** Presses the button with this action in the latest message that has one. */
  pressLast: (action_id: string) => Promise<unknown>
  /** Presses the button with this label in the latest message, or picks the entry of its first menu that has it. */
  pickLast: (label: string) => Promise<unknown>
  /** Returns a button or menu of the Home tab. */
  findOnHome: (action_id: string) => { container: { view: string }; block_id: string; action_id: string }
}

export type PickedOption = {
  container: { view: string }
  block_id: string
  action_id: string
  value: string
  values: InputValues
}

/** Answers in place of the service. Undefined lets the request through. */
export type Respond = (request: Request) => Response | undefined | Promise<Response | undefined>

/** A service that offers the contract alone. */
export const withoutExtensions: Respond = ({ url }) =>
  url.endsWith('/openapi.json') ? Response.json({ paths: {} }) : undefined

type Options = {
  respond?: Respond
  api?: { fetch?: typeof fetch; token?: string }
  /** The bot reads this list at every check, so a test can change it. */
  admins?: string[]
  guestsMayWrite?: boolean
  externalUsersMayView?: boolean
  uninstallRetentionDays?: number
  /** By default, there are no limits. */
  actionLimits?: { perUser: number; perWorkspace: number }
  /** For the bot and the service. */
  log?: Logger
  projects?: string[]
  /** The path of a seed file for the local Slack, which replaces the default workspace. */
  seed?: string
  overHttp?: boolean
  disableRateLimits?: boolean
  refusesOptionalScopes?: boolean
  /** The bot waits until someone stops typing, as in production. */
  typesInRealTime?: boolean
  /** Moves the clocks to the time when Slack has processed an upload. */
  skipsUploadTime?: boolean
  /** The bot and Slack wait much longer for answers, so that a slow machine doesn't look like a slow service or bot. */
  relaxTimeouts?: boolean
  /** How uploads are served. */
  uploads?: { publicUrl?: string; isServiceOnThisMachine?: boolean; maxWorkspaceBytes?: number }
  /** Slack can't be reached until it is restarted. */
  startsWithoutSlack?: boolean
  /** Slack answers the calls of this method with an internal error, until its faults are cleared. */
  failingMethod?: string
  /** The networks that the service publishes on. */
  publishing?: NonNullable<Parameters<typeof startTestService>[0]>['publishing']
  /** Another route to the database, for the bot alone. */
  databaseUrl?: (url: string) => Promise<string>
  /** How long a query on that route may take. */
  queryTimeoutMs?: number
}

/** The database's clock decides about the retention, and the bot's stands in 2026. */
const RETENTION = { auditDays: 36_500, daysAfterUninstallation: 30 }

const TEMPLATE: DatabaseTemplate = {
  name: 'bot_template',
  async setUp(database) {
    await SERVICE_TEMPLATE.setUp(database)
    await connectBotDatabase(database, RETENTION)
  },
}

/** Slower than a double click. */
const DOUBLE_CLICK_MS = 2000

const MAX_PROCESSING_MS = 1100
/** A shorter pause isn't a timeout. */
const MIN_TIMEOUT_MS = 1000
const RELAXED_TIMEOUT_MS = 60_000
const relaxedSleep: Runtime['sleep'] = (_ms, signal) => systemRuntime.sleep(RELAXED_TIMEOUT_MS, signal)

/** Shorter than in production, so that tests wait less. */
const PUBLISH_INTERVAL_MS = 50

/** While a test waits, its clocks run about ten times as fast, because the bot checks posts every few seconds. */
const PASSED_PER_ATTEMPT = { minutes: 0.2 / 60 }

/** Slack waits 3 s for an answer. The bot must answer before that. */
const MAX_ANSWER_MS = 2500

/** Starts the bot with the real service, a real database and the local Slack: everything but the process. */
export async function openUpnext({
  respond,
  api = respond ? { fetch: fetchOr(respond) } : {},
  admins = [],
  guestsMayWrite = false,
  externalUsersMayView = false,
  uninstallRetentionDays = RETENTION.daysAfterUninstallation,
  actionLimits = { perUser: 0, perWorkspace: 0 },
  log = createLog('silent'),
  projects = ['Acme'],
  seed,
  overHttp = false,
  disableRateLimits = false,
  refusesOptionalScopes = false,
  skipsUploadTime = false,
  typesInRealTime = false,
  relaxTimeouts = false,
  uploads = {},
  startsWithoutSlack = false,
  failingMethod,
  publishing,
  databaseUrl,
  queryTimeoutMs,
}: Options = {}): Promise<Upnext> {
  const clock = createRunningClock()
  const timeoutSleep = relaxTimeouts ? relaxedSleep : clock.runtime.sleep
  const apiTime = createApiTime({ minDeadlineMs: relaxTimeouts ? RELAXED_TIMEOUT_MS : 0 })
  const pollers = controlPollers({ ...clock.runtime, sleep })
  const otherClock = createRunningClock()
  const { runtime } = otherClock
  const metrics = createMetrics()
  const service = await startTestService({
    runtime,
    log,
    metrics,
    template: TEMPLATE,
    ...(publishing && { publishing, timing: { publishIntervalMs: PUBLISH_INTERVAL_MS } }),
  })
  const ids: string[] = []
  for (const name of projects) ids.push(await service.addProject(name))
  const [project = ''] = ids
  const { token, id: user_id } = await service.addMember(project, 'ADMIN')
  const names = { first_name: null, last_name: null, phone_number: null }
  for (const project_id of ids.slice(1))
    await insertProjectUser(service.db, { project_id, user_id, role: 'ADMIN', status: 'ACTIVE', ...names })
  const port = overHttp ? await findFreePort() : 0
  // Bolt compares the time of a signed request with the system's clock.
  if (overHttp) vi.useFakeTimers({ now: clock.now(), toFake: ['Date'] })
  const requestUrl = overHttp ? `http://127.0.0.1:${port}` : undefined
  const slackOptions = {
    manifest: 'manifest.yml',
    runtime,
    seed,
    disableRateLimits,
    refusesOptionalScopes,
    requestUrl,
    timeLimitMs: relaxTimeouts ? RELAXED_TIMEOUT_MS : undefined,
  }
  let slack = await openLocalSlack(slackOptions)
  /** Slack processes an upload within a second of its own time. A pending submission would notice if its clock jumped. */
  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // Someone stopped typing.
    if (ms === TYPING_PAUSE_MS && !typesInRealTime) return
    if (ms < MIN_TIMEOUT_MS) return clock.runtime.sleep(ms, signal)
    if (ms === UPLOAD_PROCESSING_MS && !skipsUploadTime) return clock.runtime.sleep(MAX_PROCESSING_MS)
    if (ms !== UPLOAD_PROCESSING_MS) return (signal ? clock.runtime.sleep : timeoutSleep)(ms, signal)
    clock.advance(ms)
    slack.controls.advanceClock({ seconds: ms / 1000 })
  }
  const ownDatabase =
    databaseUrl &&
    (await openTestDatabase(await databaseUrl(service.databaseUrl), {
      onError: (error) => log.error(error, 'Database error'),
      queryTimeoutMs,
    }))
  const { botToken, appToken, signingSecret } = slack.secrets
  if (startsWithoutSlack) await slack.close()
  if (failingMethod)
    slack.controls.injectFault({ method: failingMethod, error: 'internal_error', times: 1000 })
  const database = ownDatabase ?? service.database
  // A copy of the template has the tables and the usual retention already.
  if (ownDatabase || uninstallRetentionDays !== RETENTION.daysAfterUninstallation)
    await connectBotDatabase(database, { ...RETENTION, daysAfterUninstallation: uninstallRetentionDays })
  const botOptions: Parameters<typeof startBot>[0] = {
    database,
    bot: {
      api: createApi({
        ...{ ...clock.runtime, ...apiTime, baseUrl: service.url, token, ...api },
        fetch: measureServiceCalls(metrics, api.fetch ?? clock.runtime.fetch),
      }),
      db: openBotTables(database),
      log,
      metrics,
      runtime: pollers.runtime,
      admins,
      guestsMayWrite,
      externalUsersMayView,
      uninstallRetentionDays,
    },
    actionLimits,
    slack: { botToken, ...(overHttp ? { signingSecret } : { appToken }), apiUrl: slack.apiUrl },
    onOtherWorkspace: (error) => log.error(error),
    host: '127.0.0.1',
    port,
    isServiceOnThisMachine: true,
    maxWorkspaceBytes: 2e9,
    ...uploads,
  }
  const bot = await startBot(botOptions)
  const otherDatabases: Awaited<ReturnType<typeof openTestDatabase>>[] = []
  let isStopped = false
  const otherBots: Awaited<ReturnType<typeof startBot>>[] = []
  const passSlackTime = (ms: number) => {
    clock.advance(ms)
    slack.controls.advanceClock({ seconds: ms / 1000 })
  }
  async function passTime({ minutes }: { minutes: number }): Promise<void> {
    const ms = minutes * 60_000
    const at = new Date(otherClock.now().getTime() + ms)
    await service.pool.query('update service.heartbeat set at = $1', [at])
    for (const { advance } of [otherClock, clock]) advance(ms)
    pollers.wake()
  }
  async function hasRunningJob(): Promise<boolean> {
    const { rowCount } = await service.pool.query('select from upnext.job where leased_until > $1', [
      clock.now(),
    ])
    return rowCount !== 0
  }
  return {
    get slack() {
      return slack
    },
    async restartSlack() {
      const { url, secrets } = slack
      slack = await openLocalSlack({ ...slackOptions, secrets, port: Number(new URL(url).port) })
    },
    service,
    metrics,
    botUrl: bot.url,
    requestUrl,
    project,
    async close() {
      await Promise.all([...(isStopped ? [] : [bot]), ...otherBots].map((instance) => instance.stop()))
      for (const other of otherDatabases) await other.close()
      await slack.close()
      await ownDatabase?.close()
      await service.stop()
      vi.useRealTimers()
    },
    now: clock.now,
    wait({ minutes }) {
      clock.advance(minutes * 60_000)
      pollers.wake()
    },
    passTime,
    waitFor: (check) =>
      vi.waitFor(async () => {
        try {
          await check()
        } catch (error) {
          await passTime(PASSED_PER_ATTEMPT)
          throw error
        }
      }, MAX_WAIT),
    async startSecondBot(otherUrl) {
      const { runtime } = controlPollers({ ...clock.runtime, sleep })
      const other = otherUrl ? await openTestDatabase(otherUrl) : undefined
      if (other) otherDatabases.push(other)
      const db = other ? await connectBotDatabase(other) : botOptions.bot.db
      const own = { ...botOptions, port: 0, bot: { ...botOptions.bot, runtime, db } }
      otherBots.push(await startBot({ ...own, database: other ?? database }))
    },
    async stopBot() {
      await bot.stop()
      isStopped = true
    },
    endRunTime: pollers.endRunTime,
    settled: () => pollers.settled(hasRunningJob),
    endShortDeadlines: () => apiTime.endDeadlines(MAX_ANSWER_MS),
    person: (handle, channel = 'launch', options = {}) =>
      openMember(handle, slack.openSession(handle, options), { channelName: channel, wait: passSlackTime }),
  }
}

const fetchOr =
  (respond: Respond): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const response = await respond(request.clone())
    return response ?? systemRuntime.fetch(request)
  }

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000, interval: 20 }

type Menu = { options?: { text: { text: string }; value: string }[] }
type Block = {
  block_id?: string
  element?: {
    action_id?: string
    initial_value?: string
  }
}

/** The blocks of a view, with what tests look at. */
const blocksOf = (view: ViewRecord | undefined): Block[] => JSON.parse(JSON.stringify(view?.blocks ?? []))

type Surroundings = { channelName: string; wait: (ms: number) => void }

function openMember(handle: string, session: UserSession, { channelName, wait }: Surroundings): Member {
  const channel = session.state().channels.find(({ name }) => name === channelName)?.id ?? ''
  const topView = () => session.state().views.at(-1)
  const actionOf = (block_id: string) => {
    return blocksOf(topView()).find((block) => block.block_id === block_id)?.element?.action_id ?? ''
  }
  const lastMessage = () => session.state().messages[channel]?.at(-1)
  const botMessages = () =>
    Object.entries(session.state().messages)
      .flatMap(([channel, messages]) => messages.map((message) => ({ channel, message })))
      .filter(({ message }) => 'bot_id' in message)
      .sort((a, b) => (a.message.ts < b.message.ts ? -1 : 1))
  const lastBotMessage = () => botMessages().at(-1)?.message
  const lastText = () => textOf(lastBotMessage())
  const actAndHear = async (act: () => Promise<unknown>, words: string | RegExp) => {
    const before = lastBotMessage()?.ts
    await act()
    await vi.waitFor(() => {
      expect(lastBotMessage()?.ts).not.toBe(before)
      expect(lastText()).toMatch(words)
    }, MAX_WAIT)
  }
  /** Someone who enters a date sees how it is read before they press the button. */
  async function typeWords({ view: id, values }: { view: string; values: InputValues }): Promise<void> {
    const findView = () => session.state().views.find((view) => view.id === id)
    const blocks = blocksOf(findView())
    for (const block of blocks) {
      const { block_id = '', element } = block
      const action_id = element?.action_id ?? ''
      const value = values[block_id]?.[action_id]
      const isInWords = blocks.some((other) => other.block_id === `alternatives:${block_id}`)
      if (!isInWords || typeof value !== 'string' || value === element?.initial_value) continue
      const before = findView()?.hash
      await session.dispatchAction({ container: { view: id }, block_id, action_id, value, values })
      await vi.waitFor(() => {
        if (findView()?.hash === before) throw new Error('The form does not show how the words are read.')
      }, MAX_WAIT)
    }
  }
  async function showMore(): Promise<void> {
    const view = topView()
    const block_id = 'more-options'
    const block = view?.blocks.find((candidate) => candidate.block_id === block_id)
    const [button] = (block as { elements?: { action_id: string }[] } | undefined)?.elements ?? []
    if (!view || !button) throw new Error('The form has no further options.')
    await session.dispatchAction({ container: { view: view.id }, block_id, action_id: button.action_id })
    await vi.waitFor(() => {
      if (topView()?.hash === view.hash) throw new Error('The form does not show more options.')
    }, MAX_WAIT)
  }
  const submitUnseen = session.submitView.bind(session)
  const member: Member = Object.assign(session, {
    submitUnseen,
    showMore,
    submitView: async (input: { view: string; values: InputValues }) => {
      await typeWords(input)
      return submitUnseen(input)
    },
    handle,
    channel,
    lastText,
    lastMessage,
    isAnsweredInPrivate: () => botMessages().at(-1)?.channel.startsWith('D') ?? false,
    run: (text: string) => session.runCommand({ channel, text }),
    hears: (words: string | RegExp) => vi.waitFor(() => expect(lastText()).toMatch(words), MAX_WAIT),
    runAndHear: (text: string, words: string | RegExp) =>
      actAndHear(() => session.runCommand({ channel, text }), words),
    async confirm(label: string) {
      const view = topView()
      expect(view?.submit?.text).toBe(label)
      wait(DOUBLE_CLICK_MS)
      return submitUnseen({ view: view?.id ?? '', values: {} })
    },
    submitAndHear: (input: { view: string; values: InputValues }, words: string | RegExp) =>
      actAndHear(async () => expect(await member.submitView(input)).toEqual({ done: true }), words),
    form: (title: string) =>
      vi.waitFor(() => {
        const view = topView()
        if (!view?.blocks.some(({ block_id }) => block_id === 'project'))
          throw new Error('The form is not ready.')
        expect(view.title.text).toBe(title)
        return view
      }, MAX_WAIT),
    fill: (values: Record<string, string | string[]>) =>
      Object.fromEntries(
        Object.entries(values).map(([block_id, value]) => [block_id, { [actionOf(block_id)]: value }]),
      ),
    async pick(block_id: string, label: string) {
      if (!actionOf(block_id)) await showMore()
      const at = { view: topView()?.id ?? '' }
      const action_id = actionOf(block_id)
      const response = await session.loadOptions({ container: at, block_id, action_id, query: label })
      const options = 'options' in response ? response.options : []
      const option = options.find(({ text, value }) => text.text.includes(label) || value === label)
      const chosen = option?.value ?? ''
      expect(chosen, JSON.stringify(response)).not.toBe('')
      return {
        container: at,
        block_id,
        action_id,
        value: chosen,
        values: { [block_id]: { [action_id]: chosen } },
      }
    },
    async invite(email: string, role: string) {
      await member.run('/invite-user')
      const { id: view } = await member.form('Invite someone')
      const values = {
        ...member.fill({ FirstName: 'Ada', Email: email }),
        ...(await member.pick('Role', role)).values,
      }
      await member.submitAndHear({ view, values }, `Invited ${email}`)
    },
    findOnHome(action_id: string) {
      const { id: view = '', blocks = [] } = session.state().home ?? {}
      const block = blocks.find((candidate) => JSON.stringify(candidate).includes(`"${action_id}"`))
      return { container: { view }, block_id: block?.block_id ?? '', action_id }
    },
    async pickLast(label: string) {
      const message = lastMessage()
      const at = { channel, ts: message?.ts ?? '' }
      for (const { block_id = '', ...block } of message?.blocks ?? []) {
        const { elements = [] } = block as { elements?: { action_id: string; text?: { text: string } }[] }
        const button = elements.find(({ text }) => text?.text === label)
        if (button) return session.dispatchAction({ container: at, block_id, action_id: button.action_id })
      }
      const [menu] = (message?.blocks ?? []).flatMap((block) => {
        const { accessory } = block as { accessory?: Menu }
        const option = accessory?.options?.find(({ text }) => text.text === label)
        return option ? [{ block_id: block.block_id ?? '', value: option.value }] : []
      })
      if (!menu) throw new Error(`No menu has the entry "${label}".`)
      return session.dispatchAction({ container: at, action_id: 'record:menu', ...menu })
    },
    async pressLast(action_id: string) {
      const hasAction = (content: unknown) => JSON.stringify(content).includes(`"${action_id}"`)
      const found = botMessages().findLast(({ message }) => hasAction(message.blocks ?? []))
      const block = found?.message.blocks?.find(hasAction)
      const at = { channel: found?.channel ?? '', ts: found?.message.ts ?? '' }
      return session.dispatchAction({ container: at, block_id: block?.block_id ?? '', action_id })
    },
  })
  return member
}

/** All text of a message, whichever block it is in. */
function textOf(message: unknown): string | undefined {
  if (!message) return undefined
  const texts: string[] = []
  JSON.stringify(message, (key, value) => {
    if (key === 'text' && typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n')
}
