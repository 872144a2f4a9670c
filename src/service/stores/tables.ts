import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { Platform, PostStatus, Role, UserStatus } from '../allowed-values.ts'

type CreationTime = ColumnType<Date, Date | undefined, never>

export type Tables = {
  project: { id: Generated<string>; name: string; created_at: CreationTime }
  person: { id: Generated<string>; email: string; created_at: CreationTime }
  project_user: {
    project_id: string
    user_id: string
    first_name: string | null
    last_name: string | null
    phone_number: string | null
    role: Role
    status: UserStatus
    created_at: CreationTime
  }
  token: {
    id: Generated<string>
    user_id: string
    hash: Buffer
    label: string
    created_at: CreationTime
    revoked_at: Date | null
  }
  prompt: {
    id: Generated<string>
    project_id: string
    title: string
    prompt_text: string
    description: string | null
    created_at: CreationTime
  }
  template: {
    id: Generated<string>
    project_id: string
    title: string
    content: string
    description: string | null
    created_at: CreationTime
  }
  source: {
    id: Generated<string>
    project_id: string
    source: string
    description: string | null
    created_at: CreationTime
    updated_at: ColumnType<Date, Date | undefined, Date>
  }
  post: {
    id: Generated<string>
    project_id: string
    content: string | null
    media: string | null
    template_id: string | null
    prompt_id: string | null
    schedule_date: Date | null
    timezone: string | null
    platforms: Platform[]
    status: PostStatus
    created_at: CreationTime
    published_at: Date | null
  }
  log: {
    id: Generated<string>
    project_id: string | null
    level: LogLevel
    action: string
    message: string
    actor: string
    target_id: string | null
    created_at: CreationTime
  }
  webhook: { project_id: string; url: string; secret: string; created_at: CreationTime }
  staged_file: {
    token_id: string
    name: string
    content: Buffer
    staged_at: ColumnType<Date, Date | undefined, Date>
  }
}

export type LogLevel = 'INFO' | 'WARNING' | 'ERROR'

export type Db = Kysely<Tables> | Transaction<Tables>

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
