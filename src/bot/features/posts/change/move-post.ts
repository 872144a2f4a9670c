import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import { isSamePost } from '../../../../api/compare-posts.ts'
import type { Post, PostBody } from '../../../../api/records.ts'
import { type DatedPost, postTime } from '../../../../api/timestamps.ts'
import { addMs } from '../../../../runtime.ts'
import type { SuccessContext } from '../../../forms/form.ts'
import { recordAction } from '../../../slack/audit.ts'
import { replyWithFailure } from '../../../slack/errors.ts'
import type { Request } from '../../../slack/feature.ts'
import { buttonRow, context, escapeText, section, textReply } from '../../../slack/message-blocks.ts'
import { loadNamedProject } from '../../../slack/projects.ts'
import { formatSchedule, postBlocks } from '../display/post-blocks.ts'
import { PostReference } from '../display/post-reference.ts'
import { auditOutcomeOf, type PostResult, type PostVersion, readChangeablePost } from '../find/read-post.ts'
import { queueOverdueCheck } from '../messages/follow-post.ts'
import { notifyAuthors } from '../messages/notify-author.ts'
import { updatePost } from './change-post.ts'
import { describeChanges } from './held-changes.ts'
import type { SavedPost } from './save-changes.ts'

/** The same post at another time. A draft becomes a scheduled post. */
export function toMovedBody(post: Post, { is_held }: PostReference, schedule: DatedPost): PostBody {
  const { Content, Media, MediaDescription, Titles, Texts, TemplateId, PromptId, Platforms, Status } = post
  const content = { Content, Media, MediaDescription, Titles, Texts, TemplateId, PromptId }
  const fields = Object.entries({ ...content, Platforms, ...schedule })
  const filled = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  return { ...filled, Status: (is_held && Status) || 'SCHEDULED' }
}

export const UNDO_ACTION = 'reschedule:undo'

const UNDO_WINDOW_MINUTES = 10

const Undo = PostReference.extend({
  /** The version after the move. */
  etag: z.string(),
  ScheduleDate: z.string(),
  Timezone: z.string().optional(),
  until: z.iso.datetime(),
})

/** Shows the previous time of a post, with a button that moves it back. */
export function previousTimeBlocks({ post, etag, opened }: SavedPost, viewer: SuccessContext): KnownBlock[] {
  const { post_id, project_id, is_held, ScheduleDate, Timezone } = opened
  const [from, to] = [postTime(opened), postTime(post)]
  const isDraft = [opened.Status, post.Status].includes('DRAFT')
  if (isDraft || !from || !to || +from.startOf('second') === +to.startOf('second')) return []
  const until = addMs(viewer.now, UNDO_WINDOW_MINUTES * 60_000).toISOString()
  const value = JSON.stringify({ post_id, project_id, is_held, etag, ScheduleDate, Timezone, until })
  // Without a version, a later change by someone else can't be detected.
  const canUndo = etag && !viewer.isChannel && +from > +viewer.now
  const undo = canUndo ? buttonRow({ action_id: UNDO_ACTION, label: 'Undo', value }) : []
  return [context(`Moved from ${formatSchedule(opened, viewer)}`), ...undo]
}

/** Moves a post back, unless someone has changed it since. */
export async function undoMove(request: Request): Promise<void> {
  const { bot, actor, viewer, reply, replace } = request
  const { ScheduleDate, Timezone, until, ...version } = Undo.parse(JSON.parse(request.text))
  const { etag: _, ...reference } = version
  const { project_id, post_id: target } = reference
  const before = { ScheduleDate, Timezone }
  if (viewer.now > new Date(until)) return reply(textReply(UNDO_EXPIRED))
  if (+(postTime(before) ?? 0) <= +viewer.now) return reply(textReply(UNDO_TOO_LATE))
  const result = await moveBack(request, version, before)
  const outcome = auditOutcomeOf(result)
  await recordAction(request, { action: UNDO_ACTION, outcome, project_id, target, after: before })
  if (result.kind !== 'ok') return replyWithProblem(request, result)
  const { post } = result.data
  await replace({ text: 'Moved back', blocks: [section('*Moved back*'), ...postBlocks(post, viewer)] })
  const project = await loadNamedProject(request, project_id)
  await queueOverdueCheck(post, { bot, actor, project })
  await notifyAuthors(bot, actor, { change: 'changed', project, posts: [{ post, reference }] })
  await bot.refreshHome(actor)
}

/** Moves a post back. After a second click or a lost response, the post is already back, and that counts as success. */
async function moveBack(
  { bot, actor }: Request,
  version: PostReference & { etag: string },
  before: DatedPost,
): Promise<PostResult<PostVersion>> {
  const { team_id, request_id } = actor
  const current = await readChangeablePost({ bot, team_id }, version)
  if (current.kind !== 'ok') return current
  const body = toMovedBody(current.data.post, version, before)
  if (isSamePost(body, current.data.post)) return current
  if (current.data.etag !== version.etag) return { kind: 'changed' }
  const { ScheduleDate, Platforms } = current.data.post
  const seen = { ...version, ScheduleDate, Platforms }
  const result = await updatePost({ bot, actor }, seen, body, { request_id })
  if (result.kind !== 'changed') return result
  const latest = await readChangeablePost({ bot, team_id }, version)
  return latest.kind === 'ok' && isSamePost(body, latest.data.post) ? latest : result
}

const UNDO_EXPIRED = `A move can only be undone for ${UNDO_WINDOW_MINUTES} minutes. Use *Move* instead.`
const UNDO_TOO_LATE = "The post's earlier time has passed, so it wasn't moved back."
const SLOT_TAKEN_SINCE = "This post wasn't moved back, because another post has taken its earlier slot."
const CHANGED_SINCE = "This post was changed after the move, so it wasn't moved back."

function replyWithProblem(
  request: Request,
  result: Exclude<PostResult<unknown>, { kind: 'ok' }>,
): Promise<void> {
  if (result.kind === 'failed') return replyWithFailure(request, result.failure, { isReadOnly: false })
  if (result.kind === 'too late') return request.reply(textReply(result.message))
  if (result.kind === 'gone') return request.reply(textReply('This post no longer exists.'))
  if (result.kind === 'change waits')
    return request.reply(
      textReply(`The post wasn't moved back. ${escapeText(describeChanges(result.changes))}`),
    )
  return request.reply(textReply(result.kind === 'slot taken' ? SLOT_TAKEN_SINCE : CHANGED_SINCE))
}
