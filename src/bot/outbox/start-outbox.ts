import type { WebClient } from '@slack/web-api'
import type { Bot } from '../bot.ts'
import type { OutboxItem, UserKey } from '../database/tables.ts'
import type { Form } from '../form/form.ts'
import { toOutcome } from '../form/outcome.ts'
import { authorize } from '../permissions.ts'
import { type Poller, startWorker } from '../poller.ts'
import {
  askUser,
  endItem,
  filterUnclaimed,
  leaseNextItem,
  listUsersDue,
  markAttempt,
  postponeItem,
  settleItem,
} from './outbox-store.ts'
import { backoffMs, recordOutcome } from './record-outcome.ts'

type Outbox = { bot: Bot; client: WebClient; forms: Form[] }

const POLL_INTERVAL_MS = 1000
const MAX_CONCURRENT_USERS = 50

/** Sends the outbox items that are due, for several users at a time and for each user in order. */
export function startOutbox(outbox: Outbox): Poller {
  const { db, log, runtime } = outbox.bot
  return startWorker<UserKey>({
    name: 'Sending outbox items',
    intervalMs: POLL_INTERVAL_MS,
    concurrency: MAX_CONCURRENT_USERS,
    log,
    sleep: runtime.sleep,
    findJobs: () => listUsersDue(db, runtime.now()),
    keyOf: ({ team_id, user_id }) => `${team_id} ${user_id}`,
    processJob: (user) => sendItemsOf(outbox, user),
  })
}

async function sendItemsOf(outbox: Outbox, user: UserKey): Promise<void> {
  const { db, runtime } = outbox.bot
  for (;;) {
    const item = await leaseNextItem(db, user, runtime.now())
    if (!item) return
    await processItem(outbox, item)
  }
}

/** For a request, and for a whole lookup. Both together fit into the item's lease. */
const REQUEST_TIMEOUT_MS = 15_000
const PERMISSION_RETRY_MS = 30_000

async function processItem({ bot, client, forms }: Outbox, item: OutboxItem): Promise<void> {
  const { db, log, runtime } = bot
  const form = forms.find(({ verb }) => verb === item.form)
  if (!form?.send) throw new Error(`An outbox item belongs to an unknown form: "${item.form}".`)
  if (item.state === 'unconfirmed' && !(await isCertainlyAbsent(form, bot, item))) return
  const now = runtime.now()
  if (isExpired(item, now)) return endItem(db, item, { state: 'expired', failure: item.failure }, now)
  const { team_id, user_id, channel_id, project_id, project_name } = item
  const actor = { team_id, user_id, channel_id: channel_id ?? undefined, client }
  const authorization = await authorize(bot, actor, { permission: form.permission, isFresh: true }).catch(
    (err) => log.warn({ err, item: item.id }, "Slack didn't confirm the user's permission"),
  )
  if (!authorization) {
    const due_at = new Date(now.getTime() + PERMISSION_RETRY_MS)
    // An unconfirmed item stays so, because its first request may still arrive.
    const state = item.state === 'unconfirmed' ? 'unconfirmed' : 'queued'
    await postponeItem(db, item, { state, due_at, failure: item.failure })
    return
  }
  // A refused item without a failure means that the user lost the permission.
  if (authorization.refusal) return endItem(db, item, { state: 'refused', failure: null }, now)
  const attemptedAt = runtime.now()
  const attempted = await markAttempt(db, item, attemptedAt)
  if (!attempted) return
  const result = await form.send(item.body ?? {}, {
    bot,
    api: bot.api,
    actor,
    project: { Id: project_id, Name: project_name },
    deadlineMs: REQUEST_TIMEOUT_MS,
    record_id: '',
  })
  const attempt = { attemptedAt, attempts: attempted.attempts, shouldNotify: true }
  await recordOutcome(bot, attempted, toOutcome(result), attempt)
}

const MAX_AGE_MS = 24 * 60 * 60_000

/** A user has made other plans for a post that could not be sent for a day. */
const isExpired = ({ accepted_at }: OutboxItem, now: Date) =>
  now.getTime() - accepted_at.getTime() > MAX_AGE_MS

/** Looks an unconfirmed record up. It may only be sent again if it certainly doesn't exist. */
async function isCertainlyAbsent(form: Form, bot: Bot, item: OutboxItem): Promise<boolean> {
  const { api, db, runtime } = bot
  const project = { Id: item.project_id, Name: item.project_name }
  const context = { api, project, deadlineMs: REQUEST_TIMEOUT_MS }
  const lookup = (await form.creation?.findExisting?.(item.body ?? {}, context)) ?? { kind: 'impossible' }
  const now = runtime.now()
  if (lookup.kind === 'impossible' || (lookup.kind === 'failed' && isExpired(item, now))) {
    await askUser(db, item, now)
    return false
  }
  if (lookup.kind === 'failed') {
    const due_at = new Date(now.getTime() + backoffMs(item.attempts, runtime.random))
    await postponeItem(db, item, { state: 'unconfirmed', due_at, failure: lookup.failure })
    return false
  }
  const ids = lookup.matches.map(({ id }) => id)
  for (const record_id of await filterUnclaimed(db, item, ids)) {
    const record = lookup.matches.find(({ id }) => id === record_id)?.record
    const sent = { record, record_id, foundByLookup: true, shouldNotify: true }
    if (await settleItem(db, item, sent, now)) return false
  }
  if (lookup.isComplete) return true
  await askUser(db, item, now)
  return false
}
