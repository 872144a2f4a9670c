import type { JobHandler } from '../../jobs/job-queue.ts'
import type { NewJob } from '../../jobs/job-store.ts'
import { hasVisibleText } from '../../platforms/has-visible-text.ts'
import { addMs } from '../../runtime.ts'
import { traceCall } from '../../tracing/spans.ts'
import { type Gap, recordHeartbeat } from '../stores/accounts-store.ts'
import { findTemplate } from '../stores/prompts-templates-sources-store.ts'
import type { Db, PublishResult, Row } from '../stores/tables.ts'
import {
  changeResult,
  createReference,
  dueTime,
  findPublication,
  type PublicationKey,
} from './change-result.ts'
import { fetchMedia } from './fetch-media.ts'
import type { Publisher, Publishers, PublishOutcome } from './publisher.ts'
import type { PublishingContext } from './publishing-context.ts'
import {
  type LoadedPublication,
  MAX_RATE_LIMIT_WAIT_MS,
  type PublishAttempt,
  recordOutcome,
} from './record-outcome.ts'

const PUBLISH_KIND = 'publish'
/** Each run may keep a file on the disk. */
const CONCURRENCY = 30

/** A post that is overdue by more than this fails, because a post about lunch is of no use at night. */
const MAX_LATENESS_MS = 60 * 60_000

/** Creates the job that publishes a post on the account's platform, and the result to store until the job has run. */
export function createPublication(
  post: Row<'post'>,
  account: Row<'account'>,
  { publishers, now }: { publishers: Publishers; now: Date },
): { job: NewJob; result: PublishResult } {
  const { project_id, id: post_id, traceparent } = post
  const { id: account_id, name: account_name, platform, publisher } = account
  const reference = createReference(post, platform)
  const data: PublicationKey = { project_id, post_id, platform, reference }
  const key = publishers[publisher]?.queueKeyOf(account) ?? account_id
  const at = now.toISOString()
  return {
    job: { kind: PUBLISH_KIND, id: reference, key, data, traceparent },
    result: { platform, reference, at, state: 'PUBLISHING', account_id, account_name, publisher },
  }
}

/**
 * Publishes a post on one platform. To avoid publishing it twice, a request that may have arrived is repeated only if
 * the publisher is idempotent or doesn't list the post.
 */
export const createPublishHandler = (context: PublishingContext): JobHandler => ({
  kind: PUBLISH_KIND,
  name: 'publish a post',
  concurrency: CONCURRENCY,
  async run(job) {
    const { db, runtime } = context
    const publication = await findPublication(db, job.data as PublicationKey)
    if (!publication) return undefined
    // After an outage, this job may run before anything else has recorded a heartbeat.
    const gap = await recordHeartbeat(db, runtime.now())
    const attempt = await attemptPublication({ ...publication, gap }, context)
    return attempt && recordOutcome(job, attempt, context)
  },
})

/** Sends the post to the network, unless something keeps it from being sent. */
async function attemptPublication(
  publication: LoadedPublication,
  context: PublishingContext,
): Promise<PublishAttempt | undefined> {
  const { account } = publication
  const publisher = account && context.publishers[account.publisher]
  const outcome = await findOutcomeBeforeSending(publication, publisher, context.runtime.now())
  if (outcome) return { ...publication, publisher, outcome, isUnsent: true }
  return account && publisher && sendPublication({ ...publication, account, publisher }, context)
}

/** Returns the outcome of an earlier request, or the reason that keeps the post from being sent. */
async function findOutcomeBeforeSending(
  publication: LoadedPublication,
  publisher: Publisher | undefined,
  now: Date,
): Promise<PublishOutcome | undefined> {
  const { post, result, account, gap } = publication
  if (result.sent_at && !publisher?.isIdempotent) return INTERRUPTED
  // A restored backup may list posts as waiting that were published during the gap.
  const isLost = gap?.isRestored === true && isInGap(publication, gap)
  const mayHaveBeenSent = result.may_be_out || result.sent_at || isLost
  const mayBeOut = mayHaveBeenSent || (gap && new Date(result.at) < gap.to)
  const isFailed = publisher?.isIdempotent ? !mayHaveBeenSent : !mayBeOut
  const blockedState = isFailed ? ('failed' as const) : ('unknown' as const)
  if (!account?.is_connected) return { state: blockedState, error: DISCONNECTED }
  if (!publisher) return { state: blockedState, error: POSTIZ_NOT_SET_UP }
  if (account.paused_until && account.paused_until > now)
    return asPossiblySent({ state: 'postponed', error: WAITS_FOR_LIMIT, until: account.paused_until }, isLost)
  const earlier =
    (isLost || (mayBeOut && !publisher.isIdempotent)) && (await findEarlierOutcome(publication, publisher))
  if (earlier) return asPossiblySent(earlier, isLost)
  // The post may have been changed, moved or cancelled since the backup.
  if (isLost) return { state: 'unknown', error: DOWN_OR_RESTORED }
  const deadline = result.started_at
    ? addMs(new Date(result.started_at), MAX_RATE_LIMIT_WAIT_MS)
    : addMs(dueTime(post, result), MAX_LATENESS_MS)
  if (now <= deadline) return undefined
  return publisher.isIdempotent && (result.sent_at || result.may_be_out)
    ? { state: 'unknown', error: MAY_HAVE_ARRIVED }
    : { state: 'failed', error: TOO_LATE }
}

