import { isDeepStrictEqual } from 'node:util'
import type { WebClient } from '@slack/web-api'
import { comparePosts, isSamePost } from '../../../../api/compare-posts.ts'
import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import type { JobHandler } from '../../../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../../../jobs/job-store.ts'
import { addMs } from '../../../../runtime.ts'
import { type Bot, EXTENSIONS_RECHECK_MS } from '../../../slack/bot.ts'
import type { WorkerContext } from '../../../slack/feature.ts'
import { LOST_MESSAGE_CODES, slackErrorCode } from '../../../slack/slack-errors.ts'
import {
  connectedResults,
  isOnlyMarkedAsPublished,
  isPublishing,
  problemResults,
  publishingSince,
  unconnectedResults,
} from '../display/post-results.ts'
import { HELD, isHeld } from '../display/post-states.ts'
import { type PostResult, type PostVersion, readPost, resolveReference } from '../find/read-post.ts'
import type { PostMessage } from '../tables.ts'
import { deletePostMessage, findMessage, MESSAGE_UPDATE, saveShownPost } from './post-message-store.ts'
import { queueProjectCheck } from './queue-project-check.ts'
import { toShownPost } from './remember-message.ts'
import { type ChangedPost, renderPostMessage } from './render-post-message.ts'

const READ_TIMEOUT_MS = 5000

/** Updates a message about a post after the post may have changed. Each update shows the post as it is at that time. */
export const messageUpdateHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: MESSAGE_UPDATE,
  isRecurring: true,
  name: 'update the message of a post',
  async run(job) {
    const message = await findMessage(bot.db, job)
    return message && bringUpToDate({ bot, client, job }, message)
  },
})

type Run = { bot: Bot; client: WebClient; job: Job }

/** Whether the post doesn't change anymore. Without an account, a platform may still get the post. */
const isFinal = ({ state, post }: ChangedPost): boolean =>
  state === 'cancelled' || state === 'sent' || (state === 'published' && !unconnectedResults(post).length)

async function bringUpToDate(run: Run, message: PostMessage): Promise<NextRun | undefined> {
  const { bot, client, job } = run
  const { db, runtime } = bot
  const readAt = runtime.now()
  const saveAndContinue = (post: Post) => {
    const nextCheck = findNextCheck(bot, post, readAt)
    const { post_id } = reference
    return saveShownPost(db, job, message, { post_id, post: toShownPost(post), readAt, nextCheck })
  }
  const shown = { ...message.post, raw: undefined }
  // Right after Upnext starts, it isn't known yet whether the service can change posts.
  if (!bot.extensions.areKnown) return { due_at: addMs(readAt, EXTENSIONS_RECHECK_MS) }
  const { team_id, project_id, post_id } = message
  const is_held = isHeld(shown)
  const reference = await resolveReference({ bot, team_id }, { project_id, post_id, is_held })
  // This service neither changes posts nor reports results.
  if (!is_held && !bot.extensions.current.canChangePosts) return saveAndContinue(shown)
  const current = await readPost({ bot, team_id }, reference, { deadline: addMs(readAt, READ_TIMEOUT_MS) })
  const isReleased = is_held && !reference.is_held
  const change = findChange(message, { shown, isReleased }, current)
  // The message stays as it is. Only the stored status is updated, because it determines whether to check the post again.
  if (current.kind !== 'failed' && !change)
    return saveAndContinue(
      current.kind === 'ok' ? { ...shown, Status: current.data.post.Status ?? '' } : shown,
    )
  if (change?.state === 'failed' || change?.state === 'only marked') await queueProjectCheck(bot, message)
  const outcome = change ? await updateMessage(bot, client, message, change) : 'failed'
  if (outcome === 'failed') {
    // The longer an outage lasts, the longer the pauses are.
    const failingSince = job.problem ?? readAt.toISOString()
    const ageMs = readAt.getTime() - new Date(failingSince).getTime()
    if (ageMs <= MAX_OUTAGE_MS) {
      const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, ageMs))
      return { due_at: addMs(readAt, pauseMs), problem: failingSince }
    }
  }
  if (outcome !== 'updated' || !change) return deletePostMessage(db, job, message)
  // While a change is unconfirmed, the message is still updated, because Upnext may not have stored yet who cancelled
  // the post.
  const { last_change, uncertain_until } = message
  const isUncertain = last_change === 'unconfirmed' && uncertain_until !== null && uncertain_until > readAt
  if (isFinal(change) && !isUncertain) return deletePostMessage(db, job, message)
  // The stored status stays HELD, so that the post is looked up in the outbox even after it was handed over.
  return saveAndContinue(reference.is_held ? { ...change.post, Status: HELD } : change.post)
}

