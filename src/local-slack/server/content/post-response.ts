import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readJson } from '../json.ts'
import { recordAppPayload } from '../workspace/app-payloads.ts'
import type { Message } from '../workspace/entities.ts'
import { addMessage, changeMessage, removeMessage } from '../workspace/messages.ts'
import { type ResponseTarget, redeemResponseUrl } from '../workspace/response-urls.ts'
import type { Slack } from '../workspace/slack.ts'
import { readMessageContent } from './read-message.ts'

/** Slack's documentation shows booleans as text in some examples. */
const flag = z.union([z.boolean(), z.stringbool()]).optional()

const ResponseMessage = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: flag,
  delete_original: flag,
  thread_ts: z.string().optional(),
})

type ResponseError = { error: string; messages: string[] }

/** The URLs at which the app responds to commands and actions. */
export function addResponseUrlRoutes(server: FastifyInstance, slack: Slack): void {
  for (const kind of ['commands', 'actions'])
    server.post(`/${kind}/:team/:number/:secret`, async (request, reply) => {
      const redeemed = redeemResponseUrl(slack, request.url)
      if ('error' in redeemed) return reply.code(404).send({ ok: false, error: redeemed.error })
      const body = readJson(String(request.body ?? ''))
      if (body === undefined) return reply.code(400).type('text/plain').send('invalid_payload')
      const error = await postResponse(slack, redeemed.target, body, 'response_url')
      if (error) return reply.code(400).type('text/plain').send(error.error)
      return reply.type('text/plain').send('ok')
    })
}

/** Posts the message with which the app responds to a user. An empty response posts nothing. */
export async function postResponse(
  slack: Slack,
  target: ResponseTarget,
  body: unknown,
  source: 'acknowledgement' | 'response_url',
): Promise<ResponseError | undefined> {
  const error = await applyResponse(slack, target, body)
  const problems = error ? [error.error, ...error.messages] : []
  if (source === 'response_url' || Object.keys(Object(body)).length > 0)
    recordAppPayload(slack, { source, name: 'message', body, response: problems[0] ?? 'ok', problems })
  return error
}

async function applyResponse(
  slack: Slack,
  { channel: channelId, user, messageTs }: ResponseTarget,
  body: unknown,
): Promise<ResponseError | undefined> {
  const { data: response, error } = ResponseMessage.safeParse(body ?? {})
  const channel = slack.channels.get(channelId)
  if (error) return { error: 'invalid_payload', messages: error.issues.map((issue) => issue.message) }
  if (!channel) return { error: 'channel_not_found', messages: [] }
  const { text, blocks, attachments } = response
  const hasContent = Boolean(text || blocks || attachments)
  const content = hasContent ? await readMessageContent(slack, { text, blocks, attachments }) : undefined
  if (content && 'error' in content) return content
  // Looked up only now: the message may have been deleted while its images were checked.
  const original = messageTs ? channel.messages.get(messageTs) : undefined
  if (response.delete_original && original) removeMessage(slack, channel, original)
  if (!content) return undefined
  if (original && !response.delete_original && shouldReplace(response, original)) {
    changeMessage(slack, channel, original, {
      edited: { user: slack.app.botUserId, ts: slack.ids.ts() },
      ...content.valid,
    })
    return undefined
  }
  addMessage(slack, channel, {
    user: slack.app.botUserId,
    appIdentity: {},
    ...content.valid,
    ...(response.response_type !== 'in_channel' && { visibleTo: user }),
    ...(response.thread_ts && { thread_ts: response.thread_ts }),
  })
  return undefined
}

/** Unless the app says otherwise, a response replaces a message that the same users see. */
function shouldReplace(
  { replace_original, response_type }: z.output<typeof ResponseMessage>,
  original: Message,
): boolean {
  if (replace_original !== undefined) return replace_original
  return Boolean(original.visibleTo) === (response_type !== 'in_channel')
}
