import { DateTime } from 'luxon'
import { expect } from 'vitest'
import type { Platform } from '../../src/platforms/platform-names.ts'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** Only bounds how long a broken test runs. */
export const MAX_WAIT = { timeout: 60_000, interval: 20 }

const BOT_TOKEN = '123456:telegram-token-of-the-test'
const CHAT = -1001234567890
/** The public name of the chat is in the links of its messages. */
const CHAT_NAME = 'acme'

/** Telegram says this about one post, and its account is fine. */
export const BAD_POST = {
  kind: 'status',
  status: 400,
  description: 'Bad Request: wrong file identifier',
} as const

type Telegram = Awaited<ReturnType<typeof startFakeTelegram>>

type NewPost = {
  member?: Member
  /** A time of the day in Berlin, which begins at 13:00 in the tests. */
  time?: string
  platforms?: string
  values?: Parameters<Member['submitView']>[0]['values']
  /** The confirmation, which is another one if the channel gets a message. */
  words?: RegExp
}

export type PublishingWorkspace = Upnext & {
  telegram: Telegram
  mara: Member
  yuki: Member
  /** Adds an account of a Telegram channel, which may stand for another platform, and connects it. Returns its id. */
  addTelegram: (account?: {
    name?: string
    chat?: number
    platform?: Platform
    isConnected?: boolean
  }) => Promise<string>
  /** The rights of the bot in the project's channel, as Telegram knows them. */
  setChat: (chat: { botStatus: 'administrator' | 'left' }) => void
  /** Schedules a post from #launch. */
  schedule: (text: string, post?: NewPost) => Promise<void>
  /** Moves all clocks to a time of the day in Berlin, when a post of that time has been published. */
  passTo: (time: string) => Promise<void>
  /** Waits until the networks have responded about all posts, and lets so much time pass that everyone hears of it. */
  hearOfResults: () => Promise<void>
  /** Lets so much time pass that the project is checked several times. */
  checkOften: () => Promise<void>
  /** The direct messages from the bot, as JSON, without replies that disappear. */
  directMessages: (member?: Member) => string[]
  /** Waits until the direct messages match, in this order, and there are no others. */
  expectDirectMessages: (patterns: RegExp[], member?: Member) => Promise<void>
  /** The bot's messages in a channel that everyone sees there, as JSON. */
  inChannel: (name?: string, member?: Member) => string[]
  expectInChannel: (patterns: RegExp[], name?: string, member?: Member) => Promise<void>
  /** Presses the button, or picks the entry of the menu, with this label in the latest message that matches. */
  press: (label: string, words: RegExp, member?: Member) => Promise<void>
}

type Message = ReturnType<Member['state']>['messages'][string][number]

