import type { Kysely } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { openSchema, openTables, type Schema, type TableAccess } from '../../database/schema.ts'
import { addFailuresColumn, addTraceparentColumn, createJobTable } from '../../jobs/job-table.ts'
import { SERVICE_TABLES } from './migrations/0001-service-tables.ts'
import { SCHEMA_NAME } from './queries.ts'
import type { Tables } from './tables.ts'

export const SERVICE_SCHEMA: Schema = {
  name: SCHEMA_NAME,
  migrations: {
    '0001-service-tables': [...SERVICE_TABLES, ...createJobTable(SCHEMA_NAME)],
    '0002-idempotency-keys': [
      `create table service.idempotency_key (
        user_id uuid not null references service.person on delete cascade,
        key text not null,
        request_hash bytea not null,
        data json,
        used_at timestamptz not null,
        primary key (user_id, key)
      )`,
      'create index idempotency_key_by_use on service.idempotency_key (used_at)',
    ],
    '0003-publishing': [
      `create table service.account (
        id uuid primary key default gen_random_uuid(),
        project_id uuid not null references service.project on delete cascade,
        platform text not null,
        publisher text not null check (publisher in ('TELEGRAM', 'POSTIZ', 'WEBHOOK')),
        name text not null,
        target text not null,
        credentials text,
        settings jsonb not null,
        is_connected boolean not null,
        problem text,
        checked_at timestamptz not null,
        paused_until timestamptz,
        created_at timestamptz not null default now(),
        unique (project_id, platform, publisher, target)
      )`,
      'create unique index account_by_platform on service.account (project_id, platform) where is_connected',
      'create table service.heartbeat (id boolean primary key default true check (id), at timestamptz not null, gap_from timestamptz, gap_to timestamptz)',
      'alter table service.post add media_description text, add titles jsonb, add results jsonb',
      'alter table service.post drop constraint post_status_check',
      "alter table service.post add constraint post_status_check check (status in ('DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED'))",
      'drop index service.post_due',
      "create index post_due on service.post (schedule_date, id) where status = 'SCHEDULED' and results is null",
    ],
    '0004-texts': ['alter table service.post add texts jsonb'],
    '0005-bot-only-projects': ['alter table service.project add is_bot_only boolean not null default false'],
    '0006-traces': [
      addTraceparentColumn(SCHEMA_NAME),
      'alter table service.post add column traceparent text',
    ],
    '0007-failures': [addFailuresColumn(SCHEMA_NAME)],
    '0008-restored-backups': ['alter table service.heartbeat add is_restored boolean not null default false'],
  },
  identityTables: ['job', 'post'],
  encrypted: { webhook: { secret: 'text' }, account: { credentials: 'text' } },
}

export const openServiceDatabase = (access: StoreAccess): Promise<Kysely<Tables>> =>
  openSchema(access, SERVICE_SCHEMA)

export const openServiceTables = (access: TableAccess): Kysely<Tables> => openTables(access, SERVICE_SCHEMA)
