import { destination, type Logger, pino } from 'pino'

/** JSON lines on standard error: standard output is for what a person or a script asked for. */
export function createLog(level: string): Logger {
  return pino(
    { level, redact: ['req.headers.authorization', '*.token', '*.secret', '*.password'] },
    destination(2),
  )
}
