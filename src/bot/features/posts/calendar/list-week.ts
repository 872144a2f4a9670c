import type { KnownBlock } from '@slack/types'
import { buttonRow, context, section } from '../../../slack/message-blocks.ts'
import { cutPage } from '../../../slack/paged-list.ts'
import { COLLISION_NOTE } from '../collisions.ts'
import { postLine, statusLabel } from '../post-blocks.ts'
import { type MenuContext, postMenu } from '../post-menu.ts'
import type { CalendarPost } from './calendar-days.ts'
import type { CalendarRequest } from './calendar-request.ts'
import type { Calendar } from './load-calendar.ts'

/** A message holds about 13,000 characters. */
const PAGE_SIZE = 15

export const BACK_ACTION = 'calendar:back'
export const MORE_ACTION = 'calendar:more'

/** The posts of a week by day, each with its menu. By default, shows the page with the posts of the chosen day. */
export function listWeek(
  { days, day, today, hasMore: isIncomplete }: Calendar,
  { page: chosen, ...menuContext }: MenuContext & { page: number | undefined },
): KnownBlock[] {
  const posts = days.flatMap((listed) => listed.posts)
  const firstOfDay = posts.findIndex(({ at }) => at >= day.startOf('day'))
  const first = Math.max(0, firstOfDay < 0 ? posts.length - 1 : firstOfDay)
  const { items, start, hasMore } = cutPage(posts, chosen ?? Math.floor(first / PAGE_SIZE), PAGE_SIZE)
  const page = start / PAGE_SIZE
  const rows = items.flatMap((item, index): KnownBlock[] => {
    const isNewDay = !items[index - 1]?.at.hasSame(item.at, 'day')
    const isToday = item.at.hasSame(today, 'day')
    const heading = `*${item.at.toFormat('cccc d LLLL')}*${isToday ? ' · today' : ''}`
    return [...(isNewDay ? [section(heading)] : []), postRow(item, menuContext, today.toJSDate())]
  })
  const empty = days.filter((listed) => !listed.posts.length).map(({ date }) => date.toFormat('ccc d LLL'))
  const turnTo = (page: number) =>
    JSON.stringify({
      ...{ kind: 'week', day: day.toISODate() ?? '', project_id: menuContext.project_id, page },
    } satisfies CalendarRequest)
  return [
    ...(posts.length
      ? []
      : [section(isIncomplete ? 'No posts were loaded.' : 'Nothing is scheduled in these seven days.')]),
    ...rows,
    ...(posts.length && empty.length && !isIncomplete ? [context(`Nothing on ${empty.join(', ')}.`)] : []),
    ...buttonRow(
      ...(start ? [{ action_id: BACK_ACTION, label: '‹ Earlier posts', value: turnTo(page - 1) }] : []),
      ...(hasMore ? [{ action_id: MORE_ACTION, label: 'Later posts ›', value: turnTo(page + 1) }] : []),
    ),
  ]
}

function postRow({ post, at, collides }: CalendarPost, menuContext: MenuContext, now: Date): KnownBlock {
  const note = collides ? COLLISION_NOTE : ''
  const menu = postMenu(menuContext, post)
  return {
    ...section(`*${at.toFormat('HH:mm')}*  ${postLine(post)}${statusLabel(post, now)}${note}`),
    ...(menu && { accessory: menu }),
  }
}
