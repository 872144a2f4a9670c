import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { platformName } from '../../../../platforms/platform-names.ts'
import { buttonElement, buttonRow, context, section } from '../../../slack/message-blocks.ts'
import { pageButtons, slicePage } from '../../../slack/paged-list.ts'
import type { Slot } from '../../slots/slot-rules.ts'
import { COLLISION_NOTE } from '../display/collisions.ts'
import { postLine, statusLabel } from '../display/post-blocks.ts'
import { type MenuContext, postMenu } from '../display/post-menu.ts'
import type { CalendarDay, CalendarPost } from './calendar-days.ts'
import type { CalendarRequest, SlotReference } from './calendar-request.ts'
import type { Calendar } from './load-calendar.ts'

/** As many posts as fit within about 13,000 characters, which is the limit of a message in Slack. */
const PAGE_SIZE = 15

export const FILL_ACTION = 'calendar:fill'

/** The posts of a week by day, each with its menu. By default, shows the page with the posts of the chosen day. */
export function weekBlocks(
  { days, day, today, hasMore: isIncomplete }: Calendar,
  { page: chosen, freeSlots, ...menuContext }: MenuContext & { page: number | undefined; freeSlots: Slot[] },
): KnownBlock[] {
  const posts = days.flatMap((listed) => listed.posts)
  const firstOfDay = posts.findIndex(({ at }) => at >= day.startOf('day'))
  const first = Math.max(0, firstOfDay < 0 ? posts.length - 1 : firstOfDay)
  const { items, page, start, hasMore } = slicePage(posts, chosen ?? Math.floor(first / PAGE_SIZE), PAGE_SIZE)
  const gaps = selectPageSlots(freeSlots, {
    after: start ? items[0]?.at : undefined,
    before: hasMore ? items.at(-1)?.at : undefined,
  }).map(({ at, platforms }) => ({ at: DateTime.fromJSDate(at, { zone: day.zone }), platforms }))
  const entries = [
    ...items.map((item) => ({ at: item.at, row: postRow(item, menuContext, today.toJSDate()) })),
    ...gaps.map((gap) => ({ at: gap.at, row: slotRow(gap, menuContext.project_id) })),
  ].sort((a, b) => +a.at - +b.at)
  const rows = entries.flatMap(({ at, row }, index): KnownBlock[] => {
    const isNewDay = !entries[index - 1]?.at.hasSame(at, 'day')
    const heading = `*${at.toFormat('cccc d LLLL')}*${at.hasSame(today, 'day') ? ' · today' : ''}`
    return [...(isNewDay ? [section(heading)] : []), row]
  })
  const hasGap = ({ date }: CalendarDay) => gaps.some(({ at }) => at.hasSame(date, 'day'))
  const isEmpty = (listed: CalendarDay) =>
    !listed.posts.length && !hasGap(listed) && listed.date >= today.startOf('day')
  const empty = days.filter(isEmpty).map(({ date }) => date.toFormat('ccc d LLL'))
  const { project_id } = menuContext
  const shown = { kind: 'week', day: day.toISODate() ?? '', project_id, page } satisfies CalendarRequest
  return [
    ...(posts.length
      ? []
      : [
          section(
            isIncomplete
              ? 'Upnext found no posts in these seven days.'
              : 'Nothing is scheduled in these seven days.',
          ),
        ]),
    ...rows,
    ...(posts.length && empty.length && !isIncomplete ? [context(`Nothing on ${empty.join(', ')}.`)] : []),
    ...buttonRow(...pageButtons('calendar', shown, hasMore, ['‹ Earlier posts', 'Later posts ›'])),
  ]
}

/** Slack allows 50 blocks in a message. */
const MAX_SLOTS = 16

/** A free slot, with a button that opens the form for it. */
function slotRow({ at, platforms }: { at: DateTime; platforms: string[] }, project_id: string): KnownBlock {
  const names = platforms.map(platformName).join(', ')
  const button = {
    action_id: FILL_ACTION,
    label: 'Schedule',
    value: JSON.stringify({ project_id, at: at.toJSDate().toISOString(), platforms } satisfies SlotReference),
  }
  const time = at.toFormat('HH:mm')
  return { ...section(`*${time}*  _free slot${names && ` for ${names}`}_`), accessory: buttonElement(button) }
}

/**
 * The free slots that belong to a page: those between its posts, plus earlier ones on the first page and later ones on the
 * last.
 */
const selectPageSlots = (
  slots: Slot[],
  { after, before }: { after: DateTime | undefined; before: DateTime | undefined },
): Slot[] =>
  slots.filter(({ at }) => !(after && +at < +after) && !(before && +at >= +before)).slice(0, MAX_SLOTS)

function postRow({ post, at, collides }: CalendarPost, menuContext: MenuContext, now: Date): KnownBlock {
  const note = collides ? COLLISION_NOTE : ''
  const menu = postMenu(menuContext, post)
  return {
    ...section(`*${at.toFormat('HH:mm')}*  ${postLine(post)}${statusLabel(post, now)}${note}`),
    ...(menu && { accessory: menu }),
  }
}
