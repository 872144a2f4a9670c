/** SQL statements, in order. */
export const BOT_ONLY_PROJECTS = [
  'alter table service.project add is_bot_only boolean not null default false',
]
