import { type Kysely, sql } from 'kysely'

/** The signatures of received requests, so that a repeated request has no second effect. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.received_request (
    signature text primary key,
    received_at timestamptz not null
  )`.execute(db)
}
