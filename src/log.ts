import { type DestinationStream, destination, type Logger, pino } from 'pino'

const SECRETS = ['req.headers.authorization', '*.token', '*.secret', '*.password']

/** What Slack's SDK and PostgreSQL attach to errors: responses that may repeat the request, and values of rows. */
const ECHOED_INPUT = ['err.headers', 'err.body', 'err.detail', 'err.where']

/** Logs JSON lines to standard error. Standard output is for what users and scripts read. */
export function createLog(level: string, output: DestinationStream = destination(2)): Logger {
  return pino({ level, redact: [...SECRETS, ...ECHOED_INPUT] }, output)
}
