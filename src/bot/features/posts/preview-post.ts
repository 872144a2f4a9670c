import type { Feature, Request } from '../../slack/feature.ts'
import { section } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS } from '../../slack/permissions.ts'
import { replyInModal } from '../../slack/reply-in-modal.ts'
import { findUploadByLink } from '../media/media-store.ts'
import type { PostReference } from './display/post-reference.ts'
import { previewBlocks } from './display/preview.ts'
import { loadPost } from './find/load-post.ts'
import { postAction, withChosenPost } from './find/post-actions.ts'

export const previewPost: Feature = {
  verb: 'preview',
  usage: '[words or a date]',
  help: 'See how each platform will show a post.',
  access: VIEW_ACCESS,
  run: withChosenPost('Which post do you want to preview?', showPreview, { mayBePublished: true }),
  actions: { 'preview:show': postAction(VIEW_ACCESS, showPreview) },
}

async function showPreview(received: Request, reference: PostReference): Promise<void> {
  const request = await replyInModal(received, 'Preview')
  const { bot, actor, viewer, reply } = request
  const found = await loadPost(request, reference, { mayBePublished: true })
  if (!found) return
  const { post } = found
  const upload = await findUploadByLink(bot.db, actor.team_id, post.Media ?? '')
  await reply({
    text: 'Preview',
    blocks: [
      section('*Preview*'),
      ...previewBlocks({ ...post, file: upload && { ...upload, name: upload.file_name } }, viewer),
    ],
  })
}
