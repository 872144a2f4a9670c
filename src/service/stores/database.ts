import type { Kysely } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { openSchema, openTables, type Schema, type TableAccess } from '../../database/schema.ts'
import { addFailuresColumn, addTraceparentColumn, createJobTable } from '../../jobs/job-table.ts'
import { SERVICE_TABLES } from './migrations/0001-service-tables.ts'
import { IDEMPOTENCY_KEYS } from './migrations/0002-idempotency-keys.ts'
import { PUBLISHING } from './migrations/0003-publishing.ts'
import { SCHEMA_NAME } from './queries.ts'
import type { Tables } from './tables.ts'

export const SERVICE_SCHEMA: Schema = {
  name: SCHEMA_NAME,
  migrations: {
    '0001-service-tables': [...SERVICE_TABLES, ...createJobTable(SCHEMA_NAME)],
    '0002-idempotency-keys': IDEMPOTENCY_KEYS,
    '0003-publishing': PUBLISHING,
    '0004-texts': ['alter table service.post add texts jsonb'],
    '0005-bot-only-projects': ['alter table service.project add is_bot_only boolean not null default false'],
    '0006-traces': [
      ...addTraceparentColumn(SCHEMA_NAME),
      'alter table service.post add column traceparent text',
    ],
    '0007-failures': addFailuresColumn(SCHEMA_NAME),
  },
  identityTables: ['job', 'post'],
  encrypted: { webhook: { secret: 'text' }, account: { credentials: 'text' } },
}

/** Migrates the service's tables, and opens them. */
export const openServiceDatabase = (access: StoreAccess): Promise<Kysely<Tables>> =>
  openSchema(access, SERVICE_SCHEMA)

/** Opens the service's tables without migrating them. */
export const openServiceTables = (access: TableAccess): Kysely<Tables> => openTables(access, SERVICE_SCHEMA)
