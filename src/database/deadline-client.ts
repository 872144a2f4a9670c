import pg from 'pg'
import { isTraced, traceCall } from '../tracing/spans.ts'
import { DatabaseTimeoutError } from './connection-error.ts'

type DeadlineConfig = pg.ClientConfig & { queryTimeoutMs?: number | undefined }

/** Longer than `statement_timeout`, so that a slow statement fails without closing its connection. */
const QUERY_TIMEOUT_MS = 35_000

/**
 * Closes its connection if a query isn't answered in time. With pg's own `query_timeout`, the pool would reuse the
 * connection, although nothing may get through it for hours.
 */
export class DeadlineClient extends pg.Client {
  readonly #timeoutMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(config: DeadlineConfig = {}) {
    super(config)
    this.#timeoutMs = config.queryTimeoutMs ?? QUERY_TIMEOUT_MS
    for (const event of ['drain', 'end'] as const) this.on(event, () => clearTimeout(this.#timer))
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has many signatures, and this one only passes arguments on
  override query(...args: any): any {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const problem = `PostgreSQL didn't answer a query within ${this.#timeoutMs / 1000} s, so its connection was closed.`
      this.connection.stream.destroy(new DatabaseTimeoutError(problem))
    }, this.#timeoutMs).unref()
    return traceStatement(args, () => super.query.apply(this, args))
  }
}

/** Traces a statement by its verb and table. Its text isn't part of the trace. */
function traceStatement<Result>(args: unknown[], run: () => Result): Result {
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
