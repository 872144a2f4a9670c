import { type Insertable, sql, type UpdateObject } from 'kysely'
import { addJobs, type Job, lockJob, type NewJob, type NextRun } from '../../../../jobs/job-store.ts'
import { deleteRows, selectRows, updateRows } from '../../../database/queries.ts'
import type { Db, ProjectKey, Tables } from '../../../database/tables.ts'
import type { PostMessage, ShownPost } from '../tables.ts'

export const MESSAGE_UPDATE = 'message update'

const toJob = ({ team_id, channel_id, ts }: MessageKey): NewJob => {
  const id = `${channel_id} ${ts}`
  return { kind: MESSAGE_UPDATE, id, key: id, owner: team_id, data: { channel_id, ts } }
}

type MessageKey = Pick<PostMessage, 'team_id' | 'channel_id' | 'ts'>

/** The post may have been changed since the message was written, so the two are compared now. */
export const savePostMessage = (db: Db, message: Insertable<Tables['post_message']>): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('post_message')
      .values(message)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await addJobs(transaction, [toJob(message)], message.posted_at)
  })

type PostKey = Pick<PostMessage, 'team_id' | 'project_id' | 'post_id'>

type QueueOptions = { due_at?: Date; mark?: UpdateObject<Tables, 'post_message'> | undefined }

/** Queues a comparison of a post's messages with the post, and marks the messages. Needs a transaction. */
export async function queueMessageUpdates(
  transaction: Db,
  { team_id, project_id, post_id }: PostKey,
  now: Date,
  { due_at = now, mark }: QueueOptions = {},
): Promise<void> {
  const messages = await transaction
    .selectFrom('post_message')
    .select(['team_id', 'channel_id', 'ts'])
    .where((eb) => eb.and({ team_id, project_id, post_id }))
    .orderBy('channel_id')
    .orderBy('ts')
    .execute()
  const jobs = messages.map((message) => ({ ...toJob(message), due_at }))
  // The jobs come before the messages: a run locks its job first, and the opposite order could deadlock.
  await addJobs(transaction, jobs, now)
  if (mark)
    await updateRows(transaction, 'post_message', { team_id, project_id, post_id }).set(mark).execute()
}

/** Marks the change to a post as unconfirmed, and queues an update of the post's messages at `until`. */
export const expectChange = (db: Db, post: PostKey, until: Date, now: Date): Promise<void> => {
  const uncertain_until = sql<Date>`greatest(uncertain_until, ${until})`
  const mark = { uncertain_until, last_change: 'unconfirmed' as const, changed_by: null }
  return db
    .transaction()
    .execute((transaction) => queueMessageUpdates(transaction, post, now, { due_at: until, mark }))
}

export const findMessage = (db: Db, { data }: Job): Promise<PostMessage | undefined> =>
  selectRows(db, 'post_message', data as { channel_id: string; ts: string }).executeTakeFirst()

type Shown = {
  /** The post's id, which changes when the service gets a held post. */
  post_id: string
  post: ShownPost
  readAt: Date
  /** When to compare again, because publishing may have changed the post by then. */
  nextCheck: Date | undefined
}

/** Stores the post as the message shows it now. If the post may still change, returns when to compare them again. */
export const saveShownPost = (
  db: Db,
  job: Job,
  { channel_id, ts, uncertain_until }: PostMessage,
  { post_id, post, readAt, nextCheck }: Shown,
): Promise<NextRun | undefined> =>
  db.transaction().execute(async (transaction) => {
    const lockedJob = await lockJob(transaction, job)
    if (!lockedJob) return undefined
    const stillUncertainUntil = uncertain_until && uncertain_until > readAt ? uncertain_until : undefined
    // A change that was marked since this run began is shown by the next run, so its marks must stay.
    const isShown = lockedJob.version === job.version
    const marks = { last_change: stillUncertainUntil ? ('unconfirmed' as const) : null, changed_by: null }
    await updateRows(transaction, 'post_message', { channel_id, ts })
      .set({ post_id, post, ...(isShown && marks) })
      .execute()
    const [due_at] = [stillUncertainUntil, nextCheck].flatMap((date) => date ?? []).sort((a, b) => +a - +b)
    return due_at && { due_at }
  })

export const deletePostMessage = (db: Db, job: Job, { channel_id, ts }: PostMessage): Promise<undefined> =>
  db.transaction().execute(async (transaction) => {
    if (await lockJob(transaction, job))
      await deleteRows(transaction, 'post_message', { channel_id, ts }).execute()
    return undefined
  })

/**
 * The person whose direct message shows the post or, without `post_id`, any post of the project that may still change.
 */
export async function findFollower(
  db: Db,
  key: ProjectKey & { post_id?: string },
): Promise<string | undefined> {
  const messages = db.selectFrom('post_message').select('posted_by').where('channel_id', 'like', 'D%')
  const first = messages
    .where((eb) => eb.and(key))
    .orderBy('posted_at')
    .limit(1)
  return (await first.executeTakeFirst())?.posted_by
}
