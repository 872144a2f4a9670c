/** SQL statements, in order. */
export const IDEMPOTENCY_KEYS = [
  `create table service.idempotency_key (
    user_id uuid not null references service.person on delete cascade,
    key text not null,
    request_hash bytea not null,
    data json,
    used_at timestamptz not null,
    primary key (user_id, key)
  )`,
  'create index idempotency_key_by_use on service.idempotency_key (used_at)',
]
