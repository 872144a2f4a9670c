import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import * as projects from './migrations/0001-projects.ts'
import * as recordsSeen from './migrations/0002-records-seen.ts'
import * as submissions from './migrations/0003-submissions.ts'
import * as personZones from './migrations/0004-person-zones.ts'
import * as rolesAndHomes from './migrations/0005-roles-and-homes.ts'
import * as outbox from './migrations/0006-outbox.ts'
import * as digests from './migrations/0007-digests.ts'
import * as digestForms from './migrations/0008-digest-forms.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'upnext'

const MIGRATIONS: Record<string, Migration> = {
  '0001-projects': { up: projects.up },
  '0002-records-seen': { up: recordsSeen.up },
  '0003-submissions': { up: submissions.up },
  '0004-person-zones': { up: personZones.up },
  '0005-roles-and-homes': { up: rolesAndHomes.up },
  '0006-outbox': { up: outbox.up },
  '0007-digests': { up: digests.up },
  '0008-digest-forms': { up: digestForms.up },
}

/** The bot's tables, brought up to date; instances that start at once wait for one another. */
export async function connectStore(pool: Pool): Promise<Db> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return db.withSchema(SCHEMA)
}
