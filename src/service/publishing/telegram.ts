import { addMs, type Runtime } from '../../runtime.ts'
import type { Media } from './fetch-media.ts'
import { type NetworkResponse, sendNetworkRequest, truncate } from './network-request.ts'
import type { CheckOutcome, Publication, Publisher, PublishOutcome } from './publisher.ts'

type TelegramOptions = {
  runtime: Pick<Runtime, 'fetch' | 'nodeFetch' | 'now'>
  apiUrl: string
}

/** Limits of the Bot API, in UTF-16 units and bytes: core.telegram.org/bots/api#sending-files */
const MAX_TEXT_LENGTH = 4096
const MAX_CAPTION_LENGTH = 1024
const MAX_PHOTO_BYTES = 10e6
const MAX_FILE_BYTES = 50e6

/** Long enough for a video of 50 MB. */
const UPLOAD_TIMEOUT_MS = 2 * 60_000

const WRONG_TOKEN =
  "Telegram rejected the bot's token. Create a new one with @BotFather, and connect the account again."

const NEEDS_RIGHTS = 'Make the bot an administrator who may post messages, and check the account again.'

/** Publishes with a Telegram bot, in a channel or group that it may write to. */
export function createTelegram({ runtime, apiUrl }: TelegramOptions): Publisher {
  const call = (token: string, method: string, body: Record<string, string> | FormData) =>
    sendNetworkRequest(runtime, `${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      body,
      ...(body instanceof FormData && { timeoutMs: UPLOAD_TIMEOUT_MS }),
    })

  return {
    queueKeyOf: ({ target }) => `telegram ${target}`,

    async publish(publication, { target, credentials }) {
      const problem = findProblem(publication)
      if (problem) return { state: 'failed', error: problem }
      const send = ({ method, body }: ReturnType<typeof toMessage>) => call(credentials ?? '', method, body)
      const response = await send(toMessage(publication, target))
      const { media } = publication
      return toPublishOutcome(
        media && exceedsPhotoDimensions(response)
          ? await send(toMessage(publication, target, DOCUMENT))
          : response,
        runtime,
      )
    },

    async check({ target, credentials }): Promise<CheckOutcome> {
      const token = credentials ?? ''
      // A malformed token would change the request's path.
      if (!/^\d+:[\w-]+$/.test(token)) return { state: 'problem', problem: WRONG_TOKEN }
      const ask = async (method: string, body: Record<string, string>) =>
        readCheck(await call(token, method, body))
      const me = await ask('getMe', {})
      if (me.state === 'unreachable') return me
      if (me.state === 'rejected') return { state: 'problem', problem: WRONG_TOKEN }
      const bot = me.result as { id: number; username: string }
      const chatAnswer = await ask('getChat', { chat_id: target })
      if (chatAnswer.state === 'unreachable') return chatAnswer
      if (chatAnswer.state === 'rejected')
        return {
          state: 'problem',
          problem: `@${bot.username} isn't in ${target}, or that chat doesn't exist. Add the bot to it as an administrator who can post messages.`,
        }
      const chat = chatAnswer.result as Chat
      const membership = { chat_id: String(chat.id), user_id: String(bot.id) }
      const member = await ask('getChatMember', membership)
      if (member.state === 'unreachable') return member
      const name = chat.title ?? target
      if (member.state === 'rejected' || !mayPost(chat, member.result as Member))
        return {
          state: 'problem',
          problem: `@${bot.username} can't post in ${name}. Make it an administrator who can post messages.`,
        }
      return { state: 'ok', name, target: String(chat.id) }
    },
  }
}

type Chat = {
  id: number
  type: string
  title?: string
  username?: string
  /** What members may do in a group. */
  permissions?: { can_send_messages?: boolean }
}
type Member = { status: string; can_post_messages?: boolean; can_send_messages?: boolean }

function mayPost(
  { type, permissions }: Chat,
  { status, can_post_messages, can_send_messages }: Member,
): boolean {
  if (status === 'creator') return true
  if (type === 'channel') return status === 'administrator' && can_post_messages === true
  if (status === 'member') return permissions?.can_send_messages !== false
  return status === 'administrator' || (status === 'restricted' && can_send_messages === true)
}

function findProblem({ text, media }: Publication): string | undefined {
  const maxLength = media ? MAX_CAPTION_LENGTH : MAX_TEXT_LENGTH
  if (text.length > maxLength)
    return `the text has ${text.length} characters, but Telegram allows up to ${maxLength}${media ? ' with a media file' : ''}`
  if (media && media.file.size > MAX_FILE_BYTES)
    return `the file is ${Math.ceil(media.file.size / 1e6)} MB, but Telegram allows up to ${MAX_FILE_BYTES / 1e6} MB`
  return undefined
}

