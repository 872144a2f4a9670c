import { DateTime } from 'luxon'
import type { Post } from '../../../../api/records.ts'
import type { ApiResult } from '../../../../api/result.ts'
import { zoneLabel } from '../../../../time/describe.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import type { Drawing } from '../../../slack/images/upload-drawing.ts'
import { listProjectPosts } from '../find/project-posts.ts'
import { type CalendarContent, describeCalendar, groupIntoDays } from './calendar-days.ts'
import { drawWeek } from './draw-week.ts'

export type CalendarKind = 'week' | 'month'

export type Calendar = CalendarContent & {
  kind: CalendarKind
  /** The chosen day. A month lists that day's posts below the image, and a week opens on the page that has them. */
  day: DateTime
}

const MAX_PAGES = 20

/** Loads the week or the month around a day. */
export async function loadCalendar(
  bot: Bot,
  scope: ProjectKey,
  { kind, day, deadline }: { kind: CalendarKind; day: DateTime; deadline?: Date },
): Promise<ApiResult<Calendar>> {
  // A month is shown in whole weeks, so it may begin and end with days of other months.
  const [start, end] = [day.startOf(kind).startOf('week'), day.endOf(kind).endOf('week')]
  const filter = { schedule_date_from: start.toISO() ?? '', schedule_date_to: end.toISO() ?? '' }
  const result = await listProjectPosts(bot, scope, filter, { maxPages: MAX_PAGES, deadline })
  if (result.kind !== 'ok') return result
  if (!result.data.isReadable && !result.data.items.length) return { kind: 'unclear', cause: 'unreadable' }
  const days = groupIntoDays(result.data.items, start, Math.round(end.diff(start, 'days').days))
  const { hasMore } = result.data
  const today = DateTime.fromJSDate(bot.runtime.now(), { zone: day.zone })
  const title = titleOf(kind, day, { days, hasMore })
  return { kind: 'ok', data: { kind, day, title, days, hasMore, today } }
}

function titleOf(
  kind: CalendarKind,
  day: DateTime,
  { days, hasMore }: Pick<CalendarContent, 'days' | 'hasMore'>,
): string {
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  const week = `${first?.toFormat('ccc d LLL')} – ${last?.toFormat('ccc d LLL yyyy')}`
  const period = kind === 'week' ? week : day.toFormat('LLLL yyyy')
  return `${period} (${zoneLabel(day.zoneName ?? 'UTC')} time)${hasMore ? ', incomplete' : ''}`
}

type ComingPosts = { posts: Post[]; hasMore: boolean; zone: string; at: Date }

/** Draws seven days for a digest, beginning with the day of `at`. */
export function drawComingDays({ posts, hasMore, zone, at }: ComingPosts): Drawing {
  const today = DateTime.fromJSDate(at, { zone })
  const loaded = { days: groupIntoDays(posts, today, 7), hasMore }
  const content = { ...loaded, today, title: titleOf('week', today, loaded) }
  return { title: content.title, svg: drawWeek(content), alt_text: describeCalendar(content) }
}
