import { sql } from 'kysely'
import type { Db, Digest, DigestCancellation, DigestRun } from '../database/tables.ts'
import { addDigestNotification } from '../notifications/notification-store.ts'

export type RunKey = { digest_id: string; day: string }

/** For loading the content and drawing the chart. An instance that holds a lease for longer has died. */
const LEASE_MS = 120_000

/** After this, no request to Slack is still under way, and Slack's list of scheduled messages is up to date. */
export const SETTLE_MS = 120_000

const OPEN_STATES = ['planned', 'scheduling'] as const

type RunPlan = { id: string; day: string; next_at: Date }

/** Plans a run and moves the digest on to its next time. Only one instance succeeds. */
export const planRun = (db: Db, digest: Digest, { id, day, next_at }: RunPlan): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('digest')
      .set({ next_at })
      .where('id', '=', digest.id)
      .where('next_at', '=', digest.next_at)
      // The plan depends on the recurrence, which may have been edited meanwhile.
      .where(sql<boolean>`recurrence = ${JSON.stringify(digest.recurrence)}::jsonb`)
      .where('paused_reason', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await transaction
      .insertInto('digest_run')
      .values({ id, digest_id: digest.id, day, due_at: digest.next_at, state: 'planned' })
      // A day whose digest was skipped can still have one at another time.
      .onConflict((conflict) =>
        conflict
          .columns(['digest_id', 'day'])
          .doUpdateSet({ id, due_at: digest.next_at, state: 'planned', retry_at: null, problem: null })
          .where('digest_run.state', '=', 'skipped'),
      )
      .execute()
  })

type RunLimits = {
  /** Scheduled messages that Slack accepts from a workspace. */
  maxPerMinute: number
  /** Leaves room for other workspaces. */
  maxConcurrent: number
}

/** Runs to be processed now, within the limits of each workspace. */
export async function listRunsDue(
  db: Db,
  now: Date,
  { maxPerMinute, maxConcurrent }: RunLimits,
): Promise<RunKey[]> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  const { rows } = await sql<RunKey>`
    with open as (
      select run.digest_id, run.day, run.leased_until, digest.team_id, run.retry_at,
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
      where run.requested_at > ${minuteAgo} and (run.leased_until is null or run.leased_until < ${now})
      group by digest.team_id
    )
    select open.digest_id, open.day from open left join recent using (team_id)
    where (open.leased_until is null or open.leased_until < ${now})
      and (open.retry_at is null or open.retry_at <= ${now})
      and (open.rate_limited_until is null or open.rate_limited_until <= ${now})
      and open.position <= least(${maxConcurrent}::bigint, ${maxPerMinute}::bigint - coalesce(recent.requests, 0))
    order by open.position
  `.execute(db)
  return rows
}

export const leaseRun = (db: Db, { digest_id, day }: RunKey, now: Date): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
    .where((eb) => eb.and({ digest_id, day }))
    .where('state', 'in', OPEN_STATES)
    .where(sql<boolean>`(leased_until is null or leased_until < ${now})`)
    .where(sql<boolean>`(retry_at is null or retry_at <= ${now})`)
    .returningAll()
    .executeTakeFirst()

type SchedulingIntent = { channel_id: string; post_at: Date; now: Date; covered_until: Date | undefined }

/** Stores, before Slack is called, that Slack may have the message. Undefined if another instance has the run. */
export const recordIntent = (
  db: Db,
  { id, leased_until }: DigestRun,
  { channel_id, post_at, now, covered_until }: SchedulingIntent,
): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({
      state: 'scheduling',
      channel_id,
      post_at,
      requested_at: now,
      covered_until: covered_until ?? null,
      leased_until: new Date(now.getTime() + SETTLE_MS),
    })
    .where((eb) => eb.and({ id, leased_until }))
    .returningAll()
    .executeTakeFirst()

type RunEnd = { state: 'scheduled'; message_id: string } | { state: 'skipped' | 'unconfirmed' }

/** False if the run was cancelled, or another instance has it. */
export async function endRun(db: Db, { id, leased_until }: DigestRun, end: RunEnd): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digest_run')
    .set({ ...end, leased_until: null })
    .where((eb) => eb.and({ id, leased_until }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type NotifiedEnd = { state: 'skipped' | 'unconfirmed'; message: string; now: Date }

export const endRunAndNotify = (
  db: Db,
  run: DigestRun,
  digest: Digest,
  { state, message, now }: NotifiedEnd,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    if (await endRun(transaction, run, { state }))
      await addDigestNotification(transaction, digest, message, now)
  })

type Postponement = {
  state: 'planned' | 'scheduling'
  retry_at: Date
  problem?: string | undefined
  /** Slack asked for a pause of the whole workspace. */
  isRateLimited?: boolean
}

export async function postponeRun(
  db: Db,
  { id, leased_until }: DigestRun,
  { state, retry_at, problem, isRateLimited = false }: Postponement,
): Promise<void> {
  await db
    .updateTable('digest_run')
    .set({
      state,
      leased_until: null,
      retry_at,
      ...(problem !== undefined && { problem }),
      ...(isRateLimited && { rate_limited_until: retry_at }),
    })
    .where((eb) => eb.and({ id, leased_until }))
    .execute()
}

export const findRun = (db: Db, { id }: DigestRun): Promise<DigestRun | undefined> =>
  db.selectFrom('digest_run').selectAll().where('id', '=', id).executeTakeFirst()

/** When the planned and scheduled messages of these digests appear, by digest. */
export async function listUpcomingRuns(db: Db, digest_ids: string[], now: Date): Promise<Map<string, Date>> {
  if (!digest_ids.length) return new Map()
  const rows = await db
    .selectFrom('digest_run')
    .select(({ fn }) => ['digest_id', fn.min('due_at').as('due_at')])
    .where('digest_id', 'in', digest_ids)
    .where(({ eb, or, and }) =>
      or([eb('state', 'in', OPEN_STATES), and([eb('state', '=', 'scheduled'), eb('post_at', '>', now)])]),
    )
    .groupBy('digest_id')
    .execute()
  return new Map(rows.map(({ digest_id, due_at }) => [digest_id, due_at]))
}

/** The last time for which the digest was posted, or may have been. There is one digest a day. */
export async function findLastDue(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('due_at').as('due_at'))
    .where('digest_id', '=', digest_id)
    .where('state', 'not in', ['planned', 'skipped'])
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Where the next digest takes up. */
export async function findCoveredUntil(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('covered_until').as('covered_until'))
    .where('digest_id', '=', digest_id)
    .where('state', '=', 'scheduled')
    .executeTakeFirst()
  return row?.covered_until ?? undefined
}

