import { type Insertable, sql, type UpdateObject } from 'kysely'
import { isUniqueViolation } from '../../../database/error-codes.ts'
import { lockForTransaction } from '../../../database/lock-for-transaction.ts'
import { addJobs, deleteJobs, type Job, lockJob, lockJobs } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { earliestNextRun, nextOccurrence, type Recurrence } from '../../../time/recurrence.ts'
import { prepareOne, selectRows, updateRows } from '../../database/queries.ts'
import type { Db, Tables } from '../../database/tables.ts'
import { UNINSTALLATION_REASONS } from '../../slack/feature.ts'
import { DIGEST, messageKey, SCHEDULING_LEAD_MS, toCancellationJob, toDigestJob } from './digest-jobs.ts'
import {
  addDigestNotification,
  type DigestNotification,
  removeStopNotification,
  stopNotificationId,
} from './notify-owner.ts'
import { stopMessage } from './stop-reasons.ts'
import type { Digest, DigestContent } from './tables.ts'

type ScheduleColumn = 'next_at' | 'post_at' | 'requested_at' | 'message_id' | 'message_covers' | 'last_at'

export type NewDigest = Omit<Digest, ScheduleColumn | 'covered_until' | 'paused_reason'>

export const insertDigest = (db: Db, { recurrence, ...digest }: NewDigest, next_at: Date) =>
  db.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('digest')
      .values({ ...digest, recurrence: JSON.stringify(recurrence), next_at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return 'duplicate' as const
    await addJobs(transaction, [toDigestJob(digest, addMs(next_at, -SCHEDULING_LEAD_MS))], digest.created_at)
    return { isTooLate: false }
  })

export const CLEARED_MESSAGE = {
  post_at: null,
  requested_at: null,
  message_id: null,
  message_covers: null,
}

/** Slack won't delete a scheduled message in the last minute before it appears. The request also takes some seconds. */
export const MIN_CANCEL_LEAD_MS = 75_000

/**
 * In one transaction, changes a digest and adds a job that cancels its scheduled message, which Slack may already have.
 * In the result, `isTooLate` is true if that message can no longer be stopped.
 */
