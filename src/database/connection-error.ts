/** Whether the error says that the database was not there, rather than that it refused what it was asked. */
export function isConnectionError(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return AWAY.test(code) || /connection terminated|timeout exceeded when trying to connect/i.test(message)
}

/** Classes 08 and 57P of PostgreSQL's codes, and the system's. */
const AWAY = /^(08\w{3}|57P0\d|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/
