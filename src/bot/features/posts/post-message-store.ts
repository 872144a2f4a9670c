import { sql } from 'kysely'
import { addMs } from '../../../runtime.ts'
import type { Db } from '../../database/tables.ts'
import type { PostMessage, ShownPost } from './tables.ts'

type NewMessage = Pick<
  PostMessage,
  | 'team_id'
  | 'project_id'
  | 'project_name'
  | 'post_id'
  | 'post'
  | 'channel_id'
  | 'ts'
  | 'posted_by'
  | 'posted_at'
  | 'comment'
>

/** The post may have been changed since the message was written, so the two are compared at once. */
export const savePostMessage = (db: Db, message: NewMessage): Promise<unknown> =>
  db
    .insertInto('post_message')
    .values({ ...message, due_at: message.posted_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

type PostKey = Pick<PostMessage, 'team_id' | 'project_id' | 'post_id'>

type Mark = Pick<PostMessage, 'due_at'> & Partial<Pick<PostMessage, 'last_change' | 'changed_by'>>

/** Marks the messages of a post to be compared with it at that time. */
export const markMessages = (db: Db, post: PostKey, mark: Mark): Promise<unknown> =>
  updateMessagesOf(db, post).set(mark).execute()

/** Has the messages of a post compared with it at that time, too, whatever other changes mark meanwhile. */
export const expectChange = (db: Db, post: PostKey, until: Date): Promise<unknown> =>
  updateMessagesOf(db, post)
    .set({
      uncertain_until: sql<Date>`greatest(uncertain_until, ${until})`,
      due_at: sql<Date>`coalesce(due_at, ${until})`,
      last_change: 'unconfirmed',
      changed_by: null,
    })
    .execute()

const updateMessagesOf = (db: Db, { team_id, project_id, post_id }: PostKey) =>
  db.updateTable('post_message').where((eb) => eb.and({ team_id, project_id, post_id }))

const BATCH_SIZE = 100

const isFree = (now: Date) =>
  sql<boolean>`(due_at <= ${now} and (leased_until is null or leased_until < ${now}))`

export const listDueMessages = (db: Db, now: Date): Promise<PostMessage[]> =>
  db.selectFrom('post_message').selectAll().where(isFree(now)).orderBy('due_at').limit(BATCH_SIZE).execute()

/** Longer than an update takes, so that no other instance writes a newer text before this one has written an older text. */
const LEASE_MS = 60_000

/** Undefined if another instance has the message. */
export const claimMessage = (
  db: Db,
  { channel_id, ts }: PostMessage,
  now: Date,
): Promise<PostMessage | undefined> =>
  db
    .updateTable('post_message')
    .set({ leased_until: addMs(now, LEASE_MS) })
    .where((eb) => eb.and({ channel_id, ts }))
    .where(isFree(now))
    .returningAll()
    .executeTakeFirst()

const updateClaimed = (db: Db, { channel_id, ts, leased_until }: PostMessage) =>
  db.updateTable('post_message').where((eb) => eb.and({ channel_id, ts, leased_until }))

/** Stores what the message shows now. If the post was changed since the claim, or may still change, the message stays due. */
export const finishMessage = (
  db: Db,
  claimed: PostMessage,
  post: ShownPost,
  readAt: Date,
): Promise<unknown> => {
  const isUnchanged = sql<boolean>`due_at = ${claimed.due_at}`
  const nextCheck = sql<Date | null>`case when uncertain_until > ${readAt} then uncertain_until end`
  const nextChange = sql<'unconfirmed' | null>`case when uncertain_until > ${readAt} then 'unconfirmed' end`
  return updateClaimed(db, claimed)
    .set(({ eb }) => ({
      post,
      leased_until: null,
      last_change: eb.case().when(isUnchanged).then(nextChange).else(eb.ref('last_change')).end(),
      changed_by: eb.case().when(isUnchanged).then(null).else(eb.ref('changed_by')).end(),
      due_at: eb.case().when(isUnchanged).then(nextCheck).else(eb.ref('due_at')).end(),
    }))
    .execute()
}

/** Another attempt follows then. */
export const postponeMessage = (db: Db, claimed: PostMessage, until: Date): Promise<unknown> =>
  updateClaimed(db, claimed).set({ leased_until: until }).execute()

export const deletePostMessage = (db: Db, { channel_id, ts, leased_until }: PostMessage) =>
  db
    .deleteFrom('post_message')
    .where((eb) => eb.and({ channel_id, ts, leased_until }))
    .execute()
