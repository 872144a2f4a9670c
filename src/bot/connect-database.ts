import type { StoreAccess } from '../database/database.ts'
import { openSchema, openTables, type Schema, type TableAccess } from '../database/schema.ts'
import { CHANGE_TABLES, CREATE_TABLES, ENCRYPTED_COLUMNS } from './all-tables.ts'
import { SCHEMA } from './database/queries.ts'
import type { Db } from './database/tables.ts'

/**
 * The application's role may only add and read entries. Expired entries are deleted by a function that runs with the
 * owner's rights. The role can't choose an entry's id: the database would later assign the same id to another entry,
 * and fail to add that entry.
 */
const auditTrailPrivileges = (role: string): string => `
  revoke update, delete on upnext.audit_entry, upnext.audit_retention from ${role};
  revoke insert on upnext.audit_entry, upnext.audit_retention from ${role};
  grant insert (at, team_id, user_id, user_team_id, action, project_id, target, detail, outcome, request_id)
    on upnext.audit_entry to ${role};
  revoke insert, update on upnext.uninstallation from ${role};
  grant insert (team_id), update (is_confirmed) on upnext.uninstallation to ${role}`

export const BOT_SCHEMA: Schema = {
  name: SCHEMA,
  migrations: { '0001-bot-tables': CREATE_TABLES, ...CHANGE_TABLES },
  identityTables: ['job', 'outbox_item'],
  encrypted: ENCRYPTED_COLUMNS,
  restrictRole: auditTrailPrivileges,
}

const DEFAULT_RETENTION = { auditDays: 365, daysAfterUninstallation: 30 }

/** Opens the bot's tables without migrating them. */
export const openBotTables = (access: TableAccess): Db => openTables(access, BOT_SCHEMA)

/** Migrates the bot's tables, stores the retention periods, and opens the tables. */
export async function connectBotDatabase(
  access: StoreAccess,
  { auditDays, daysAfterUninstallation } = DEFAULT_RETENTION,
): Promise<Db> {
  const { pool, ownerPool = pool } = access
  const db: Db = await openSchema(access, BOT_SCHEMA)
  await ownerPool.query('update upnext.audit_retention set days = $1, days_after_uninstallation = $2', [
    auditDays,
    daysAfterUninstallation,
  ])
  return db
}
