import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { InputValues, LocalSlack, UserSession } from '../../index.ts'

const Value = z.union([z.string(), z.array(z.string())])

/** One thing that a person does, and what they must then see. */
export const Step = z.strictObject({
  command: z.string().optional(),
  message: z.string().optional(),
  mention: z.string().optional(),
  /** The emoji for the person's last message. */
  react: z.string().optional(),
  shortcut: z.string().optional(),
  /** The shortcut is for the person's last message. */
  onMessage: z.boolean().default(false),
  tab: z.enum(['home', 'messages']).optional(),
  /** An action_id in the open modal, the Home tab or the last message with it. */
  press: z.string().optional(),
  value: Value.optional(),
  /** Values by label or block_id. "@yuki" and "#launch" stand for ids. */
  submit: z.record(z.string(), Value).optional(),
  expectErrors: z.boolean().default(false),
  options: z.string().optional(),
  close: z.literal(true).optional(),
  /** Where a message is sent: #launch, or the conversation with the app. */
  in: z.literal('app').optional(),
  /** The message is a reply to the person's last message. */
  reply: z.boolean().default(false),
  as: z.string().default('mara'),
  /** A regular expression for a message, a modal or the Home tab. */
  expect: z.string().optional(),
})
type Step = z.output<typeof Step>

// biome-ignore lint/suspicious/noExplicitAny: an app's blocks may be any blocks
type Blocks = any[]
type Place = { container: { view: string } | { channel: string; ts: string }; blocks: Blocks }

const SEE_TIMEOUT_MS = 10_000
const SETTLE_MS = 300

/** Does the steps in the sessions of the people. */
export class Driver {
  readonly problems: string[] = []
  readonly #slack: LocalSlack
  readonly #sessions = new Map<string, UserSession>()
  #lastMessage = { channel: '', ts: '' }

  constructor(slack: LocalSlack) {
    this.#slack = slack
  }

  async run(step: Step): Promise<void> {
    const session = this.#session(step.as)
    const before = new Set(describeScreen(session))
    const result = await this.#act(session, step)
    const name = JSON.stringify(step, (_key, value) =>
      value === false || value === 'mara' ? undefined : value,
    )
    if (Object(result).error) this.problems.push(`${name}: ${Object(result).error}`)
    if (Object(result).errors && !step.expectErrors)
      this.problems.push(`${name}: the form has errors: ${JSON.stringify(Object(result).errors)}`)
    if (!step.expect) return void (await sleep(SETTLE_MS))
    const pattern = new RegExp(step.expect, 's')
    for (const deadline = Date.now() + SEE_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
      const seen = [...this.#sessions.values()].flatMap(describeScreen).filter((line) => !before.has(line))
      if (seen.some((line) => pattern.test(line))) return
    }
    this.problems.push(`${name}: not seen`)
  }

  #session(handle: string): UserSession {
    const session = this.#sessions.get(handle) ?? this.#slack.openSession(handle)
    this.#sessions.set(handle, session)
    return session
  }