const MIN_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 60 * 60_000
const MAX_OUTAGE_MS = 3 * 24 * 60 * 60_000

function findChange(
  { last_change }: PostMessage,
  /** A released post was held when the message was written, and is in the service now. */
  { shown, isReleased }: { shown: Post; isReleased: boolean },
  current: PostResult<PostVersion>,
): ChangedPost | undefined {
  if (current.kind === 'gone') return { state: 'cancelled', post: shown }
  if (current.kind === 'too late' && current.reason !== 'published')
    return { state: current.reason, post: current.post ?? shown }
  if (current.kind !== 'ok') return undefined
  const { post } = current.data
  const progress = findProgress(post)
  if (progress && !isDeepStrictEqual(shown.Results, post.Results)) return { state: progress, post }
  if (isReleased) return { state: 'scheduled', post }
  // The message may show the change already, but not who made it.
  if (last_change === 'changed') return { state: 'changed', post }
  // If nobody attempted a change, differences in notation don't count, because the service causes them.
  const isChanged = last_change ? !isSamePost(shown, post) : comparePosts(shown, post) === 'different'
  return isChanged ? { state: 'changed', post } : undefined
}

/** The progress or outcome of publishing on the platforms that have an account. */
function findProgress(post: Post): 'publishing' | 'published' | 'failed' | 'only marked' | undefined {
  if (isOnlyMarkedAsPublished(post)) return 'only marked'
  if (isPublishing(post)) return 'publishing'
  if (problemResults(post).length) return 'failed'
  return connectedResults(post).length ? 'published' : undefined
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** How long to wait before reading a post again, by the time since it was due or publishing began. */
const CHECK_PAUSES = [
  { untilMs: MINUTE_MS, pauseMs: 2 * SECOND_MS },
  { untilMs: 15 * MINUTE_MS, pauseMs: 30 * SECOND_MS },
  { untilMs: 25 * 60 * MINUTE_MS, pauseMs: 10 * MINUTE_MS },
]

/** Returns when to read a post again if an account may publish it. */
function findNextCheck({ extensions }: Bot, post: Post, now: Date): Date | undefined {
  const at = postTime(post)?.toJSDate()
  if (!extensions.current.hasAccounts || !at || !(post.Status === 'SCHEDULED' || isPublishing(post)))
    return undefined
  if (now < at) return addMs(at, SECOND_MS)
  // A failed post that is retried may have been due long ago.
  const startedAt = publishingSince(post) ?? at
  const elapsedMs = now.getTime() - startedAt.getTime()
  const pause = CHECK_PAUSES.find(({ untilMs }) => elapsedMs < untilMs)
  return pause && addMs(now, pause.pauseMs)
}

async function updateMessage(
  bot: Bot,
  client: WebClient,
  message: PostMessage,
  change: ChangedPost,
): Promise<'updated' | 'impossible' | 'failed'> {
  const { channel_id: channel, ts, project_id } = message
  const project_name = await bot.projectList.nameOf(project_id, message.project_name)
  const { text, blocks = [] } = renderPostMessage(bot, { ...message, project_name }, change)
  try {
    await client.chat.update({ channel, ts, text, blocks })
    return 'updated'
  } catch (err) {
    bot.log.warn({ err }, 'Failed to update the message of a post')
    return LOST_MESSAGE_CODES.includes(slackErrorCode(err) ?? '') ? 'impossible' : 'failed'
  }
}
