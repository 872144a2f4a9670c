import { sql } from 'kysely'
import { addMs } from '../../../runtime.ts'
import { prepareOne } from '../../database/prepare.ts'
import type { Db } from '../../database/tables.ts'
import { addDigestNotification, type DigestNotification } from './notify-owner.ts'
import type { Digest, DigestCancellation, DigestRun, DigestRunUpdate } from './tables.ts'

/** Long enough to load the content and draw the chart. An instance that holds a lease longer is assumed dead. */
const LEASE_MS = 120_000

/** After this, no request to Slack is still under way, and Slack's list of scheduled messages is up to date. */
export const SETTLE_MS = 120_000

/** Slack accepts about 50 messages a minute from a workspace; requests for its lists count separately. */
const MAX_REQUESTS_PER_MINUTE = 45
/** Leaves room for other workspaces. */
const MAX_CONCURRENT_PER_WORKSPACE = 10

export const OPEN_STATES = ['planned', 'scheduling'] as const
/** Slack doesn't have a message of these runs. */
export const UNPOSTED_STATES = ['planned', 'skipped'] as const

/** Takes a digest from the time at which it is due to its next one. */
type Advance = { digest_id: string; due_at: Date; recurrence: string; next_at: Date }

const toAdvance = ({ id, next_at, recurrence }: Digest, nextAfter: Date): Advance => ({
  digest_id: id,
  due_at: next_at,
  recurrence: JSON.stringify(recurrence),
  next_at: nextAfter,
})

const advance = (db: Db, { digest_id, due_at, recurrence, next_at }: Advance) =>
  db
    .updateTable('digest')
    .set({ next_at })
    .where('id', '=', digest_id)
    .where('next_at', '=', due_at)
    .where(sql<boolean>`recurrence = ${recurrence}::jsonb`)
    .where('paused_reason', 'is', null)
    .returning('id')

/** Moves a digest on to its next time, unless another instance moved it first, or a user changed the digest. */
export const moveToNext = (db: Db, digest: Digest, next_at: Date): Promise<unknown> =>
  advance(db, toAdvance(digest, next_at)).execute()

type PlannedRun = Pick<DigestRun, 'id' | 'day'>

const insertPlannedRun = prepareOne((db, planned: PlannedRun & Advance) => {
  const { id, day, due_at } = planned
  const run = { id, due_at, state: 'planned' as const }
  return (
    db
      .with('moved', () => advance(db, planned))
      .insertInto('digest_run')
      .columns(['id', 'due_at', 'state', 'day', 'digest_id'])
      .expression((eb) =>
        eb
          .selectFrom('moved')
          .select(({ val, ref, cast }) => [
            cast<string>(val(run.id), 'uuid').as('id'),
            cast<Date>(val(run.due_at), 'timestamptz').as('due_at'),
            val(run.state).as('state'),
            val(day).as('day'),
            ref('moved.id').as('digest_id'),
          ]),
      )
      // A time whose digest was skipped can still have one.
      .onConflict((conflict) =>
        conflict
          .columns(['digest_id', 'day'])
          .doUpdateSet({ ...run, retry_at: null, problem: null })
          .where('digest_run.state', '=', 'skipped'),
      )
  )
})

/** Plans a run and moves the digest on to its next time, in one statement. Only one instance succeeds. */
export const planRun = (db: Db, digest: Digest, run: PlannedRun, next_at: Date): Promise<unknown> =>
  insertPlannedRun(db, { ...run, ...toAdvance(digest, next_at) })

