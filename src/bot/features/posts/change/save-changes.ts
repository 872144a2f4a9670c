import { isSamePost } from '../../../../api/compare-posts.ts'
import type { Post, PostBody } from '../../../../api/records.ts'
import { postTime, postZone } from '../../../../api/timestamps.ts'
import { ERASED } from '../../../../database/personal-data.ts'
import type { SendContext } from '../../../forms/form.ts'
import {
  type Outcome,
  type Replacement,
  refuseField,
  refuseOutdated,
  refuseWithMessage,
  toOutcome,
} from '../../../forms/outcome.ts'
import { findPostAuthor } from '../../../outbox/find-items-store.ts'
import type { Actor } from '../../../slack/actor.ts'
import { findLatestEditor } from '../../../slack/audit-store.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeText } from '../../../slack/message-blocks.ts'
import { isVersionApproved, queueApprovalUpdate } from '../../approvals/approval-store.ts'
import { formatSchedule, quotePost, skipToDifference, textOf } from '../display/post-blocks.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import { isPublishing } from '../display/post-results.ts'
import { toOpenedPost } from '../find/load-post.ts'
import { ALREADY_PUBLISHED, type PostVersion, PUBLISHING, readPost } from '../find/read-post.ts'
import { followPost, queueOverdueCheck } from '../messages/follow-post.ts'
import { notifyAuthor } from '../messages/notify-author.ts'
import { SLOT_TAKEN } from '../slots/reserve-slot.ts'
import { updatePost } from './change-post.ts'
import { describeOtherDifferences, listPlatforms } from './describe-differences.ts'
import { askAboutChanges, dropHeldChanges, explainReplacement } from './held-changes.ts'
import { holdChange } from './hold-change.ts'

const NOT_SAVED = "This change wasn't approved in time, so the post stayed as it was."
const TIME_PASSED = 'The new time passed before this change could be saved, so the post stayed as it was.'
const TRY_AGAIN = 'This post has changed since you opened it. Try again.'

/** A post after a change, and the version that the user saw before it. */
export type SavedPost = PostVersion & { opened: OpenedPost }

/** Saves an edited post. If someone else has changed the post since the user saw it, shows their version and asks again. */
export async function saveChanges(
  body: PostBody,
  context: SendContext<OpenedPost>,
): Promise<Outcome<SavedPost>> {
  const { bot, actor, opened, deadline, wasHeld, batch_id, resultWarnings: warnings = [] } = context
  const { request_id, team_id } = actor
  // A change that waited for approval isn't sent without it, even if the project no longer requires approval.
  if (wasHeld && !(await isVersionApproved(bot.db, { item_id: request_id, body }))) {
    await queueApprovalUpdate(bot.db, { item_id: request_id, team_id }, bot.runtime.now())
    return refuseWithMessage(NOT_SAVED)
  }
  // Only the outbox passes a batch, which may be null.
  if (batch_id !== undefined && (await movesToPast(body, context))) return refuseWithMessage(TIME_PASSED)
  const result = await updatePost({ bot, actor }, opened, body, { deadline, request_id, warnings })
  const saved = async (version: PostVersion) => {
    await queueOverdueCheck(version.post, context)
    return { kind: 'done' as const, result: { ...version, opened } }
  }
  if (result.kind === 'ok') return saved(result.data)
  if (result.kind === 'needs approval') return holdChange(body, opened, context)
  if (result.kind === 'change waits') return askAboutChanges(opened, result.changes, body)
  if (result.kind === 'slot taken') return refuseField('ScheduleDate', SLOT_TAKEN)
  if (result.kind === 'failed') return toOutcome<SavedPost>(result.failure)
  if (result.kind === 'gone') return refuseWithMessage('This post no longer exists.')
  const latest = await readPost({ bot, team_id }, opened, { deadline })
  if (latest.kind === 'gone') return refuseWithMessage('This post no longer exists.')
  if (latest.kind === 'too late') return refuseWithMessage(latest.message)
  if (latest.kind !== 'ok') return refuseWithMessage(result.kind === 'too late' ? result.message : TRY_AGAIN)
  const { post } = latest.data
  if (isPublishing(post)) return refuseWithMessage(PUBLISHING.message)
  const isPublished = post.Status === 'PUBLISHED'
  // The post already has these changes, because an earlier attempt saved them and its response was lost.
  if (isSameVersion(body, isPublished ? { ...post, Status: body.Status ?? '' } : post)) {
    await dropHeldChanges({ bot, actor }, opened, explainReplacement('changed', actor, body))
    return saved(latest.data)
  }
  if (isPublished) return refuseWithMessage(ALREADY_PUBLISHED.message)
  const editor = await nameLatestEditor(bot, actor, opened)
  const message = `${editor} changed this post. It is now: ${describeLatest(post, body, bot.runtime.now())}.`
  const seen = toOpenedPost({ bot }, opened, latest.data)
  return refuseOutdated(seen, seen.etag, { message, ...describeReplacement(body, post, editor) })
}

