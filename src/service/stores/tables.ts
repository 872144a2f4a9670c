import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { JobTable } from '../../jobs/job-table.ts'
import type { Platform, PostStatus, ProjectRole, ResultState, UserStatus } from '../values.ts'

type CreationTime = ColumnType<Date, Date | undefined, never>
type Nullable<T> = ColumnType<T | null, T | null | undefined>
type CommonColumns = { id: Generated<string>; created_at: CreationTime }
type ProjectColumns = CommonColumns & { project_id: string }

export type Tables = {
  project: CommonColumns & {
    name: string
    /** If true, posts are approved in Slack, so only the bot may schedule them. */
    is_bot_only: Generated<boolean>
  }
  person: CommonColumns & { email: string }
  project_user: {
    project_id: string
    user_id: string
    first_name: Nullable<string>
    last_name: Nullable<string>
    phone_number: Nullable<string>
    role: ProjectRole
    status: UserStatus
    created_at: CreationTime
  }
  token: CommonColumns & { user_id: string; hash: Buffer; label: string; revoked_at: Nullable<Date> }
  prompt: ProjectColumns & { title: string; prompt_text: string; description: Nullable<string> }
  template: ProjectColumns & { title: string; content: string; description: Nullable<string> }
  source: ProjectColumns & {
    source: string
    description: Nullable<string>
    updated_at: ColumnType<Date, Date | undefined>
  }
  post: ProjectColumns & {
    content: Nullable<string>
    media: Nullable<string>
    template_id: Nullable<string>
    prompt_id: Nullable<string>
    schedule_date: Nullable<Date>
    timezone: Nullable<string>
    platforms: Platform[]
    status: PostStatus
    published_at: Nullable<Date>
    media_description: Nullable<string>
    titles: Nullable<PlatformTexts>
    texts: Nullable<PlatformTexts>
    traceparent: Nullable<string>
    /** Null until publishing begins. */
    results: ColumnType<PublishResult[] | null, string | null | undefined, string | null>
    /** Increases with each change. */
    version: Generated<number>
  }
  /** Accounts that publish a project's posts, each on one platform. */
  account: CommonColumns & {
    project_id: string
    platform: Platform
    publisher: PublisherName
    name: string
    /** The id of the Telegram chat or of the Postiz channel, or the URL of the webhook. */
    target: string
    /** The token of the Telegram bot, or the signing secret of the webhook. */
    credentials: Nullable<string>
    /** Settings that the platform requires with every post, such as a board. */
    settings: ColumnType<Record<string, string>, string, string>
    /** Whether the account publishes posts. An admin can connect any account that the operator has added. */
    is_connected: boolean
    /** Why the account can't publish. */
    problem: Nullable<string>
    checked_at: Date
    /** The network accepts no more posts before this time. */
    paused_until: Nullable<Date>
  }
  /** One row, which shows when the service was running. */
  heartbeat: {
    id: Generated<boolean>
    at: Date
    gap_from: Nullable<Date>
    gap_to: Nullable<Date>
    is_restored: Generated<boolean>
  }
  log: CommonColumns & {
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

/** A post's titles or texts for individual platforms. Without a title, the first line of the text is the title. */
export type PlatformTexts = { [P in Platform]?: string | undefined }

export type PublisherName = 'TELEGRAM' | 'POSTIZ' | 'WEBHOOK'

/** The result of publishing a post on one platform. Dates are in ISO format. */
export type PublishResult = {
  platform: Platform
  state: ResultState
  /** When the state was reached. */
  at: string
  account_id?: string
  account_name?: string
  publisher?: PublisherName
  link?: string
  error?: string
  /** Identifies this publication to the network. A requested retry has a new one. */
  reference: string
  /** When publishing was requested again. */
  requested_at?: string
  /** When the first attempt began. */
  started_at?: string
  /** When the request was sent. Removed unless the response leaves open whether the post was published. */
  sent_at?: string
  /** When the network first reported an error that may not be final. */
  doubtful_since?: string
  /** Whether the post may have been published by an earlier request, or before a backup was restored. */
  may_be_out?: true
  /** The chat got a new id, so the post is sent to the new id. This is only done once. */
  was_moved?: true
}

export type LogLevel = 'INFO' | 'WARNING' | 'ERROR'

export type Db = Kysely<Tables> | Transaction<Tables>

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
