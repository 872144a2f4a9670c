import {
  type DestinationStream,
  destination,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
} from 'pino'

const SECRETS = ['req.headers.authorization', '*.token', '*.secret', '*.password']

/**
 * Leaves out all other properties. Slack's SDK attaches responses that may repeat the request, PostgreSQL values of rows,
 * and pg a lost connection with its secret key. The message and the stack include those of the causes.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message: withoutRequests(message), stack: withoutRequests(stack), code }
}

/** Slack's codes are followed by what it was sent, and addresses contain secrets and what users typed. */
const withoutRequests = (text: string): string =>
  text
    .replace(/(An API error occurred: [a-z_]+).*?(?=\n {4}at |$)/gs, '$1')
    .replace(/(https?:\/\/[^\s/?#"'<>]+)[/?#][^\s"'<>]*/g, '$1/…')

/** Standard output is for what users and scripts read. Without `sync`, the line that explains a crash may be lost. */
const STANDARD_ERROR = { dest: 2, sync: true }

/** Logs JSON lines. */
export function createLog(level: string, output: DestinationStream = destination(STANDARD_ERROR)): Logger {
  const hooks: NonNullable<LoggerOptions['hooks']> = {
    // Libraries log messages of their own.
    logMethod(args, log) {
      log.apply(
        this,
        args.map((arg) => (typeof arg === 'string' ? withoutRequests(arg) : arg)) as typeof args,
      )
    },
  }
  return pino({ level, redact: SECRETS, serializers: { err: describeError }, hooks }, output)
}
