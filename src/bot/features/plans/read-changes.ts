import type { Post } from '../../../api/records.ts'
import { postTime, postZone } from '../../../api/timestamps.ts'
import { addMs } from '../../../runtime.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import { firstValue } from '../../forms/fields.ts'
import { toInputState } from '../../forms/form-state.ts'
import { isHeld } from '../posts/display/post-states.ts'
import { toOpenedPost } from '../posts/find/load-post.ts'
import { listOutboxPosts } from '../posts/find/project-posts.ts'
import { readChangeablePost } from '../posts/find/read-post.ts'
import { toFormValues } from '../posts/form/post-form.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { readSlotWords } from '../slots/slot-words.ts'
import { checkRow, toPlanRow } from './check-rows.ts'
import type { RowReader } from './fill-slots.ts'
import type { SourceRow } from './read-table.ts'
import type { PlanRow } from './tables.ts'
import { exportVersionOf, hasSameTime, type TablePost } from './write-table.ts'

/** A row of an export: the id of its post, and the version that was exported. */
export type ExportedRow = SourceRow & { exported: { id: string; version: string } }

export const isExported = (source: SourceRow): source is ExportedRow => source.exported !== undefined

const PARALLEL_READS = 8

/** Compares exported rows with the posts as they are now. Rows that change nothing are only counted. */
export async function readChanges(
  reader: RowReader,
  sources: ExportedRow[],
): Promise<{ rows: PlanRow[]; unchanged: number }> {
  const { bot, scope } = reader
  const heldIds = new Set((await listOutboxPosts(bot, scope)).map(({ Id }) => Id))
  const rows: (PlanRow | 'unchanged')[] = []
  for (let start = 0; start < sources.length; start += PARALLEL_READS) {
    const next = sources.slice(start, start + PARALLEL_READS).map((source, index) => {
      const { id } = source.exported
      const isRepeated = sources.slice(0, start + index).some(({ exported }) => exported.id === id)
      return isRepeated ? failRow(source, REPEATED) : readChange(reader, source, heldIds.has(id))
    })
    rows.push(...(await Promise.all(next)))
  }
  const changed = rows.filter((row) => row !== 'unchanged')
  return { rows: changed, unchanged: rows.length - changed.length }
}

async function readChange(
  reader: RowReader,
  source: ExportedRow,
  is_held: boolean,
): Promise<PlanRow | 'unchanged'> {
  const { bot, scope } = reader
  const { id, version, hasUnknownStatus } = source.exported
  const reference = { project_id: scope.project_id, post_id: id, ...(is_held && { is_held }) }
  const matchesExport =
    !hasUnknownStatus && exportVersionOf(readTablePost(source, reader.context)) === version
  if (!is_held && !bot.extensions.current.canChangePosts)
    return matchesExport ? 'unchanged' : failRow(source, UNCHANGEABLE)
  const found = await readChangeablePost({ bot, team_id: scope.team_id }, reference)
  // The post may have been published or cancelled since the export.
  if (found.kind !== 'ok' && matchesExport) return 'unchanged'
  // If an id is malformed, a service may respond "not found" without mentioning a post.
  if (found.kind === 'failed')
    return failRow(source, found.failure.kind === 'not-found' ? NOT_FOUND : UNREADABLE)
  if (found.kind !== 'ok') return failRow(source, found.kind === 'too late' ? found.message : NOT_FOUND)
  const { post } = found.data
  const own = toFormValues(post)
  const given = { ...own, ...source.values }
  // A date without a zone is in the post's own zone.
  const zone = postZone(post)
  const read = readTablePost({ ...source, values: given }, { ...reader.context, zone })
  const at = postTime(post)?.toJSDate()
  // The unchanged time of a draft may have passed, and an export omits seconds.
  const keepsTime = at && (source.values.ScheduleDate === undefined || hasSameTime(read, post))
  const { ScheduleDate, Timezone } = keepsTime ? post : read
  const shown = { ...read, ScheduleDate, Timezone }
  if (!hasUnknownStatus && [version, exportVersionOf(post)].includes(exportVersionOf(shown)))
    return 'unchanged'
  const wantsSlot = readSlotWords(firstValue(given.ScheduleDate) ?? '') !== undefined
  const context = { ...reader.context, zone, ...(keepsTime && { post: { at, zone } }) }
  const values = { ...given, AltText: '', ...(keepsTime && { ScheduleDate: own.ScheduleDate }) }
  const row = checkRow({ ...source, values, ...(wantsSlot && { hasWrongTime: true }) }, context)
  const problems = [
    ...row.problems,
    ...(wantsSlot ? [NO_SLOT] : []),
    ...(isHeld(shown) === isHeld(post) ? [] : [is_held ? STAYS_HELD : CANT_BE_HELD]),
    ...(hasTextPerPlatform(post) && !hasSameText(shown, post) ? [UNUSED_TEXT] : []),
    ...(exportVersionOf(post) === version ? [] : [version ? CHANGED_SINCE_EXPORT : NO_VERSION]),
  ]
  const { Id: _id, raw: _raw, ...was } = post
  // The old image's description doesn't fit a new image.
  const AltText = shown.Media === post.Media ? post.MediaDescription : undefined
  // An export trims the text.
  const ownText = hasSameText(shown, post) && post.Content !== undefined ? { Content: post.Content } : {}
  const checked = row.body
    ? toPlanRow(row.number, { ...row.body, ...ownText, AltText })
    : { ...row, values: { ...row.values, AltText } }
  const opened = toOpenedPost({ bot }, reference, found.data)
  return { ...checked, problems, opened, was, time: { ScheduleDate, Timezone } }
}