/** A change that waited may arrive after its new time. A post that isn't moved may keep a past time. */
async function movesToPast(
  { Status, ScheduleDate }: PostBody,
  { bot, actor, opened, deadline }: SendContext<OpenedPost>,
): Promise<boolean> {
  if (Status === 'DRAFT' || !ScheduleDate || new Date(ScheduleDate) > bot.runtime.now()) return false
  const current = await readPost({ bot, team_id: actor.team_id }, opened, { deadline })
  if (current.kind !== 'ok') return false
  const time = postTime(current.data.post)?.startOf('second').toMillis()
  return time !== Math.floor(Date.parse(ScheduleDate) / 1000) * 1000
}

/** `isSamePost` ignores whitespace, but a line break may be the only change. */
export const isSameVersion = (body: PostBody, post: Post): boolean =>
  post.Content === body.Content && isSamePost(body, post)

/** The other person's version, with everything that would be replaced. */
const describeLatest = (post: Post, body: PostBody, now: Date): string =>
  [
    quotePost({ Content: skipToDifference(textOf(post), textOf(body)) }),
    formatSchedule(post, { zone: postZone(post), now }),
    listPlatforms(post),
    ...describeOtherDifferences(post, body),
  ].join(' · ')

/** The question depends on what would be replaced. */
function describeReplacement(body: PostBody, post: Post, editor: string): Omit<Replacement, 'opened'> {
  const { ScheduleDate = '', Timezone = '' } = post
  const editorName = escapeText(editor)
  if (isSameVersion({ ...body, ScheduleDate, Timezone }, post))
    return {
      question: "You're about to move it:",
      submitLabel: 'Move anyway',
      overridden: `${editorName} had changed this post before you moved it.`,
    }
  return {
    question: "You're about to replace it with:",
    submitLabel: post.Content === body.Content ? 'Replace these changes' : 'Replace this text',
    overridden: `${editorName} had changed this post. You replaced that version.`,
  }
}

/** The audit trail's names for changes to a post. */
const CHANGE_ACTIONS = ['edit', 'reschedule', 'reschedule:undo']

/** Names the last person who changed the post from Slack since the user saw it. */
async function nameLatestEditor(
  { db, directory }: Bot,
  { client, team_id, user_id }: Actor,
  { post_id, seen_at }: OpenedPost,
): Promise<string> {
  const since = new Date(seen_at)
  const latest_id = await findLatestEditor(db, { team_id, target: post_id, actions: CHANGE_ACTIONS, since })
  if (latest_id === user_id) return 'You'
  const user =
    latest_id && (await directory.find({ client, team_id, user_id: latest_id }).catch(() => undefined))
  const name = user && (user.profile?.display_name || user.real_name)
  return name ? `@${name}` : 'Someone else'
}

/** Notifies the post's author. Runs after Slack has received the response. */
export async function announceSavedPost(
  { post }: SavedPost,
  { bot, actor, project, opened }: Pick<SendContext<OpenedPost>, 'bot' | 'actor' | 'project' | 'opened'>,
): Promise<void> {
  const author = await findPostAuthor(bot.db, actor.team_id, opened)
  await notifyAuthor(bot, actor, { change: 'changed', project, posts: [post], author })
  const isNewlyScheduled = opened.Status === 'DRAFT' || opened.Status === 'FAILED'
  const hasNewPlatform = post.Platforms?.some((platform) => !opened.Platforms?.includes(platform))
  const follower = author === undefined || author === ERASED ? actor.user_id : author
  if (isNewlyScheduled || hasNewPlatform)
    await followPost(post, { bot, actor: { ...actor, user_id: follower }, project })
}
