/** What goes wrong in the next calls of a method, to test how an app copes. */
export type FaultInjection = {
  /** A method name, or `*` for any method. */
  method: string
  times: number
  /** Answers with this error. */
  error?: string | undefined
  /** Answers with this HTTP status. */
  status?: number | undefined
  retry_after?: number | undefined
  delay_ms?: number | undefined
  /** Runs the call, then waits before the response. */
  response_delay_ms?: number | undefined
  /** Runs the call, then closes the connection without a response. */
  drop_response?: boolean | undefined
}

/** Returns the next fault for a method, and counts one use of it. */
export function takeFault(faults: FaultInjection[], method: string): FaultInjection | undefined {
  const index = faults.findIndex((fault) => fault.method === method || fault.method === '*')
  const fault = faults[index]
  if (!fault) return undefined
  fault.times -= 1
  if (fault.times <= 0) faults.splice(index, 1)
  return fault
}
