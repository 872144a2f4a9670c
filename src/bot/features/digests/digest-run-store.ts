import { sql } from 'kysely'
import { addJobs, type Job, lockJob, lockJobs, type NewJob, removeJobs } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { prepareOne } from '../../database/prepare.ts'
import type { Db } from '../../database/tables.ts'
import { addDigestNotification, type DigestNotification } from './notify-owner.ts'
import type { Digest, DigestCancellation, DigestRun, DigestRunUpdate } from './tables.ts'

export const RUN = 'digest'
export const CANCELLATION = 'digest cancellation'

/** Runs of a workspace are processed in this many lanes, which leaves room for other workspaces. */
const LANES = 10

const toRunJob = (id: string, { team_id }: Pick<Digest, 'team_id'>): NewJob => ({
  kind: RUN,
  id,
  key: `${team_id} ${Number.parseInt(id.slice(0, 8), 16) % LANES}`,
  owner: team_id,
})

/** After this, no request to Slack is still under way, and Slack's list of scheduled messages is up to date. */
export const SETTLE_MS = 120_000

/** Slack accepts about 50 messages a minute from a workspace. Each lane may be about to ask for one. */
const MAX_REQUESTS_PER_MINUTE = 50 - LANES

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
          .doUpdateSet({ ...run, problem: null })
          .where('digest_run.state', '=', 'skipped'),
      )
      .returning('digest_run.id')
  )
})

/** Plans a run and moves the digest on to its next time. Only one instance succeeds. */
export const planRun = (
  db: Db,
  digest: Digest,
  run: PlannedRun,
  next_at: Date,
  now: Date,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    const planned = await insertPlannedRun(transaction, { ...run, ...toAdvance(digest, next_at) })
    if (planned) await addJobs(transaction, [toRunJob(planned.id, digest)], now)
  })

/** When Slack takes the next message of a workspace. */
export async function findNextRequestTime(db: Db, team_id: string, now: Date): Promise<Date> {
  const since = addMs(now, -60_000)
  const { rows } = await sql<{ limited_until: Date | null; requests: string; first_at: Date | null }>`
    select max(rate_limited_until) filter (where state in ('planned', 'scheduling')) as limited_until,
      count(*) filter (where requested_at > ${since}) as requests,
      min(requested_at) filter (where requested_at > ${since}) as first_at
    from upnext.digest_run run join upnext.digest digest on digest.id = run.digest_id
    where digest.team_id = ${team_id} and (state in ('planned', 'scheduling') or requested_at > ${since})
  `.execute(db)
  const [{ limited_until, requests, first_at } = { limited_until: null, requests: '0', first_at: null }] =
    rows
  if (limited_until && limited_until > now) return limited_until
  return first_at && Number(requests) >= MAX_REQUESTS_PER_MINUTE ? addMs(first_at, 60_000) : now
}

export const findOpenRun = prepareOne((db, { id }: Pick<DigestRun, 'id'>) =>
  db.selectFrom('digest_run').selectAll().where('id', '=', id).where('state', 'in', OPEN_STATES),
)

/** Changes a run while this instance has its job. Undefined if it has lost it. */
export const updateRun = (
  db: Db,
  { run, job }: { run: DigestRun; job: Job },
  changes: DigestRunUpdate,
): Promise<DigestRun | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    return transaction
      .updateTable('digest_run')
      .set(changes)
      .where('id', '=', run.id)
      .returningAll()
      .executeTakeFirst()
  })

/** Gives up on a run, and may notify the owner. Slack may have accepted an earlier request. */
export const abandonRun = (
  db: Db,
  { run, job }: { run: DigestRun; job: Job },
  notification?: DigestNotification,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return
    const state = run.state === 'scheduling' ? 'unconfirmed' : 'skipped'
    await transaction.updateTable('digest_run').set({ state }).where('id', '=', run.id).execute()
    if (notification) await addDigestNotification(transaction, notification)
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

async function listRunIds(db: Db, digest_id: string): Promise<string[]> {
  const runs = await db
    .selectFrom('digest_run')
    .select('id')
    .where('digest_id', '=', digest_id)
    .where('state', 'in', OPEN_STATES)
    .execute()
  return runs.map(({ id }) => id)
}

/** Deletes a digest's open runs, and stores which messages Slack must delete. `isTooLate`: the next one can't be stopped. */
export async function deleteOpenRuns(transaction: Db, digest_id: string, now: Date) {
  const digest = await lockDigest(transaction, digest_id)
  if (!digest) return 'gone'
  const { team_id, project_name, owner_id } = digest
  await lockJobs(transaction, [RUN], await listRunIds(transaction, digest_id))
  const { rows } = await sql<{ id: string; is_planned: boolean }>`
    with cancelled as (
      delete from upnext.digest_run
      where digest_id = ${digest_id} and (state = 'planned'
        or (state in ('scheduling', 'scheduled') and post_at > ${addMs(now, CANCEL_DEADLINE_MS)}))
      returning *
    ), inserted as (
      insert into upnext.digest_cancellation (run_id, digest_id, day, team_id, channel_id, project_name, owner_id,
        message_id, requested_at, post_at)
      select id, digest_id, day, ${team_id}, coalesce(channel_id, ${digest.channel_id}), ${project_name}, ${owner_id},
        message_id, requested_at, post_at
      from cancelled where state <> 'planned'
    )
    select id, state = 'planned' as is_planned from cancelled
  `.execute(transaction)
  const ids = rows.map(({ id }) => id)
  if (ids.length) await removeJobs(transaction, RUN, ids)
  const requested = rows.filter(({ is_planned }) => !is_planned)
  await addJobs(
    transaction,
    requested.map(({ id }) => ({ kind: CANCELLATION, id, key: id, owner: team_id })),
    now,
  )
  const unstoppable = await transaction
    .selectFrom('digest_run')
    .select('id')
    .where('digest_id', '=', digest_id)
    .where('state', 'in', ['scheduling', 'scheduled'])
    .where('post_at', '>', now)
    .executeTakeFirst()
  return { isTooLate: unstoppable !== undefined }
}

export const findCancellation = (db: Db, { id }: Job): Promise<DigestCancellation | undefined> =>
  db.selectFrom('digest_cancellation').selectAll().where('run_id', '=', id).executeTakeFirst()

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
      .set({ state })
      .where((eb) => eb.and({ digest_id, state: 'planned' }))
      .execute()
    await transaction
      .insertInto('digest_run')
      .values({ id, digest_id, day, channel_id, due_at: post_at, post_at, requested_at, state })
      .onConflict((conflict) => conflict.columns(['digest_id', 'day']).doNothing())
      .execute()
  })
