import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BytesRequest, type Fault, readForm, sniffType, startBytesServer } from './fake-network.ts'

export type TelegramBot = { token: string; username: string }

export type TelegramChat = {
  /** Begins with -100 for channels and supergroups. */
  id: number
  type: 'channel' | 'supergroup' | 'group'
  title: string
  username?: string
  botStatus: 'administrator' | 'member' | 'left' | 'kicked'
  canPost?: boolean
  /** Whether members of a group may post in it. */
  mayMembersPost?: boolean
  /** The id of the supergroup that replaced this group. */
  migratedTo?: number
}

type SendMethod = keyof typeof SEND_METHODS

export type SentMessage = {
  chat: number
  method: SendMethod
  messageId: number
  at: Date
  /** The message's text or caption, as a reader sees it. */
  text: string
  file?: { bytes: Buffer; name: string; type: string }
}

export type TelegramRequest = {
  method: string
  /** The `chat_id` as it was sent. */
  chat: string | undefined
  /** Without files. */
  parameters: Record<string, unknown>
  at: Date
  /** Missing until there is a response. */
  status?: number
}

export type TelegramSend = {
  method: SendMethod
  chat: string | undefined
  /** The text or caption. */
  text: string
  /** The number of earlier requests to send something. */
  index: number
}

export type FakeTelegramOptions = {
  now?: () => Date
  latencyMs?: number
  limits?: { perChatPerSecond?: number; perSecond?: number }
}

/** Each method's parameter for its file, and the noun that Telegram's errors use. */
const SEND_METHODS = {
  sendMessage: { file: undefined, noun: 'text messages' },
  sendPhoto: { file: 'photo', noun: 'photos' },
  sendVideo: { file: 'video', noun: 'videos' },
  sendAnimation: { file: 'animation', noun: 'animations' },
  sendDocument: { file: 'document', noun: 'documents' },
} as const

const MAX_TEXT_LENGTH = 4096
const MAX_CAPTION_LENGTH = 1024
const MAX_PHOTO_BYTES = 10 * 1024 * 1024
const MAX_FILE_BYTES = 50 * 1024 * 1024

type Reply = { status: number; body: object }

const succeed = (result: unknown): Reply => ({ status: 200, body: { ok: true, result } })

const fail = (error_code: number, description: string, parameters?: object): Reply => ({
  status: error_code,
  body: { ok: false, error_code, description, ...(parameters && { parameters }) },
})

const failBadly = (description: string, parameters?: object) =>
  fail(400, `Bad Request: ${description}`, parameters)

const failForRate = (retry_after: number) =>
  fail(429, `Too Many Requests: retry after ${retry_after}`, { retry_after })