const cancelAndChange = (
  db: Db,
  id: string,
  now: Date,
  change: (transaction: Db, digest: Digest) => Promise<unknown>,
  isUnchanged: (digest: Digest) => boolean = () => true,
) =>
  inTransaction(db, async (transaction) => {
    await lockJobs(transaction, [DIGEST], [id])
    const stored = transaction.selectFrom('digest').selectAll().where('id', '=', id)
    const found = await stored.forUpdate().executeTakeFirst()
    if (!found) return 'gone' as const
    if (!isUnchanged(found)) return 'changed' as const
    // This ends the lease of a run in progress, so that the run can't overwrite the change.
    await deleteJobs(transaction, DIGEST, [id])
    const { post_at, next_at: last_at, message_covers } = found
    const covered_until = message_covers ?? found.covered_until
    const isKept = post_at !== null && post_at <= addMs(now, MIN_CANCEL_LEAD_MS)
    if (post_at && !isKept) await addJobs(transaction, [toCancellationJob(found, post_at)], now)
    const digest = await transaction
      .updateTable('digest')
      .set({ ...CLEARED_MESSAGE, ...(isKept && { last_at, covered_until }) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await change(transaction, digest)
    await addJobs(transaction, [toDigestJob(digest, now)], now)
    return { isTooLate: isKept && post_at > now }
  })

const inTransaction = <T>(db: Db, run: (transaction: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run)

type Update = { digest: NewDigest; isUnchanged: (digest: Digest) => boolean }

/**
 * Replaces a digest's settings and cancels its scheduled message, if the digest is as the user saw it. Resumes the digest
 * unless a user has paused it.
 */
export function updateDigest(db: Db, { digest, isUnchanged }: Update, now: Date) {
  const { id, recurrence, ...columns } = digest
  const change = async (transaction: Db, { last_at, paused_reason: reason }: Digest) => {
    const paused_reason = reason === USER_REQUEST ? reason : null
    await removeStopNotification(transaction, id)
    const next_at = findNextTime(recurrence, last_at, now)
    await updateRows(transaction, 'digest', { id })
      .set({ ...columns, recurrence: JSON.stringify(recurrence), next_at, paused_reason })
      .execute()
  }
  return cancelAndChange(db, id, now, change, isUnchanged).catch((error) => {
    if (isUniqueViolation(error)) return 'duplicate' as const
    throw error
  })
}

/** The `paused_reason` of a digest that a user paused. Any other reason is one of Slack's error codes. */
export const USER_REQUEST = 'user_request'

export const pauseDigest = (db: Db, { id, team_id }: Digest, now: Date) =>
  cancelAndChange(db, id, now, (transaction) =>
    pauseMatchingDigests(transaction, { id, team_id }, USER_REQUEST),
  )

export const deleteDigest = (db: Db, { id }: Digest, now: Date) =>
  cancelAndChange(db, id, now, async (transaction) => {
    await removeStopNotification(transaction, id)
    await transaction.deleteFrom('digest').where('id', '=', id).execute()
  })

export const resumeDigest = (db: Db, { id }: Digest, now: Date) =>
  cancelAndChange(db, id, now, async (transaction, { last_at, recurrence }) => {
    await removeStopNotification(transaction, id)
    await updateRows(transaction, 'digest', { id })
      .set({ paused_reason: null, next_at: findNextTime(recurrence, last_at, now) })
      .execute()
  })

/** Resumes those digests of a workspace that stopped because the app was uninstalled. */
export async function resumeStoppedDigests(db: Db, team_id: string, now: Date): Promise<void> {
  const digests = selectRows(db, 'digest', { team_id }).where('paused_reason', 'in', UNINSTALLATION_REASONS)
  for (const digest of await digests.execute()) await resumeDigest(db, digest, now)
}

function findNextTime(recurrence: Recurrence, last_at: Date | null, now: Date): Date {
  const blocked = last_at && earliestNextRun(recurrence, last_at)
  return nextOccurrence(recurrence, blocked && blocked > now ? blocked : now).toJSDate()
}

/**
 * Pauses a digest, or all digests of a workspace, because Slack no longer accepts their messages or the project is lost.
 * Call this in a transaction.
 */
export async function stopDigests(
  transaction: Db,
  digests: DigestFilter,
  reason: string,
  now: Date,
): Promise<void> {
  const message = stopMessage(reason)
  for (const digest of await pauseMatchingDigests(transaction, digests, reason))
    await addDigestNotification(transaction, {
      id: stopNotificationId(digest),
      digest,
      message,
      concernsAdmins: true,
      now,
    })
}

type DigestFilter = { team_id: string } & Partial<Pick<Digest, 'id' | 'channel_id' | 'owner_id'>>

const pauseMatchingDigests = (db: Db, digests: DigestFilter, paused_reason: string) =>
  updateRows(db, 'digest', digests)
    .set({ paused_reason })
    .where('paused_reason', 'is', null)
    .returningAll()
    .execute()

export const updateProjectName = (
  db: Db,
  { team_id, project_id, project_name }: Pick<Digest, 'team_id' | 'project_id' | 'project_name'>,
): Promise<unknown> => updateRows(db, 'digest', { team_id, project_id }).set({ project_name }).execute()

export const findDigest = prepareOne((db, { id }: Pick<Digest, 'id'>) =>
  db.selectFrom('digest').selectAll().where('id', '=', id),
)

export const listDigests = (db: Db, filter: DigestFilter): Promise<Digest[]> =>
  selectRows(db, 'digest', filter).orderBy('created_at').execute()

/** Changes the digest of a job, unless the run no longer holds the job's lease. */
export const updateInRun = (
  db: Db,
  job: Job,
  changes: UpdateObject<Tables, 'digest'>,
  notification?: DigestNotification,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return
    await transaction.updateTable('digest').set(changes).where('id', '=', job.key).execute()
    if (notification) await addDigestNotification(transaction, { ...notification, concernsAdmins: true })
  })

type MessageRequest = { post_at: Date; requested_at: Date; message_covers: Date | null }

/**
 * Stores a request to schedule a message, before it goes to Slack. Returns the message's time, moved to a second that
 * no other message of the channel has, or undefined if the run has lost the job.
 */
export const saveRequest = (
  db: Db,
  job: Job,
  { id, channel_id }: Digest,
  { post_at: wanted, ...request }: MessageRequest,
): Promise<Date | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    await lockForTransaction(transaction, `digests ${channel_id}`)
    let post_at = wanted
    while (await isTaken(transaction, id, channel_id, post_at)) post_at = addMs(post_at, 1000)
    const changes = { post_at, message_id: null, ...request }
    await transaction.updateTable('digest').set(changes).where('id', '=', id).execute()
    return post_at
  })

/** Whether the channel has another message at this second: that of another digest, or one that is being deleted. */
async function isTaken(db: Db, id: string, channel_id: string, post_at: Date): Promise<boolean> {
  const cancellations = db.selectFrom('job').select('id').where('kind', '=', DIGEST)
  const others = db.selectFrom('digest').select('id').where('id', '!=', id)
  const [taken] = [
    ...(await cancellations.where('id', '=', messageKey(channel_id, post_at)).execute()),
    ...(await others.where((eb) => eb.and({ channel_id, post_at })).execute()),
  ]
  return taken !== undefined
}

/** Slack accepts about 50 messages a minute from a workspace. */
const MAX_REQUESTS_PER_MINUTE = 40

/** Returns the time at which Slack accepts the next message of a workspace: now, or when the limit allows it. */
export async function findNextRequestTime(db: Db, team_id: string, now: Date): Promise<Date> {
  const { requests, first_at } = await db
    .selectFrom('digest')
    .select(({ fn }) => [fn.countAll<string>().as('requests'), fn.min('requested_at').as('first_at')])
    .where('team_id', '=', team_id)
    .where('requested_at', '>', addMs(now, -60_000))
    .executeTakeFirstOrThrow()
  return first_at && Number(requests) >= MAX_REQUESTS_PER_MINUTE ? addMs(first_at, 60_000) : now
}

/** The message may have been posted, so the owner is notified, and the digest posts no other message for that time. */
export const abandonCancellation = (
  db: Db,
  job: Job,
  last_at: Date,
  notification: DigestNotification,
): Promise<void> => updateInRun(db, job, { last_at: sql<Date>`greatest(last_at, ${last_at})` }, notification)

export const saveContent = (db: Db, content: Insertable<Tables['digest_content']>) =>
  db.insertInto('digest_content').values(content).execute()

export async function findContent(db: Db, id: string): Promise<DigestContent | undefined> {
  const row = await db.selectFrom('digest_content').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content
}
