import type { Runtime } from './runtime.ts'

/** The time is never negative, so that `sleep` can take it. */
export const msUntil = (deadline: Date, now: Date): number => Math.max(0, deadline.getTime() - now.getTime())

type Limit = { deadline: Date | undefined; runtime: Pick<Runtime, 'now' | 'sleep'>; createError: () => Error }

/** Rejects with the error if the work isn't done by the deadline. Without a deadline, waits as long as it takes. */
export function rejectAfterDeadline<T>(
  work: Promise<T>,
  { deadline, runtime, createError }: Limit,
): Promise<T> {
  if (!deadline) return work
  const expiry = runtime.sleep(msUntil(deadline, runtime.now())).then(() => Promise.reject(createError()))
  return Promise.race([work, expiry])
}
