import { type Kysely, type Selectable, sql } from 'kysely'
import { lockForTransaction } from '../database/lock-for-transaction.ts'
import { createRowQueries } from '../database/queries.ts'
import { addMs } from '../runtime.ts'
import { readTraceparent } from '../tracing/spans.ts'
import type { JobTable } from './job-table.ts'

export type Job = Selectable<JobTable>

type Db = Kysely<{ job: JobTable }>

// biome-ignore lint/suspicious/noExplicitAny: the bot and the service have different tables in addition to this one
export type JobDb = Kysely<any>

const withJobTable = (db: JobDb): Db => db

const { selectRows, updateRows, deleteRows } = createRowQueries<{ job: JobTable }>()

export type NewJob = Pick<JobTable, 'kind' | 'id' | 'key'> & {
  owner?: string
  data?: unknown
  due_at?: Date
  blocks_until?: Date | null
  /** By default, the job continues the current trace. */
  traceparent?: string | null
}

/** Adds jobs in the caller's transaction. Adding a job that already exists may make it due earlier, but never later. */
export async function addJobs(db: JobDb, jobs: NewJob[], now: Date): Promise<void> {
  if (!jobs.length) return
  const currentTraceparent = readTraceparent() ?? null
  const values = jobs.map(
    ({ owner = null, data = null, due_at = now, traceparent = currentTraceparent, ...job }) => {
      return { ...job, owner, data, due_at, traceparent, added_at: now }
    },
  )
  await withJobTable(db)
    .insertInto('job')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet(({ ref }) => ({
        data: ref('excluded.data'),
        added_at: now,
        traceparent: ref('excluded.traceparent'),
        due_at: sql<Date>`least(job.due_at, excluded.due_at)`,
        attempts: 0,
        failures: 0,
        version: sql<number>`job.version + 1`,
      })),
    )
    .execute()
}

export async function isKeyBlocked(db: JobDb, kind: string, key: string, now: Date): Promise<boolean> {
  const blocking = selectRows(db, 'job', { kind, key }).where(blocksOthers(now))
  return (await blocking.limit(1).executeTakeFirst()) !== undefined
}

/** A run in progress still finishes, but the job doesn't run again. */
export const deleteJobs = (db: JobDb, kind: string, ids: string[]): Promise<unknown> =>
  deleteRows(db, 'job', { kind }).where('id', 'in', ids).execute()

const isLeased = (now: Date) => sql<boolean>`(leased_until is not null and leased_until >= ${now})`

/** Whether later jobs with the same key wait for this one. */
const blocksOthers = (now: Date) =>
  sql<boolean>`(due_at <= ${now} or blocks_until > ${now} or ${isLeased(now)})`

type Claim = { kind: string; limit: number; leaseMs: number; except: string[] }

/** Claims due jobs, at most one for each key. Instances claim in turn, so that no key has two runs at a time. */
export function claimJobs(
  db: JobDb,
  { kind, limit, leaseMs, except }: Claim,
  readClock: () => Date,
): Promise<Job[]> {
  const firstOfEachKey = (transaction: Db, now: Date) =>
    transaction
      .selectFrom('job')
      .distinctOn('key')
      .select(['id', 'due_at', 'leased_until'])
      .where('kind', '=', kind)
      .where(sql<boolean>`${blocksOthers(now)}`)
      .orderBy('key')
      .orderBy(isLeased(now), 'desc')
      .orderBy('seq')
  return withJobTable(db)
    .transaction()
    .execute(async (transaction) => {
      await lockForTransaction(transaction, `jobs ${kind}`)
      const now = readClock()
      return updateRows(transaction, 'job', { kind })
        .set({
          lease: sql<string>`gen_random_uuid()`,
          leased_until: addMs(now, leaseMs),
          attempts: sql<number>`attempts + 1`,
        })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom(firstOfEachKey(transaction, now).as('first'))
            .select('id')
            .where(isDue(now))
            .where(sql<boolean>`id <> all(${except})`)
            .orderBy('due_at')
            .limit(limit),
        )
        .returningAll()
        .execute()
    })
}