/** How far back the date of a row may lie. */
const YEAR_MS = 365 * DAY_MS

/** The post as the row shows it, even if the form would refuse it. */
function readTablePost({ values, exported }: ExportedRow, context: ReadingContext): TablePost {
  const readAt = (now: Date) =>
    schedulePost.fields.ScheduleDate?.read(toInputState(values.ScheduleDate), { ...context, now })
  // A time that has passed since the export is read as it was then.
  const isRead = (reading: ReturnType<typeof readAt>) => reading !== undefined && 'values' in reading
  const current = readAt(context.now)
  const when = isRead(current) ? current : readAt(addMs(context.now, -YEAR_MS))
  const [ScheduleDate, Timezone] = when && 'values' in when ? (when.values as string[]) : []
  const { Content, Media, Platforms, Status } = values
  return {
    Content: firstValue(Content),
    Media: firstValue(Media),
    Platforms: [...(Array.isArray(Platforms) ? Platforms.map(String) : []), ...exported.unknownPlatforms],
    Status: firstValue(Status),
    ScheduleDate,
    Timezone,
  }
}

const hasTextPerPlatform = ({ Platforms = [], Texts = {} }: Post): boolean =>
  Platforms.length > 0 && Platforms.every((platform) => Texts[platform])

const hasSameText = ({ Content }: TablePost, post: Post): boolean =>
  exportVersionOf({ ...post, Content }) === exportVersionOf(post)

/** A row that can't change its post. The review has no Fix button for it, because the fixed row would be a new post. */
const failRow = ({ number, values, problems }: SourceRow, problem: string): PlanRow => {
  return { number, values, problems: [...problems, problem], isFinal: true }
}

const REPEATED = 'Another row has the same id. Keep one of them.'
const UNCHANGEABLE = "The scheduling service can't change posts. Clear the id to schedule a new post."
const UNREADABLE = "This post couldn't be loaded. Import the file again later."
const NOT_FOUND =
  'This project has no post with this id. If the sheet is from another project, import it there. Clear the id to schedule a new post.'
const STAYS_HELD = 'Upnext holds this post. Set its status back to "held".'
const CANT_BE_HELD =
  "This post is already in the scheduling service, so Upnext can't hold it. Restore its earlier status in this row."
const UNUSED_TEXT = 'Text: not used, because each platform has its own text. Edit the post with /upnext edit.'
const NO_SLOT = 'When: only rows without an id get a free slot from Upnext. Enter a date and a time.'
const NO_VERSION =
  'The row has no version, so this post may have changed after the export. To replace it anyway, press "Fix" and save the row.'
const CHANGED_SINCE_EXPORT =
  'This post was changed after the export. To replace the newer version, press "Fix" and save the row.'