/** A workspace whose project is published in a Telegram channel. */
export async function openPublishingWorkspace(
  options: Parameters<typeof openUpnext>[0] = {},
): Promise<PublishingWorkspace> {
  const telegram = await startFakeTelegram()
  telegram.addBot({ token: BOT_TOKEN, username: 'acme_bot' })
  const setChat = ({ botStatus }: { botStatus: 'administrator' | 'left' }) =>
    telegram.addChat({ id: CHAT, type: 'channel', title: 'Acme', username: CHAT_NAME, botStatus })
  setChat({ botStatus: 'administrator' })
  const upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    publishing: { telegramApiUrl: telegram.url },
    ...options,
  })
  const mara = upnext.person('mara')
  const yuki = upnext.person('yuki')
  const messagesOf = (member: Member) =>
    Object.entries(member.state().messages).flatMap(([channel, messages]) =>
      messages.filter((message) => 'bot_id' in message).map((message) => ({ channel, message })),
    )
  const toText = ({ blocks = [], text }: Message) => JSON.stringify([text, blocks])
  const directMessages = (member = mara) =>
    messagesOf(member)
      .filter(({ channel, message }) => channel.startsWith('D') && !message.isEphemeral)
      .map(({ message }) => toText(message))
  const inChannel = (name = 'launch', member = mara) => {
    const { id } = member.state().channels.find((channel) => channel.name === name) ?? {}
    return messagesOf(member)
      .filter(({ channel, message }) => channel === id && !message.isEphemeral)
      .map(({ message }) => toText(message))
  }
  const { waitFor } = upnext
  const expectAll = (read: () => string[], patterns: RegExp[]) =>
    waitFor(() => expect(read()).toEqual(patterns.map((pattern) => expect.stringMatching(pattern))))
  const findElement = (member: Member, label: string, words: RegExp) => {
    const found = messagesOf(member)
      .filter(({ message }) => words.test(toText(message)))
      .sort((a, b) => (a.message.ts < b.message.ts ? -1 : 1))
      .at(-1)
    for (const { block_id = '', ...block } of found?.message.blocks ?? []) {
      const { elements = [], accessory } = block as { elements?: Element[]; accessory?: Element }
      for (const { action_id, text, value, options = [] } of [
        ...elements,
        ...(accessory ? [accessory] : []),
      ]) {
        const option = options.find(({ text }) => text.text === label)
        const container = { channel: found?.channel ?? '', ts: found?.message.ts ?? '' }
        if (option) return { container, block_id, action_id, value: option.value }
        if (text?.text === label)
          return { container, block_id, action_id, ...(value !== undefined && { value }) }
      }
    }
    throw new Error(`No message with ${words} has "${label}".`)
  }
  const press: PublishingWorkspace['press'] = async (label, words, member = mara) => {
    await waitFor(() => findElement(member, label, words))
    await member.dispatchAction(findElement(member, label, words))
  }
  return {
    ...upnext,
    telegram,
    mara,
    yuki,
    async close() {
      await telegram.release()
      await upnext.close()
      await telegram.close()
    },
    async addTelegram({ name = 'Acme', chat = CHAT, platform = 'TELEGRAM', isConnected = true } = {}) {
      const { service, project: project_id } = upnext
      const account = await saveAccount(service.db, {
        ...{ project_id, platform, publisher: 'TELEGRAM', name, settings: '{}' },
        ...{ target: String(chat), credentials: BOT_TOKEN, checked_at: upnext.now() },
      })
      // The database goes by the real time.
      await service.pool.query('update service.account set created_at = checked_at')
      if (isConnected) await connectAccount(service.db, account)
      return account.id
    },
    setChat,
    async schedule(text, { member = mara, time = '14:00', platforms = 'Telegram', values = {}, words } = {}) {
      await member.run(`/schedule-post ${text} today ${time} Berlin time on ${platforms}`)
      const { id: view } = await member.form('Schedule a post')
      await member.submitAndHear({ view, values }, words ?? /Scheduled in Acme/)
      await upnext.settled()
      // Then the author gets a direct message, if any.
      await upnext.passTime({ minutes: 0.05 })
      await upnext.settled()
    },
    async passTo(time) {
      const now = DateTime.fromJSDate(upnext.now(), { zone: 'Europe/Berlin' })
      const [hour = 0, minute = 0] = time.split(':').map(Number)
      const at = now.set({ hour, minute, second: 1, millisecond: 0 })
      const minutes = at.diff(now, 'minutes').minutes
      if (minutes > 0) await upnext.passTime({ minutes })
    },
    async hearOfResults() {
      await waitFor(async () => {
        const { rowCount } = await upnext.service.pool.query(
          `select from service.post
           where results @? '$[*] ? (@.state == "PUBLISHING")' or (status = 'SCHEDULED' and schedule_date <= $1)`,
          [upnext.now()],
        )
        expect(rowCount).toBe(0)
      })
      await upnext.passTime({ minutes: 0.2 })
      await upnext.settled()
    },
    async checkOften() {
      // The service needs real time, however far the clocks are moved.
      await waitFor(async () => {
        const { rowCount } = await upnext.service.pool.query(
          `select from service.post
           where status = 'SCHEDULED' and schedule_date <= $1 and results is null`,
          [upnext.now()],
        )
        expect(rowCount).toBe(0)
      })
      for (let count = 0; count < 3; count++) {
        await upnext.passTime({ minutes: 6 })
        await upnext.settled()
      }
    },
    directMessages,
    expectDirectMessages: (patterns, member) => expectAll(() => directMessages(member), patterns),
    inChannel,
    expectInChannel: (patterns, name, member) => expectAll(() => inChannel(name, member), patterns),
    press,
  }
}

type Element = {
  action_id: string
  text?: { text: string }
  value?: string
  options?: { text: { text: string }; value: string }[]
}
