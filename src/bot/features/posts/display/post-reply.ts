import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../../api/records.ts'
import type { SuccessContext } from '../../../forms/form.ts'
import {
  buttonRow,
  CONFIRMATION_BLOCK_PREFIX,
  escapeText,
  literalSection,
  type Reply,
  section,
  truncate,
} from '../../../slack/message-blocks.ts'
import {
  formatSchedule,
  platformNames,
  postBlocks,
  postDetails,
  postThumbnail,
  statusLabel,
  textOf,
} from './post-blocks.ts'
import { postControls, postMenu } from './post-menu.ts'

const MAX_TEXT_LENGTH = 300

/** Renders a post that was just created or changed. A reply to the user alone is short, because they know the text. */
export function savedPostReply(
  titlePrefix: string,
  post: Post,
  viewer: SuccessContext,
  ...notes: KnownBlock[]
): Reply {
  const { bot, project } = viewer
  const title = `${titlePrefix} ${escapeText(project.Name)}`
  const text = `${title}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`
  const context = { bot, project_id: project.Id }
  if (viewer.isChannel) {
    const menu = postMenu(context, post)
    return { text, blocks: [section(`*${title}*`), ...postBlocks(post, viewer, { menu }), ...notes] }
  }
  const { buttons, menu } = postControls(context, post)
  const schedule = `*${formatSchedule(post, viewer)}* · ${platformNames(post)}${statusLabel(post, viewer.now)}`
  return {
    text,
    blocks: [
      {
        ...section(`*${title}:* ${schedule}`),
        block_id: CONFIRMATION_BLOCK_PREFIX,
        ...(menu && { accessory: menu }),
      },
      { ...literalSection(truncate(textOf(post), MAX_TEXT_LENGTH)), ...postThumbnail(post) },
      ...postDetails(post),
      ...notes,
      ...buttonRow(...buttons).map((row) => ({ ...row, block_id: `${CONFIRMATION_BLOCK_PREFIX}:changes` })),
    ],
  }
}