  async #act(session: UserSession, step: Step): Promise<unknown> {
    const launch = session.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
    const { command, message, mention, shortcut, tab, press, submit, options, close, react } = step
    if (command) return session.runCommand({ channel: launch, text: command })
    if (tab) return session.openAppTab({ tab })
    if (react) return session.addReaction({ message: this.#lastMessage, name: react })
    if (shortcut)
      return session.runShortcut({
        callback_id: shortcut,
        ...(step.onMessage && { message: this.#lastMessage }),
      })
    const view = session.state().views.at(-1)
    if (close) return session.closeView({ view: view?.id ?? '' })
    if (submit) return session.submitView({ view: view?.id ?? '', values: fillForm(session, submit) })
    if (press || options) {
      const found = findElement(session, press ?? options ?? '')
      if (!found) return { error: 'no such element' }
      if (options) return session.loadOptions({ ...found, query: '' })
      return session.dispatchAction({ ...found, ...(step.value && { value: toId(session, step.value) }) })
    }
    const handle = session.state().users.find(({ id }) => id === this.#slack.botUserId)?.handle
    const text = message ?? `@${handle} ${mention}`
    const channel = step.in === 'app' ? await openApp(session) : launch
    const thread = step.reply && { thread_ts: this.#lastMessage.ts }
    const result = await session.sendMessage({ channel, text, ...thread })
    const sent = session.state().messages[channel]?.findLast(({ user }) => user === session.userId)
    if (sent && !step.reply) this.#lastMessage = { channel, ts: sent.ts }
    return result
  }
}

async function openApp(session: UserSession): Promise<string> {
  const opened = await session.openAppTab({ tab: 'messages' })
  return 'channel' in opened ? opened.channel : ''
}

function toId(session: UserSession, value: string | string[]): string | string[] {
  if (Array.isArray(value)) return value.flatMap((item) => toId(session, item))
  const { users, channels } = session.state()
  const name = value.slice(1)
  if (value.startsWith('@')) return users.find(({ handle }) => handle === name)?.id ?? value
  return value.startsWith('#') ? (channels.find((channel) => channel.name === name)?.id ?? value) : value
}

/** The values that the form begins with, and those of the step. */
function fillForm(session: UserSession, entered: Record<string, string | string[]>): InputValues {
  const blocks: Blocks = session.state().views.at(-1)?.blocks ?? []
  const values = blocks.flatMap(({ type, block_id, label, element }) => {
    if (type !== 'input') return []
    const typed = entered[label.text] ?? entered[block_id]
    const initial = Object.entries(element).find(([key]) => key.startsWith('initial_'))?.[1]
    const initialValue = Array.isArray(initial) ? initial.map(optionValue) : optionValue(initial)
    const value = typed === undefined ? initialValue : toId(session, typed)
    return value === undefined ? [] : [[block_id, { [element.action_id]: value }]]
  })
  return Object.fromEntries(values)
}

const optionValue = (initial: unknown) => Object(initial).value ?? initial

/** The places with blocks, from the last message to the open modal. */
function placesOf(session: UserSession): Place[] {
  const { views, home, messages } = session.state()
  const sorted = Object.values(messages)
    .flat()
    .sort((a, b) => Number(a.ts) - Number(b.ts))
  return [
    ...sorted.map(({ channel, ts, blocks = [], attachments = [] }) => ({
      container: { channel, ts },
      blocks: [...blocks, ...attachments.flatMap((attachment) => Object(attachment).blocks ?? [])],
    })),
    ...[home, views.at(-1)].flatMap((view) =>
      view ? [{ container: { view: view.id }, blocks: view.blocks }] : [],
    ),
  ]
}

function findElement(session: UserSession, wanted: string) {
  const found = placesOf(session).flatMap(({ container, blocks }) =>
    blocks.flatMap(({ block_id, accessory, element, elements = [] }) =>
      [accessory, element, ...(Array.isArray(elements) ? elements : [])].flatMap((candidate) => {
        const { action_id = '' } = candidate ?? {}
        return new RegExp(`^(?:${wanted})$`).test(action_id) ? [{ container, block_id, action_id }] : []
      }),
    ),
  )
  return found.at(-1)
}

/** What a person sees: each message, modal and the Home tab as a line. */
function describeScreen(session: UserSession): string[] {
  const { messages, home, views, channels } = session.state()
  const lines = Object.values(messages)
    .flat()
    .map(({ channel, text, blocks, attachments, reactions = [], ts }) => {
      const place = channels.find(({ id }) => id === channel)
      const where = place?.kind === 'im' ? 'DM' : `#${place?.name}`
      const emoji = reactions.map(({ name }) => `:${name}:`).join('')
      return `${where} ${text} ${textsIn([blocks, attachments])} ${emoji} ${ts}`
    })
  return [
    ...lines,
    ...(home ? [`home: ${textsIn(home.blocks)} ${home.hash}`] : []),
    ...views.map((view) => `modal [${view.title?.text}]: ${textsIn(view.blocks)} ${view.id} ${view.hash}`),
  ]
}

function textsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, inner]) => (key === 'text' && typeof inner === 'string' ? inner : textsIn(inner)))
    .filter(Boolean)
    .join(' ')
}
