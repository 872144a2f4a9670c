import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Logger as BoltLogger,
  type BufferedIncomingMessage,
  ErrorCode,
  HTTPModuleFunctions,
  HTTPReceiver,
} from '@slack/bolt'
import { z } from 'zod'
import type { Bot } from './bot.ts'
import { BusyError } from './running-requests.ts'

/** Added to Bolt's context by `createHttpReceiver` and `measureSlack`. */
export type ReceivedContext = {
  /** When the request arrived, by the clock of `performance.now()`. */
  received_at?: number
  signature?: string | undefined
}

type ReceiverOptions = { bot: Bot; signingSecret: string; logger: BoltLogger }

const MAX_BODY_BYTES = 1024 ** 2
/** Bolt ignores anything after a second "=". Without this check, one request would have many valid signatures. */
const SIGNATURE = /^v0=[0-9a-f]{64}$/
/** How far Slack's clock may be ahead of ours. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * Bolt's receiver behind stricter checks, including the check of the signature. On its own, Bolt's receiver accepts signed
 * requests from the future and repeated requests, and a body of `null` ends the process.
 */
export function createHttpReceiver(options: ReceiverOptions): HTTPReceiver {
  const { log } = options.bot
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret,
    logger: options.logger,
    signatureVerification: false,
    customPropertiesExtractor: ({ headers }): ReceivedContext => ({
      signature: headers['x-slack-signature']?.toString(),
    }),
    // Handles only the receiver's own errors. Listeners' errors go to `app.error`.
    async processEventErrorHandler({ error, response }) {
      if (error instanceof BusyError) {
        response.writeHead(503).end()
        // Without `true`, Bolt would complain after three seconds that nothing has acknowledged the request.
        return true
      }
      // Bolt couldn't read the request.
      log.warn({ err: error }, 'Failed to read a Slack request')
      if (!response.headersSent) response.writeHead(400).end()
      return false
    },
  })
  const passToBolt = receiver.requestListener
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const status = request.method === 'POST' ? await findRejectionStatus(request, options) : undefined
    if (!status) return passToBolt(request, response)
    // If the body is too large, the rest of it isn't read, so the connection can't be reused.
    const isTooLarge = status === 413
    const headers = isTooLarge ? { connection: 'close' } : {}
    response.writeHead(status, headers).end(() => isTooLarge && request.destroy())
  }
  receiver.requestListener = (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'no-store')
    handle(request, response).catch((err) => {
      const isUnknownPath = err.code === ErrorCode.HTTPReceiverDeferredRequestError
      if (!isUnknownPath) log.error({ err }, 'Failed to receive a Slack request')
      if (!response.headersSent) response.writeHead(isUnknownPath ? 404 : 500).end()
    })
  }
  return receiver
}

/** Returns the status if the request must be rejected, or undefined if Bolt should handle it. */
async function findRejectionStatus(
  request: IncomingMessage,
  { bot, signingSecret }: ReceiverOptions,
): Promise<number | undefined> {
  const { headers } = request
  let buffered: BufferedIncomingMessage
  try {
    const verification = { enabled: true, signingSecret, bodyLimit: MAX_BODY_BYTES }
    // Bolt later uses the body that this call reads.
    buffered = await HTTPModuleFunctions.parseAndVerifyHTTPRequest(verification, request)
  } catch (error) {
    return HTTPModuleFunctions.isRawBodyError(error) ? error.statusCode : 401
  }
  const body = readBody(buffered)
  if (!body) return 400
  // Slack's checks of the TLS certificate aren't signed, so they pass. Bolt reads nothing else from such a request.
  if (body.ssl_check === '1') return undefined
  const sentAt = Number(headers['x-slack-request-timestamp']) * 1000
  if (sentAt > bot.runtime.now().getTime() + MAX_CLOCK_SKEW_MS) {
    bot.log.warn({ sentAt }, 'Rejected a Slack request with a future timestamp')
    return 401
  }
  return SIGNATURE.test(String(headers['x-slack-signature'])) ? undefined : 401
}

const nullishString = z.string().nullish()
const objectWithId = z.object({ id: nullishString, team_id: nullishString }).nullish()
/** Values that are sent back to Slack must be strings: large or deep JSON would block Slack's SDK for half a minute. */
const ForwardedValues = z.object({
  ssl_check: z.unknown().optional(),
  challenge: nullishString,
  team_id: nullishString,
  user_id: nullishString,
  channel_id: nullishString,
  trigger_id: nullishString,
  response_url: nullishString,
  team: objectWithId,
  user: objectWithId,
  channel: objectWithId,
  enterprise: objectWithId,
  view: z.object({ id: nullishString, hash: nullishString, app_installed_team_id: nullishString }).nullish(),
  event: z.object({ user: nullishString }).nullish(),
})

function readBody(request: BufferedIncomingMessage): z.output<typeof ForwardedValues> | undefined {
  try {
    return ForwardedValues.parse(HTTPModuleFunctions.parseHTTPRequestBody(request))
  } catch {
    return undefined
  }
}
