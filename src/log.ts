import { destination, type Logger, pino } from 'pino'

/** Logs JSON lines to standard error. Standard output is for what users and scripts read. */
export function createLog(level: string): Logger {
  return pino(
    { level, redact: ['req.headers.authorization', '*.token', '*.secret', '*.password'] },
    destination(2),
  )
}
