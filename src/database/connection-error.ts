/** Whether the database could not be reached, as opposed to rejecting a query. */
export function isConnectionError(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return UNREACHABLE_CODES.test(code) || UNREACHABLE_MESSAGES.test(message)
}

/** Node.js error codes, and PostgreSQL's codes for broken connections (08), shutdowns (57P) and a full server (53300). */
const UNREACHABLE_CODES =
  /^(08\w{3}|57P0\d|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/
const UNREACHABLE_MESSAGES = /connection terminated|timeout exceeded when trying to connect|not queryable/i
