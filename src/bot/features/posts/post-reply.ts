import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../api/records.ts'
import type { SuccessContext } from '../../forms/form.ts'
import { CONFIRMATION_BLOCK, escapeText, type Reply, section } from '../../slack/message-blocks.ts'
import { formatSchedule, platformNames, postBlocks } from './post-blocks.ts'
import { postMenu } from './post-menu.ts'

/** Shows a post that was just created or changed. */
export function postReply(
  action: string,
  post: Post,
  context: SuccessContext,
  ...notes: KnownBlock[]
): Reply {
  const { bot, project } = context
  const title = `${action} ${escapeText(project.Name)}`
  const menu = postMenu({ bot, project_id: project.Id }, post)
  const block_id = context.isChannel ? undefined : CONFIRMATION_BLOCK
  return {
    text: `${title}: ${formatSchedule(post, context)}, ${platformNames(post)}`,
    blocks: [section(`*${title}*`), ...postBlocks(post, context, { menu, block_id }), ...notes],
  }
}
