import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../runtime.ts'

type User = Awaited<ReturnType<WebClient['users']['info']>>['user']

type Whom = { client: WebClient; team_id: string; user_id: string }

/** What Slack knows of people. It says so a hundred times a minute at most, and each command wants to know. */
export type Directory = { find: (whom: Whom, options?: { isAfresh?: boolean }) => Promise<User> }

const KEPT_MS = 60_000
const PATIENCE_MS = 1000
const MOST = 1000

export function createDirectory({ now }: Pick<Runtime, 'now'>): Directory {
  const known = new Map<string, { user: Promise<User>; at: number }>()
  return {
    find({ client, team_id, user_id }, { isAfresh = false } = {}) {
      const key = `${team_id} ${user_id}`
      const at = now().getTime()
      const before = known.get(key)
      if (before && !isAfresh && at - before.at < KEPT_MS) return before.user
      const user = client.users
        .info({ user: user_id, include_locale: true })
        .then((answer) => answer.user)
        .catch((error) => {
          known.delete(key)
          throw error
        })
      if (known.size >= MOST) known.clear()
      known.set(key, { user, at })
      // Slack waits for an answer, too: what is known from a while ago is better than none.
      return before ? Promise.race([user, sleep(PATIENCE_MS, before.user, { ref: false })]) : user
    },
  }
}
