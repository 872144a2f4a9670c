import type { WebClient } from '@slack/web-api'
import { ERASED } from '../../database/personal-data.ts'
import type { UserKey } from '../database/tables.ts'
import type { Bot } from './bot.ts'
import { authorize } from './permissions.ts'

/** Whether a user has an active account and can be sent messages. Also true if Slack doesn't answer. */
export async function isActiveUser(
  { bot, client }: { bot: Bot; client: WebClient },
  { team_id, user_id }: UserKey,
): Promise<boolean> {
  if (user_id === ERASED) return false
  const actor = { team_id, user_id, channel_id: undefined, client, request_id: bot.runtime.newId() }
  const authorization = await authorize(bot, actor, { permission: 'view', isFresh: false })
  return !('profile' in authorization) || authorization.profile.role !== 'inactive'
}
