import { type Kysely, sql } from 'kysely'

/** Removes the list of keys, because each value names its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table service.encryption_key`.execute(db)
}
