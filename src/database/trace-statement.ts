import { isTraced, traceCall } from '../tracing/spans.ts'

/** Traces a statement by its verb and table. Its text isn't part of the trace. */
export function traceStatement<Result>(args: unknown[], run: () => Result): Result {
  if (!isTraced()) return run()
  const [query] = args
  const text = typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text
  // With a callback, the end of the statement isn't known. Only the pool itself calls it that way.
  if (!text || typeof args.at(-1) === 'function') return run()
  const { verb, table = '' } = STATEMENT.exec(text)?.groups ?? {}
  const name = `${(verb ?? text.trim().split(/\W/, 1)[0] ?? '').toUpperCase()} ${table}`.trim()
  return traceCall(name, { 'db.system.name': 'postgresql' }, async () => run()) as Result
}

/** The change inside a "with" says more than the "with". */
const STATEMENT = /\b(?<verb>insert|update|delete|select)\b[^;]*?\b(?:service|upnext)"?\."?(?<table>\w+)/i
