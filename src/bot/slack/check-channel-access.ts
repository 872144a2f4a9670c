import type { ConversationsMembersResponse, WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import { hasSlackErrorCode } from './slack-errors.ts'

type User = { client: WebClient; team_id: string; user_id: string }

const MEMBERS_PER_PAGE = 1000

/**
 * Whether a user may see a channel. The id isn't trusted, because a modified client can send any id. If Upnext can't
 * see the channel, the result is unknown, and Upnext can't post there either.
 */
export async function checkChannelAccess(
  { directory }: Pick<Bot, 'directory'>,
  user: User,
  channel: string,
): Promise<'yes' | 'no' | 'unknown'> {
  try {
    const info = await user.client.conversations.info({ channel })
    const { is_private, is_im, is_mpim } = info.channel ?? {}
    const isPublic = is_private === false && !is_im && !is_mpim
    if (isPublic && !(await seesOnlyJoinedChannels(directory, user))) return 'yes'
    return (await isMember(user, channel)) ? 'yes' : 'no'
  } catch (error) {
    if (isInconclusive(error)) return 'unknown'
    throw error
  }
}

const isInconclusive = hasSlackErrorCode([
  'channel_not_found',
  'not_in_channel',
  'missing_scope',
  'method_not_supported_for_channel_type',
])

/** Guests and people from other organizations see only the channels that they are members of. */
async function seesOnlyJoinedChannels(directory: Bot['directory'], user: User): Promise<boolean> {
  const profile = await directory.find(user)
  return !profile || Boolean(profile.is_restricted || profile.is_ultra_restricted || profile.is_stranger)
}

async function isMember({ client, user_id }: User, channel: string): Promise<boolean> {
  const pages = client.paginate('conversations.members', { channel, limit: MEMBERS_PER_PAGE })
  for await (const { members } of pages as AsyncIterable<ConversationsMembersResponse>)
    if (members?.includes(user_id)) return true
  return false
}
