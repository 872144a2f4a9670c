import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../../runtime.ts'

type SlackUser = Awaited<ReturnType<WebClient['users']['info']>>['user']

type UserReference = { client: WebClient; team_id: string; user_id: string }

const CACHE_TTL_MS = 60_000
const SLACK_TIMEOUT_MS = 1000
const MAX_CACHED_USERS = 1000

export type UserDirectory = ReturnType<typeof createUserDirectory>

/** Looks users up in Slack. Each command needs its user, and Slack allows about 100 lookups a minute. */
export function createUserDirectory({ now, sleep }: Pick<Runtime, 'now' | 'sleep'>) {
  const cache = new Map<string, { user: Promise<SlackUser>; at: number }>()
  return {
    find({ client, team_id, user_id }: UserReference, { isFresh = false } = {}): Promise<SlackUser> {
      const key = `${team_id} ${user_id}`
      const at = now().getTime()
      const cached = cache.get(key)
      if (cached && !isFresh && at - cached.at < CACHE_TTL_MS) return cached.user
      const user = client.users
        .info({ user: user_id, include_locale: true })
        .then((response) => response.user)
        .catch((error) => {
          cache.delete(key)
          throw error
        })
      if (cache.size >= MAX_CACHED_USERS) cache.clear()
      cache.set(key, { user, at })
      // Slack allows three seconds in all, so a slow lookup falls back to the previous answer.
      return cached ? Promise.race([user, sleep(SLACK_TIMEOUT_MS).then(() => cached.user)]) : user
    },
  }
}