/** Starts a strict server of Telegram's Bot API. A request that hangs sends its message immediately, and gets its response on `release()`. */
export async function startFakeTelegram(options: FakeTelegramOptions = {}) {
  const { now = () => new Date(), latencyMs = 0, limits = {} } = options
  const bots = new Map<string, TelegramBot>()
  const chats = new Map<number, TelegramChat>()
  const sent: SentMessage[] = []
  const requests: TelegramRequest[] = []
  let decide: (send: TelegramSend) => Fault | undefined = () => undefined
  let decideOthers: (method: string) => Fault | undefined = () => undefined
  let sendCount = 0
  let hanging: (() => Promise<void>)[] = []

  const findChat = (id: string | undefined) =>
    [...chats.values()].find(
      (chat) =>
        String(chat.id) === id || (chat.username && `@${chat.username}`.toLowerCase() === id?.toLowerCase()),
    )

  /** Seconds until the limits allow another message. */
  const waitForLimits = (chat: TelegramChat): number => {
    const { perChatPerSecond = Infinity, perSecond = Infinity } = limits
    const recent = sent.filter(({ at }) => now().getTime() - at.getTime() < 1000)
    const isOver =
      recent.length >= perSecond ||
      recent.filter((message) => message.chat === chat.id).length >= perChatPerSecond
    return isOver ? 1 : 0
  }

  const send = (bot: TelegramBot, method: SendMethod, { parameters, files }: Parameters): Reply => {
    const text = readText(parameters)
    const { file: field, noun } = SEND_METHODS[method]
    if (!field && !text) return failBadly('message text is empty')
    const value = field && parameters[field]
    const file =
      field && files.get(typeof value === 'string' ? value.replace(/^attach:\/\//, '') || field : field)
    if (field && !file) {
      return failBadly(value ? 'failed to get HTTP URL content' : `there is no ${field} in the request`)
    }
    if (file && file.bytes.length > MAX_FILE_BYTES) return fail(413, 'Request Entity Too Large')
    if (file?.bytes.length === 0) return failBadly('file must be non-empty')

    // Telegram checks the chat before the length of the text.
    const id = readChatId(parameters)
    if (!id) return failBadly('chat_id is empty')
    const chat = findChat(id)
    if (!chat) return failBadly('chat not found')
    const failure = checkRights(chat, noun)
    if (failure) return failure
    if (field ? text.length > MAX_CAPTION_LENGTH : text.length > MAX_TEXT_LENGTH) {
      return failBadly(field ? 'message caption is too long' : 'message is too long')
    }
    if (file && field === 'photo') {
      if (file.bytes.length > MAX_PHOTO_BYTES) {
        return failBadly(
          `file of size ${file.bytes.length} bytes is too big for a photo; the maximum size is ${MAX_PHOTO_BYTES} bytes`,
        )
      }
      const type = sniffType(file.bytes)
      if (!type || type === 'mp4') return failBadly('IMAGE_PROCESS_FAILED')
    }
    const seconds = waitForLimits(chat)
    if (seconds) return failForRate(seconds)

    const at = now()
    const messageId = sent.filter((message) => message.chat === chat.id).length + 1
    sent.push({ chat: chat.id, method, messageId, at, text, ...(file && { file }) })
    return succeed({
      message_id: messageId,
      ...(chat.type === 'channel' ? { sender_chat: describeChat(chat) } : { from: describeBot(bot) }),
      chat: describeChat(chat),
      date: Math.floor(at.getTime() / 1000),
      ...(file && field && describeFile(field, file, `${chat.id}-${messageId}`)),
      ...(text && { [field ? 'caption' : 'text']: text }),
    })
  }

  const reply = (token: string, method: string, parameters: Parameters | undefined): Reply => {
    if (!/^\d+:[\w-]+$/.test(token)) return fail(404, 'Not Found')
    const bot = bots.get(token)
    if (!bot) return fail(401, 'Unauthorized')
    if (!parameters) return failBadly("can't parse the request body")
    if (method === 'getMe') return succeed({ ...describeBot(bot), can_join_groups: true })
    if (isSendMethod(method)) return send(bot, method, parameters)
    if (method !== 'getChat' && method !== 'getChatMember') return fail(404, 'Not Found: method not found')

    const id = readChatId(parameters.parameters)
    if (!id) return failBadly('chat_id is empty')
    const chat = findChat(id)
    if (!chat) return failBadly('chat not found')
    const isReadable = chat.botStatus !== 'kicked' && (chat.botStatus !== 'left' || chat.username)
    const failure = isReadable ? undefined : checkMembership(chat)
    if (failure) return failure
    if (method === 'getChat') return succeed({ ...describeChat(chat), ...describePermissions(chat) })
    if (chat.type === 'channel' && chat.botStatus !== 'administrator') {
      return failBadly('member list is inaccessible')
    }
    if (Number(parameters.parameters.user_id) !== describeBot(bot).id) return failBadly('user not found')
    return succeed({ user: describeBot(bot), status: chat.botStatus, ...describeRights(chat) })
  }

  const respond = async (request: BytesRequest, response: ServerResponse) => {
    const [, token = '', method = ''] = /^\/bot([^/]*)\/([^/]*)$/.exec(request.url.pathname) ?? []
    const parameters = await readParameters(request)
    const chat = parameters && readChatId(parameters.parameters)
    const record: TelegramRequest = { method, chat, parameters: parameters?.parameters ?? {}, at: now() }
    requests.push(record)
    const answer = async (status: number, body: string, headers: Record<string, string> = {}) => {
      if (latencyMs) await sleep(latencyMs)
      record.status = status
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    }

    const fault =
      isSendMethod(method) && parameters
        ? decide({ method, chat, text: readText(parameters.parameters), index: sendCount++ })
        : decideOthers(method)
    if (fault?.kind === 'dropped') {
      response.destroy()
      return
    }
    if (fault?.kind === 'redirect') return answer(307, '', { location: fault.to })
    if (fault?.kind === 'status') {
      const { status, description = 'Internal Server Error', retryAfter, body, contentType } = fault
      const planned = retryAfter ? failForRate(retryAfter).body : fail(status, description).body
      return answer(
        status,
        body ?? JSON.stringify(planned),
        contentType ? { 'content-type': contentType } : {},
      )
    }
    const { status, body } = reply(token, method, parameters)
    if (fault?.kind === 'lost') response.destroy()
    else if (fault?.kind === 'hang') hanging.push(() => answer(status, JSON.stringify(body)))
    else await answer(status, JSON.stringify(body))
  }

  const server = await startBytesServer(respond)
  return {
    ...server,
    sent,
    requests,
    addBot: (bot: TelegramBot) => void bots.set(bot.token, bot),
    /** Replaces the chat that has the same id. */
    addChat(chat: TelegramChat) {
      if (chat.type !== 'group' && !String(chat.id).startsWith('-100')) {
        throw new Error(`The id of a ${chat.type} begins with -100, but it is ${chat.id}.`)
      }
      chats.set(chat.id, chat)
    },
    /** Asks `newDecide` about each request that sends something, and forgets the previous plan. */
    plan(newDecide: typeof decide) {
      decide = newDecide
      sendCount = 0
    },
    /** Asks `newDecide` about each other request. */
    planOthers(newDecide: typeof decideOthers) {
      decideOthers = newDecide
    },
    /** Responds to the hanging requests. */
    async release() {
      const released = hanging
      hanging = []
      for (const respond of released) await respond()
    },
  }
}

type SentFile = NonNullable<SentMessage['file']>

type Parameters = { parameters: Record<string, unknown>; files: Map<string, SentFile> }

async function readParameters(request: BytesRequest): Promise<Parameters | undefined> {
  const parameters: Record<string, unknown> = Object.fromEntries(request.url.searchParams)
  const files = new Map<string, SentFile>()
  const type = request.headers['content-type'] ?? ''
  if (request.body.length === 0) return { parameters, files }
  if (type.startsWith('application/json')) {
    try {
      const json: unknown = JSON.parse(request.body.toString())
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
      return { parameters: { ...parameters, ...json }, files }
    } catch {
      return undefined
    }
  }
  const form = await readForm(request)
  if (!form) return undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') parameters[name] = value
    else {
      const bytes = Buffer.from(await value.arrayBuffer())
      files.set(name, { bytes, name: value.name, type: value.type })
    }
  }
  return { parameters, files }
}

const isSendMethod = (method: string): method is SendMethod => Object.hasOwn(SEND_METHODS, method)

const readChatId = ({ chat_id }: Record<string, unknown>): string | undefined =>
  typeof chat_id === 'number' || typeof chat_id === 'string' ? String(chat_id) : undefined

/** Telegram drops carriage returns and the space around a text. */
const readText = ({ text, caption }: Record<string, unknown>): string =>
  String(text ?? caption ?? '')
    .replaceAll('\r', '')
    .replace(/^[ \t\n]+|[ \t\n]+$/g, '')

function checkMembership({ type, botStatus }: TelegramChat): Reply | undefined {
  if (botStatus === 'kicked') return fail(403, `Forbidden: bot was kicked from the ${type} chat`)
  if (botStatus === 'left') return fail(403, `Forbidden: bot is not a member of the ${type} chat`)
  return undefined
}

function checkRights(chat: TelegramChat, noun: string): Reply | undefined {
  const { type, botStatus, canPost = true, mayMembersPost = true, migratedTo } = chat
  if (migratedTo) {
    return failBadly('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: migratedTo })
  }
  const failure = checkMembership(chat)
  if (failure) return failure
  if (type !== 'channel')
    return canPost && (mayMembersPost || botStatus === 'administrator')
      ? undefined
      : failBadly(`not enough rights to send ${noun} to the chat`)
  const isAllowed = botStatus === 'administrator' && canPost
  return isAllowed ? undefined : failBadly('need administrator rights in the channel chat')
}

const describeBot = ({ token, username }: TelegramBot) => ({
  id: Number.parseInt(token, 10),
  is_bot: true,
  first_name: username,
  username,
})

const describeChat = ({ id, title, username, type }: TelegramChat) => ({
  id,
  title,
  ...(username && { username }),
  type,
})

const describePermissions = ({ type, mayMembersPost = true }: TelegramChat) =>
  type !== 'channel' && { permissions: { can_send_messages: mayMembersPost } }

const describeRights = ({ type, botStatus, canPost = true }: TelegramChat) =>
  botStatus === 'administrator' && {
    can_be_edited: false,
    can_manage_chat: true,
    ...(type === 'channel' && { can_post_messages: canPost, can_edit_messages: canPost }),
  }

/** Telegram shows a GIF as an animation, and a video of another type than MP4 as a document. */
function describeFile(field: string, { bytes, name, type }: SentFile, id: string): object {
  const file = { file_id: `file-${id}`, file_unique_id: `unique-${id}`, file_size: bytes.length }
  const size = { width: 640, height: 480 }
  if (field === 'photo') return { photo: [{ ...file, ...size }] }
  const document = { ...file, file_name: name, mime_type: type }
  const sniffed = sniffType(bytes)
  if (field === 'animation' && (sniffed === 'gif' || sniffed === 'mp4')) {
    return { animation: { ...document, ...size, duration: 1 }, document }
  }
  if (field === 'video' && sniffed === 'mp4') return { video: { ...document, ...size, duration: 1 } }
  return { document }
}
