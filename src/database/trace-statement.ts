import { isTraced, traceCall } from '../tracing/spans.ts'

/** Traces a statement by its verb and table. Its text isn't part of the trace. */
export function traceStatement<Result>(args: unknown[], run: () => Result): Result {
  if (!isTraced()) return run()
  const [query] = args
  const text = typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text
  // With a callback, this function can't know when the statement ends. Only the pool itself passes one.
  if (!text || typeof args.at(-1) === 'function') return run()
  const { verb, table = '' } = STATEMENT.exec(text)?.groups ?? {}
  const name = `${(verb ?? text.trim().split(/\W/, 1)[0] ?? '').toUpperCase()} ${table}`.trim()
  return traceCall(name, { 'db.system.name': 'postgresql' }, async () => run()) as Result
}

/** A statement that begins with "with" is named after the change inside it, which says more. */
const STATEMENT = /\b(?<verb>insert|update|delete|select)\b[^;]*?\b(?:service|upnext)"?\."?(?<table>\w+)/i
