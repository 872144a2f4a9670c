import { sql } from 'kysely'
import { addMs } from '../../runtime.ts'
import { updateRows } from './queries.ts'
import type { Db, Row } from './tables.ts'

/** How long a key is kept after its last use. */
const KEY_LIFETIME_MS = 72 * 60 * 60_000

const cutoffAt = (now: Date): Date => addMs(now, -KEY_LIFETIME_MS)

type KeyUse = Pick<Row<'idempotency_key'>, 'user_id' | 'key' | 'request_hash'>

/** Claims an unused key until the transaction ends. Returns false if the key was used before, or is in use. */
export async function claimKey(db: Db, { user_id, key, request_hash }: KeyUse, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into service.idempotency_key (user_id, key, request_hash, used_at)
      select ${user_id}, ${key}, ${request_hash}, ${now}
      where pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${user_id} ${key}`}, 0))
      on conflict (user_id, key) do update
        set request_hash = excluded.request_hash, data = null, used_at = excluded.used_at
        where idempotency_key.used_at < ${cutoffAt(now)}
      returning 1`.execute(db)
  return rows.length > 0
}

/** Returns undefined while the first request with the key is in progress. */
export const reuseKey = (db: Db, { user_id, key }: KeyUse, now: Date) =>
  updateRows(db, 'idempotency_key', { user_id, key })
    .set({ used_at: now })
    .where('used_at', '>=', cutoffAt(now))
    .returning(['request_hash', 'data'])
    .executeTakeFirst()

export const saveResponse = (db: Db, { user_id, key }: KeyUse, data: unknown): Promise<unknown> =>
  updateRows(db, 'idempotency_key', { user_id, key })
    .set({ data: JSON.stringify(data) })
    .execute()

export const deleteExpiredKeys = (db: Db, now: Date): Promise<unknown> =>
  db.deleteFrom('idempotency_key').where('used_at', '<', cutoffAt(now)).execute()