const asPossiblySent = (outcome: PublishOutcome, mayHaveArrived: boolean): PublishOutcome =>
  mayHaveArrived && outcome.state === 'postponed' ? { ...outcome, mayHaveArrived } : outcome

const isInGap = ({ post, result }: LoadedPublication, { from, to }: Gap): boolean =>
  new Date(result.at) < to || (dueTime(post, result) >= from && dueTime(post, result) <= to)

type SendablePublication = LoadedPublication & { account: Row<'account'>; publisher: Publisher }

async function sendPublication(
  publication: SendablePublication,
  context: PublishingContext,
): Promise<PublishAttempt | undefined> {
  const { db, runtime } = context
  const { key, post, result, account, publisher } = publication
  const end = (outcome: PublishOutcome): PublishAttempt => ({ ...publication, outcome, isUnsent: true })
  const fetched = await fetchMedia(post.media, context)
  if (fetched.state !== 'fetched') return end(fetched)
  try {
    const text = post.texts?.[key.platform] ?? (await findText(db, post))
    if (!text && !fetched.media) return end({ state: 'failed', error: 'the post has neither text nor media' })
    // Fetching the media may have taken minutes, during which the account may have been disconnected.
    const latest = (await findPublication(db, key))?.account
    if (latest?.id !== account.id || !latest.is_connected)
      return end({ state: 'failed', error: DISCONNECTED })
    const changed = await changeResult(db, key, runtime, (current) => {
      if (current.state !== 'PUBLISHING' || (current.sent_at && !publisher.isIdempotent)) return undefined
      const sent_at = runtime.now().toISOString()
      // An earlier run that was interrupted may already have sent the post.
      const may_be_out = current.may_be_out ?? current.sent_at !== undefined
      const started_at = current.started_at ?? sent_at
      return { result: { ...current, sent_at, started_at, ...(may_be_out && { may_be_out }) } }
    })
    if (!changed) return undefined
    const content = {
      ...key,
      text,
      title: post.titles?.[key.platform],
      media: fetched.media,
      mediaUrl: post.media,
      mediaDescription: post.media_description ?? undefined,
      date: dueTime(post, result),
    }
    const attributes = { 'upnext.platform': key.platform }
    const outcome = await traceCall('publish', attributes, async (span) => {
      const outcome = await publisher.publish(content, account)
      span.setAttributes({ 'upnext.outcome': outcome.state })
      return outcome
    })
    return { ...publication, ...changed, outcome }
  } finally {
    await fetched.release()
  }
}

const DISCONNECTED = 'the account was disconnected'
const POSTIZ_NOT_SET_UP = "Postiz isn't set up: POSTIZ_URL or POSTIZ_API_KEY is missing"
const INTERRUPTED: PublishOutcome = {
  state: 'unknown',
  error: 'Upnext was interrupted while it was publishing',
}
const WAITS_FOR_LIMIT = "waiting for the network's rate limit"
const TOO_LATE = "Upnext couldn't publish the post within an hour of its due time"
const MAY_HAVE_ARRIVED = 'an earlier request may have published it'
const DOWN_OR_RESTORED = 'Upnext was down when the post was due, or was later restored from a backup'

/** Looks for a post that may have been published before a backup was restored. */
async function findEarlierOutcome(
  { key, post, result }: LoadedPublication,
  { find }: Publisher,
): Promise<PublishOutcome | undefined> {
  if (!find) return { state: 'unknown', error: DOWN_OR_RESTORED }
  const outcome = await find({ ...key, date: dueTime(post, result), matchesAnyVersion: true })
  if (outcome.state === 'absent') return undefined
  if (outcome.state === 'unreachable') return { state: 'postponed', error: outcome.error }
  return outcome.state === 'published' ? outcome : { state: 'unknown', error: DOWN_OR_RESTORED }
}

/** A post without text of its own is published with its template's text. */
async function findText(db: Db, { content, template_id, project_id }: Row<'post'>): Promise<string> {
  if (content && hasVisibleText(content)) return content
  const template = template_id ? await findTemplate(db, project_id, template_id) : undefined
  return template?.content ?? ''
}
