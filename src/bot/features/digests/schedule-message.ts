import { ErrorCode, type WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import type { ApiFailure } from '../../../api/result.ts'
import { type Job, lockJob, type NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { nextOccurrence } from '../../../time/recurrence.ts'
import type { Bot } from '../../slack/bot.ts'
import { explainFailure } from '../../slack/errors.ts'
import { uploadDrawing, waitForImage } from '../../slack/images/upload-drawing.ts'
import { isSharedChannel } from '../../slack/is-shared-channel.ts'
import { context, escapeText, type Reply, section, toJson } from '../../slack/message-blocks.ts'
import { isSlackInternalError, slackErrorCode } from '../../slack/slack-errors.ts'
import { drawComingDays } from '../posts/calendar/load-calendar.ts'
import { SETTLE_MS } from './cancel-message.ts'
import { delayReasonOf, SCHEDULING_LEAD_MS } from './digest-jobs.ts'
import { CLEARED_MESSAGE, saveRequest, stopDigests, updateInRun } from './digest-store.ts'
import type { GatheredContent } from './gather-content.ts'
import type { DigestNotification } from './notify-owner.ts'
import { renderNewDigest } from './render-digest.ts'
import { isStopReason } from './stop-reasons.ts'
import type { Digest, DigestContent } from './tables.ts'

/**
 * A run of a digest's job, with the digest as it was when the run began. If the digest has a `post_at`, Slack may have
 * accepted an earlier request.
 */
export type DigestRun = { bot: Bot; client: WebClient; digest: Digest; job: Job }

const LATE_LEAD_MS = 2 * 60_000
/** Slack rejects a message that is already due when the request arrives. */
const MIN_LEAD_MS = 30_000
export const RETRY_MS = 60_000

/** Schedules the digest. If Slack rejects the chart, the digest goes out without one. */
export async function scheduleContent(
  run: DigestRun,
  gathered: GatheredContent,
): Promise<NextRun | undefined> {
  const { bot, client, digest } = run
  const [chart, isExtShared] = await Promise.all([
    createChart(run, gathered.week),
    isSharedChannel(bot, client, digest.channel_id),
  ])
  const content: DigestContent = { ...gathered.content, isLate: isLate(run), isExtShared }
  const withChart = { ...content, chart }
  const isBlank = !content.next.length && !content.sections.length
  const withoutChart = isBlank ? { ...content, next: [section(NO_CHART)] } : content
  const versions = [...(chart ? [withChart, withChart] : []), withoutChart]
  const builders = versions.map((version) => async () => {
    if (version.chart) await waitForImage(bot, chart)
    return renderNewDigest(bot, digest.team_id, version)
  })
  return requestMessage(run, builders, gathered.covered_until)
}

const NO_CHART = "The image of the calendar couldn't be shown."

const isLate = ({ bot, digest }: DigestRun): boolean => digest.next_at < bot.runtime.now()

export function scheduleUnavailableNotice(run: DigestRun, failure: ApiFailure): Promise<NextRun | undefined> {
  const { problem } = explainFailure(failure, 'member', { isReadOnly: true })
  const text = `Couldn't load the digest for ${escapeText(run.digest.project_name)}.`
  const build = async () => ({ text, blocks: [section(text), context(problem)] })
  return requestMessage(run, [build], null)
}

/** Draws and uploads the chart. Returns undefined if that fails: a digest without a chart is better than no digest. */
async function createChart({ bot, client, digest }: DigestRun, week: GatheredContent['week']) {
  if (!digest.sections.includes('chart') || !week.posts.length) return undefined
  try {
    const image = drawComingDays({ ...week, zone: digest.recurrence.zone })
    return await uploadDrawing(bot, { client, team_id: digest.team_id }, image)
  } catch (err) {
    bot.log.warn({ err, digest: digest.id }, "Failed to create a digest's chart")
    return undefined
  }
}

type MessageBuilder = () => Promise<Reply>

/** Tries the messages in order until Slack accepts the blocks of one. */
async function requestMessage(
  run: DigestRun,
  builders: MessageBuilder[],
  message_covers: Date | null,
): Promise<NextRun | undefined> {
  const { bot, client, digest, job } = run
  const { db, log, runtime } = bot
  const now = runtime.now()
  const earliest = addMs(now, isLate(run) ? LATE_LEAD_MS : MIN_LEAD_MS)
  const seconds = Math.ceil(Math.max(digest.next_at.getTime(), earliest.getTime()) / 1000)
  const wanted = digest.post_at ?? new Date(seconds * 1000)
  // The request is stored before Slack is called, because Slack may have the message from then on.
  const post_at = await saveRequest(db, job, digest, { post_at: wanted, requested_at: now, message_covers })
  if (!post_at) return undefined
  for (const [index, build] of builders.entries()) {
    const message = await build().catch((err) =>
      log.error({ err, digest: digest.id }, 'Failed to build a digest message'),
    )
    if (!message) return retryAt(run, addMs(now, RETRY_MS), "the message couldn't be built")
    const response = await client.chat
      .scheduleMessage({
        channel: digest.channel_id,
        post_at: post_at.getTime() / 1000,
        text: message.text,
        blocks: toJson(message.blocks ?? []),
      })
      .catch((error: unknown) => ({ error }))
    if ('scheduled_message_id' in response) {
      // If this run has lost the job, the next one finds the message in Slack's list.
      await updateInRun(db, job, { message_id: response.scheduled_message_id ?? '' })
      log.info({ digest: digest.id, workspace: digest.team_id, post_at }, 'Scheduled a digest with Slack')
      return { due_at: post_at }
    }
    const canTryNext = slackErrorCode(response.error) === 'invalid_blocks' && index < builders.length - 1
    if (!canTryNext) return handleRejection(run, response.error)
  }
  return undefined
}

type ScheduleChanges = Partial<Pick<Digest, 'next_at' | 'last_at' | 'covered_until'>>

export async function advanceDigest(
  { bot, digest, job }: DigestRun,
  { next_at = nextOccurrence(digest.recurrence, digest.next_at).toJSDate(), ...changes }: ScheduleChanges,
  notification?: DigestNotification,
): Promise<NextRun> {
  await updateInRun(bot.db, job, { ...CLEARED_MESSAGE, next_at, ...changes }, notification)
  return { due_at: addMs(next_at, -SCHEDULING_LEAD_MS) }
}

/**
 * Runs the job again at this time. Pass a `problem` only if this run left no message in Slack. Its stored request is
 * then cleared, unless Slack may have accepted an earlier request.
 */
export async function retryAt(
  { bot, digest, job }: DigestRun,
  due_at: Date,
  problem?: string,
): Promise<NextRun> {
  if (problem && !digest.post_at) await updateInRun(bot.db, job, CLEARED_MESSAGE)
  return { due_at, problem: problem ?? delayReasonOf(job) }
}

/** Retries later, or stops the digest. A rejection doesn't show whether Slack accepted an earlier request. */
export async function handleRejection(run: DigestRun, error: unknown): Promise<NextRun | undefined> {
  const { bot, digest } = run
  const { log, runtime } = bot
  const now = runtime.now()
  const { code: errorType, retryAfter = 60 } = error as { code?: string } & Partial<WebAPIRateLimitedError>
  if (errorType === ErrorCode.RateLimitedError) {
    log.warn({ digest: digest.id, retryAfter }, 'Slack is limiting scheduled messages')
    return retryAt(run, addMs(now, retryAfter * 1000), 'Slack was limiting the number of messages')
  }
  const code = slackErrorCode(error)
  if (!code || isSlackInternalError(error)) {
    // Slack may have accepted the request, so the next attempt first looks for the message in Slack's list.
    log.warn({ err: error, digest: digest.id }, "Slack didn't confirm a scheduled digest")
    return retryAt(run, addMs(now, SETTLE_MS))
  }
  if (!isStopReason(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack rejected a digest')
    return retryAt(run, addMs(now, RETRY_MS), `Slack rejected it (${code})`)
  }
  return stopDigest(run, code)
}

/** Pauses the digest and notifies its owner. */
export async function stopDigest(run: DigestRun, reason: string): Promise<undefined> {
  const { bot, digest, job } = run
  const { team_id, id } = digest
  await bot.db.transaction().execute(async (transaction) => {
    // If someone has changed the digest since, for example its channel, the digest isn't stopped.
    if (await lockJob(transaction, job))
      await stopDigests(transaction, { team_id, id }, reason, bot.runtime.now())
  })
  await advanceDigest(run, digest.post_at ? { last_at: digest.next_at } : {})
}
