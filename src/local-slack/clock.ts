/** A clock that can be moved ahead. Timers that become due on the way fire in order. */
export type Clock = {
  now: () => Date
  /** Runs `onDue` once that much time has passed on this clock. Returns a function that cancels the timer. */
  after: (ms: number, onDue: () => void) => () => void
  moveBy: (ms: number) => void
  stop: () => void
}

type Timer = { dueAt: number; onDue: () => void; nodeTimer?: NodeJS.Timeout }

/** The longest delay that setTimeout accepts. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export function createClock(realNow: () => Date, logError: (error: unknown) => void): Clock {
  let offsetMs = 0
  let moveTarget: number | undefined
  const timers = new Set<Timer>()
  const now = () => realNow().getTime() + offsetMs

  const schedule = (timer: Timer) => {
    clearTimeout(timer.nodeTimer)
    const delay = Math.min(Math.max(timer.dueAt - now(), 0), MAX_TIMEOUT_MS)
    timer.nodeTimer = setTimeout(() => (timer.dueAt > now() ? schedule(timer) : fire(timer)), delay)
    timer.nodeTimer.unref()
  }
  const cancel = (timer: Timer) => {
    clearTimeout(timer.nodeTimer)
    timers.delete(timer)
  }
  const fire = (timer: Timer) => {
    cancel(timer)
    try {
      timer.onDue()
    } catch (error) {
      logError(error) // One failing timer must not stop the others.
    }
  }
  const nextDue = (time: number) =>
    [...timers].filter(({ dueAt }) => dueAt <= time).sort((a, b) => a.dueAt - b.dueAt)[0]

  return {
    now: () => new Date(now()),
    after(ms, onDue) {
      // A timer that is created while the clock is being moved starts at the end of the move.
      const timer: Timer = { dueAt: (moveTarget ?? now()) + ms, onDue }
      timers.add(timer)
      schedule(timer)
      return () => cancel(timer)
    },
    moveBy(ms) {
      moveTarget = now() + ms
      // Each timer fires at its own time, so that what it creates gets the right timestamp.
      for (let due = nextDue(moveTarget); due; due = nextDue(moveTarget)) {
        offsetMs += Math.max(due.dueAt - now(), 0)
        fire(due)
      }
      offsetMs += Math.max(moveTarget - now(), 0)
      moveTarget = undefined
      for (const timer of timers) schedule(timer)
    },
    stop() {
      for (const timer of timers) cancel(timer)
    },
  }
}
