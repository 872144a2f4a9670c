import type { Actor } from './actor.ts'

const WINDOW_MS = 60_000

export type ActionLimits = { perUser: number; perWorkspace: number }

export type ActionLimiter = ReturnType<typeof createActionLimiter>

/** Counts users' actions. The counts are in memory, so each instance applies the limits by itself. 0 means no limit. */
export function createActionLimiter({ perUser, perWorkspace }: ActionLimits, now: () => Date) {
  let startedAt = 0
  const counts = new Map<string, number>()
  const count = (key: string): number => {
    const total = (counts.get(key) ?? 0) + 1
    counts.set(key, total)
    return total
  }
  return {
    /** Counts an action. Returns a message for the user if there were too many in this minute. */
    countAction({ team_id, user_id }: Actor): string | undefined {
      const at = now().getTime()
      if (Math.abs(at - startedAt) >= WINDOW_MS) {
        startedAt = at
        counts.clear()
      }
      const isTooFast = perUser > 0 && count(`${team_id} ${user_id}`) > perUser
      if (isTooFast) return `That was more than ${perUser} actions in a minute. Wait a minute and try again.`
      const isBusy = perWorkspace > 0 && count(team_id) > perWorkspace
      if (isBusy) return 'Upnext is very busy in this workspace. Wait a minute and try again.'
      return undefined
    },
  }
}