export const deleteRuns = (db: Db, dueBefore: Date): Promise<unknown> =>
  db.deleteFrom('digest_run').where('due_at', '<', dueBefore).where('state', 'not in', OPEN_STATES).execute()

/** Slack deletes nothing in the last minute before a message appears. The request takes some seconds, too. */
export const CANCEL_DEADLINE_MS = 75_000

/** `isTooLate`: the next message can no longer be stopped. */
export type CancelledRuns = { isTooLate: boolean }

/** Deletes a digest's open runs, and stores which messages Slack must delete. Runs in the caller's transaction. */
export async function cancelRuns(
  transaction: Db,
  { id, team_id }: { id: string; team_id: string },
  now: Date,
): Promise<CancelledRuns | 'gone'> {
  const digest = await transaction
    .selectFrom('digest')
    .selectAll()
    .where((eb) => eb.and({ id, team_id }))
    .forUpdate()
    .executeTakeFirst()
  if (!digest) return 'gone'
  const deadline = new Date(now.getTime() + CANCEL_DEADLINE_MS)
  const { rows } = await sql<DigestRun>`
    delete from upnext.digest_run where digest_id = ${id}
      and (state = 'planned' or (state in ('scheduling', 'scheduled') and post_at > ${deadline}))
    returning *
  `.execute(transaction)
  for (const run of rows)
    if (run.state !== 'planned')
      await transaction
        .insertInto('digest_cancellation')
        .values({
          run_id: run.id,
          digest_id: id,
          day: run.day,
          channel_id: run.channel_id ?? digest.channel_id,
          project_name: digest.project_name,
          owner_id: digest.owner_id,
          message_id: run.message_id,
          requested_at: run.requested_at ?? now,
          post_at: run.post_at ?? now,
          retry_at: now,
        })
        .execute()
  const unstoppable = await transaction
    .selectFrom('digest_run')
    .select('id')
    .where('digest_id', '=', id)
    .where('state', 'in', ['scheduling', 'scheduled'])
    .where('post_at', '>', now)
    .executeTakeFirst()
  return { isTooLate: unstoppable !== undefined }
}

const CANCELLATION_BATCH_SIZE = 20

/** Takes due cancellations, the most urgent first. One that fails is due again at `retryAt`. */
export const claimCancellations = (
  db: Db,
  { now, retryAt }: { now: Date; retryAt: Date },
): Promise<DigestCancellation[]> =>
  db
    .updateTable('digest_cancellation')
    .set({ retry_at: retryAt })
    .where('run_id', 'in', ({ selectFrom }) =>
      selectFrom('digest_cancellation')
        .select('run_id')
        .where('retry_at', '<=', now)
        .orderBy('post_at')
        .limit(CANCELLATION_BATCH_SIZE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/** For a message that Slack certainly doesn't have anymore. */
export const deleteCancellation = (db: Db, { run_id }: DigestCancellation): Promise<unknown> =>
  db.deleteFrom('digest_cancellation').where('run_id', '=', run_id).execute()

/** The message may have been posted: the owner is told, and the day gets no other digest. */
export const giveUpCancellation = (
  db: Db,
  cancellation: DigestCancellation,
  { message, now }: { message: string; now: Date },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { run_id, digest_id, day, channel_id, requested_at, post_at } = cancellation
    const { numDeletedRows } = await transaction
      .deleteFrom('digest_cancellation')
      .where('run_id', '=', run_id)
      .executeTakeFirst()
    if (!numDeletedRows) return
    await addDigestNotification(transaction, cancellation, message, now)
    const digest = await transaction
      .selectFrom('digest')
      .select('id')
      .where('id', '=', digest_id)
      .forUpdate()
      .executeTakeFirst()
    if (!digest) return
    await transaction
      .updateTable('digest_run')
      .set({ state: 'unconfirmed', leased_until: null })
      .where('digest_id', '=', digest_id)
      .where('state', '=', 'planned')
      .execute()
    await transaction
      .insertInto('digest_run')
      .values({
        id: run_id,
        digest_id,
        day,
        channel_id,
        due_at: post_at,
        post_at,
        requested_at,
        state: 'unconfirmed',
      })
      .onConflict((conflict) => conflict.columns(['digest_id', 'day']).doNothing())
      .execute()
  })

/** Whether Slack may still have an earlier message of the digest. */
export async function hasCancellations(db: Db, digest_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('digest_cancellation')
    .select('run_id')
    .where('digest_id', '=', digest_id)
    .executeTakeFirst()
  return row !== undefined
}
