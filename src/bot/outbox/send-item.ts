import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import type { Form } from '../forms/form.ts'
import type { Outcome } from '../forms/outcome.ts'
import type { Bot } from '../slack/bot.ts'
import type { WorkerContext } from '../slack/feature.ts'
import { findAdmins } from '../slack/find-admins.ts'
import { escapeText } from '../slack/message-blocks.ts'
import { authorize } from '../slack/permissions.ts'
import { findItem } from './find-items-store.ts'
import { releaseItem } from './held-items.ts'
import { formOf, itemActor } from './item-actor.ts'
import { SEND } from './item-jobs.ts'
import { summarizeInput } from './item-message.ts'
import { LOOKUP_DELAY_MS, lookUpItem } from './look-up-item.ts'
import { attemptColumns, endItem, postponeItem, updateItemInRun } from './outbox-store.ts'
import { recordOutcome } from './record-outcome.ts'
import { isExpired, isRepeatable, MAX_PAUSE_MS } from './retry-limits.ts'
import { itemLogFields, type OutboxItem } from './tables.ts'

/** Sends the outbox items that are due, for several users at a time and for each user in order. */
export const sendHandler = (context: WorkerContext): JobHandler => ({
  kind: SEND,
  name: 'send an outbox item',
  blocksUntil: ({ added_at }) => addMs(added_at, MAX_PAUSE_MS),
  async run(job) {
    const item = await findItem(context.bot.db, { id: job.id })
    const isOpen = item && ['queued', 'unconfirmed', 'held'].includes(item.state) && !item.needs_answer
    return isOpen ? sendItem(context, item, job) : undefined
  },
})

const API_TIMEOUT_MS = 15_000
const PERMISSION_RETRY_MS = 30_000

async function sendItem(
  { bot, client, modules }: WorkerContext,
  stored: OutboxItem,
  job: Job,
): Promise<NextRun | undefined> {
  const { db, runtime } = bot
  const form = formOf(modules, stored)
  const isHeld = stored.state === 'held'
  if (isHeld && stored.held_until && stored.held_until > runtime.now()) return { due_at: stored.held_until }
  const item = isHeld ? await releaseItem(db, { job, form }, runtime.now()) : stored
  if (!item) return undefined
  const { user_id, state, failure } = item
  const project = { Id: item.project_id, Name: item.project_name }
  const context = { bot, project }
  const running = { item, job, form }
  const latestSendTime = form.creation?.getLatestSendTime?.(item.body ?? {})
  const isTooLate = (now: Date) =>
    isExpired(item, now) || (latestSendTime !== undefined && latestSendTime <= now)
  const startedAt = runtime.now()
  const canRepeat =
    supportsIdempotencyKeys(bot, form) && isRepeatable(item, startedAt) && !isTooLate(startedAt)
  const needsLookup = state === 'unconfirmed' && !canRepeat
  const mayExist = state === 'unconfirmed' && canRepeat
  if (needsLookup) {
    const lookup = await lookUpItem(running, context)
    if (lookup !== 'absent') return lookup
  }
  const now = needsLookup ? runtime.now() : startedAt
  const unsentState =
    latestSendTime && latestSendTime <= now ? 'missed' : isExpired(item, now) ? 'expired' : undefined
  if (unsentState) {
    bot.log.warn(
      { ...itemLogFields(item), attempts: item.attempts, state: unsentState },
      'Gave up on a submission',
    )
    return endItem(db, running, { state: unsentState, failure }, now)
  }
  const actor = itemActor(item, client)
  // Slack allows about 100 lookups a minute, so a role that is up to a minute old is enough, except for admin forms.
  const access = { permission: form.permission, isFresh: form.permission === 'admin' }
  const authorization = await authorize(bot, actor, access, { project_id: item.project_id })
  const admins = authorization.kind === 'refused' ? await findAdmins(bot, client) : []
  if (authorization.kind === 'unknown' || !admins) {
    const due_at = addMs(now, PERMISSION_RETRY_MS)
    // An unconfirmed item stays unconfirmed, because its first request may still arrive.
    const postponedState = state === 'unconfirmed' ? 'unconfirmed' : 'queued'
    return postponeItem(db, running, { state: postponedState, due_at, failure })
  }
  if (authorization.kind === 'refused') {
    // Upnext no longer sends the item, but an earlier request may have arrived.
    const lookup = mayExist ? await lookUpItem(running, context) : 'absent'
    if (lookup !== 'absent') return lookup
    const message = `*${form.title}* in ${escapeText(item.project_name)}, submitted by <@${user_id}>, wasn't sent, because they no longer have permission. If it's still needed, submit it yourself.\n${summarizeInput(form, item)}`
    // A refused item without a failure means that the user lost the permission.
    const ending = { state: 'refused' as const, failure: null, outcome: 'denied' as const }
    const others = admins.filter((admin) => admin !== user_id)
    const notices = others.map((admin) => ({ id: runtime.newId(), user_id: admin, message }))
    return endItem(db, running, ending, runtime.now(), notices)
  }
  const attemptedAt = runtime.now()
  const attempted = await updateItemInRun(db, job, {
    ...attemptColumns(attemptedAt),
    attempts: item.attempts + 1,
    keyed_at: item.keyed_at ?? (supportsIdempotencyKeys(bot, form) ? attemptedAt : null),
  })
  // The item was discarded, or another instance has its job now.
  if (!attempted) return undefined
  const wasHeld = item.held_until !== null
  const sent = await form.send(item.body ?? {}, {
    ...context,
    deadline: addMs(runtime.now(), API_TIMEOUT_MS),
    actor,
    opened: item.opened_record ?? undefined,
    resultWarnings: item.warnings?.split('\n') ?? [],
    wasHeld,
    batch_id: item.batch_id,
  })
  const outcome = mayExist && isInProgress(sent) ? IN_PROGRESS : sent
  if (mayExist && (outcome.kind === 'refused' || (outcome.kind === 'done' && outcome.held))) {
    // This outcome says nothing about the earlier attempt, so the next run looks the record up.
    await updateItemInRun(db, job, { keyed_at: null })
    return { due_at: addMs(attempted.attempted_at ?? now, LOOKUP_DELAY_MS) }
  }
  // The author of a held post expects it to go out, so a first attempt that succeeds needs no message.
  const shouldNotify = !wasHeld || attempted.attempts > 1
  const options = { shouldNotify, mayExist, latestSendTime }
  const next = await recordOutcome(bot, { ...running, item: attempted }, outcome, options)
  // Without a notification, nothing else calls `followUp`, which informs a post's author of an approved change.
  if (outcome.kind === 'done' && !shouldNotify && !form.creation)
    await form
      .followUp?.(outcome.result, { ...context, actor, opened: item.opened_record ?? undefined })
      .catch((err) => bot.log.error({ err, form: form.verb }, 'Failed to follow up on a submission'))
  return next
}

/** Only requests that create something have an idempotency key. */
export const supportsIdempotencyKeys = ({ extensions }: Bot, { creation }: Form): boolean =>
  creation !== undefined && extensions.current.supportsIdempotencyKeys

/** The service is still working on an earlier request with the same idempotency key. */
const isInProgress = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && outcome.reason.kind === 'rejected' && outcome.reason.status === 409

const IN_PROGRESS: Outcome = { kind: 'pending', reason: { kind: 'unclear', cause: 'deadline' } }