/** The ids of the runs to be processed now, within the limits of each workspace. */
export async function listRunsDue(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with open as (
      select run.id, run.leased_until, digest.team_id, run.retry_at,
        row_number() over (
          partition by digest.team_id
          order by (run.retry_at is null or run.retry_at <= ${now}) desc, run.due_at, run.digest_id
        ) as position,
        max(run.rate_limited_until) over (partition by digest.team_id) as rate_limited_until
      from upnext.digest_run run join upnext.digest digest on digest.id = run.digest_id
      where run.state in ('planned', 'scheduling')
    ), recent as (
      select digest.team_id, count(*) as requests
      from upnext.digest_run run join upnext.digest digest on digest.id = run.digest_id
      where run.requested_at > ${addMs(now, -60_000)} and (run.leased_until is null or run.leased_until < ${now})
      group by digest.team_id
    )
    select open.id from open left join recent using (team_id)
    where (open.leased_until is null or open.leased_until < ${now})
      and (open.retry_at is null or open.retry_at <= ${now})
      and (open.rate_limited_until is null or open.rate_limited_until <= ${now})
      and open.position <= least(
        ${MAX_CONCURRENT_PER_WORKSPACE}::bigint, ${MAX_REQUESTS_PER_MINUTE}::bigint - coalesce(recent.requests, 0)
      )
    order by open.position
  `.execute(db)
  return rows.map(({ id }) => id)
}

const leaseOpenRun = prepareOne(
  (db, { id, now, leased_until }: { id: string; now: Date; leased_until: Date }) =>
    db
      .updateTable('digest_run')
      .set({ leased_until })
      .where('id', '=', id)
      .where('state', 'in', OPEN_STATES)
      .where(sql<boolean>`(leased_until is null or leased_until < ${now})`)
      .where(sql<boolean>`(retry_at is null or retry_at <= ${now})`)
      .returningAll(),
)

export const leaseRun = (db: Db, id: string, now: Date): Promise<DigestRun | undefined> =>
  leaseOpenRun(db, { id, now, leased_until: addMs(now, LEASE_MS) })

/** Changes a leased run, and releases it unless `leased_until` is set. Undefined if this instance has lost the run. */
export const updateRun = (db: Db, { id, leased_until }: DigestRun, changes: DigestRunUpdate) =>
  db
    .updateTable('digest_run')
    .set({ leased_until: null, ...changes })
    .where((eb) => eb.and({ id, leased_until }))
    .returningAll()
    .executeTakeFirst()

type SchedulingRequest = Pick<
  DigestRun,
  'channel_id' | 'post_at' | 'requested_at' | 'covered_until' | 'leased_until'
>

const setScheduling = prepareOne((db, run: SchedulingRequest & { id: string; currentLease: Date | null }) => {
  const { id, currentLease, channel_id, post_at, requested_at, covered_until, leased_until } = run
  return db
    .updateTable('digest_run')
    .set({ state: 'scheduling', channel_id, post_at, requested_at, covered_until, leased_until })
    .where('id', '=', id)
    .where('leased_until', 'is not distinct from', currentLease)
    .returning('id')
})

/** Stores what Slack is about to be asked for. Undefined if this instance has lost the run. */
export const markScheduling = (
  db: Db,
  { id, leased_until: currentLease }: DigestRun,
  request: SchedulingRequest,
) => setScheduling(db, { ...request, id, currentLease })

/** Slack has the message. Undefined if this instance has lost the run. */
export const markScheduled = prepareOne(
  (db, { id, leased_until, message_id }: Pick<DigestRun, 'id' | 'leased_until' | 'message_id'>) =>
    db
      .updateTable('digest_run')
      .set({ state: 'scheduled', message_id, leased_until: null })
      .where('id', '=', id)
      .where('leased_until', 'is not distinct from', leased_until)
      .returning('id'),
)

/** Gives up on a run, and may notify the owner. Slack may have accepted an earlier request. */
export const abandonRun = (db: Db, run: DigestRun, notification?: DigestNotification) =>
  db.transaction().execute(async (transaction) => {
    const state = run.state === 'scheduling' ? 'unconfirmed' : 'skipped'
    const abandoned = await updateRun(transaction, run, { state })
    if (abandoned && notification) await addDigestNotification(transaction, notification)
  })

export const findRun = (db: Db, { id }: DigestRun) =>
  db.selectFrom('digest_run').selectAll().where('id', '=', id).executeTakeFirst()

const selectLastRun = prepareOne((db, { digest_id }: Pick<DigestRun, 'digest_id'>) =>
  db
    .selectFrom('digest_run')
    .select(({ fn, exists, selectFrom }) => [
      exists(selectFrom('digest_cancellation').where('digest_id', '=', digest_id)).as('isBeingCancelled'),
      fn.max('due_at').filterWhere('state', 'not in', UNPOSTED_STATES).as('due_at'),
      fn.max('covered_until').filterWhere('state', '=', 'scheduled').as('covered_until'),
    ])
    .where('digest_id', '=', digest_id),
)

/**
 * When the digest was last posted, or may have been, and the end of the period that its last message covered. A cancelled
 * message may still appear.
 */
export async function findLastRun(db: Db, digest_id: string) {
  const last = await selectLastRun(db, { digest_id })
  if (!last) throw new Error(`The database returned no row for the last run of digest ${digest_id}.`)
  return last
}

/** Slack won't delete a scheduled message in the last minute before it appears. The request takes some seconds, too. */
export const CANCEL_DEADLINE_MS = 75_000

const lockDigest = (transaction: Db, id: string) =>
  transaction.selectFrom('digest').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Deletes a digest's open runs, and stores which messages Slack must delete. `isTooLate`: the next one can't be stopped. */
export async function deleteOpenRuns(transaction: Db, digest_id: string, now: Date) {
  const digest = await lockDigest(transaction, digest_id)
  if (!digest) return 'gone'
  const { team_id, project_name, owner_id } = digest
  await sql`
    with cancelled as (
      delete from upnext.digest_run
      where digest_id = ${digest_id} and (state = 'planned'
        or (state in ('scheduling', 'scheduled') and post_at > ${addMs(now, CANCEL_DEADLINE_MS)}))
      returning *
    )
    insert into upnext.digest_cancellation (run_id, digest_id, day, team_id, channel_id, project_name, owner_id,
      message_id, requested_at, post_at, retry_at)
    select id, digest_id, day, ${team_id}, coalesce(channel_id, ${digest.channel_id}), ${project_name}, ${owner_id},
      message_id, requested_at, post_at, ${now}::timestamptz
    from cancelled where state <> 'planned'
  `.execute(transaction)
  const unstoppable = await transaction
    .selectFrom('digest_run')
    .select('id')
    .where('digest_id', '=', digest_id)
    .where('state', 'in', ['scheduling', 'scheduled'])
    .where('post_at', '>', now)
    .executeTakeFirst()
  return { isTooLate: unstoppable !== undefined }
}

const CANCELLATION_BATCH_SIZE = 20
const CANCELLATION_RETRY_MS = 30_000

/** Takes due cancellations, the most urgent first. One that fails is due again later. */
export async function claimCancellations(db: Db, now: Date) {
  const { rows } = await sql<DigestCancellation>`
    update upnext.digest_cancellation set retry_at = ${addMs(now, CANCELLATION_RETRY_MS)}
    where run_id in (
      select run_id from upnext.digest_cancellation where retry_at <= ${now}
      order by post_at limit ${CANCELLATION_BATCH_SIZE} for update skip locked
    )
    returning *
  `.execute(db)
  return rows
}

/** Undefined if another instance deleted it first. */
export const deleteCancellation = (db: Db, { run_id }: DigestCancellation) =>
  db.deleteFrom('digest_cancellation').where('run_id', '=', run_id).returning('run_id').executeTakeFirst()

/** The message may have been posted: the owner is told, and that time gets no other digest. */
export const giveUpCancellation = (db: Db, cancellation: DigestCancellation, message: string, now: Date) =>
  db.transaction().execute(async (transaction) => {
    const { run_id: id, digest_id, day, channel_id, requested_at, post_at } = cancellation
    if (!(await deleteCancellation(transaction, cancellation))) return
    await addDigestNotification(transaction, { id: cancellation.run_id, digest: cancellation, message, now })
    if (!(await lockDigest(transaction, digest_id))) return
    const state = 'unconfirmed'
    await transaction
      .updateTable('digest_run')
      .set({ state, leased_until: null })
      .where((eb) => eb.and({ digest_id, state: 'planned' }))
      .execute()
    await transaction
      .insertInto('digest_run')
      .values({ id, digest_id, day, channel_id, due_at: post_at, post_at, requested_at, state })
      .onConflict((conflict) => conflict.columns(['digest_id', 'day']).doNothing())
      .execute()
  })
