import { z } from 'zod'
import type { Message } from '../workspace/entities.ts'
import { addReaction, findPublicMessage, removeReaction } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { text } from './args.ts'
import { type ApiResponse, type Call, defineMethod, errorResponse } from './method.ts'

const reactionMethod = {
  tier: 3 as const,
  scopes: ['reactions:write'],
  args: { channel: text, timestamp: text.pipe(z.string().regex(/^\d+\.\d{6}$/)).optional(), name: text },
  argErrors: { channel: 'no_item_specified', timestamp: 'bad_timestamp', name: 'invalid_name' },
} satisfies Partial<Parameters<typeof defineMethod>[1]>

type ReactionArgs = { channel: string; timestamp?: string | undefined; name: string }
type React = (slack: Slack, message: Message, user: string, name: string) => boolean

/** `react` returns false if nothing changed, which Slack answers with an error. */
function changeReaction(
  { slack, caller, args }: Call<ReactionArgs>,
  react: React,
  unchanged: string,
): ApiResponse {
  if (!args.timestamp) return errorResponse('no_item_specified')
  const channel = slack.channels.get(args.channel)
  if (!channel?.members.has(caller.user)) return errorResponse('channel_not_found')
  if (channel.archived) return errorResponse('is_archived')
  const message = findPublicMessage(channel, args.timestamp)
  if (!message) return errorResponse('message_not_found')
  const name = args.name.replaceAll(/^:|:$/g, '')
  if (!/^[\p{L}\p{N}_+'-]+(::skin-tone-[2-6])?$/u.test(name)) return errorResponse('invalid_name')
  return react(slack, message, caller.user, name) ? { ok: true } : errorResponse(unchanged)
}

export const reactionMethods = [
  defineMethod('reactions.add', {
    ...reactionMethod,
    run: (call) => changeReaction(call, addReaction, 'already_reacted'),
  }),
  defineMethod('reactions.remove', {
    ...reactionMethod,
    run: (call) => changeReaction(call, removeReaction, 'no_reaction'),
  }),
]
