import { recordAction } from '../../slack/audit.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { textReply } from '../../slack/message-blocks.ts'
import { ADMIN_ACCESS, VIEW_ACCESS } from '../../slack/permissions.ts'
import { HAND_OVER_LEAD_MINUTES } from './display/post-states.ts'
import { addHoldingChannel, isHoldingChannel, removeHoldingChannel } from './holding-channel-store.ts'

export const holdPosts: Feature = {
  verb: 'hold',
  usage: '[on, off]',
  help: `Keep this channel's new posts editable until ${HAND_OVER_LEAD_MINUTES} minutes before they go out. For owners and admins.`,
  access: (text) => (text.trim() ? ADMIN_ACCESS : VIEW_ACCESS),
  async run(request) {
    const { bot, actor, text, reply } = request
    const { team_id, channel_id } = actor
    if (!channel_id) return reply(textReply('Use this command in a channel.'))
    if (bot.extensions.current.canChangePosts) return reply(textReply(NOT_NEEDED))
    const channel = { team_id, channel_id }
    const choice = text.trim().toLowerCase()
    if (choice !== 'on' && choice !== 'off') {
      const isHolding = await isHoldingChannel(bot.db, channel)
      const state = isHolding ? 'New posts are held in Upnext' : 'New posts go to the scheduling service'
      const command = `/upnext hold ${isHolding ? 'off' : 'on'}`
      return reply(
        textReply(`${state} by default in this channel. An admin can change this: \`${command}\`.`),
      )
    }
    return setHolding(request, channel, choice === 'on')
  },
}

const NOT_NEEDED =
  "There's no need to hold posts: this scheduling service lets you edit and cancel them until they go out."

async function setHolding(request: Request, channel: { team_id: string; channel_id: string }, isOn: boolean) {
  const { bot, actor, share } = request
  await (isOn ? addHoldingChannel : removeHoldingChannel)(bot.db, channel)
  await recordAction(request, { action: 'hold', target: channel.channel_id, after: { holds_posts: isOn } })
  // Everyone sees this message, because the setting changes everyone's forms in the channel.
  const effect = isOn
    ? `New posts from this channel are now held in Upnext until ${HAND_OVER_LEAD_MINUTES} minutes before they go out, so you can edit and cancel them. To change this for a single post, use *Save as* in its form. A row of a plan is held only if its status is "held".`
    : 'New posts from this channel now go to the scheduling service immediately.'
  return share(textReply(`<@${actor.user_id}> changed a setting. ${effect}`))
}
