import type { DateTime } from 'luxon'
import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { truncate } from '../../../slack/message-blocks.ts'
import { findCollidingPosts } from '../display/collisions.ts'

export type CalendarPost = {
  post: Post
  /** When the post goes out, in the zone of the calendar. */
  at: DateTime
  /** Another post goes out on the same platform at nearly the same time. */
  collides: boolean
}

export type CalendarDay = { date: DateTime; posts: CalendarPost[] }

export type CalendarContent = {
  title: string
  today: DateTime
  days: CalendarDay[]
  /** Whether there may be more posts than were loaded, even on a day that shows none. */
  hasMore: boolean
}

/** The posts of each day, by time. */
export function groupIntoDays(posts: Post[], start: DateTime, dayCount: number): CalendarDay[] {
  const zone = start.zone
  const collisions = findCollidingPosts(posts)
  const dated = posts.flatMap((post): CalendarPost[] => {
    const at = postTime(post)?.setZone(zone)
    return at ? [{ post, at, collides: collisions.has(post) }] : []
  })
  dated.sort((a, b) => a.at.toMillis() - b.at.toMillis())
  const byDate = new Map<string, CalendarPost[]>()
  for (const item of dated) {
    const date = item.at.toISODate() ?? ''
    byDate.set(date, [...(byDate.get(date) ?? []), item])
  }
  return Array.from({ length: dayCount }, (_, index) => {
    const date = start.startOf('day').plus({ days: index })
    return { date, posts: byDate.get(date.toISODate() ?? '') ?? [] }
  })
}

const MAX_ALT_TEXT_LENGTH = 300

/** The calendar image's alt text: the number of posts on each day. The posts themselves are listed in the message. */
export function describeCalendar({ title, days }: CalendarContent): string {
  const busy = days.filter(({ posts }) => posts.length)
  const lines = busy.map(({ date, posts }, index) => {
    const isSameMonth = busy[index - 1]?.date.hasSame(date, 'month')
    return `${date.toFormat(isSameMonth ? 'd' : 'd LLL')}: ${formatCountWithCollisions(posts)}`
  })
  return truncate(`${title}. ${lines.join(', ') || 'No posts'}.`, MAX_ALT_TEXT_LENGTH)
}

function formatCountWithCollisions(posts: CalendarPost[]): string {
  const collisions = posts.filter(({ collides }) => collides).length
  return `${posts.length}${collisions ? ` (${collisions} too close together)` : ''}`
}
