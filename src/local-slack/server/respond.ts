import { z } from 'zod'
import { type Content, type Reading, readContent } from './given/message.ts'
import { addMessage, changeMessage, type Message, removeMessage } from './workspace/messages.ts'
import type { ResponseUrl } from './workspace/response-urls.ts'
import { note } from './workspace/sent.ts'

/** Slack's own pages write booleans as text. */
const flag = z.union([z.boolean(), z.stringbool()]).optional()

const Given = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: flag,
  delete_original: flag,
  thread_ts: z.string().optional(),
})

type Refused = { error: string; messages: string[] }

type Place = Pick<ResponseUrl, 'channel' | 'user' | 'message'>

/** What the app answers with a message, to a command or at a response_url. An empty answer says nothing. */
export async function answerWithMessage(
  reading: Reading,
  place: Place,
  given: unknown,
  via: 'answer' | 'response_url' = 'answer',
): Promise<Refused | Record<never, never>> {
  const { slack } = reading
  const result = await answer(reading, place, given)
  const faults = 'error' in result ? [result.error, ...result.messages] : []
  if (Object.keys(Object(given)).length || via === 'response_url')
    note(slack, { via, what: 'message', body: given, answer: faults[0] ?? 'ok', faults })
  return result
}

async function answer(
  reading: Reading,
  { channel: id, user, message: ts }: Place,
  given: unknown,
): Promise<Refused | Record<never, never>> {
  const { slack } = reading
  const { data, error } = Given.safeParse(given ?? {})
  const channel = slack.channels.get(id)
  if (error) return { error: 'invalid_payload', messages: error.issues.map((issue) => issue.message) }
  if (!channel) return { error: 'channel_not_found', messages: [] }
  const says = Boolean(data.text || data.blocks || data.attachments)
  const { blocks, attachments } = data
  const read = says ? await readContent(reading, { ...data, blocks, attachments }) : undefined
  if (read && 'error' in read) return read
  // Only now, for it may have gone while an image was looked for.
  const source = ts ? channel.messages.get(ts) : undefined
  if (data.delete_original && source) removeMessage(slack, channel, source)
  if (!read) return {}
  if (source && !data.delete_original && replaces(data, source)) {
    changeMessage(slack, channel, source, {
      edited: { user: slack.app.botUser, ts: slack.ids.ts() },
      ...read.passed,
    })
    return {}
  }
  addMessage(slack, channel, {
    user: slack.app.botUser,
    byApp: {},
    ...(read.passed satisfies Content),
    ...(data.response_type !== 'in_channel' && { only: user }),
    ...(data.thread_ts && { thread_ts: data.thread_ts }),
  })
  return {}
}

/** Where the app does not say, an answer takes the place of a message that just as many can see. */
function replaces({ replace_original, response_type }: z.output<typeof Given>, source: Message): boolean {
  if (replace_original !== undefined) return replace_original
  return Boolean(source.only) === (response_type !== 'in_channel')
}
