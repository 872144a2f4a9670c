import { setTimeout as sleep } from 'node:timers/promises'
import type { UserSession } from 'local-slack'
import { type Attempt, dateOf, FIRST_DAY, HOUR, platformsOf, type Told } from './find-violations.ts'

export type PostEditor = {
  channel: string
  useProject: (name: string) => Promise<void>
  /** Schedules a post and shows it in the channel. False if it doesn't appear there. */
  schedule: (content: string, options: { isHeld: boolean; when?: string }) => Promise<boolean>
  /** Uses the menu of the post's message, and returns what came of it. */
  change: (marker: string, attempt: Attempt & { when?: string }) => Promise<Told>
  /** The message of the post that everyone sees, with its blocks as JSON. */
  channelMessage: (marker: string) => { ts: string; text: string } | undefined
}

type Block = {
  block_id?: string
  accessory?: { options?: { text: { text: string }; value: string }[] }
  element?: { action_id?: string }
  elements?: { action_id?: string }[]
}

const POLL_MS = 50
const FORM_TIMEOUT_MS = 4000
/** A post may wait in the outbox, behind earlier ones. */
const MESSAGE_TIMEOUT_MS = 40_000
const REPLY_TIMEOUT_MS = 6000
/** A later reply could be taken for that to the next change. */
const LATE_REPLY_TIMEOUT_MS = 10_000
const MAX_SUBMITS = 12
/** Longer than a double click. */
const READING_MS = 2500

/** A view above a form, which asks whether to send it. */
export const isConfirmation = ({ callback_id }: { callback_id?: string }): boolean =>
  callback_id?.startsWith('confirm:') ?? false

/** A person reads it before they go on. */
export const readConfirmation = (): Promise<void> => sleep(READING_MS)

const MENU_LABELS = { edit: 'Edit', reschedule: 'Move', cancel: 'Cancel post' }
const FORM_TITLES = { edit: 'Edit a post', reschedule: 'Reschedule a post' }

