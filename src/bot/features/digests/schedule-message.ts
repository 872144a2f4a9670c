import { ErrorCode, type WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import type { ApiFailure } from '../../../api/result.ts'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import { explainFailure } from '../../slack/errors.ts'
import { uploadPicture, waitForPicture } from '../../slack/images/upload-picture.ts'
import { context, escapeText, type Reply, section, toJson } from '../../slack/message-blocks.ts'
import { hasSlackFailed, slackErrorCode } from '../../slack/slack-errors.ts'
import { drawComingDays } from '../posts/calendar/load-calendar.ts'
import { abandonRun, findRun, SETTLE_MS, updateRun } from './digest-run-store.ts'
import { stopDigests } from './digest-store.ts'
import type { GatheredContent } from './gather-content.ts'
import { renderNewDigest, withoutImages } from './render-digest.ts'
import { deleteScheduledMessage, runMark } from './scheduled-messages.ts'
import { isStopReason } from './stop-reasons.ts'
import type { Digest, DigestContent, DigestRun, DigestRunUpdate } from './tables.ts'

/** An attempt to schedule a run. The run has the state from before the attempt. */
export type Attempt = {
  bot: Bot
  client: WebClient
  digest: Digest
  run: DigestRun
  job: Job
  /** The posting time in an earlier request, which Slack may have accepted. */
  requestedFor: Date | null
  isLate: boolean
}

const LATE_LEAD_MS = 2 * 60_000
/** Slack rejects a time that has passed by the time the request arrives. */
const MIN_LEAD_MS = 30_000
export const RETRY_MS = 60_000

/** Schedules the digest. If Slack rejects its images, it goes out without them. */
export async function scheduleContent(
  attempt: Attempt,
  gathered: GatheredContent,
): Promise<NextRun | undefined> {
  const { bot, digest, isLate } = attempt
  const [chart, isExtShared] = await Promise.all([
    createChart(attempt, gathered.week),
    isChannelExtShared(attempt),
  ])
  const content: DigestContent = { ...gathered.content, isLate, isExtShared }
  const withChart = { ...content, chart }
  const versions = [...(chart ? [withChart, withChart] : []), content, withoutImages(content)]
  const builders = versions.map((version) => async () => {
    if (version.chart) await waitForPicture(bot, chart)
    return renderNewDigest(bot, digest.team_id, version)
  })
  return requestMessage(attempt, builders, gathered.covered_until)
}

/** Tells the channel that its digest couldn't be loaded. */
export function scheduleUnavailableNotice(
  attempt: Attempt,
  failure: ApiFailure,
): Promise<NextRun | undefined> {
  const { problem } = explainFailure(failure, 'member')
  const text = `Couldn't load the digest of ${escapeText(attempt.digest.project_name)}.`
  const build = async () => ({ text, blocks: [section(text), context(problem)] })
  return requestMessage(attempt, [build], null)
}

/** If Slack doesn't say, outsiders may be in the channel. */
async function isChannelExtShared({ bot, client, digest }: Attempt): Promise<boolean> {
  try {
    const { channel } = await client.conversations.info({ channel: digest.channel_id })
    return Boolean(channel?.is_ext_shared || channel?.is_pending_ext_shared)
  } catch (err) {
    bot.log.warn({ err, digest: digest.id }, "Slack didn't say whether a digest's channel is shared")
    return true
  }
}

/** A digest without its picture is better than no digest. */
async function createChart({ bot, client, digest }: Attempt, week: GatheredContent['week']) {
  if (!digest.sections.includes('chart') || !week.posts.length) return undefined
  try {
    const picture = drawComingDays({ ...week, zone: digest.recurrence.zone })
    return await uploadPicture(bot, { client, team_id: digest.team_id }, picture)
  } catch (err) {
    bot.log.warn({ err, digest: digest.id }, 'Drawing the week of a digest failed')
    return undefined
  }
}

type MessageBuilder = () => Promise<Reply>

/** Tries the messages in order until Slack accepts the blocks of one. */
async function requestMessage(
  attempt: Attempt,
  builders: MessageBuilder[],
  covered_until: Date | null,
): Promise<NextRun | undefined> {
  const { bot, client, digest, run, requestedFor, isLate } = attempt
  const { db, log, runtime } = bot
  const { channel_id } = digest
  const now = runtime.now()
  const onTime = new Date(Math.max(run.due_at.getTime(), addMs(now, MIN_LEAD_MS).getTime()))
  const post_at = requestedFor ?? (isLate ? addMs(now, LATE_LEAD_MS) : onTime)
  // Stored before Slack is called: from now on, Slack may have the message.
  const request = { channel_id, post_at, requested_at: now, covered_until }
  if (!(await updateRun(db, attempt, { state: 'scheduling', ...request }))) return undefined
  const requested = { ...attempt, run: { ...run, ...request } }
  for (const [index, build] of builders.entries()) {
    const message = await build().catch((err) =>
      log.error({ err, digest: digest.id }, 'Building the message of a digest failed'),
    )
    if (!message) return postponeRun(requested, RETRY_MS, { problem: "the message couldn't be built" })
    const response = await client.chat
      .scheduleMessage({
        channel: channel_id,
        post_at: Math.floor(post_at.getTime() / 1000),
        text: `${message.text} ${runMark(run.id)}`,
        blocks: toJson(message.blocks ?? []),
      })
      .catch((error: unknown) => ({ error }))
    if ('scheduled_message_id' in response)
      return confirmScheduled(requested, response.scheduled_message_id ?? '')
    const canTryNext = slackErrorCode(response.error) === 'invalid_blocks' && index < builders.length - 1
    if (!canTryNext) return handleRejection(requested, response.error)
  }
  return undefined
}

/** Slack has the message. It is deleted again if the digest was paused, edited or deleted meanwhile. */
export async function confirmScheduled(attempt: Attempt, message_id: string): Promise<undefined> {
  const { bot, client, digest, run } = attempt
  const { db, log } = bot
  if (await updateRun(db, attempt, { state: 'scheduled', message_id })) return
  const current = await findRun(db, run)
  // Another instance has taken over the run, and has found or will find this message.
  if (current && (current.state === 'scheduling' || current.message_id === message_id)) return
  // If deleting fails, the stored cancellation tries again.
  await deleteScheduledMessage(client, run.channel_id ?? digest.channel_id, message_id).catch((err) =>
    log.warn({ err, digest: digest.id }, 'Deleting a scheduled digest failed'),
  )
}

/** Another attempt follows. It looks the message up first if Slack may have accepted an earlier request. */
export async function postponeRun(
  attempt: Attempt,
  delayMs: number,
  changes: DigestRunUpdate = {},
): Promise<NextRun> {
  const { bot, run } = attempt
  await updateRun(bot.db, attempt, { state: run.state, ...changes })
  return { due_at: addMs(bot.runtime.now(), delayMs) }
}

/** A rejected request doesn't show whether an earlier request was accepted. */
export async function handleRejection(attempt: Attempt, error: unknown): Promise<NextRun | undefined> {
  const { bot, digest } = attempt
  const { db, log, runtime } = bot
  const { code: errorType, retryAfter = 60 } = error as { code?: string } & Partial<WebAPIRateLimitedError>
  if (errorType === ErrorCode.RateLimitedError) {
    log.warn({ digest: digest.id, retryAfter }, 'Slack is limiting scheduled messages')
    const rate_limited_until = addMs(runtime.now(), retryAfter * 1000)
    const problem = 'Slack was limiting the number of messages'
    return postponeRun(attempt, retryAfter * 1000, { rate_limited_until, problem })
  }
  const code = slackErrorCode(error)
  if (!code || hasSlackFailed(error)) {
    // The next attempt looks the message up first.
    log.warn({ err: error, digest: digest.id }, "Slack didn't confirm a scheduled digest")
    return { due_at: addMs(runtime.now(), SETTLE_MS) }
  }
  if (!isStopReason(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack rejected a digest')
    return postponeRun(attempt, RETRY_MS, { problem: `Slack rejected it (${code})` })
  }
  const { team_id, id } = digest
  await stopDigests(db, { team_id, id }, code, runtime.now())
  await abandonRun(db, attempt)
  return undefined
}
