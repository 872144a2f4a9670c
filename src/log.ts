import { type DestinationStream, destination, type Logger, pino } from 'pino'

const SECRETS = ['req.headers.authorization', '*.token', '*.secret', '*.password']

/** What Slack's SDK and PostgreSQL attach to errors: responses that may repeat the request, and values of rows. */
const ECHOED_INPUT = ['err.headers', 'err.body', 'err.detail', 'err.where']

/** Standard output is for what users and scripts read. Without `sync`, the line that explains a crash may be lost. */
const STANDARD_ERROR = { dest: 2, sync: true }

/** Logs JSON lines. */
export function createLog(level: string, output: DestinationStream = destination(STANDARD_ERROR)): Logger {
  return pino({ level, redact: [...SECRETS, ...ECHOED_INPUT] }, output)
}
