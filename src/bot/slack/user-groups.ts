import type { WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import type { Choice } from './message-blocks.ts'
import { hasSlackFailed, isSlackFailure, slackErrorCode } from './slack-errors.ts'

/** An optional permission of the app. */
export const USER_GROUPS_SCOPE = 'usergroups:read'

type Workspace = { bot: Bot; client: WebClient }

/** The user groups of the workspace, as choices of a menu. Returns undefined if Slack doesn't list them. */
export async function listUserGroups({ bot, client }: Workspace): Promise<Choice[] | undefined> {
  try {
    const { usergroups = [] } = await client.usergroups.list()
    return usergroups.flatMap(({ id, name, handle }) =>
      id ? [{ value: id, label: `${name ?? id}${handle ? ` (@${handle})` : ''}` }] : [],
    )
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    bot.log.warn({ err }, "Slack didn't list the user groups")
    return undefined
  }
}

/** The members of a user group. Nobody is in a group that was deleted. Returns undefined if Slack doesn't answer. */
export async function findGroupMembers(
  { bot, client }: Workspace,
  usergroup: string,
): Promise<string[] | undefined> {
  try {
    return (await client.usergroups.users.list({ usergroup })).users ?? []
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    bot.log.warn({ err, usergroup }, "Slack didn't list the members of a user group")
    return slackErrorCode(err) !== undefined && !hasSlackFailed(err) ? [] : undefined
  }
}
