import {
  type DestinationStream,
  destination,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
} from 'pino'
import { readTraceId } from './tracing/spans.ts'

const REDACTED_PATHS = ['req.headers.authorization', '*.token', '*.secret', '*.password']

/**
 * Keeps only an error's type, message, stack and code, because its other properties may contain secrets. Slack's SDK
 * attaches responses that may repeat the request, PostgreSQL attaches values of rows, and pg attaches the lost
 * connection, which includes its secret key. The message and the stack include those of the causes.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message: withoutRequests(message), stack: withoutRequests(stack), code }
}

/** Error messages repeat the request to Slack after the error code, and URLs contain secrets and user input. */
const withoutRequests = (text: string): string =>
  text
    .replace(/(An API error occurred: [a-z_]+).*?(?=\n {4}at |$)/gs, '$1')
    .replace(/(https?:\/\/[^\s/?#"'<>]+)[/?#][^\s"'<>]*/g, '$1/…')

/** Keeps standard output free for users and scripts. Without `sync`, the line that explains a crash may be lost. */
const STANDARD_ERROR = { dest: 2, sync: true }

/** Creates a log that writes JSON lines to standard error by default. */
export function createLog(level: string, output: DestinationStream = destination(STANDARD_ERROR)): Logger {
  const hooks: NonNullable<LoggerOptions['hooks']> = {
    // Libraries also log messages of their own, which may contain requests.
    logMethod(args, log) {
      log.apply(
        this,
        args.map((arg) => (typeof arg === 'string' ? withoutRequests(arg) : arg)) as typeof args,
      )
    },
  }
  const mixin = () => {
    const trace_id = readTraceId()
    return trace_id ? { trace_id } : {}
  }
  return pino({ level, redact: REDACTED_PATHS, serializers: { err: describeError }, hooks, mixin }, output)
}
