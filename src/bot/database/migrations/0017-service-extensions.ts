import { type Kysely, sql } from 'kysely'

/** What a service offers beyond the contract, for when it can't be asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.service_extension (
    service_url text primary key,
    can_change_posts boolean not null
  )`.execute(db)
}
