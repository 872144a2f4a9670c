import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../../runtime.ts'
import { slackErrorCode } from './slack-errors.ts'

export type SlackUser = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']>

/** Where the app is installed. An app installed for a whole organization may have no workspace of its own. */
export type Workspace = { team_id?: string | undefined; enterprise_id?: string | undefined }

type UserReference = { client: WebClient; team_id: string; user_id: string }

type CachedUser = { user: Promise<SlackUser | undefined>; at: number; isPending: boolean }

const CACHE_TTL_MS = 60_000
const MAX_CACHED_USERS = 1000

/** Slack's codes for users who don't exist, or whom the app can't see. */
const UNKNOWN_USER_CODES = ['user_not_found', 'user_not_visible']

export type UserDirectory = ReturnType<typeof createUserDirectory>

/** Looks users up in Slack, and caches them: each command needs its user, but Slack allows about 100 lookups a minute. */
export function createUserDirectory({ now }: Pick<Runtime, 'now'>) {
  const cache = new Map<string, CachedUser>()
  let workspace: Promise<Workspace> | undefined

  const askSlack = ({ client, user_id }: UserReference) =>
    client.users.info({ user: user_id, include_locale: true }).then(
      (response) => response.user,
      (error) => {
        if (UNKNOWN_USER_CODES.includes(slackErrorCode(error) ?? '')) return undefined
        throw error
      },
    )

  return {
    /**
     * Returns undefined if Slack doesn't know the user. Rejects if Slack doesn't answer. Unless `isFresh`, Slack's answer may be
     * up to 60 seconds old. Simultaneous lookups share one request.
     */
    find(reference: UserReference, { isFresh = false } = {}) {
      const key = `${reference.team_id} ${reference.user_id}`
      const at = now().getTime()
      const cached = cache.get(key)
      if (cached && (cached.isPending || (!isFresh && at - cached.at < CACHE_TTL_MS))) return cached.user
      const user = askSlack(reference)
        .catch((error) => {
          cache.delete(key)
          throw error
        })
        .finally(() => {
          entry.isPending = false
        })
      const entry: CachedUser = { user, at, isPending: true }
      if (cache.size >= MAX_CACHED_USERS) cache.clear()
      cache.set(key, entry)
      return user
    },

    /** The workspace doesn't change while the bot runs, so Slack is asked until it answers once. */
    findWorkspace(client: WebClient): Promise<Workspace> {
      workspace ??= client.auth.test().then(
        ({ team_id, enterprise_id }) => ({ team_id, enterprise_id }),
        (error) => {
          workspace = undefined
          throw error
        },
      )
      return workspace
    },
  }
}
