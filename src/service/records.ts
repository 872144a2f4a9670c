import { DateTime } from 'luxon'
import type { ProjectUser } from './stores/people-store.ts'
import type { Row } from './stores/tables.ts'

export const projectRecord = (row: Row<'project'> & { role: string }) => ({
  Id: row.id,
  Name: row.name,
  Role: row.role,
  CreatedAt: row.created_at.toISOString(),
})

export const postRecord = (row: Row<'post'>) => ({
  Id: row.id,
  ProjectId: row.project_id,
  Content: row.content,
  Media: row.media,
  TemplateId: row.template_id,
  PromptId: row.prompt_id,
  ScheduleDate: row.schedule_date && formatInZone(row.schedule_date, row.timezone),
  Timezone: row.timezone,
  Platforms: row.platforms,
  Status: row.status,
  CreatedAt: row.created_at.toISOString(),
  PublishedAt: row.published_at?.toISOString() ?? null,
})

/** Uses the zone's offset, so that the date shows the local time that the author chose. */
const formatInZone = (date: Date, zone: string | null) =>
  DateTime.fromJSDate(date, { zone: zone ?? 'utc' }).toISO({ suppressMilliseconds: true })

export const projectUserRecord = (row: ProjectUser) => ({
  Id: row.user_id,
  ProjectId: row.project_id,
  FirstName: row.first_name,
  LastName: row.last_name,
  Email: row.email,
  PhoneNumber: row.phone_number,
  Role: row.role,
  Status: row.status,
  CreatedAt: row.created_at.toISOString(),
})

export const promptRecord = (row: Row<'prompt'>) => ({
  Id: row.id,
  ProjectId: row.project_id,
  Title: row.title,
  PromptText: row.prompt_text,
  Description: row.description,
  CreatedAt: row.created_at.toISOString(),
})

export const templateRecord = (row: Row<'template'>) => ({
  Id: row.id,
  ProjectId: row.project_id,
  Title: row.title,
  Content: row.content,
  Description: row.description,
  CreatedAt: row.created_at.toISOString(),
})

export const sourceRecord = (row: Row<'source'>) => ({
  Id: row.id,
  ProjectId: row.project_id,
  Description: row.description,
  Source: { Source: row.source },
  CreatedAt: row.created_at.toISOString(),
  UpdatedAt: row.updated_at.toISOString(),
})

export const logRecord = (row: Row<'log'>) => ({
  Id: row.id,
  ProjectId: row.project_id,
  Level: row.level,
  Action: row.action,
  Message: row.message,
  Actor: row.actor,
  TargetId: row.target_id,
  CreatedAt: row.created_at.toISOString(),
})

/** `total` counts all matching items, not only this page. `hasMore` means that there are even more. */
export const listRecord = (items: unknown[], total = items.length, hasMore = false) => ({
  Items: items,
  Total: total,
  TotalIsMore: hasMore,
})
