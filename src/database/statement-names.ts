import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Each connection keeps its named statements until it closes. Further statements are unnamed and planned each time. */
const MAX_NAMED_STATEMENTS = 500

/** PostgreSQL parses a named statement once for each connection, and usually plans it only a few times. */
export function nameStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  let generation = 0
  /** Other code may name statements on the same connections, so the name is a hash of the text. */
  const assignName = (text: string): string => {
    const name = `${createHash('sha1').update(text).digest('base64url')}-${generation}`
    names.set(text, name)
    return name
  }
  async function runStatement(client: pg.PoolClient, text: string, values: unknown[]) {
    const name = names.get(text) ?? (names.size < MAX_NAMED_STATEMENTS ? assignName(text) : undefined)
    try {
      return await client.query({ text, values, ...(name && { name }) })
    } catch (error) {
      if (!name || !isOutdatedPlan(error)) throw error
      // Another instance has changed a table's columns. Under a new name, PostgreSQL plans the statement again.
      generation += 1
      if (names.get(text) === name) assignName(text)
      const isInTransaction = client.getTransactionStatus() !== 'I'
      if (isInTransaction) throw error
      return runStatement(client, text, values)
    }
  }
  const wrap = (client: pg.PoolClient) =>
    ({
      query: (text: string, values: unknown[]) =>
        values.length ? runStatement(client, text, values) : client.query(text, values),
      release: () => client.release(),
    }) as unknown as PostgresPoolClient
  /** Kysely compares connections by identity, so each client keeps one wrapper. */
  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const wrapper = wrappers.get(client) ?? wrap(client)
      wrappers.set(client, wrapper)
      return wrapper
    },
    end: () => pool.end(),
  }
}

const isOutdatedPlan = (error: unknown): boolean =>
  /cached plan must not change result type/.test((error as Error).message)
