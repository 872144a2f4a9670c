import { z } from 'zod'
import { addReaction, messageAt } from '../workspace/messages.ts'
import { text } from './args.ts'
import { method, refuse } from './method.ts'

export const reactionMethods = [
  method('reactions.add', {
    tier: 3,
    scopes: ['reactions:write'],
    args: { channel: text, timestamp: text.pipe(z.string().regex(/^\d+\.\d{6}$/)).optional(), name: text },
    faults: { channel: 'no_item_specified', timestamp: 'bad_timestamp', name: 'invalid_name' },
    run: ({ slack, caller, args }) => {
      if (!args.timestamp) return refuse('no_item_specified')
      const channel = slack.channels.get(args.channel)
      if (!channel?.members.has(caller.user)) return refuse('channel_not_found')
      const message = messageAt(channel, args.timestamp)
      if (!message) return refuse('message_not_found')
      const name = args.name.replaceAll(/^:|:$/g, '')
      if (!/^[\p{L}\p{N}_+'-]+(::skin-tone-[2-6])?$/u.test(name)) return refuse('invalid_name')
      return addReaction(slack, message, caller.user, name) ? { ok: true } : refuse('already_reacted')
    },
  }),
]
