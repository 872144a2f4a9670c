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

export function createClock(realNow: () => Date): Clock {
  let ahead = 0
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
    alarm.ring()
  }
  const dueBefore = (moment: number) =>
    [...alarms].filter(({ at }) => at <= moment).sort((one, other) => one.at - other.at)[0]

  return {
    now: () => new Date(now()),
    after(ms, ring) {
      const alarm: Alarm = { at: now() + ms, ring }
      alarms.add(alarm)
      arm(alarm)
      return () => drop(alarm)
    },
    moveBy(ms) {
      const target = now() + ms
      // One at a time: what rings may set another that is due within the same move.
      for (let due = dueBefore(target); due; due = dueBefore(target)) {
        ahead += Math.max(due.at - now(), 0)
        ring(due)
      }
      ahead += Math.max(target - now(), 0)
      for (const alarm of alarms) arm(alarm)
    },
    stop() {
      for (const alarm of alarms) drop(alarm)
    },
  }
}
