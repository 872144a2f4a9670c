import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { JobTable } from '../../jobs/job-store.ts'
import type { Platform, PostStatus, Role, UserStatus } from '../values-and-limits.ts'

type CreationTime = ColumnType<Date, Date | undefined, never>
type Nullable<T> = ColumnType<T | null, T | null | undefined>
type Created = { id: Generated<string>; created_at: CreationTime }
type CreatedInProject = Created & { project_id: string }

export type Tables = {
  project: Created & { name: string }
  person: Created & { email: string }
  project_user: {
    project_id: string
    user_id: string
    first_name: Nullable<string>
    last_name: Nullable<string>
    phone_number: Nullable<string>
    role: Role
    status: UserStatus
    created_at: CreationTime
  }
  token: Created & { user_id: string; hash: Buffer; label: string; revoked_at: Nullable<Date> }
  prompt: CreatedInProject & { title: string; prompt_text: string; description: Nullable<string> }
  template: CreatedInProject & { title: string; content: string; description: Nullable<string> }
  source: CreatedInProject & {
    source: string
    description: Nullable<string>
    updated_at: ColumnType<Date, Date | undefined>
  }
  post: CreatedInProject & {
    content: Nullable<string>
    media: Nullable<string>
    template_id: Nullable<string>
    prompt_id: Nullable<string>
    schedule_date: Nullable<Date>
    timezone: Nullable<string>
    platforms: Platform[]
    status: PostStatus
    published_at: Nullable<Date>
    /** Counts the changes. */
    version: Generated<number>
  }
  log: Created & {
    project_id: string | null
    level: LogLevel
    action: string
    message: string
    actor: string
    target_id: Nullable<string>
    /** The X-Request-Id of the request that caused the entry. */
    request_id: Nullable<string>
  }
  webhook: { project_id: string; url: string; secret: string; created_at: CreationTime }
  /** Keys that clients chose for their requests, with the data of the first response. */
  idempotency_key: {
    user_id: string
    key: string
    request_hash: Buffer
    data: ColumnType<unknown, string | undefined, string>
    used_at: Date
  }
  job: JobTable
  staged_file: { token_id: string; name: string; content: Buffer; staged_at: Date }
}

export type LogLevel = 'INFO' | 'WARNING' | 'ERROR'

export type Db = Kysely<Tables> | Transaction<Tables>

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
