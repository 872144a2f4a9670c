import { type Kysely, sql } from 'kysely'

/** The keys with which stored values may be encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table service.encryption_key (
    key_id text primary key,
    check_value text not null,
    used_since timestamptz not null
  )`.execute(db)
}
