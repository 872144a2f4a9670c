import type pg from 'pg'

/** The ids of `identityTables` identify the database. The tables exist in every version, and their order stays the same. */
export type IdentifiedSchema = { name: string; identityTables: string[] }

/**
 * pg_restore creates new tables, so their ids differ from those in the comment on the schema's table `job`. On another
 * server, at least the system identifier differs. In a copy by `create database … template`, only the database's id does.
 */
const identitySql = ({ name, identityTables }: IdentifiedSchema): string => {
  const ids = identityTables.map((table) => `'${name}.${table}'::regclass::oid`)
  return `concat_ws(' ', (select system_identifier from pg_control_system()), ${ids.join(', ')}, ${DATABASE_ID})`
}

const DATABASE_ID = '(select oid from pg_database where datname = current_database())'

const COMMENT_LOCK_ID = 7_503_205

const RESTORED_MESSAGE = `This database is a restored backup or a copy. If Upnext started now, it might send posts and messages again. Stop all instances, run one of these commands, then start Upnext:
  npm run after-restore             if anything may have been sent since the backup: asks the authors before sending anything again
  npm run after-restore -- --moved  if nothing was sent since the backup or copy was made`

/** Refuses to work with a restored backup until an operator has run one of the commands in the message. */
export async function checkDatabaseIdentity(pool: pg.Pool, schema: IdentifiedSchema): Promise<void> {
  const { rows } = await pool.query(
    `select obj_description('${schema.name}.job'::regclass, 'pg_class') as known, ${identitySql(schema)} as current`,
  )
  const [{ known, current }] = rows
  if (known === current) return
  // Earlier versions left out the database's id.
  const isFromEarlierVersion = known === current.replace(/ \d+$/, '')
  if (known !== null && !isFromEarlierVersion) throw new Error(RESTORED_MESSAGE)
  await recordDatabaseIdentity(pool, schema)
}

/** Stores the identity as a comment on the table `job`. After a restore, the comment doesn't match the new identity. */
export const recordDatabaseIdentity = (pool: pg.Pool, schema: IdentifiedSchema): Promise<unknown> =>
  pool.query(`do $$ begin
    perform pg_advisory_xact_lock(${COMMENT_LOCK_ID});
    execute format('comment on table ${schema.name}.job is %L', ${identitySql(schema)});
  end $$`)
