import { ErrorCode, type WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import type { ApiFailure } from '../../api/result.ts'
import type { Bot } from '../bot.ts'
import type { Digest, DigestContent, DigestRun } from '../database/tables.ts'
import { explainFailure, slackErrorCode } from '../errors.ts'
import { context, escapeText, type Reply, section } from '../message-blocks.ts'
import { endRun, findRun, postponeRun, recordIntent } from './digest-run-store.ts'
import { saveContent, stopDigests } from './digest-store.ts'
import type { GatheredContent } from './gather-content.ts'
import { hasCollapsedLines, renderDigest, withoutImages } from './render-digest.ts'
import { deleteScheduledMessage, runMark } from './scheduled-messages.ts'
import { isStopReason, stopMessage } from './stop-reasons.ts'
import { drawWeekChart, uploadChart } from './week-chart.ts'

/** `requestedFor` is the time of an earlier request that Slack may have accepted. */
type Posting = { digest: Digest; run: DigestRun; requestedFor: Date | null; isLate: boolean }

const LATE_LEAD_MS = 2 * 60_000
/** Slack rejects a time that has passed by the time the request arrives. */
const MIN_LEAD_MS = 30_000
const RETRY_MS = 60_000
/** Slack processes an upload after its call. Until then it rejects messages with the file. */
export const UPLOAD_PROCESSING_MS = 2500

export const addMs = (date: Date, ms: number) => new Date(date.getTime() + ms)

/** A message that is built right before its request. */
type MessageBuilder = () => Promise<Reply>

/** Schedules the digest. If Slack rejects its images, it goes out without them. */
export async function scheduleContent(
  bot: Bot,
  client: WebClient,
  posting: Posting,
  gathered: GatheredContent,
): Promise<void> {
  const { db, runtime } = bot
  const chart = await createChart(bot, client, posting.digest, gathered)
  if (chart) await runtime.sleep(UPLOAD_PROCESSING_MS)
  const content: DigestContent = { ...gathered.content, isLate: posting.isLate }
  const contentId = runtime.newId()
  const build = (version: DigestContent) => async (): Promise<Reply> => {
    // Stores the version that Slack accepts, for expanding its sections.
    if (hasCollapsedLines(version))
      await saveContent(db, { id: contentId, content: version, created_at: runtime.now() })
    return renderDigest(version, { id: contentId, expanded: [] })
  }
  const withChart = build({ ...content, chart })
  const withChartLater = async () => {
    await runtime.sleep(UPLOAD_PROCESSING_MS)
    return withChart()
  }
  const versions = chart ? [withChart, withChartLater, build(content)] : [build(content)]
  await requestMessage(bot, client, posting, {
    versions: [...versions, build(withoutImages(content))],
    covered_until: gathered.covered_until,
  })
}

/** Tells the channel that its digest couldn't be loaded. */
export function scheduleUnavailable(
  bot: Bot,
  client: WebClient,
  posting: Posting,
  failure: ApiFailure,
): Promise<void> {
  const { whatHappened } = explainFailure(failure, { role: 'member' })
  const text = `Couldn't load the digest of ${escapeText(posting.digest.project_name)}.`
  const build = async () => ({ text, blocks: [section(text), context(whatHappened)] })
  return requestMessage(bot, client, posting, { versions: [build], covered_until: undefined })
}

/** A digest without its chart is better than no digest. */
async function createChart({ log }: Bot, client: WebClient, digest: Digest, { week }: GatheredContent) {
  if (!digest.sections.includes('chart') || !week.posts.length) return undefined
  try {
    return await uploadChart(client, drawWeekChart(week.posts, { zone: digest.recurrence.zone, at: week.at }))
  } catch (err) {
    log.warn({ err, digest: digest.id }, 'Creating the weekly chart failed')
    return undefined
  }
}

type ScheduleRequest = {
  /** Tried in order while Slack rejects the blocks. */
  versions: MessageBuilder[]
  covered_until: Date | undefined
}

async function requestMessage(
  bot: Bot,
  client: WebClient,
  { digest, run, requestedFor, isLate }: Posting,
  { versions, covered_until }: ScheduleRequest,
): Promise<void> {
  const { db, log, runtime } = bot
  const { channel_id } = digest
  const now = runtime.now()
  const onTime = new Date(Math.max(run.due_at.getTime(), addMs(now, MIN_LEAD_MS).getTime()))
  const post_at = requestedFor ?? (isLate ? addMs(now, LATE_LEAD_MS) : onTime)
  const intended = await recordIntent(db, run, { channel_id, post_at, now, covered_until })
  if (!intended) return
  // A rejection of this request says nothing about an earlier one.
  const state = requestedFor ? 'scheduling' : 'planned'
  for (const [index, build] of versions.entries()) {
    const message = await build().catch((err) =>
      log.error({ err, digest: digest.id }, 'Building the message of a digest failed'),
    )
    if (!message) {
      const retry_at = addMs(now, RETRY_MS)
      return postponeRun(db, intended, { state, retry_at, problem: "the message couldn't be built" })
    }
    const response = await client.chat
      .scheduleMessage({
        channel: channel_id,
        post_at: Math.floor(post_at.getTime() / 1000),
        text: `${message.text} ${runMark(run.id)}`,
        blocks: message.blocks ?? [],
      })
      .catch((error: unknown) => ({ error }))
    if ('scheduled_message_id' in response) {
      const message_id = response.scheduled_message_id ?? ''
      return confirmScheduled(bot, client, { digest, run: intended, message_id })
    }
    const canTryNext = slackErrorCode(response.error) === 'invalid_blocks' && index < versions.length - 1
    if (!canTryNext) return handleRejection(bot, { digest, run: intended, error: response.error, state })
  }
}

type ScheduledRun = { digest: Digest; run: DigestRun; message_id: string }

/** Slack has the message. It is deleted again if the digest was paused, edited or deleted meanwhile. */
export async function confirmScheduled(
  { db, log }: Bot,
  client: WebClient,
  { digest, run, message_id }: ScheduledRun,
): Promise<void> {
  if (await endRun(db, run, { state: 'scheduled', message_id })) return
  const current = await findRun(db, run)
  // Another instance has taken over the run, and will find this message or has found it.
  if (current && (current.state === 'scheduling' || current.message_id === message_id)) return
  // If deleting fails, the stored cancellation tries again.
  await deleteScheduledMessage(client, run.channel_id ?? digest.channel_id, message_id).catch((err) =>
    log.warn({ err, digest: digest.id }, 'Deleting a scheduled digest failed'),
  )
}

/** Slack's internal errors: the message may have been accepted. */
const UNCLEAR_CODES = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

type Rejection = {
  digest: Digest
  run: DigestRun
  error: unknown
  /** The run's state after a clear rejection. */
  state: 'planned' | 'scheduling'
}

export async function handleRejection(
  { db, log, runtime }: Bot,
  { digest, run, error, state }: Rejection,
): Promise<void> {
  const now = runtime.now()
  const { code: errorType, retryAfter } = error as { code?: string } & Partial<WebAPIRateLimitedError>
  if (errorType === ErrorCode.RateLimitedError) {
    log.warn({ digest: digest.id, retryAfter }, 'Slack is limiting scheduled messages')
    const retry_at = addMs(now, (retryAfter ?? 60) * 1000)
    const problem = 'Slack accepted no more messages'
    return postponeRun(db, run, { state, retry_at, problem, isRateLimited: true })
  }
  const code = slackErrorCode(error)
  if (!code || UNCLEAR_CODES.includes(code)) {
    // When the lease expires, the next attempt looks the message up first.
    log.warn({ err: error, digest: digest.id }, "Slack didn't confirm a scheduled digest")
    return
  }
  if (!isStopReason(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack rejected a digest')
    const problem = `Slack rejected it (${code})`
    return postponeRun(db, run, { state, retry_at: addMs(now, RETRY_MS), problem })
  }
  const { team_id, id } = digest
  await stopDigests(db, { team_id, id }, { reason: code, message: stopMessage(code), now })
  await endRun(db, run, { state: state === 'scheduling' ? 'unconfirmed' : 'skipped' })
}
