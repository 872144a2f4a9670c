import { type Kysely, sql } from 'kysely'

/** Remembers what a message shows of a post, and when the two must be compared. Earlier messages aren't updated anymore. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'delete from upnext.post_message',
  `alter table upnext.post_message
    add column project_name text not null,
    add column post jsonb not null,
    add column last_change text check (last_change in ('unconfirmed', 'changed', 'cancelled')),
    add column changed_by text,
    add column leased_until timestamptz,
    add column due_at timestamptz`,
  'create index on upnext.post_message (due_at)',
]
