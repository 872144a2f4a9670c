import type { WebClient } from '@slack/web-api'
import { addMs, rejectAfterDeadline } from '../../runtime.ts'
import type { Bot } from './bot.ts'
import { type Role, roleOf } from './role.ts'
import { isSlackFailure, SlackTimeoutError } from './slack-errors.ts'

/** Each person may need a request to Slack, which allows about 100 a minute. */
const MAX_LOOKUPS = 20
/** A form can only be opened within 3 seconds of a click. */
const MAX_LOOKUP_MS = 1000

/** Returns the roles of the first 20 people, or an empty map if Slack doesn't answer in time. */
export async function findRoles(
  { bot, client }: { bot: Bot; client: WebClient },
  team_id: string,
  user_ids: string[],
): Promise<Map<string, Role>> {
  const lookups = [...new Set(user_ids)].slice(0, MAX_LOOKUPS).map(async (user_id) => {
    const user = await bot.directory.find({ client, team_id, user_id })
    return [user_id, roleOf(user, await bot.directory.findWorkspace(client), bot.admins)] as const
  })
  const roles = await rejectAfterDeadline(Promise.all(lookups), {
    deadline: addMs(bot.runtime.now(), MAX_LOOKUP_MS),
    runtime: bot.runtime,
    createError: () => new SlackTimeoutError("Slack didn't return the users in time."),
  }).catch((err) => {
    if (!isSlackFailure(err)) throw err
    return []
  })
  return new Map(roles)
}
