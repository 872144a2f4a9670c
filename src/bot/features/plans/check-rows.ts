import type { CallOptions } from '../../../api/client.ts'
import { comparePosts } from '../../../api/compare-posts.ts'
import type { Post } from '../../../api/records.ts'
import { postTime } from '../../../api/timestamps.ts'
import { platformName } from '../../../platforms/platform-names.ts'
import { listWords } from '../../../time/describe.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import { checkFields } from '../../forms/field-messages.ts'
import { toInputState } from '../../forms/form-state.ts'
import type { Bot } from '../../slack/bot.ts'
import { findUploadByLink } from '../media/media-store.ts'
import { COLLISION_WINDOW_MS, mayCollide } from '../posts/display/collisions.ts'
import { quotePost } from '../posts/display/post-blocks.ts'
import { listProjectPosts, toPost } from '../posts/find/project-posts.ts'
import { toFormValues } from '../posts/form/post-form.ts'
import type { PostInput } from '../posts/form/post-input.ts'
import { findTextWarnings } from '../posts/form/post-warnings.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { TAKEN_SLOT_PREFIX } from '../posts/slots/reserve-slot.ts'
import { platformsWithSlot } from '../slots/slot-rules.ts'
import { findSlotRules } from '../slots/slot-store.ts'
import type { SlotRule } from '../slots/tables.ts'
import type { SourceRow } from './read-table.ts'
import type { Plan, PlanRow } from './tables.ts'

/** Reads a row as the form for a new post would read it. */
export function checkRow(
  { number, values, problems, hasWrongTime }: SourceRow,
  context: ReadingContext,
): PlanRow {
  const read = checkFields(schedulePost, (name) => toInputState(values[name]), context)
  const { body } = read
  const fieldErrors = read.fieldErrors.filter(({ loc }) => !hasWrongTime || loc[0] !== 'ScheduleDate')
  const failed = read.fieldErrors.map(({ loc }) => String(loc[0]))
  const missing = Object.entries(schedulePost.fields).flatMap(([name, { label, isOptional, isRequired }]) => {
    const isNeeded = !isOptional || isRequired?.(values)
    const isMissing = isNeeded && body[name] === undefined && !failed.includes(name)
    return isMissing ? [`${label}: missing.`] : []
  })
  const errors = fieldErrors.map(
    ({ loc: [name = ''], msg }) => `${schedulePost.fields[name]?.label ?? name}: ${msg}`,
  )
  const all = [...problems, ...errors, ...missing]
  if (all.length) {
    // A typed "tomorrow" would later mean another day, and the form may be opened in another zone.
    const { ScheduleDate } = toFormValues(rowToPost({ body: read.body as PostInput }))
    const isRead = body.ScheduleDate !== undefined && !hasWrongTime
    return { number, values: isRead ? { ...values, ScheduleDate } : values, problems: all }
  }
  return toPlanRow(number, body)
}

/**
 * Makes a row from a post that was read without problems. The row's values name a date, because a typed "tomorrow"
 * would later mean another day.
 */
export function toPlanRow(number: number, body: PostInput): PlanRow {
  const warnings = body.Status === 'DRAFT' ? [] : findTextWarnings(body)
  const values = { ...toFormValues(rowToPost({ body })), AltText: body.AltText }
  return { number, values, body, problems: [], warnings }
}

/** A table has no column for the description of an upload, so a new post gets the one that was stored with the file. */
export async function addDescription(
  { db }: Pick<Bot, 'db'>,
  team_id: string,
  row: PlanRow,
): Promise<PlanRow> {
  const { body, values, was } = row
  const upload = body?.Media && !was ? await findUploadByLink(db, team_id, body.Media) : undefined
  const AltText = upload?.alt_text
  return body && AltText ? { ...row, body: { ...body, AltText }, values: { ...values, AltText } } : row
}

export const rowToPost = ({ body }: Pick<PlanRow, 'body'>): Post =>
  toPost({ id: '', body: (body ?? null) as Record<string, unknown> | null })

export const notComparedNote = ({ project_name }: Pick<Plan, 'project_name'>): string =>
  `Upnext couldn't check which of these posts ${project_name} already has. Check for duplicates.`

/** A plan may cover several months. */
const MAX_PAGES = 20
/** If two posts have the same text within this time, the row was probably rescheduled in the sheet. */
const DUPLICATE_WINDOW_MS = DAY_MS
const MINUTE_MS = 60_000
const toIsoString = (ms: number): string => new Date(ms).toISOString()

/**
 * Marks the rows whose posts the project already has, and adds each row's conflicts: posts of the project or the plan
 * that go out at about the same time. Returns undefined if the posts can't be listed.
 */
