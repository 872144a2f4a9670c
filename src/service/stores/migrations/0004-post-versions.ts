import { type Kysely, sql } from 'kysely'

/** A change names the version that it is based on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service.post add column version integer not null default 1`.execute(db)
}
