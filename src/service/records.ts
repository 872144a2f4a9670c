import type { FormatDate } from './date-format.ts'
import type { ProjectUser } from './stores/people-store.ts'
import type { PublishResult, Row } from './stores/tables.ts'

export const toProjectRecord = (row: Row<'project'> & { role: string }) => ({
  Id: row.id,
  Name: row.name,
  Role: row.role,
  CreatedAt: row.created_at.toISOString(),
})

const commonFields = (row: { id: string; project_id: string | null; created_at: Date }) => ({
  Id: row.id,
  ProjectId: row.project_id,
  CreatedAt: row.created_at.toISOString(),
})

/** A list has up to 500 posts. Spreading `commonFields` here would take longer than the rest of this function. */
export const toPostRecord = (row: Row<'post'>, formatDate: FormatDate) => ({
  Id: row.id,
  ProjectId: row.project_id,
  CreatedAt: row.created_at.toISOString(),
  Content: row.content,
  Media: row.media,
  TemplateId: row.template_id,
  PromptId: row.prompt_id,
  ScheduleDate: row.schedule_date && formatDate(row.schedule_date, row.timezone),
  Timezone: row.timezone,
  Platforms: row.platforms,
  Status: row.status,
  PublishedAt: row.published_at?.toISOString() ?? null,
  Version: row.version,
  MediaDescription: row.media_description,
  Titles: row.titles,
  Texts: row.texts,
  Results: row.results?.map(resultRecord) ?? null,
})

const resultRecord = ({ platform, account_id, account_name, state, link, error, at }: PublishResult) => ({
  Platform: platform,
  Account: account_name ?? null,
  AccountId: account_id ?? null,
  State: state,
  Link: link ?? null,
  Error: error ?? null,
  At: at,
})

export const toAccountRecord = (row: Row<'account'>) => ({
  ...commonFields(row),
  Platform: row.platform,
  Name: row.name,
  Publisher: row.publisher,
  State: accountState(row),
  Problem: row.problem,
  CheckedAt: row.checked_at.toISOString(),
})

const accountState = ({ is_connected, problem }: Row<'account'>) => {
  if (!is_connected) return 'AVAILABLE'
  return problem === null ? 'CONNECTED' : 'NEEDS_ATTENTION'
}

export const toProjectUserRecord = (row: ProjectUser) => ({
  ...commonFields({ ...row, id: row.user_id }),
  FirstName: row.first_name,
  LastName: row.last_name,
  Email: row.email,
  PhoneNumber: row.phone_number,
  Role: row.role,
  Status: row.status,
})

export const toPromptRecord = (row: Row<'prompt'>) => ({
  ...commonFields(row),
  Title: row.title,
  PromptText: row.prompt_text,
  Description: row.description,
})

export const toTemplateRecord = (row: Row<'template'>) => ({
  ...commonFields(row),
  Title: row.title,
  Content: row.content,
  Description: row.description,
})

export const toSourceRecord = (row: Row<'source'>) => ({
  ...commonFields(row),
  Description: row.description,
  Source: { Source: row.source },
  UpdatedAt: row.updated_at.toISOString(),
})

/** Only the client that chose a request id may see it. Others could use it to pass off their changes as that request's. */
export const toLogRecord = (row: Row<'log'>, readerEmail: string) => ({
  ...commonFields(row),
  Level: row.level,
  Action: row.action,
  Message: row.message,
  Actor: row.actor,
  TargetId: row.target_id,
  RequestId: row.actor === readerEmail ? row.request_id : null,
})

/** `total` counts all matching items, not only this page. `hasMore` means that there are more than `total`. */
export function toRecordList<T>(rows: T[], record: (row: T) => object, total = rows.length, hasMore = false) {
  return { Items: rows.map(record), Total: total, TotalIsMore: hasMore }
}