export async function compareRows(
  bot: Bot,
  { team_id, project_id }: Pick<Plan, 'team_id' | 'project_id'>,
  rows: PlanRow[],
  options: CallOptions = {},
): Promise<PlanRow[] | undefined> {
  const times = rows.flatMap((row) => postTime(rowToPost(row))?.toMillis() ?? [])
  if (!times.length) return rows
  const now = bot.runtime.now().getTime()
  // A row without a time may match any upcoming post.
  const first = Math.min(...times, ...(rows.some(({ isInSlot }) => isInSlot) ? [now] : []))
  const filter = {
    schedule_date_from: toIsoString(first - DUPLICATE_WINDOW_MS),
    schedule_date_to: toIsoString(Math.max(...times) + DUPLICATE_WINDOW_MS),
  }
  const scope = { team_id, project_id }
  const listed = await listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES, ...options })
  if (listed.kind !== 'ok' || !listed.data.isReadable) return undefined
  const changedIds = new Set(rows.flatMap(({ opened }) => opened?.post_id ?? []))
  const others = listed.data.items.filter(({ Id = '' }) => !changedIds.has(Id))
  const rules = await findSlotRules(bot.db, scope)
  return addConflicts(
    markPresent(rows, others, { now, listsMedia: bot.extensions.current.canChangePosts }),
    others,
    rules,
  )
}

/** Marks the rows whose post the project already has. If two rows have the same post, the second is marked. */
function markPresent(
  rows: PlanRow[],
  others: Post[],
  { now, listsMedia }: { now: number; listsMedia: boolean },
): PlanRow[] {
  // A row can only match a post in the same minute, unless Upnext chose the row's time.
  const byMinute = new Map<number, Post[]>()
  const minuteOf = (post: Post) => postTime(post)?.startOf('minute').toMillis() ?? 0
  const remember = (post: Post) =>
    byMinute.set(minuteOf(post), [...(byMinute.get(minuteOf(post)) ?? []), post])
  const outgoingPosts = others.filter(({ Status }) => Status !== 'FAILED')
  for (const post of outgoingPosts) remember(post)
  const isUpcoming = (post: Post) => post.Status !== 'DRAFT' && minuteOf(post) >= now
  const upcoming = outgoingPosts.filter(isUpcoming).map((post) => ({ post, key: contentKey(post) }))
  return rows.map((row) => {
    if (!row.body || row.opened) return row
    const post = rowToPost(row)
    const isDraft = post.Status === 'DRAFT'
    const inSameMinute = byMinute.get(minuteOf(post)) ?? []
    const same = [
      ...(row.isInSlot
        ? upcoming.filter(({ key }) => key === contentKey(post)).map((other) => other.post)
        : []),
      ...inSameMinute.filter(
        (other) => comparePosts(post, other) === 'same' && isDraft === (other.Status === 'DRAFT'),
      ),
    ].filter((other) => mayHaveSameMedia(post, other))
    remember(post)
    const problems = row.problems.filter((problem) => problem !== NO_MEDIA_YET)
    const isPresent = same.length > 0
    // If this row were left out because the project has its post, that post would go out without the row's media.
    const lacksMedia =
      isPresent && listsMedia && post.Media && same.every((other) => !other.Media && others.includes(other))
    return lacksMedia
      ? { ...row, isPresent: false, problems: [...problems, NO_MEDIA_YET] }
      : { ...row, problems, isPresent }
  })
}

const NO_MEDIA_YET =
  'Media: the project already has this post, but without media. Add the media with `/upnext edit`.'

/** Not every service lists the media of its posts. */
const mayHaveSameMedia = (post: Post, other: Post): boolean =>
  !post.Media || !other.Media || post.Media === other.Media

const contentKey = ({ Content = '', Platforms = [] }: Post): string =>
  JSON.stringify([Content.trim(), [...Platforms].sort()])

/** If two rows conflict, only the one further down in the plan names the other. */
function addConflicts(rows: PlanRow[], others: Post[], rules: SlotRule[]): PlanRow[] {
  const withTime = (post: Post) => ({ post, ms: postTime(post)?.toMillis() ?? Number.NaN })
  const seen = others.filter(mayCollide).map(withTime)
  return rows.map((row) => {
    const { post, ms } = withTime(rowToPost(row))
    if (!row.body || row.isPresent || !mayCollide(post)) return { ...row, conflicts: [] }
    const close = seen.flatMap((other) => {
      const shared = other.post.Platforms?.filter((platform) => post.Platforms?.includes(platform)) ?? []
      const distance = Math.abs(other.ms - ms)
      const text = post.Content?.trim()
      const isRepeated = text && other.post.Content?.trim() === text && distance < DUPLICATE_WINDOW_MS
      return (distance < COLLISION_WINDOW_MS || isRepeated) && shared.length ? [{ ...other, shared }] : []
    })
    seen.push({ post, ms })
    const conflicts = close.map(({ post: other, shared, ms: otherMs }) => {
      const names = `${quotePost(other)} on ${listWords(shared.map(platformName))}`
      const minutes = Math.floor(ms / MINUTE_MS) - Math.floor(otherMs / MINUTE_MS)
      if (minutes) return `${formatDistance(Math.abs(minutes))} ${minutes < 0 ? 'before' : 'after'} ${names}.`
      const isSlot = platformsWithSlot(rules, new Date(ms), shared).length > 0
      return isSlot ? `${TAKEN_SLOT_PREFIX}: ${names}.` : `At the same time as ${names}.`
    })
    return { ...row, conflicts }
  })
}

function formatDistance(count: number): string {
  const hours = Math.round(count / 60)
  return count < 60 ? `${count} minute${count === 1 ? '' : 's'}` : `${hours} hour${hours === 1 ? '' : 's'}`
}
