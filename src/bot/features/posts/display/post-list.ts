import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import {
  context as contextBlock,
  lineSections,
  MAX_OPTION_VALUE_LENGTH,
  plainText,
  section,
  toMenuOption,
  type Viewer,
} from '../../../slack/message-blocks.ts'
import { COLLISION_NOTE, findCollidingPosts } from './collisions.ts'
import {
  MAX_PREVIEW_LENGTH,
  postBlocks,
  postLabel,
  postLine,
  sortBySchedule,
  stateNote,
} from './post-blocks.ts'
import { type MenuContext, postMenu } from './post-menu.ts'
import { postReferenceOf } from './post-reference.ts'

/** A longer list has a select menu that opens one post, instead of a menu for each. */
export const MAX_POSTS_WITH_MENU = 15
/** A divider, the text and the schedule. Titles and results take another block. */
const BLOCKS_PER_POST = 3

/** Shown with a list that may be incomplete. */
export const INCOMPLETE_NOTE = 'Some posts may be missing here.'

// Slack limits the total length of a message's blocks.
const MAX_LINES = 40
const MAX_TEXTS_IN_LIST = 3
const MAX_SELECT_OPTIONS = 40

/** Each post with its menu, below a divider. */
export function postItems(context: MenuContext, posts: Post[], viewer: Viewer): KnownBlock[][] {
  const collisions = findCollidingPosts(posts)
  return posts.map((post) => {
    const note = collisions.has(post) ? COLLISION_NOTE : ''
    const limits = { maxLength: MAX_PREVIEW_LENGTH, ...(posts.length > 1 && { maxTexts: MAX_TEXTS_IN_LIST }) }
    const options = { ...limits, menu: postMenu(context, post), note }
    return [{ type: 'divider' }, ...postBlocks(post, viewer, options)]
  })
}

/** Posts with their menus. A longer list has one line for each post, grouped by day. */
export function postListBlocks(
  context: MenuContext,
  posts: Post[],
  viewer: Viewer,
  maxWithMenu = MAX_POSTS_WITH_MENU,
): KnownBlock[] {
  const items = posts.length <= maxWithMenu ? postItems(context, posts, viewer).flat() : []
  if (items.length && items.length <= maxWithMenu * BLOCKS_PER_POST) return items
  if (!posts.length) return []
  const shown = datedPostLines(posts, viewer).slice(0, MAX_LINES)
  const hiddenCount = posts.length - shown.length
  const more = hiddenCount ? [contextBlock(`and ${hiddenCount} more`)] : []
  return [...lineSections(addDayHeadings(shown)), ...more, ...postSelect(context.project_id, posts, viewer)]
}

/** One line for each post, by time. */
export function datedPostLines(posts: Post[], { zone, now }: Viewer): { day: string; line: string }[] {
  const collisions = findCollidingPosts(posts)
  return sortBySchedule(posts).map((post) => {
    const at = postTime(post)?.setZone(zone)
    const time = at ? `${at.toFormat('HH:mm')} ` : ''
    return {
      day: at ? at.toFormat('cccc d LLLL') : 'No date',
      line: `• ${time}${postLine(post)}${stateNote(post, now) ?? ''}${collisions.has(post) ? COLLISION_NOTE : ''}`,
    }
  })
}

export const addDayHeadings = (items: { day?: string; line: string }[]): string[] =>
  items.flatMap(({ day, line }, index) =>
    day && day !== items[index - 1]?.day ? [`_${day}_`, line] : [line],
  )

/** A select menu that opens a post of a long list. */
export function postSelect(project_id: string, posts: Post[], viewer: Viewer): KnownBlock[] {
  const options = posts.flatMap((post) => {
    const reference = postReferenceOf(project_id, post)
    const value = JSON.stringify(reference) ?? ''
    const isUsable = reference && value.length <= MAX_OPTION_VALUE_LENGTH
    return isUsable ? [toMenuOption({ value, label: postLabel(post, viewer) })] : []
  })
  if (!options.length) return []
  return [
    {
      ...section('Open a post'),
      accessory: {
        type: 'static_select',
        action_id: 'post:open',
        placeholder: plainText('Pick a post'),
        options: options.slice(0, MAX_SELECT_OPTIONS),
      },
    },
  ]
}
