import type { WebClient } from '@slack/web-api'
import type { Poller } from '../../jobs/poller.ts'
import { startWorker } from '../../jobs/worker.ts'
import { addMs } from '../../runtime.ts'
import type { UserKey } from '../database/tables.ts'
import { type Form, type LookupContext, listForms } from '../forms/form.ts'
import type { Bot } from '../slack/bot.ts'
import { findAdmins } from '../slack/find-admins.ts'
import { escapeText } from '../slack/message-blocks.ts'
import type { WorkerContext } from '../slack/module.ts'
import { authorize } from '../slack/permissions.ts'
import { itemActor } from './item-actor.ts'
import {
  endItem,
  leaseNextItem,
  listUsersDue,
  markAttempt,
  postponeItem,
  settleItem,
} from './outbox-store.ts'
import { backoffMs, recordOutcome } from './record-outcome.ts'
import type { ItemFailure, OutboxItem } from './tables.ts'

type Outbox = { bot: Bot; client: WebClient; forms: Form[] }

const POLL_INTERVAL_MS = 1000
/** The items that someone has left by then wait for the next poll, so a long backlog doesn't look like a job that hangs. */
const MAX_TURN_MS = 60_000

/** Sends the outbox items that are due, for several users at a time and for each user in order. */
export function startOutbox({ bot, client, modules }: WorkerContext): Poller {
  const outbox = { bot, client, forms: listForms(modules) }
  const { db, runtime } = outbox.bot
  return startWorker<UserKey>({
    bot: outbox.bot,
    name: 'Sending outbox items',
    intervalMs: POLL_INTERVAL_MS,
    findJobs: () => listUsersDue(db, runtime.now()),
    keyOf: ({ team_id, user_id }) => `${team_id} ${user_id}`,
    async processJob(user) {
      const endsAt = addMs(runtime.now(), MAX_TURN_MS)
      do {
        const item = await leaseNextItem(db, user, runtime.now())
        if (!item) return
        await processItem(outbox, item)
      } while (runtime.now() < endsAt)
    },
  })
}

/** The deadline of a request, and of a whole lookup. Together they fit into the item's lease. */
const API_DEADLINE_MS = 15_000
const PERMISSION_RETRY_MS = 30_000

async function processItem({ bot, client, forms }: Outbox, item: OutboxItem): Promise<void> {
  const { db, runtime } = bot
  const { user_id, state, failure } = item
  const form = forms.find(({ verb }) => verb === item.form)
  if (!form) throw new Error(`An outbox item belongs to an unknown form: "${item.form}".`)
  const project = { Id: item.project_id, Name: item.project_name }
  const context = { bot, project, deadlineMs: API_DEADLINE_MS }
  if (state === 'unconfirmed' && !(await isDefinitelyAbsent(form, { ...context, item }))) return
  const now = runtime.now()
  const deadline = form.creation?.getDeadline?.(item.body ?? {})
  if (deadline && deadline <= now) return endItem(db, { item, form }, { state: 'missed', failure }, now)
  if (isExpired(item, now)) return endItem(db, { item, form }, { state: 'expired', failure }, now)
  const actor = itemActor(item, client)
  // Slack was asked about the user when they submitted the form, and allows about 100 lookups a minute.
  const access = { permission: form.permission, isFresh: form.permission === 'admin' }
  const authorization = await authorize(bot, actor, access)
  const admins = authorization.kind === 'refused' ? await findAdmins(bot, client) : []
  if (authorization.kind === 'unknown' || !admins) {
    const due_at = addMs(now, PERMISSION_RETRY_MS)
    // An unconfirmed item stays unconfirmed, because its first request may still arrive.
    const unsentState = state === 'unconfirmed' ? 'unconfirmed' : 'queued'
    await postponeItem(db, item, { state: unsentState, due_at, failure })
    return
  }
  if (authorization.kind === 'refused') {
    const message = `*${form.title}* in ${escapeText(item.project_name)}, submitted by <@${user_id}>, wasn't sent: they no longer have permission to do this.`
    // A refused item without a failure means that the user lost the permission.
    const unsent = { state: 'refused' as const, failure: null, outcome: 'denied' as const }
    const others = admins.filter((admin) => admin !== user_id)
    return endItem(db, { item, form }, unsent, now, { user_ids: others, message, newId: runtime.newId })
  }
  const attempted = await markAttempt(db, item, runtime.now())
  if (!attempted) return
  const { view_id, user_team_id, channel_id, opened_record } = item
  const outcome = await form.send(item.body ?? {}, {
    ...context,
    actor,
    opened: opened_record ?? undefined,
    submission: { view_id, user_team_id: user_team_id ?? item.team_id, channel_id },
  })
  // The author of a post that was held has been told what happens to it.
  const shouldNotify = !item.was_held || attempted.attempts > 1
  await recordOutcome(bot, { item: attempted, form }, outcome, { shouldNotify, deadline })
}

const MAX_AGE_MS = 24 * 60 * 60_000

/** After a day, the user has probably made other plans for the post. */
const isExpired = ({ accepted_at }: OutboxItem, now: Date) =>
  now.getTime() - accepted_at.getTime() > MAX_AGE_MS

/** Other services may list a record late. */
const SECOND_LOOK_MS = 60_000

/** Looks up an unconfirmed record, which may be sent again only if it definitely doesn't exist. */
async function isDefinitelyAbsent(
  form: Form,
  context: LookupContext & { item: OutboxItem },
): Promise<boolean> {
  const { bot, item } = context
  const { db, runtime } = bot
  // Changing a post again, or storing it here again, has the same effect.
  if (!form.creation || form.creation.isStoredHere?.(item.body ?? {})) return true
  const lookup = (await form.creation.findExisting?.(item.body ?? {}, context)) ?? { kind: 'impossible' }
  const now = runtime.now()
  const lookAgain = (due_at: Date, changes: { failure?: ItemFailure; absent_since?: Date }) =>
    postponeItem(db, item, { state: 'unconfirmed', due_at, failure: item.failure, ...changes })
  if (lookup.kind === 'failed' && !isExpired(item, now)) {
    await lookAgain(addMs(now, backoffMs(item.attempts, runtime.random)), { failure: lookup.failure })
    return false
  }
  const matches = lookup.kind === 'found' ? lookup.matches : []
  for (const { id: record_id, record } of matches) {
    const sent = { record, record_id, foundByLookup: true, shouldNotify: true }
    if (await settleItem(db, { item, form }, sent, now)) return false
  }
  const [found] = lookup.kind === 'found' ? lookup.unclear : []
  if (lookup.kind === 'found' && !found) {
    const absent_since = item.absent_since ?? now
    const secondLookAt = addMs(absent_since, SECOND_LOOK_MS)
    if (!lookup.isCurrent && secondLookAt > now) {
      await lookAgain(secondLookAt, { absent_since })
      return false
    }
    if (lookup.isComplete) return true
  }
  await endItem(db, { item, form }, { needs_answer: true, record: found ? { found } : null }, now)
  return false
}
