import { z } from 'zod'
import { findPostItem } from '../../outbox/find-items-store.ts'
import { recordAction } from '../../slack/audit.ts'
import { findLatestAttempt } from '../../slack/audit-store.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import { type Feature, noProject, type Request } from '../../slack/feature.ts'
import {
  buttonRow,
  CONFIRMATION_BLOCK_PREFIX,
  context,
  section,
  textReply,
} from '../../slack/message-blocks.ts'
import { WRITE_ACCESS } from '../../slack/permissions.ts'
import { loadNamedProject } from '../../slack/projects.ts'
import { deletePost } from './change/change-post.ts'
import { postBlocks } from './display/post-blocks.ts'
import { postMenu } from './display/post-menu.ts'
import { PostReference } from './display/post-reference.ts'
import { NOT_SENT } from './display/post-states.ts'
import { loadPost } from './find/load-post.ts'
import { postAction, withChosenPost } from './find/post-actions.ts'
import { toPost } from './find/project-posts.ts'
import { auditOutcomeOf, type PostVersion, readChangeablePost } from './find/read-post.ts'
import { notifyAuthor } from './messages/notify-author.ts'

/** The version that the user saw. If the post has changed since, the user sees the new version before cancelling it. */
const PostToCancel = PostReference.extend({ etag: z.string() })

const CONFIRM_ACTION = 'cancel:confirm'
const KEEP_ACTION = 'cancel:keep'

export const cancelPost: Feature = {
  verb: 'cancel',
  synonym: 'delete',
  usage: '[words or a date]',
  help: 'Cancel a scheduled post or delete a draft.',
  access: WRITE_ACCESS,
  run: withChosenPost('Which post do you want to cancel?', askToConfirm),
  actions: {
    'cancel:ask': postAction(WRITE_ACCESS, askToConfirm),
    [CONFIRM_ACTION]: { access: WRITE_ACCESS, run: cancel },
    [KEEP_ACTION]: { ...postAction(WRITE_ACCESS, keep), projectOf: noProject },
  },
}

const ALREADY_CANCELLED = 'This post was already cancelled.'

async function askToConfirm(request: Request, reference: PostReference): Promise<void> {
  const found = await loadPost(request, reference)
  const answer = request.origin === 'confirmation' ? request.replace : request.reply
  if (found) await answer(confirmation(request, reference, found))
}

function confirmation(
  { viewer }: Request,
  reference: PostReference,
  { post, etag }: PostVersion,
  note?: string,
) {
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
      section(`${note ? `${note} ` : ''}*${question}* This can't be undone.`),
      ...postBlocks(post, viewer),
      ...buttonRow(button, {
        action_id: KEEP_ACTION,
        label: isDraft ? 'Keep draft' : 'Keep post',
        value: JSON.stringify(reference),
      }),
    ],
  }
}

/** The question may have replaced the post's own message, so the reply shows the post and its menu again. */
async function keep(request: Request, reference: PostReference): Promise<void> {
  const { bot, profile, viewer } = request
  const found = await loadPost(request, reference, { mayBePublished: true })
  if (!found) return
  const menu = postMenu({ bot, project_id: reference.project_id, profile }, found.post)
  const blocks = postBlocks(found.post, viewer, { menu, block_id: CONFIRMATION_BLOCK_PREFIX })
  const note = found.note ?? ''
  // The post may have been handed over since, or rejected.
  const [title, notes] = found.post.Status === NOT_SENT ? [note, []] : ['*Kept*', note ? [context(note)] : []]
  await request.replace({ text: title, blocks: [section(title), ...blocks, ...notes] })
}

async function cancel(pressed: Request): Promise<void> {
  const request = { ...pressed, reply: pressed.replace }
  const { bot, actor, viewer, reply } = request
  const version = PostToCancel.parse(JSON.parse(request.text))
  const { etag: _seen, ...reference } = version
  const { project_id, post_id: target } = reference
  const before = await readChangeablePost({ bot, team_id: actor.team_id }, reference)
  const isRepeated = await hasUnclearAttempt(request, target)
  if (before.kind === 'gone' && !isRepeated) return reply(textReply(ALREADY_CANCELLED))
  const item = await findPostItem(bot.db, actor.team_id, reference)
  const result = await deletePost({ bot, actor }, version, { request_id: actor.request_id, isRepeated })
  const outcome = auditOutcomeOf(result)
  await recordAction(request, { action: CONFIRM_ACTION, outcome, project_id, target })
  if (result.kind === 'too late') return reply(textReply(result.message))
  if (result.kind === 'gone') return reply(textReply(ALREADY_CANCELLED))
  if (result.kind === 'changed')
    return before.kind === 'ok'
      ? reply(confirmation(request, reference, before.data, 'This post has changed since you saw it.'))
      : reply(textReply("This post has changed since you saw it, so it wasn't cancelled. Try again."))
  // The question stays, so that the user can press its button again.
  if (result.kind === 'failed') return replyWithFailure(pressed, result.failure, { isReadOnly: false })
  if (before.kind === 'ok') {
    const isDraft = before.data.post.Status === 'DRAFT'
    const text = isDraft ? 'Deleted this draft:' : "Cancelled. This post won't go out:"
    const blocks = postBlocks({ ...before.data.post, Status: 'SCHEDULED' }, viewer)
    await reply({ text, blocks: [section(`*${text}*`), ...blocks] })
  } else await reply(textReply("Done. This post won't go out."))
  const post = before.kind === 'ok' ? before.data.post : item?.body && toPost(item)
  const project = await loadNamedProject(request, project_id)
  const change = { change: 'cancelled', consequence: "It won't go out." }
  if (post) await notifyAuthor(bot, actor, { ...change, project, posts: [post], author: item?.user_id })
  await bot.refreshHome(actor)
}

/** Whether the last attempt to cancel the post was this person's, and its result isn't clear. */
async function hasUnclearAttempt({ bot, actor }: Request, target: string): Promise<boolean> {
  const { team_id, user_id } = actor
  const latest = await findLatestAttempt(bot.db, { team_id, target, action: CONFIRM_ACTION })
  return latest?.outcome === 'unclear' && latest.user_id === user_id
}