/** Without a parse mode, Telegram shows the text as it is. */
function toMessage(
  { text, media }: Publication,
  chat_id: string,
  mediaMethod = media && findMethod(media),
): { method: string; body: Record<string, string> | FormData } {
  if (!media || !mediaMethod) return { method: 'sendMessage', body: { chat_id, text } }
  const { method, field } = mediaMethod
  const body = new FormData()
  body.set('chat_id', chat_id)
  if (text) body.set('caption', text)
  body.set(field, media.file, media.name)
  return { method, body }
}

const DOCUMENT = { method: 'sendDocument', field: 'document' }

/** Telegram limits the sum of the width and height of a photo. */
function exceedsPhotoDimensions(response: NetworkResponse): boolean {
  const answer = readAnswer(response)
  return answer.state === 'rejected' && answer.error.includes('PHOTO_INVALID_DIMENSIONS')
}

const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp']

function findMethod({ type, file }: Media): { method: string; field: string } {
  if (type === 'image/gif') return { method: 'sendAnimation', field: 'animation' }
  if (PHOTO_TYPES.includes(type) && file.size <= MAX_PHOTO_BYTES)
    return { method: 'sendPhoto', field: 'photo' }
  if (type === 'video/mp4') return { method: 'sendVideo', field: 'video' }
  return DOCUMENT
}

type Answer =
  | { state: 'ok'; result: unknown }
  | {
      state: 'rejected'
      status: number
      error: string
      parameters: { retry_after?: number; migrate_to_chat_id?: number }
    }
  | { state: 'unreachable'; error: string; mayHaveArrived: boolean }

function readAnswer(response: NetworkResponse): Answer {
  const fail = (error: string, mayHaveArrived: boolean): Answer => ({
    state: 'unreachable',
    error: `Telegram ${error}`,
    mayHaveArrived,
  })
  if (response.kind !== 'answered') return fail(response.error, response.kind === 'unclear')
  const { status, body } = response
  const { ok, result, description, parameters } = (body ?? {}) as Record<string, unknown>
  if (ok === true) return { state: 'ok', result }
  if (ok === false && status < 500)
    return {
      state: 'rejected',
      status,
      error: toReason(description),
      parameters: (parameters ?? {}) as object,
    }
  // A proxy's response isn't in Telegram's format. If the proxy rejects the request, Telegram hasn't received it.
  return fail(`responded with ${status}`, status < 300 || status >= 500)
}

/** A rate limit reveals nothing about the account, so Telegram counts as unreachable. */
function readCheck(response: NetworkResponse): Answer {
  const answer = readAnswer(response)
  return answer.state === 'rejected' && answer.status === 429
    ? { state: 'unreachable', error: `Telegram: ${answer.error}`, mayHaveArrived: false }
    : answer
}

/** An error from a proxy may repeat the URL, which contains the token. */
const TOKEN = /\d+:[\w-]{10,}/g

/** "chat not found" for "Bad Request: chat not found". */
const toReason = (description: unknown): string =>
  truncate(
    String(description)
      .replace(/^(?:Bad Request|Forbidden|Unauthorized): /, '')
      .replace(TOKEN, '…'),
  )

function toPublishOutcome(response: NetworkResponse, { now }: Pick<Runtime, 'now'>): PublishOutcome {
  const answer = readAnswer(response)
  if (answer.state === 'ok') return { state: 'published', link: linkTo(answer.result as Message) }
  if (answer.state === 'unreachable')
    return { state: answer.mayHaveArrived ? 'unknown' : 'postponed', error: answer.error }
  const { status, error, parameters } = answer
  const { retry_after, migrate_to_chat_id } = parameters
  if (migrate_to_chat_id) return { state: 'moved', target: String(migrate_to_chat_id) }
  if (status === 429) return { state: 'postponed', error, until: addMs(now(), (retry_after ?? 30) * 1000) }
  if (status === 401 || status === 404) return { state: 'failed', error, accountProblem: WRONG_TOKEN }
  // The bot was removed, or may not post anymore.
  if (status === 403 || /chat not found|rights/.test(error))
    return { state: 'failed', error, accountProblem: `Telegram rejected a post: ${error}. ${NEEDS_RIGHTS}` }
  return { state: 'failed', error }
}

type Message = { message_id: number; chat: Chat }

/** A private channel has no username, and its links work only for its members. Messages in basic groups have no links. */
function linkTo({ message_id, chat }: Message): string | undefined {
  if (chat.username) return `https://t.me/${chat.username}/${message_id}`
  const [, privateId] = /^-100(\d+)$/.exec(String(chat.id)) ?? []
  return privateId && `https://t.me/c/${privateId}/${message_id}`
}
