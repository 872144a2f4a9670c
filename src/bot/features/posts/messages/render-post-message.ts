import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../../api/records.ts'
import type { Bot } from '../../../slack/bot.ts'
import { context, escapeText, mentionUser, type Reply, section } from '../../../slack/message-blocks.ts'
import { formatSchedule, platformNames, postBlocks } from '../display/post-blocks.ts'
import { postMenu } from '../display/post-menu.ts'
import { failedResults } from '../display/post-results.ts'
import type { PostMessage } from '../tables.ts'

/** How the post has changed since the message was written. */
type State = keyof typeof TITLES | 'failed'

export type ChangedPost = { state: State; post: Post }

/** Renders a message about a post with the post's current state. */
export function renderPostMessage(
  bot: Bot,
  { channel_id, project_id, project_name, posted_by, comment, last_change, changed_by }: PostMessage,
  { state, post }: ChangedPost,
): Reply {
  const viewer = { zone: 'UTC', now: bot.runtime.now(), isChannel: true }
  const title = `${titleOf(state, post)} ${escapeText(project_name)}`
  const menu = ['changed', 'scheduled', 'failed'].includes(state)
    ? postMenu({ bot, project_id }, post)
    : undefined
  const changeNote = changed_by && last_change === state ? ` · ${state} by ${mentionUser(changed_by)}` : ''
  const shown = state === 'cancelled' ? { ...post, Status: 'cancelled' } : post
  const blocks: KnownBlock[] = [
    ...(comment ? [section(escapeText(comment))] : []),
    section(`*${title}*`),
    ...postBlocks(shown, viewer, { menu }),
    // A direct message goes to the person in `posted_by`, so it doesn't name them.
    ...(channel_id.startsWith('D') && !changeNote
      ? []
      : [context(`By ${mentionUser(posted_by)}${changeNote}`)]),
  ]
  return { text: `${title}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`, blocks }
}

function titleOf(state: State, post: Post): string {
  if (state !== 'failed') return TITLES[state]
  if (!failedResults(post).length) return 'May not be published on all platforms:'
  return post.Status === 'FAILED' ? 'Not published:' : 'Failed on some platforms:'
}

const TITLES = {
  changed: 'Changed in',
  scheduled: 'Scheduled in',
  cancelled: 'Cancelled in',
  'handed over': 'Handed over to the scheduling service for',
  sent: 'Handed over to the scheduling service for',
  'perhaps not sent': 'May not have been sent:',
  'not sent': 'Not sent:',
  publishing: 'Publishing in',
  published: 'Published in',
  'only marked': 'Not published in',
}
