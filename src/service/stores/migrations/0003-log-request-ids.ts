import { type Kysely, sql } from 'kysely'

/** Log entries name the request that caused them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service.log add column request_id text`.execute(db)
}
