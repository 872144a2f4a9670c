import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Runtime } from '../../runtime.ts'
import type { Choice } from './message-blocks.ts'
import { isSlackFailure, slackErrorCode } from './slack-errors.ts'

/** An optional permission of the app. */
export const USER_GROUPS_SCOPE = 'usergroups:read'

/** Slack's code for a group that was deleted. */
const UNKNOWN_GROUP_CODE = 'no_such_subteam'

const CACHE_TTL_MS = 60_000

export type UserGroups = ReturnType<typeof createUserGroups>

/** Looks user groups up in Slack, and caches their members: Slack allows about 20 lookups a minute. */
export function createUserGroups({ now }: Pick<Runtime, 'now'>, log: Logger) {
  const cache = new Map<string, { members: string[]; at: number }>()

  return {
    /** The user groups of the workspace, as choices of a menu. Returns undefined if Slack doesn't list them. */
    async list(client: WebClient): Promise<Choice[] | undefined> {
      try {
        const { usergroups = [] } = await client.usergroups.list()
        return usergroups.flatMap(({ id, name, handle }) =>
          id ? [{ value: id, label: `${name ?? id}${handle ? ` (@${handle})` : ''}` }] : [],
        )
      } catch (err) {
        if (!isSlackFailure(err)) throw err
        log.warn({ err }, "Slack didn't list the user groups")
        return undefined
      }
    },
    /** Returns no members for a deleted group, and undefined if Slack doesn't list them. */
    async findMembers(
      client: WebClient,
      usergroup: string,
      { isFresh }: { isFresh: boolean },
    ): Promise<string[] | undefined> {
      const at = now().getTime()
      const cached = cache.get(usergroup)
      if (cached && !isFresh && at - cached.at < CACHE_TTL_MS) return cached.members
      try {
        const { users: members = [] } = await client.usergroups.users.list({ usergroup })
        cache.set(usergroup, { members, at })
        return members
      } catch (err) {
        if (!isSlackFailure(err)) throw err
        if (slackErrorCode(err) === UNKNOWN_GROUP_CODE) return []
        log.warn({ err, usergroup }, "Slack didn't list the members of a user group")
        return undefined
      }
    },
  }
}
