import { Kysely, type Migration, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import type { StoreAccess } from '../database/database.ts'
import { encryptColumns } from '../database/encrypt-columns.ts'
import { inspectSchema, type SchemaState } from '../database/inspect-schema.ts'
import { migrate } from '../database/migrate.ts'
import { setUpEncryption } from '../database/set-up-encryption.ts'
import { withSetUpPool } from '../database/set-up-pool.ts'
import { nameStatements } from '../database/statement-names.ts'
import { CREATE_TABLES, ENCRYPTED_COLUMNS } from './all-tables.ts'
import { SCHEMA } from './database/prepare.ts'
import type { Db, Tables } from './database/tables.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-bot-tables': {
    async up(db: Kysely<unknown>) {
      for (const statement of CREATE_TABLES) await sql.raw(statement).execute(db)
    },
  },
}

const DEFAULT_RETENTION = { auditDays: 365, daysAfterUninstallation: 30 }

/** Opens the bot's tables as they are. */
export const openBotTables = ({ pool, encryption }: Pick<StoreAccess, 'pool' | 'encryption'>): Db =>
  openTables(pool, encryption).withSchema(SCHEMA)

const openTables = (pool: Pool, encryption: StoreAccess['encryption']) =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: nameStatements(pool) }),
    plugins: [encryptColumns(ENCRYPTED_COLUMNS, encryption)],
  })

/** Brings the bot's tables to their latest version, with the retention in the settings, and opens them. */
export async function connectBotDatabase(
  access: StoreAccess,
  { auditDays, daysAfterUninstallation } = DEFAULT_RETENTION,
): Promise<Db> {
  const { pool, ownerPool = pool, encryption } = access
  await migrate(access, { schema: SCHEMA, migrations: MIGRATIONS, restrictRole: protectAuditTrail })
  await ownerPool.query('update upnext.audit_retention set days = $1, days_after_uninstallation = $2', [
    auditDays,
    daysAfterUninstallation,
  ])
  // Replacing a key updates audit entries, which only the owner may do.
  await withSetUpPool(ownerPool, (setUpPool) => {
    const db = openTables(setUpPool, encryption)
    return setUpEncryption({ db, schema: SCHEMA, tables: ENCRYPTED_COLUMNS, encryption })
  })
  return openBotTables(access)
}

export const inspectBotDatabase = (access: StoreAccess): Promise<SchemaState> =>
  inspectSchema(access, { schema: SCHEMA, migrations: MIGRATIONS, tables: ENCRYPTED_COLUMNS })

/**
 * The application's role adds and reads entries. Only a function of the owner deletes them, after their retention. The
 * database numbers them: a number that is taken beforehand would keep an entry out.
 */
const protectAuditTrail = (role: string): string => `
  revoke update, delete on upnext.audit_entry, upnext.audit_retention from ${role};
  revoke insert on upnext.audit_entry, upnext.audit_retention from ${role};
  grant insert (at, team_id, user_id, user_team_id, action, project_id, target, detail, outcome, request_id)
    on upnext.audit_entry to ${role};
  revoke insert, update on upnext.uninstallation from ${role};
  grant insert (team_id), update (is_confirmed) on upnext.uninstallation to ${role}`
