import pg from 'pg'
import { DatabaseTimeoutError } from './connection-error.ts'
import { traceStatement } from './trace-statement.ts'

type DeadlineConfig = pg.ClientConfig & { queryTimeoutMs?: number | undefined }

/** Longer than `statement_timeout`, so that a slow statement fails without costing its connection. */
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
    for (const event of ['drain', 'end'] as const) this.on(event, () => this.#stopTimer())
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has many signatures, and this one only passes arguments on
  override query(...args: any): any {
    this.#startTimer()
    return traceStatement(args, () => super.query.apply(this, args))
  }

  #startTimer(): void {
    this.#stopTimer()
    this.#timer = setTimeout(() => this.#closeConnection(), this.#timeoutMs).unref()
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #closeConnection(): void {
    const problem = `PostgreSQL didn't answer a query within ${this.#timeoutMs / 1000} s, so its connection was closed.`
    this.connection.stream.destroy(new DatabaseTimeoutError(problem))
  }
}
