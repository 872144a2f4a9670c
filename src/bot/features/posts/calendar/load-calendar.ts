import { DateTime } from 'luxon'
import type { Post } from '../../../../api/records.ts'
import type { ApiResult } from '../../../../api/result.ts'
import { zoneLabel } from '../../../../time/describe.ts'
import type { Bot } from '../../../slack/bot.ts'
import { listPosts, type PostScope } from '../project-posts.ts'
import { type CalendarContent, groupIntoDays } from './calendar-days.ts'
import { describeCalendar } from './describe-calendar.ts'
import { drawMonth } from './draw-month.ts'
import { drawWeek } from './draw-week.ts'

export type CalendarKind = 'week' | 'month'

export type Calendar = CalendarContent & {
  kind: CalendarKind
  /** The day whose posts are listed below the image. */
  day: DateTime
  svg: string
  /** The image in words. */
  alt_text: string
}

const MAX_PAGES = 20

/** Loads the week or the month around a day. */
export async function loadCalendar(
  bot: Bot,
  scope: PostScope,
  { kind, day, deadlineMs }: { kind: CalendarKind; day: DateTime; deadlineMs?: number },
): Promise<ApiResult<Calendar>> {
  const { start, dayCount } = calendarRange(kind, day)
  const filter = {
    schedule_date_from: start.toISO() ?? '',
    schedule_date_to:
      start
        .plus({ days: dayCount - 1 })
        .endOf('day')
        .toISO() ?? '',
  }
  const result = await listPosts(bot, scope, filter, { maxPages: MAX_PAGES, deadlineMs })
  if (result.kind !== 'ok') return result
  if (!result.data.isReadable && !result.data.items.length) return { kind: 'unclear', cause: 'unreadable' }
  const days = groupIntoDays(result.data.items, start, dayCount)
  const { hasMore } = result.data
  const loaded = { days, hasMore }
  return { kind: 'ok', data: { kind, day, ...loaded, ...drawCalendar(kind, day, loaded) } }
}

function calendarRange(kind: CalendarKind, day: DateTime): { start: DateTime; dayCount: number } {
  if (kind === 'week') return { start: day.startOf('week'), dayCount: 7 }
  const start = day.startOf('month').startOf('week')
  const end = day.endOf('month').endOf('week')
  return { start, dayCount: Math.round(end.diff(start, 'days').days) }
}

type Drawing = Pick<Calendar, 'title' | 'svg' | 'alt_text'>

function drawCalendar(kind: CalendarKind, day: DateTime, loaded: Omit<CalendarContent, 'title'>): Drawing {
  const [first, last] = [loaded.days[0]?.date, loaded.days.at(-1)?.date]
  const week = `${first?.toFormat('ccc d LLL')} – ${last?.toFormat('ccc d LLL yyyy')}`
  const period = kind === 'week' ? week : day.toFormat('LLLL yyyy')
  const title = `${period} (${zoneLabel(day.zoneName ?? 'UTC')} time)${loaded.hasMore ? ', incomplete' : ''}`
  const content = { title, ...loaded }
  const svg = kind === 'week' ? drawWeek(content) : drawMonth(content, day)
  return { title, svg, alt_text: describeCalendar(content) }
}

type ComingPosts = { posts: Post[]; hasMore: boolean; zone: string; at: Date }

/** The seven days that begin at this time, for a digest or the Home tab. */
export function drawComingDays({ posts, hasMore, zone, at }: ComingPosts): Drawing {
  const day = DateTime.fromJSDate(at, { zone })
  return drawCalendar('week', day, { days: groupIntoDays(posts, day, 7), hasMore })
}
