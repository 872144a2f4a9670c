import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely'
import type pg from 'pg'
import type { Encryption } from './encryption.ts'

/** Kinds of advisory locks. A lock's number is only the beginning of a key's id, because the number has 32 bits. */
const DECRYPTION_LOCK = 7_503_205
const ENCRYPTION_LOCK = 7_503_206
const ID_DIGITS = 8

const shorten = (keyId: string): string => keyId.slice(0, ID_DIGITS)

/** Every connection of an instance declares the instance's keys: it holds a shared advisory lock for each. */
export async function declareKeys(client: pg.ClientBase, { keyId, keyIds }: Encryption): Promise<void> {
  // Without these settings, the server would keep the connection of a machine that is cut off, and its locks, for hours.
  await client.query(
    'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
  )
  // The lock that says which key encrypts comes last, so a connection that has it has declared everything.
  const kinds = [...keyIds.map(() => DECRYPTION_LOCK), ENCRYPTION_LOCK]
  await client.query(
    `select pg_advisory_lock_shared(kind, ('x' || id)::bit(32)::int) from unnest($1::int[], $2::text[]) keys (kind, id)`,
    [kinds, [...keyIds, keyId].map(shorten)],
  )
}

/** This instance and a running one can't read each other's data. */
export class WrongKeyError extends Error {}

/** Throws a WrongKeyError if this instance and a running one couldn't read each other's data. */
export async function checkRunningInstances(
  db: QueryExecutorProvider,
  { keyId, keyIds }: Encryption,
): Promise<void> {
  // A connection that has only one kind of lock is being opened or closed.
  const { rows: instances } = await sql<{ decrypts: string[]; encrypts: string }>`
    select array_agg(id) filter (where classid = ${DECRYPTION_LOCK}) as decrypts,
      max(id) filter (where classid = ${ENCRYPTION_LOCK}) as encrypts
    from pg_locks, lpad(to_hex(objid::bigint), ${ID_DIGITS}, '0') id
    where locktype = 'advisory' and objsubid = 2 and classid in (${DECRYPTION_LOCK}, ${ENCRYPTION_LOCK})
      and database = (select oid from pg_database where datname = current_database())
    group by pid having count(distinct classid) = 2`.execute(db)
  if (instances.some(({ decrypts }) => !decrypts.includes(shorten(keyId))))
    throw new WrongKeyError(
      `A running instance doesn't have the first key of SECRET_KEY (id ${keyId}), so it couldn't read this instance's data. ${HOW_TO_REPLACE}`,
    )
  const unreadableInstance = instances.find(({ encrypts }) => !keyIds.map(shorten).includes(encrypts))
  if (unreadableInstance)
    throw new WrongKeyError(
      `A running instance encrypts with a key that isn't in SECRET_KEY (its id begins with ${unreadableInstance.encrypts}). ${HOW_TO_REPLACE}`,
    )
}

/** Rejects if the database can't be reached, and with WrongKeyError if a running instance has conflicting keys. */
export const checkDeclaredKeys = (pool: pg.Pool, encryption: Encryption): Promise<void> =>
  checkRunningInstances(new Kysely({ dialect: new PostgresDialect({ pool }) }), encryption)

const HOW_TO_REPLACE =
  'To replace a key, restart all instances with the old key, a comma, and the new key. Then restart all with the new key first, and finally all with the new key alone. Or stop all other instances before you start this one.'
