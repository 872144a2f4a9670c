/** SQL statements, in order. */
export const PUBLISHING = [
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
]
