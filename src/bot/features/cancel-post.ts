import { z } from 'zod'
import type { Post } from '../../api/records.ts'
import type { ApiResult } from '../../api/result.ts'
import { auditOutcome, recordAction } from '../audit/audit.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { toOutcome } from '../form/outcome.ts'
import { buttonRow, section, textReply } from '../message-blocks.ts'
import { WRITE_ACCESS } from '../permissions.ts'
import { choosePost, isPostGone } from '../posts/find-posts.ts'
import { postBlocks } from '../posts/post-blocks.ts'
import { CANCEL_ACTION, PostReference } from '../posts/post-buttons.ts'

/** The version that the user saw. Another one is shown before it is cancelled. */
const PostToCancel = PostReference.extend({ etag: z.string() })

const CONFIRM_ACTION = 'cancel:confirm'

export const cancelPost: Feature = {
  verb: 'cancel',
  usage: '[words or a date]',
  help: 'Cancel a scheduled post or delete a draft.',
  access: WRITE_ACCESS,
  run: async (request) => {
    const reference = await choosePost(request, 'Which post do you want to cancel?')
    if (reference) await askToConfirm(request, reference)
  },
  actions: {
    [CANCEL_ACTION]: {
      access: WRITE_ACCESS,
      run: (request) => askToConfirm(request, PostReference.parse(JSON.parse(request.text))),
    },
    [CONFIRM_ACTION]: { access: WRITE_ACCESS, run: cancel },
  },
}

const ALREADY_PUBLISHED = "This post is already published, so it can't be cancelled."
const ALREADY_CANCELLED = 'This post was already cancelled.'

async function askToConfirm(request: Request, reference: PostReference): Promise<void> {
  const { bot, reply } = request
  const result = await bot.api.posts.get(reference.project_id, reference.post_id)
  if (isPostGone(result)) return reply(textReply('This post no longer exists.'))
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  if (result.data.post.Status === 'PUBLISHED') return reply(textReply(ALREADY_PUBLISHED))
  await reply(confirmation(request, reference, result.data))
}

function confirmation(
  { bot, profile }: Request,
  reference: PostReference,
  { post, etag }: { post: Post; etag: string },
  note?: string,
) {
  const viewer = { ...profile, now: bot.runtime.now() }
  const isDraft = post.Status === 'DRAFT'
  const question = isDraft ? 'Delete this draft?' : 'Cancel this post?'
  const button = {
    action_id: CONFIRM_ACTION,
    label: isDraft ? 'Delete draft' : 'Cancel post',
    value: JSON.stringify({ ...reference, etag }),
    isDangerous: true,
  }
  return {
    text: question,
    blocks: [
      section(`${note ? `${note} ` : ''}*${question}* It can't be undone.`),
      ...postBlocks(post, viewer),
      ...buttonRow(button),
    ],
  }
}

async function cancel(pressed: Request): Promise<void> {
  const request = { ...pressed, reply: pressed.replace }
  const { bot, actor, profile, reply } = request
  const { etag, ...reference } = PostToCancel.parse(JSON.parse(request.text))
  const { project_id, post_id } = reference
  const before = await bot.api.posts.get(project_id, post_id)
  if (isPostGone(before)) return reply(textReply(ALREADY_CANCELLED))
  const result = await bot.api.posts.delete(project_id, { post_id, etag }, { request_id: actor.request_id })
  await recordAction(request, {
    action: CONFIRM_ACTION,
    outcome: auditOutcome(toOutcome(result)),
    project_id,
    target: post_id,
  })
  if (isRejected(result, 409)) return reply(textReply(ALREADY_PUBLISHED))
  if (isRejected(result, 412) && before.kind === 'ok')
    return reply(confirmation(request, reference, before.data, 'Someone else changed this post.'))
  if (isPostGone(result)) return reply(textReply(ALREADY_CANCELLED))
  // The question stays, so that the user can press its button again.
  if (result.kind !== 'ok') return replyWithFailure(pressed, result, { isReadOnly: false })
  if (before.kind !== 'ok') return reply(textReply("Done. This post won't go out."))
  const isDraft = before.data.post.Status === 'DRAFT'
  const text = isDraft ? 'Deleted this draft:' : "Cancelled. This post won't go out:"
  const viewer = { ...profile, now: bot.runtime.now() }
  const blocks = postBlocks({ ...before.data.post, Status: 'SCHEDULED' }, viewer)
  await reply({ text, blocks: [section(`*${text}*`), ...blocks] })
}

const isRejected = (result: ApiResult<unknown>, status: number): boolean =>
  result.kind === 'rejected' && result.status === status
