import { type Kysely, sql } from 'kysely'

/** Remembers what a message shows of a post, and that it may have to be updated. Older messages stay as they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'delete from upnext.post_message',
  `alter table upnext.post_message
    add column project_name text not null,
    add column post jsonb not null,
    add column changed_by text,
    add column due_at timestamptz`,
  'create index on upnext.post_message (due_at)',
]
