import type { KnownBlock } from '@slack/types'
import type { Post } from '../../api/records.ts'
import { MAX_OPTION_VALUE_LENGTH, MAX_OPTIONS, plainText, section, toMenuOption } from '../message-blocks.ts'
import { MAX_PREVIEW_LENGTH, postBlocks, postLabel, type Viewer } from './post-blocks.ts'
import { type MenuContext, postMenu } from './post-menu.ts'
import { referenceTo } from './post-reference.ts'

/** Each post with its menu, under a line. */
export const postItems = (context: MenuContext, posts: Post[], viewer: Viewer): KnownBlock[][] =>
  posts.map((post) => [
    { type: 'divider' },
    ...postBlocks(post, viewer, { maxLength: MAX_PREVIEW_LENGTH, menu: postMenu(context, post) }),
  ])

const MAX_POSTS_WITHOUT_MENU = 15

/** In a long list, a select menu opens any of the posts. */
export function pickPostBlocks(project_id: string, posts: Post[], viewer: Viewer): KnownBlock[] {
  if (posts.length <= MAX_POSTS_WITHOUT_MENU) return []
  const options = posts.flatMap((post) => {
    const reference = referenceTo(project_id, post)
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
        options: options.slice(0, MAX_OPTIONS),
      },
    },
  ]
}
