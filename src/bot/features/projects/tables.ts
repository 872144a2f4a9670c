import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'

export type KnownRecordKind = 'user' | 'prompt' | 'role' | 'status'
export type KnownRecordKey = { team_id: string; project_id: string; kind: KnownRecordKind }

declare module '../../database/tables.ts' {
  interface Tables {
    /** Users, prompts, roles and statuses that passed through the bot. The service has no lists of them. */
    known_record: KnownRecordKey & {
      record_id: string
      /** Null if only the user's email address is known. */
      name: string | null
      email: string | null
      last_seen_at: Date
    }
  }
}

export const PROJECT_TABLES = {
  create: [
    `create table upnext.known_record (
      team_id text not null,
      project_id text not null,
      kind text not null check (kind in ('user', 'prompt', 'role', 'status')),
      record_id text not null,
      name text,
      email text,
      last_seen_at timestamptz not null,
      primary key (team_id, project_id, kind, record_id)
    )`,
  ],
  rules: {
    known_record: {
      encrypted: { name: 'text', email: 'text' },
      lifetimes: [
        // Once the email address is erased, a user without a name is listed by id.
        { since: 'last_seen_at', ms: 30 * DAY_MS, erase: ['email'], where: 'email is not null' },
        { since: 'last_seen_at', ms: 365 * DAY_MS },
      ],
      onUninstallation: 'delete',
      person: {
        effect: 'delete',
        serviceUser: ({ kind, record_id, email }) =>
          kind === 'user' ? { ids: { record_id }, email } : undefined,
      },
    },
  },
} satisfies TableDefinitions