/** Returns the kinds with a due job that isn't leased. */
export async function listDueKinds(db: JobDb, kinds: string[], now: Date): Promise<string[]> {
  const rows = await withJobTable(db)
    .selectFrom(sql<{ kind: string }>`unnest(${kinds}::text[])`.as<'wanted'>(sql`wanted(kind)`))
    .select('wanted.kind')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('job').select('id').whereRef('job.kind', '=', 'wanted.kind').where(isDue(now))),
    )
    .execute()
  return rows.map(({ kind }) => kind)
}

const isDue = (now: Date) => sql<boolean>`(due_at <= ${now} and not ${isLeased(now)})`

/**
 * Counts the jobs of each kind. `lateness` says for how many seconds the oldest job has been due. `failing` counts the jobs
 * whose last run failed with an error, and `failures` is the most failures in a row that any job has.
 */
export const summarizeJobs = (db: JobDb, kinds: string[], now: Date) =>
  withJobTable(db)
    .selectFrom(sql<{ kind: string }>`unnest(${kinds}::text[])`.as<'wanted'>(sql`wanted(kind)`))
    .leftJoin('job', 'job.kind', 'wanted.kind')
    .select([
      'wanted.kind',
      sql<number>`(count(*) filter (where ${isDue(now)}))::int`.as('due'),
      sql<number>`(count(*) filter (where due_at > ${now}))::int`.as('waiting'),
      sql<number>`coalesce(extract(epoch from ${now} - min(due_at) filter (where ${isDue(now)})), 0)::float`.as(
        'lateness',
      ),
      sql<number>`(count(*) filter (where failures > 0))::int`.as('failing'),
      sql<number>`coalesce(max(failures), 0)`.as('failures'),
    ])
    .groupBy('wanted.kind')
    .execute()

/** Leaves out jobs that a transaction has locked, because waiting for several of them could end in a deadlock. */
export const renewLeases = (db: JobDb, leases: string[], leased_until: Date): Promise<unknown> =>
  withJobTable(db)
    .updateTable('job')
    .set({ leased_until })
    .where('lease', 'in', ({ selectFrom }) =>
      selectFrom('job').select('lease').where('lease', 'in', leases).forUpdate().skipLocked(),
    )
    .execute()

/**
 * Waits for the runs that are saving their results. Call this before changing rows that runs also change: runs lock
 * their job before other rows, and the same order prevents deadlocks.
 */
export async function lockJobs(transaction: JobDb, kinds: string[], ids: string[]): Promise<Job[]> {
  if (!ids.length) return []
  return withJobTable(transaction)
    .selectFrom('job')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('id', 'in', ids)
    .orderBy('kind')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The job as it is now, or undefined if the run has lost it. Until the transaction ends, no other run can take it. */
export const lockJob = (transaction: JobDb, { kind, id, lease }: Job): Promise<Job | undefined> =>
  selectRows(transaction, 'job', { kind, id, lease }).forUpdate().executeTakeFirst()

export const deleteJobsOf = (db: JobDb, owner: string): Promise<unknown> =>
  deleteRows(db, 'job', { owner }).execute()

export type NextRun = {
  due_at: Date
  blocks_until?: Date | undefined
  problem?: string | undefined
}

/**
 * Ends a run. `failures` counts the runs in a row that failed, including this one. If the job was added again during the
 * run, it stays due, so that it runs with its new data, and its failures start at 0 again.
 */
export async function endRun(db: JobDb, job: Job, next: NextRun | undefined, failures = 0): Promise<void> {
  const { kind, id, lease, version } = job
  if (!next) {
    const done = deleteRows(db, 'job', { kind, id, lease, version })
    if ((await done.executeTakeFirst()).numDeletedRows) return
  }
  const isUnchanged = sql<boolean>`version = ${version}`
  await updateRows(db, 'job', { kind, id, lease })
    .set({
      lease: null,
      leased_until: null,
      due_at: next
        ? sql<Date>`case when ${isUnchanged} then ${next.due_at} else due_at end`
        : sql<Date>`due_at`,
      blocks_until: next?.blocks_until ?? null,
      problem: next?.problem ?? null,
      failures: sql<number>`case when ${isUnchanged} then ${failures} else 0 end`,
    })
    .execute()
}
