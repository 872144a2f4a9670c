import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Logger as BoltLogger,
  type BufferedIncomingMessage,
  ErrorCode,
  HTTPModuleFunctions,
  HTTPReceiver,
  isValidSlackRequest,
} from '@slack/bolt'
import { z } from 'zod'
import { readActorIds } from './actor.ts'
import type { Bot } from './bot.ts'
import { type Claim, claimRequest } from './received-requests-store.ts'
import type { SettingsInChannel } from './user-settings-store.ts'

/** What the receiver and the check of requests add to Bolt's context. */
export type ReceivedContext = {
  /** Resolves to undefined if the database fails or takes too long. Socket Mode has no claim. */
  claim?: Promise<Claim | undefined> | undefined
  /** Undefined without a claim. Empty for events, which have the ids of their users in other places. */
  settings?: SettingsInChannel | undefined
}

type ReceiverOptions = { bot: Bot; signingSecret: string; logger: BoltLogger }

const MAX_BODY_BYTES = 1024 ** 2
const MAX_UNSIGNED_BYTES = 1000
/** Bolt ignores what follows a second "=", so that one request would have many signatures. */
const SIGNATURE = /^v0=[0-9a-f]{64}$/
const CLAIM_TIMEOUT_MS = 500
/** How far Slack's clock may be ahead of the database's. */
const MAX_CLOCK_SKEW_SECONDS = 60

/**
 * Bolt's receiver behind stricter checks, which include the signature: on its own, it accepts signed requests from the
 * future and repeated ones, and a body of `null` ends the process.
 */
export function createHttpReceiver(options: ReceiverOptions): HTTPReceiver {
  const { bot, signingSecret, logger } = options
  const claims = new WeakMap<IncomingMessage, Promise<Claim | undefined>>()
  const receiver = new HTTPReceiver({
    signingSecret,
    logger,
    signatureVerification: false,
    customPropertiesExtractor: (request): ReceivedContext => ({ claim: claims.get(request) }),
  })
  const passToBolt = receiver.requestListener
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, signed } = request.method === 'POST' ? await screenRequest(request, options) : {}
    // The rest of a body that is too large isn't read, so the connection can't be used again.
    const connection = status === 413 ? { connection: 'close' } : {}
    if (status) return response.writeHead(status, connection).end(() => status === 413 && request.destroy())
    if (signed) claims.set(request, claimWithTimeout(bot, signed))
    return passToBolt(request, response)
  }
  receiver.requestListener = (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'no-store')
    handle(request, response).catch((err) => {
      const isUnknownPath = err.code === ErrorCode.HTTPReceiverDeferredRequestError
      const isCutOff = err.code === 'ECONNRESET'
      if (!isUnknownPath && !isCutOff) bot.log.error({ err }, 'Receiving a Slack request failed')
      if (!response.headersSent) response.writeHead(isUnknownPath ? 404 : 500).end()
    })
  }
  return receiver
}

type Screening = {
  /** The status with which the request is refused. Undefined if Bolt should handle it. */
  status?: number
  /** Claimed while Bolt prepares the request. */
  signed?: SignedRequest
}

type SignedRequest = { signature: string; body: object }

async function screenRequest(request: IncomingMessage, options: ReceiverOptions): Promise<Screening> {
  const { bot, signingSecret, logger } = options
  const now = bot.runtime.now()
  const rawBody = await readBody(request)
  if (!rawBody) return { status: 413 }
  // Bolt uses this body instead of reading the request again.
  const buffered: BufferedIncomingMessage = Object.assign(request, { rawBody })
  const timestamp = Number(request.headers['x-slack-request-timestamp'])
  const signature = String(request.headers['x-slack-signature'])
  const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp }
  const isSigned =
    SIGNATURE.test(signature) &&
    isValidSlackRequest({ signingSecret, body: rawBody.toString(), headers, logger })
  // Bolt answers Slack's check of the certificate, which is short and not signed.
  if (!isSigned)
    return rawBody.length <= MAX_UNSIGNED_BYTES && isCertificateCheck(buffered) ? {} : { status: 401 }
  const body = readSlackRequest(buffered)
  if (!body) return { status: 400 }
  if (timestamp > now.getTime() / 1000 + MAX_CLOCK_SKEW_SECONDS) {
    bot.log.warn({ timestamp }, 'Refused a Slack request from the future')
    return { status: 401 }
  }
  return { signed: { signature, body } }
}

