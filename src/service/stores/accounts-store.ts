import { type Insertable, sql } from 'kysely'
import { addMs } from '../../runtime.ts'
import type { Platform } from '../values.ts'
import { deleteRows, selectRows, updateRows } from './queries.ts'
import type { Db, PublisherName, Row, Tables } from './tables.ts'

type AccountKey = { project_id: string; id: string }

export const listAccounts = (db: Db, project_id: string): Promise<Row<'account'>[]> =>
  selectRows(db, 'account', { project_id }).orderBy('platform').orderBy('created_at').execute()

export const findAccount = (db: Db, key: AccountKey) => selectRows(db, 'account', key).executeTakeFirst()

/** The account that publishes a project's posts on the platform. */
export const findConnectedAccount = (db: Db, key: { project_id: string; platform: Platform }) =>
  selectRows(db, 'account', { ...key, is_connected: true }).executeTakeFirst()

export const listConnectedAccounts = (db: Db, projectIds: string[]): Promise<Row<'account'>[]> =>
  selectRows(db, 'account', { is_connected: true }).where('project_id', 'in', projectIds).execute()

/** Adds an account without connecting it, or updates the stored account. */
export const saveAccount = (db: Db, account: Omit<Insertable<Tables['account']>, 'is_connected'>) =>
  db
    .insertInto('account')
    .values({ ...account, is_connected: false })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'platform', 'publisher', 'target']).doUpdateSet(account),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Connects the account instead of the platform's previous one. Needs a transaction. */
export async function connectAccount(db: Db, { id, project_id, platform }: Row<'account'>): Promise<void> {
  // Two people may connect accounts at the same time.
  await db.selectFrom('project').select('id').where('id', '=', project_id).forUpdate().execute()
  await updateRows(db, 'account', { project_id, platform, is_connected: true })
    .set({ is_connected: false })
    .execute()
  await db.updateTable('account').set({ is_connected: true }).where('id', '=', id).execute()
}

export const disconnectAccount = (db: Db, { project_id, id }: AccountKey): Promise<unknown> =>
  updateRows(db, 'account', { project_id, id }).set({ is_connected: false }).execute()

export const deleteAccount = (db: Db, { project_id, id }: AccountKey): Promise<unknown> =>
  deleteRows(db, 'account', { project_id, id }).execute()

export const listAllConnectedAccounts = (db: Db): Promise<Row<'account'>[]> =>
  selectRows(db, 'account', { is_connected: true }).execute()

type BusyPeriod = { start: Date; posts: number; publisher: PublisherName; name: string }

/**
 * Returns the minutes or hours with more scheduled posts than a network accepts: on one account or, if a publisher's
 * accounts share a limit, on all of them.
 */
export async function findBusyPeriods(
  db: Db,
  { publisher, unit, limit }: { publisher: PublisherName; unit: 'minute' | 'hour'; limit: number },
): Promise<BusyPeriod[]> {
  const name = publisher === 'POSTIZ' ? sql`'Postiz'` : sql`account.name || ' (' || target || ')'`
  const { rows } = await sql<BusyPeriod>`
    select date_trunc(${unit}, schedule_date) as start, count(*)::int as posts, publisher, ${name} as name
    from service.post
      join service.account on account.project_id = post.project_id and account.platform = any(platforms)
    where is_connected and publisher = ${publisher} and status = 'SCHEDULED' and results is null
    group by 1, 3, 4 having count(*) > ${limit} order by 1`.execute(db)
  return rows
}

type AccountChange = Partial<Pick<Row<'account'>, 'target' | 'name' | 'problem' | 'checked_at'>>

export const updateAccount = (db: Db, id: string, change: AccountChange): Promise<unknown> =>
  db.updateTable('account').set(change).where('id', '=', id).execute()

/** Gives the account the new id of its chat, and deletes the project's unconnected account with that id, if any. */
export const changeAccountTarget = (db: Db, account: Row<'account'>, target: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { id, project_id, platform, publisher } = account
    const other = { project_id, platform, publisher, target, is_connected: false }
    await deleteRows(transaction, 'account', other).where('id', '!=', id).execute()
    await updateAccount(transaction, id, { target })
  })

/** Keeps the account, or all accounts of a publisher that limits them together, from publishing until `paused_until`. */
export const pauseAccounts = (
  db: Db,
  accounts: { id: string } | { publisher: Row<'account'>['publisher'] },
  paused_until: Date,
): Promise<unknown> => updateRows(db, 'account', accounts).set({ paused_until }).execute()

const HEARTBEAT_INTERVAL_MS = 60_000
/** A restart of the service takes less time than this. */
const MIN_GAP_MS = 2 * HEARTBEAT_INTERVAL_MS

/** Gaps less than this apart count as one, because a short run may not have published all due posts. */
const MIN_TIME_BETWEEN_GAPS_MS = 60 * 60_000

/** Records the time since the backup as a gap, in which the service may have published posts. */
export const recordGapSinceBackup = (db: Db, now: Date): Promise<unknown> =>
  db
    .updateTable('heartbeat')
    .set(({ ref }) => ({ gap_from: ref('at'), gap_to: now, is_restored: true }))
    .execute()

/** A time in which the service recorded nothing. If `isRestored`, it ran then, but its data was lost. */
export type Gap = { from: Date; to: Date; isRestored: boolean }

/**
 * Records that the service is running, and returns the last period in which it recorded nothing. If the data is from a
 * backup, the service was running in that period and may have published posts.
 */
export async function recordHeartbeat(db: Db, now: Date): Promise<Gap | undefined> {
  const columns = ['at', 'gap_from', 'gap_to', 'is_restored'] as const
  let beat = await db.selectFrom('heartbeat').select(columns).executeTakeFirst()
  // Instances wait for each other's changes to the row, so each instance changes it rarely.
  if (!beat || beat.at < addMs(now, -HEARTBEAT_INTERVAL_MS)) {
    const isGap = sql<boolean>`heartbeat.at < ${addMs(now, -MIN_GAP_MS)}`
    const continuesGap = sql<boolean>`coalesce(heartbeat.gap_to > ${addMs(now, -MIN_TIME_BETWEEN_GAPS_MS)}, false)`
    beat = await db
      .insertInto('heartbeat')
      .values({ at: now })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          at: sql<Date>`greatest(heartbeat.at, excluded.at)`,
          gap_from: sql<Date>`case when ${isGap} and not ${continuesGap} then heartbeat.at else heartbeat.gap_from end`,
          is_restored: sql<boolean>`heartbeat.is_restored and (not ${isGap} or ${continuesGap} or heartbeat.at <= heartbeat.gap_from)`,
          gap_to: sql<Date>`case when ${isGap} then excluded.at else heartbeat.gap_to end`,
        }),
      )
      .returning(columns)
      .executeTakeFirstOrThrow()
  }
  const { gap_from, gap_to, is_restored } = beat
  return gap_from && gap_to ? { from: gap_from, to: gap_to, isRestored: is_restored } : undefined
}
