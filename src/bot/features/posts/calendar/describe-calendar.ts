import { truncate } from '../../../slack/message-blocks.ts'
import type { CalendarContent, CalendarPost } from './calendar-days.ts'

const MAX_ALT_TEXT_LENGTH = 300

/** Says how many posts each day has. The posts themselves are listed with the image. */
export function describeCalendar({ title, days }: CalendarContent): string {
  const busy = days.filter(({ posts }) => posts.length)
  const lines = busy.map(({ date, posts }, index) => {
    const isSameMonth = busy[index - 1]?.date.hasSame(date, 'month')
    return `${date.toFormat(isSameMonth ? 'd' : 'd LLL')}: ${countWithCollisions(posts)}`
  })
  return truncate(`${title}. ${lines.join(', ') || 'No posts'}.`, MAX_ALT_TEXT_LENGTH)
}

function countWithCollisions(posts: CalendarPost[]): string {
  const collisions = posts.filter(({ collides }) => collides).length
  return `${posts.length}${collisions ? ` (${collisions} too close together)` : ''}`
}
