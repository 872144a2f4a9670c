import type { DateTime } from 'luxon'
import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'

export type CalendarPost = {
  post: Post
  /** In the zone of the calendar. */
  at: DateTime
  /** Another post goes out on the same platform at nearly the same time. */
  collides: boolean
}

export type CalendarDay = { date: DateTime; posts: CalendarPost[] }

export type CalendarContent = {
  title: string
  days: CalendarDay[]
  /** Whether there may be more posts than were loaded, also on a day without any. */
  hasMore: boolean
}

const COLLISION_MINUTES = 15

/** The posts of each day, in the order in which they go out. */
export function groupIntoDays(posts: Post[], start: DateTime, dayCount: number): CalendarDay[] {
  const zone = start.zone
  const dated = posts.flatMap((post) => {
    const at = postTime(post)?.setZone(zone)
    return at ? [{ post, at }] : []
  })
  dated.sort((a, b) => a.at.toMillis() - b.at.toMillis())
  const byDate = new Map<string, CalendarPost[]>()
  for (const [index, { post, at }] of dated.entries()) {
    const date = at.toISODate() ?? ''
    const listed = byDate.get(date) ?? []
    listed.push({ post, at, collides: hasCollision(dated, index) })
    byDate.set(date, listed)
  }
  return Array.from({ length: dayCount }, (_, index) => {
    const date = start.startOf('day').plus({ days: index })
    return { date, posts: byDate.get(date.toISODate() ?? '') ?? [] }
  })
}

type DatedPost = Pick<CalendarPost, 'post' | 'at'>

/** Looks at the neighbors in both directions, as long as they are near. */
function hasCollision(posts: DatedPost[], index: number): boolean {
  return [-1, 1].some((step) => {
    for (let other = index + step; isNear(posts[index], posts[other]); other += step)
      if (sharesPlatform(posts[index], posts[other])) return true
    return false
  })
}

function isNear(one: DatedPost | undefined, other: DatedPost | undefined): boolean {
  if (!one || !other) return false
  return Math.abs(one.at.toMillis() - other.at.toMillis()) < COLLISION_MINUTES * 60_000
}

const sharesPlatform = (one: DatedPost | undefined, other: DatedPost | undefined): boolean =>
  (one?.post.Platforms ?? []).some((platform) => other?.post.Platforms?.includes(platform))
