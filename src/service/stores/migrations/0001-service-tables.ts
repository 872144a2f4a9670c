export const SERVICE_TABLES = [
  `create table service.project (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    created_at timestamptz not null default now()
  )`,
  'create unique index project_by_name on service.project (lower(name))',

  `create table service.person (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    created_at timestamptz not null default now()
  )`,
  'create unique index person_by_email on service.person (lower(email))',

  `create table service.project_user (
    project_id uuid not null references service.project on delete cascade,
    user_id uuid not null references service.person on delete cascade,
    first_name text,
    last_name text,
    phone_number text,
    role text not null check (role in ('VIEWER', 'EDITOR', 'ADMIN')),
    status text not null check (status in ('ACTIVE', 'INACTIVE')),
    created_at timestamptz not null default now(),
    primary key (user_id, project_id)
  )`,
  'create index project_user_by_project on service.project_user (project_id)',

  `create table service.token (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references service.person on delete cascade,
    hash bytea not null unique,
    label text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz
  )`,

  `create table service.prompt (
    id uuid primary key default gen_random_uuid(),
    project_id uuid not null references service.project on delete cascade,
    title text not null,
    prompt_text text not null,
    description text,
    created_at timestamptz not null default now()
  )`,

  `create table service.template (
    id uuid primary key default gen_random_uuid(),
    project_id uuid not null references service.project on delete cascade,
    title text not null,
    content text not null,
    description text,
    created_at timestamptz not null default now()
  )`,
  'create index template_by_project on service.template (project_id, created_at, id)',

  `create table service.source (
    id uuid primary key default gen_random_uuid(),
    project_id uuid not null references service.project on delete cascade,
    source text not null,
    description text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index source_by_project on service.source (project_id, created_at, id)',

  `create table service.post (
    id uuid primary key default gen_random_uuid(),
    project_id uuid not null references service.project on delete cascade,
    content text,
    media text,
    template_id uuid references service.template,
    prompt_id uuid references service.prompt,
    schedule_date timestamptz,
    timezone text,
    platforms text[] not null,
    status text not null check (status in ('DRAFT', 'SCHEDULED', 'PUBLISHED')),
    created_at timestamptz not null default now(),
    published_at timestamptz,
    version integer not null default 1
  )`,
  // The lists of all posts and of those with one status are read in order from an index.
  'create index post_by_date on service.post (project_id, schedule_date, id)',
  'create index post_by_status on service.post (project_id, status, schedule_date, id)',
  "create index post_due on service.post (schedule_date, id) where status = 'SCHEDULED'",

  `create table service.log (
    id bigint generated always as identity primary key,
    project_id uuid references service.project on delete cascade,
    level text not null check (level in ('INFO', 'WARNING', 'ERROR')),
    action text not null,
    message text not null,
    actor text not null,
    target_id text,
    created_at timestamptz not null default now(),
    request_id text
  )`,
  'create index log_by_project on service.log (project_id, id desc)',

  `create table service.webhook (
    project_id uuid primary key references service.project on delete cascade,
    url text not null,
    secret text not null,
    created_at timestamptz not null default now()
  )`,

  `create table service.staged_file (
    token_id uuid primary key references service.token on delete cascade,
    name text not null,
    content bytea not null,
    staged_at timestamptz not null default now()
  )`,
]
