import { platformName } from '../../../../platforms/platform-names.ts'
import { truncate } from '../../../slack/message-blocks.ts'
import type { CalendarContent, CalendarPost } from './calendar-days.ts'

const MAX_ALT_TEXT_LENGTH = 2000
const MAX_WORDS_LENGTH = 40

/** Describes everything that the image shows. If the text would be too long, it gives only the number of posts per day. */
export function describeCalendar({ title, days, hasMore }: CalendarContent): string {
  const describe = (describePosts: (posts: CalendarPost[]) => string) => {
    const busy = days.filter(({ posts }) => posts.length)
    const lines = busy.map(({ date, posts }) => `${date.toFormat('ccc d LLL')}: ${describePosts(posts)}`)
    const emptyCount = days.length - busy.length
    const rest =
      emptyCount && !hasMore ? `Nothing on ${emptyCount} ${emptyCount === 1 ? 'day' : 'days'}.` : ''
    return [`${title}.`, ...lines.map((line) => `${line}.`), rest].filter(Boolean).join(' ')
  }
  const complete = describe((posts) => posts.map(describePost).join('; '))
  if (complete.length <= MAX_ALT_TEXT_LENGTH) return complete
  return truncate(describe(countPosts), MAX_ALT_TEXT_LENGTH)
}

function describePost({ post, at, collides }: CalendarPost): string {
  const platforms = (post.Platforms ?? []).map(platformName).join(', ') || 'no platform'
  const words = truncate((post.Content ?? '').replace(/\s+/g, ' '), MAX_WORDS_LENGTH)
  return `${at.toFormat('HH:mm')} ${platforms} "${words}"${collides ? ' (collides with another post)' : ''}`
}

function countPosts(posts: CalendarPost[]): string {
  const collisions = posts.filter(({ collides }) => collides).length
  return `${posts.length} ${posts.length === 1 ? 'post' : 'posts'}${collisions ? ` (${collisions} collide)` : ''}`
}
