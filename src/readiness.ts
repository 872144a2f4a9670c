import type { Logger } from 'pino'
import type { StoreAccess } from './database/database.ts'
import { checkDeclaredKeys, WrongKeyError } from './database/declared-keys.ts'
import { hasFreeSpace } from './database/disk-space.ts'
import type { Poller } from './jobs/poller.ts'
import type { Runtime } from './runtime.ts'

/** Why Upnext isn't ready right now, in plain words for operators. */
export type ReadinessProblem = { reason: string; err?: unknown }

export type FindProblem = () => ReadinessProblem | undefined | Promise<ReadinessProblem | undefined>

type Clock = Pick<Runtime, 'now'>

type ReadinessOptions = { log: Logger; checks: FindProblem[]; isStopping?: (() => boolean) | undefined }

const STOPPING = 'Upnext is stopping.'

/**
 * Returns the reason why this process isn't ready, for probes. Each reason and error is logged once until everything works
 * again.
 */
export function createReadinessCheck({ log, checks, isStopping = () => false }: ReadinessOptions) {
  const logged = new Set<string>()
  return async (): Promise<string | undefined> => {
    let problem: ReadinessProblem | undefined
    if (isStopping()) return STOPPING
    for (const findProblem of checks) problem ??= await findProblem()
    const reason = problem?.reason
    if (problem) {
      const { err } = problem
      const text = `${reason} ${err instanceof Error ? err.message : ''}`
      if (!logged.has(text)) log.warn(problem, 'Not ready')
      logged.add(text)
    } else if (logged.size) {
      log.info('Ready again')
      logged.clear()
    }
    return reason
  }
}

const QUERY_INTERVAL_MS = 1000
const QUERY_DEADLINE_MS = 3000
/** Keys may conflict for this long, because an instance that stops due to the conflict needs time to exit. */
const KEY_CONFLICT_GRACE_MS = 30_000

/** The database must be reachable and have free space, and all instances must be able to read each other's data. */
export function createDatabaseChecks(
  database: StoreAccess,
  { now, sleep }: Pick<Runtime, 'now' | 'sleep'>,
): FindProblem[] {
  let conflictSince: number | undefined
  const checkInstanceKeys = () =>
    checkDeclaredKeys(database.pool, database.encryption).then(
      () => {
        conflictSince = undefined
        return undefined
      },
      (err) => {
        if (!(err instanceof WrongKeyError)) return { reason: UNREACHABLE, err }
        const time = now().getTime()
        conflictSince ??= time
        return time - conflictSince < KEY_CONFLICT_GRACE_MS ? undefined : { reason: WRONG_KEY, err }
      },
    )
  const findKeyProblem = shareAnswers(checkInstanceKeys, QUERY_INTERVAL_MS, { now })
  return [
    () => Promise.race([findKeyProblem(), sleep(QUERY_DEADLINE_MS).then(() => ({ reason: UNREACHABLE }))]),
    checkInBackground(async () => ((await hasFreeSpace(database)) ? undefined : { reason: NO_ROOM }), {
      now,
    }),
  ]
}

const UNREACHABLE = "The database can't be reached right now."
const WRONG_KEY =
  "Instances with different keys can't read each other's data. Set the same SECRET_KEY for all."
const NO_ROOM = "The database can't store anything. Check whether its disk is full."

export const createPollerCheck =
  (pollers: Poller[]): FindProblem =>
  () => {
    const stuck = pollers.find((poller) => poller.isStuck())
    return (
      stuck && { reason: `The worker that should ${stuck.name} hangs or keeps failing. The log says why.` }
    )
  }

const BACKGROUND_INTERVAL_MS = 60_000

/**
 * Checks at most once a minute, without making the probe wait. If a check throws an error, the last result counts
 * until a check succeeds.
 */
export function checkInBackground(
  findProblem: () => Promise<ReadinessProblem | undefined>,
  clock: Clock,
): FindProblem {
  let problem: ReadinessProblem | undefined
  const refresh = shareAnswers(
    () =>
      findProblem().then(
        (found) => {
          problem = found
        },
        () => {},
      ),
    BACKGROUND_INTERVAL_MS,
    clock,
  )
  return () => {
    void refresh()
    return problem
  }
}

/** Calls `ask` at most once per interval, and never while an earlier call is unfinished. */
function shareAnswers<T>(ask: () => Promise<T>, intervalMs: number, { now }: Clock): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  let isPending = false
  return () => {
    const time = now().getTime()
    // The clock may have been set back.
    const isOld = Math.abs(time - askedAt) >= intervalMs
    if (answer && (isPending || !isOld)) return answer
    askedAt = time
    isPending = true
    answer = ask().finally(() => {
      isPending = false
    })
    return answer
  }
}
