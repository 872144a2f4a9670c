/** The database didn't answer before the deadline. */
export class DatabaseTimeoutError extends Error {}

/** Whether an error is temporary: the database couldn't be reached, took too long, or its tables were being changed. */
export function isTemporaryDatabaseError(error: unknown): boolean {
  if (error instanceof DatabaseTimeoutError) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return TEMPORARY_CODES.test(code) || TEMPORARY_MESSAGES.test(message)
}

/**
 * PostgreSQL's codes for lost connections (08), shutdowns (57P), timeouts (57014) and a full server (53300), and
 * Node.js codes.
 */
const TEMPORARY_CODES =
  /^(08\w{3}|57P0\d|57014|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/
const TEMPORARY_MESSAGES =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable|cached plan must not change/i
