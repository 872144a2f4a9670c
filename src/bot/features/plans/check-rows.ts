import { comparePosts } from '../../../api/compare-posts.ts'
import type { Post } from '../../../api/records.ts'
import type { ApiFailure } from '../../../api/result.ts'
import { postTime } from '../../../api/timestamps.ts'
import { checkPost } from '../../../platforms/check-post.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { checkFields } from '../../forms/field-messages.ts'
import type { Form } from '../../forms/form.ts'
import { toInputState } from '../../forms/form-state.ts'
import type { Bot } from '../../slack/bot.ts'
import { postFormValues } from '../posts/post-form.ts'
import { checkedParts, type PostInput } from '../posts/post-upload.ts'
import { listPosts, toPost } from '../posts/project-posts.ts'
import type { PlanSource } from './read-table.ts'
import type { Plan, PlanRow } from './tables.ts'

/** Reads a row as the form for a new post would read it. */
export function checkRow(
  form: Form,
  { number, values, problems }: PlanSource,
  context: ReadingContext,
): PlanRow {
  const { body, fieldErrors } = checkFields(form, (name) => toInputState(values[name]), context)
  const failed = fieldErrors.map(({ loc }) => String(loc[0]))
  const missing = Object.entries(form.fields).flatMap(([name, { label, isOptional, isRequired }]) => {
    const isNeeded = !isOptional || isRequired?.(values)
    const isMissing = isNeeded && body[name] === undefined && !failed.includes(name)
    return isMissing ? [`${label}: missing.`] : []
  })
  const errors = fieldErrors.map(({ loc: [name = ''], msg }) => `${form.fields[name]?.label ?? name}: ${msg}`)
  const all = [...problems, ...errors, ...missing]
  if (all.length) return { number, values, problems: all }
  return describeRow(number, body)
}

/** A row that can be scheduled. Its words are read once, because "tomorrow" would later mean another day. */
export function describeRow(number: number, body: PostInput): PlanRow {
  const warnings = body.Status === 'DRAFT' ? [] : checkPost(checkedParts(body)).warnings
  return { number, values: postFormValues(planPost({ body })), body, problems: [], warnings }
}

export const planPost = ({ body }: Pick<PlanRow, 'body'>): Post =>
  toPost({ id: '', body: (body ?? null) as Record<string, unknown> | null })

/** A plan may cover several months. */
const MAX_PAGES = 20
const HOUR_MS = 60 * 60_000
const toFilter = (ms: number): string => new Date(ms).toISOString()

/** Marks the rows that the project already has. Also returns the project's posts in the time of the plan. */
export async function findPresentRows(
  bot: Bot,
  { team_id, project_id }: Pick<Plan, 'team_id' | 'project_id'>,
  rows: PlanRow[],
): Promise<{ rows: PlanRow[]; others: Post[] } | { failure: ApiFailure }> {
  const times = rows.flatMap((row) => postTime(planPost(row))?.toMillis() ?? [])
  if (!times.length) return { rows, others: [] }
  const filter = {
    schedule_date_from: toFilter(Math.min(...times) - HOUR_MS),
    schedule_date_to: toFilter(Math.max(...times) + HOUR_MS),
  }
  const listed = await listPosts(bot, { team_id, project_id }, filter, { maxPages: MAX_PAGES })
  if (listed.kind !== 'ok') return { failure: listed }
  return { rows: markPresent(rows, listed.data.items), others: listed.data.items }
}

/** Of two rows with the same post, the second counts as present. */
function markPresent(rows: PlanRow[], others: Post[]): PlanRow[] {
  // Only posts of the same minute can be the same.
  const seen = new Map<number, Post[]>()
  const minuteOf = (post: Post) => postTime(post)?.startOf('minute').toMillis() ?? 0
  const remember = (post: Post) => seen.set(minuteOf(post), [...(seen.get(minuteOf(post)) ?? []), post])
  for (const post of others) remember(post)
  return rows.map((row) => {
    if (!row.body) return row
    const post = planPost(row)
    const isPresent = (seen.get(minuteOf(post)) ?? []).some((other) => comparePosts(post, other) === 'same')
    remember(post)
    return { ...row, isPresent }
  })
}
