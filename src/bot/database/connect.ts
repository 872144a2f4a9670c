import { Kysely, type Migration, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { StoreAccess } from '../../database/database.ts'
import { type EncryptedColumns, encryptColumns } from '../../database/encrypt-columns.ts'
import { inspectSchema, type SchemaState } from '../../database/inspect-schema.ts'
import { migrate } from '../../database/migrate.ts'
import { setUpEncryption } from '../../database/set-up-encryption.ts'
import { withSetUpPool } from '../../database/set-up-pool.ts'
import { nameStatements } from '../../database/statement-names.ts'
import { up as usePlainNames } from './migrations/0009-plain-names.ts'
import { up as mergeUserSettings } from './migrations/0010-user-settings.ts'
import { up as addEncryption } from './migrations/0011-encryption.ts'
import { up as addWorkspaces } from './migrations/0012-workspaces.ts'
import { up as addReceivedRequests } from './migrations/0013-received-requests.ts'
import { up as addAudit } from './migrations/0014-audit.ts'
import { up as addRetention } from './migrations/0015-retention.ts'
import { up as allowSeveralTimesADay } from './migrations/0016-several-times-a-day.ts'
import { up as addServiceExtensions } from './migrations/0017-service-extensions.ts'
import { up as addHeldPosts } from './migrations/0018-held-posts.ts'
import { up as addUploadedPictures } from './migrations/0019-uploaded-pictures.ts'
import { up as addOpenForms } from './migrations/0020-open-forms.ts'
import { up as addPostMessages } from './migrations/0021-post-messages.ts'
import { up as keepMessagesCurrent } from './migrations/0022-current-messages.ts'
import { up as addMedia } from './migrations/0023-media.ts'
import { up as rememberUncertainChanges } from './migrations/0024-uncertain-changes.ts'
import { up as addUploads } from './migrations/0025-uploads.ts'
import { up as unlogRequests } from './migrations/0026-unlogged-requests.ts'
import { up as addSubmittedForms } from './migrations/0027-submitted-forms.ts'
import { up as forgetKeys } from './migrations/0028-keys-in-values.ts'
import { up as addInstallation } from './migrations/0029-installation.ts'
import { up as rememberLookups } from './migrations/0030-lookups.ts'
import { initialMigrations } from './migrations/initial.ts'
import { SCHEMA } from './prepare.ts'
import type { Db, Tables } from './tables.ts'

const MIGRATIONS: Record<string, Migration> = {
  ...initialMigrations,
  '0009-plain-names': { up: usePlainNames },
  '0010-user-settings': { up: mergeUserSettings },
  '0011-encryption': { up: addEncryption },
  '0012-workspaces': { up: addWorkspaces },
  '0013-received-requests': { up: addReceivedRequests },
  '0014-audit': { up: addAudit },
  '0015-retention': { up: addRetention },
  '0016-several-times-a-day': { up: allowSeveralTimesADay },
  '0017-service-extensions': { up: addServiceExtensions },
  '0018-held-posts': { up: addHeldPosts },
  '0019-uploaded-pictures': { up: addUploadedPictures },
  '0020-open-forms': { up: addOpenForms },
  '0021-post-messages': { up: addPostMessages },
  '0022-current-messages': { up: keepMessagesCurrent },
  '0023-media': { up: addMedia },
  '0024-uncertain-changes': { up: rememberUncertainChanges },
  '0025-uploads': { up: addUploads },
  '0026-unlogged-requests': { up: unlogRequests },
  '0027-submitted-forms': { up: addSubmittedForms },
  '0028-keys-in-values': { up: forgetKeys },
  '0029-installation': { up: addInstallation },
  '0030-lookups': { up: rememberLookups },
}

/** What users entered, what digests show, and the names and email addresses of people. */
const ENCRYPTED_COLUMNS: EncryptedColumns = {
  outbox_item: {
    form_values: 'jsonb',
    body: 'jsonb',
    record: 'jsonb',
    failure: 'jsonb',
    slack_file: 'jsonb',
    warnings: 'text',
  },
  held_post: { body: 'jsonb' },
  open_form: { form_values: 'jsonb', submitted_view: 'jsonb' },
  post_message: { comment: 'text', post: 'jsonb' },
  media_upload: { file_name: 'text', alt_text: 'text' },
  known_record: { name: 'text', email: 'text' },
  digest_content: { content: 'jsonb' },
  audit_entry: { detail: 'text' },
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

const hasCode = (error: unknown, code: string): boolean => (error as { code?: unknown }).code === code

export const isUniqueViolation = (error: unknown): boolean => hasCode(error, '23505')
export const isPermissionDenied = (error: unknown): boolean => hasCode(error, '42501')
export const isMissingTable = (error: unknown): boolean => hasCode(error, '42P01')
