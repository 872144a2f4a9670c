/** A clock that a test, or the curious, can move: what is due by then happens, in its order. */
export type Clock = {
  now: () => Date
  /** Calls back when that much time has passed on this clock; what it returns calls that off. */
  after: (ms: number, ring: () => void) => () => void
  moveBy: (ms: number) => void
  stop: () => void
}

type Alarm = { at: number; ring: () => void; timer?: NodeJS.Timeout }

/** What a Node timer can hold. */
const LONGEST_MS = 2 ** 31 - 1

export function createClock(realNow: () => Date, log: (error: unknown) => void): Clock {
  let ahead = 0
  let target: number | undefined
  const alarms = new Set<Alarm>()
  const now = () => realNow().getTime() + ahead

  const arm = (alarm: Alarm) => {
    clearTimeout(alarm.timer)
    const wait = Math.min(Math.max(alarm.at - now(), 0), LONGEST_MS)
    alarm.timer = setTimeout(() => (alarm.at > now() ? arm(alarm) : ring(alarm)), wait)
    alarm.timer.unref()
  }
  const drop = (alarm: Alarm) => {
    clearTimeout(alarm.timer)
    alarms.delete(alarm)
  }
  const ring = (alarm: Alarm) => {
    drop(alarm)
    try {
      alarm.ring()
    } catch (error) {
      log(error) // the others ring all the same
    }
  }
  const dueBefore = (moment: number) =>
    [...alarms].filter(({ at }) => at <= moment).sort((one, other) => one.at - other.at)[0]

  return {
    now: () => new Date(now()),
    after(ms, ring) {
      // While the clock is moved nobody can do anything: what begins then has its time from where the move ends.
      const alarm: Alarm = { at: (target ?? now()) + ms, ring }
      alarms.add(alarm)
      arm(alarm)
      return () => drop(alarm)
    },
    moveBy(ms) {
      target = now() + ms
      // Each rings at its own time, so that what it writes is dated so.
      for (let due = dueBefore(target); due; due = dueBefore(target)) {
        ahead += Math.max(due.at - now(), 0)
        ring(due)
      }
      ahead += Math.max(target - now(), 0)
      target = undefined
      for (const alarm of alarms) arm(alarm)
    },
    stop() {
      for (const alarm of alarms) drop(alarm)
    },
  }
}
