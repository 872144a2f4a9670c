import { type Runtime, systemRuntime } from '../../src/runtime.ts'

type ApiTime = Pick<Runtime, 'random' | 'sleep'> & {
  /** Ends the deadlines of up to this length, as if that much time had passed. */
  endDeadlines: (maxMs: number) => void
}

/** Controls the time of the bot's API client, which sleeps until deadlines and before it retries a request. */
export function createApiTime({ minDeadlineMs = 0 }: { minDeadlineMs?: number } = {}): ApiTime {
  const deadlines = new Set<{ ms: number; end: () => void }>()
  return {
    random: () => 1 / 3,
    async sleep(ms, signal) {
      // With the random number above, only the pause before a retry isn't a whole number. Tests skip these pauses.
      if (!Number.isInteger(ms)) return
      const ended = new AbortController()
      const deadline = { ms, end: () => ended.abort() }
      deadlines.add(deadline)
      const signals = signal ? [signal, ended.signal] : [ended.signal]
      await systemRuntime.sleep(Math.max(ms, minDeadlineMs), AbortSignal.any(signals))
      deadlines.delete(deadline)
    },
    endDeadlines(maxMs) {
      for (const { ms, end } of deadlines) if (ms <= maxMs) end()
    },
  }
}
