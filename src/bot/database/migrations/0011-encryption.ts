import { type Kysely, sql } from 'kysely'

/** Adds the keys with which stored values may be encrypted, and a column of their own for the email addresses of known users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.encryption_key (
    key_id text primary key,
    check_value text not null,
    used_since timestamptz not null
  )`,
  'alter table upnext.known_record add column email text, alter column name drop not null',
  // A name was a full name, " · " and an email address, or only one of the two.
  `update upnext.known_record set
    email = case when name like '% · %' then split_part(name, ' · ', 2) else name end,
    name = case when name like '% · %' then split_part(name, ' · ', 1) end
    where kind = 'user' and name like '%@%'`,
]