const REPLIES: [RegExp, Told][] = [
  [/already published/, 'published'],
  [/already on its way|was sent to the scheduling service/, 'handed over'],
  [/isn't clear whether this post reached/, 'perhaps not sent'],
  [/no longer exists|already cancelled|Someone else cancelled/, 'gone'],
  [/Cancelled\. This post|Done\. This post won't go out/, 'cancelled'],
  [/Someone else changed this post/, 'conflict'],
  [/This change is waiting for approval/, 'waiting'],
]

/** A message without this entry says why. */
const readMessage = (text: string): Told => {
  if (text.includes('Handed over')) return 'handed over'
  if (text.includes('May not have been sent')) return 'perhaps not sent'
  if (text.includes('· published')) return 'published'
  return text.includes('Cancelled in') ? 'gone' : 'nothing'
}

const readReply = (reply: unknown): Told | undefined =>
  REPLIES.find(([words]) => words.test(JSON.stringify(reply) ?? ''))?.[1]

const FIRST_TIME = `${dateOf(FIRST_DAY)} ${HOUR}`

/** Someone who changes posts as quickly as the page lets them. */
export function openPostEditor(session: UserSession, channelName: string): PostEditor {
  const channel = session.state().channels.find(({ name }) => name === channelName)?.id ?? ''
  const messages = () => session.state().messages[channel] ?? []
  const topView = () => session.state().views.at(-1)
  const viewBlocks = (): Block[] => JSON.parse(JSON.stringify(topView()?.blocks ?? []))
  const fill = (input: Record<string, string | string[]>) => {
    const blocks = viewBlocks()
    const actionOf = (name: string) => blocks.find(({ block_id }) => block_id === name)?.element?.action_id
    return Object.fromEntries(
      Object.entries(input).flatMap(([name, value]) => {
        const action_id = actionOf(name)
        return action_id ? [[name, { [action_id]: value }]] : []
      }),
    )
  }
  const sharedMessage = (marker: string) =>
    messages().find(
      (message) => 'bot_id' in message && !message.isEphemeral && JSON.stringify(message).includes(marker),
    )
  /** The first private message after this one, and what becomes of it. */
  const repliesAfter = (ts: string) => messages().filter((message) => message.ts > ts && message.isEphemeral)
  const lastTs = () => messages().reduce((latest, { ts }) => (ts > latest ? ts : latest), '')

  async function closeForms(): Promise<void> {
    for (let view = topView(); view; view = topView()) await session.closeView({ view: view.id, all: true })
  }

  /** Presses the button until the form closes. The first press may only open a view that shows how the date is read. */
  async function submit(
    title: string,
    { input, overwrites }: { input: Record<string, string | string[]>; overwrites: boolean },
  ): Promise<Told> {
    for (let count = 0; count < MAX_SUBMITS; count++) {
      const view = topView()
      if (view?.title.text !== title) break
      // People go back to the form for another slot.
      if (isConfirmation(view) && JSON.stringify(view.blocks).includes('This slot is taken')) {
        await session.closeView({ view: view.id })
        continue
      }
      if (isConfirmation(view)) await readConfirmation()
      await session.submitView({ view: view.id, values: fill(input) })
      if (!topView()) return 'changed'
      const reply = readReply(topView()?.blocks)
      if (reply && (reply !== 'conflict' || !overwrites)) return reply
      await sleep(POLL_MS)
    }
    return 'nothing'
  }

  async function cancel(before: string): Promise<Told> {
    const question = () =>
      repliesAfter(before).find((message) => JSON.stringify(message).includes('cancel:confirm'))
    await waitUntil(() => Boolean(question() ?? readReply(repliesAfter(before))), REPLY_TIMEOUT_MS)
    const asked = question()
    if (!asked) return readReply(repliesAfter(before)) ?? 'nothing'
    const block = (asked.blocks as Block[] | undefined)?.find(({ elements }) =>
      elements?.some(({ action_id }) => action_id === 'cancel:confirm'),
    )
    const container = { channel, ts: asked.ts }
    await session.dispatchAction({ container, block_id: block?.block_id ?? '', action_id: 'cancel:confirm' })
    const answer = () =>
      readReply(messages().find(({ ts }) => ts === asked.ts)) ?? readReply(repliesAfter(asked.ts))
    await waitUntil(() => Boolean(answer()), REPLY_TIMEOUT_MS)
    return answer() ?? 'nothing'
  }

  async function tryChange(
    marker: string,
    { kind, day, version, overwrites, when }: Attempt & { when?: string },
    before: string,
  ): Promise<Told> {
    const message = sharedMessage(marker)
    const blocks = (message?.blocks ?? []) as Block[]
    const menu = blocks.find(({ accessory }) => accessory?.options)
    const option = menu?.accessory?.options?.find(({ text }) => text.text === MENU_LABELS[kind])
    if (!message || !option) return readMessage(JSON.stringify(blocks))
    await session.dispatchAction({
      container: { channel, ts: message.ts },
      block_id: menu?.block_id ?? '',
      action_id: 'record:menu',
      value: option.value,
    })
    if (kind === 'cancel') return cancel(before)
    const isAnswered = () =>
      Boolean(fill({ ScheduleDate: '' }).ScheduleDate ?? readReply(repliesAfter(before)))
    await waitUntil(isAnswered, FORM_TIMEOUT_MS)
    const schedule = { ScheduleDate: when ?? `${dateOf(day)} ${HOUR}` }
    const edit = { Content: `${marker} ${version}`, Platforms: platformsOf({ day }) }
    const input = kind === 'edit' ? { ...edit, ...schedule } : schedule
    const isOpen = Boolean(fill({ ScheduleDate: '' }).ScheduleDate)
    const result = isOpen
      ? await submit(FORM_TITLES[kind], { input, overwrites })
      : readReply(repliesAfter(before))
    await closeForms()
    return result ?? 'nothing'
  }

  return {
    channel,
    async useProject(name) {
      await session.runCommand({ channel, text: `/upnext use ${name}` })
      const isLinked = () => /linked .* to \*/.test(JSON.stringify(messages()))
      if (!(await waitUntil(isLinked, MESSAGE_TIMEOUT_MS)))
        throw new Error('The channel could not be linked to the project.')
    },
    async schedule(content, { isHeld, when = FIRST_TIME }) {
      await session.runCommand({ channel, text: '/schedule-post' })
      await waitUntil(() => Boolean(fill({ Content: '' }).Content), FORM_TIMEOUT_MS)
      const input = {
        Content: content,
        ScheduleDate: when,
        Platforms: platformsOf(undefined),
        ...(isHeld && { Status: 'HELD' }),
        notify: ['yes'],
      }
      const told = await submit('Schedule a post', { input, overwrites: true })
      await closeForms()
      // There may be no free slot.
      if (when !== FIRST_TIME && told !== 'changed') return false
      return waitUntil(() => sharedMessage(content) !== undefined, MESSAGE_TIMEOUT_MS)
    },
    async change(marker, attempt) {
      const before = lastTs()
      const told = await tryChange(marker, attempt, before)
      if (told !== 'nothing') return told
      await waitUntil(() => Boolean(readReply(repliesAfter(before))), LATE_REPLY_TIMEOUT_MS)
      return readReply(repliesAfter(before)) ?? 'nothing'
    },
    channelMessage: (marker) => {
      const message = sharedMessage(marker)
      return message && { ts: message.ts, text: JSON.stringify(message.blocks) }
    },
  }
}

async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (condition()) return true
    await sleep(POLL_MS)
  }
  return false
}