async function claimWithTimeout(
  { db, log, runtime }: Bot,
  { signature, body }: SignedRequest,
): Promise<Claim | undefined> {
  const { team_id, user_id, channel_id = '' } = readActorIds(body)
  const received = { signature, received_at: runtime.now(), team_id, user_id, channel_id }
  const claim = claimRequest(db, received).catch((err) => {
    // The handler tells the user that the database can't be reached.
    log.error({ err }, 'Recording a received request failed')
    return undefined
  })
  // Slack waits three seconds for an answer, also if the database hangs.
  return Promise.race([claim, runtime.sleep(CLAIM_TIMEOUT_MS).then(() => undefined)])
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Ending this loop early must not destroy the request before it is answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Bolt answers 500 to a request that lacks what it takes for granted. */
const readSlackRequest = (request: BufferedIncomingMessage) => readBodyAs(SlackRequest, request)
const isCertificateCheck = (request: BufferedIncomingMessage) =>
  readBodyAs(CertificateCheck, request) !== undefined

function readBodyAs(schema: z.ZodType<object>, request: BufferedIncomingMessage): object | undefined {
  try {
    return schema.safeParse(HTTPModuleFunctions.parseHTTPRequestBody(request)).data
  } catch {
    return undefined
  }
}

/**
 * Bolt looks up the client of a workspace in a plain object, where "toString" would be found, too. PostgreSQL refuses null
 * characters, so a request with one couldn't be claimed.
 */
const SlackId = z.string().regex(/^[A-Z0-9]*$/)
const OptionalId = SlackId.nullish()
const Identified = z.looseObject({ action_id: z.string(), block_id: z.string() })
const View = z.looseObject({
  id: z.string(),
  callback_id: z.string(),
  app_installed_team_id: OptionalId,
})
const interaction = <Fields extends z.ZodRawShape>(type: string, fields: Fields) =>
  z.looseObject({
    type: z.literal(type),
    user: z.looseObject({ id: SlackId, team_id: OptionalId }),
    team: z.looseObject({ id: SlackId, enterprise_id: OptionalId }).nullish(),
    enterprise: z.looseObject({ id: SlackId }).nullish(),
    channel: z.looseObject({ id: SlackId }).optional(),
    ...fields,
  })
const Event = z.looseObject({
  type: z.string(),
  user: z.union([SlackId, z.looseObject({ id: SlackId })]).optional(),
  channel: z.union([z.string(), z.looseObject({})]).optional(),
})
const Workspace = z.looseObject({ team_id: OptionalId, enterprise_id: OptionalId })

const CertificateCheck = z.looseObject({ ssl_check: z.literal('1') })

// Each kind is tried until one matches, so commands and clicks come first.
const SlackRequest = z.union([
  // A form's field that appears twice is a list.
  z
    .object({
      command: z.string(),
      team_id: SlackId,
      user_id: SlackId,
      channel_id: SlackId,
      enterprise_id: SlackId.optional(),
    })
    .catchall(z.string()),
  interaction('block_actions', { actions: z.array(Identified) }),
  interaction('block_suggestion', { action_id: z.string(), block_id: z.string() }),
  interaction('view_submission', { view: View }),
  interaction('view_closed', { view: View }),
  interaction('shortcut', { callback_id: z.string() }),
  interaction('message_action', { callback_id: z.string() }),
  Workspace.extend({
    type: z.literal('event_callback'),
    event: Event,
    authorizations: z.array(Workspace).optional(),
  }),
  z.looseObject({ type: z.literal('url_verification'), challenge: z.string() }),
  z.looseObject({ type: z.literal('app_rate_limited') }),
  CertificateCheck,
])
