import { addMs } from '../../runtime.ts'
import type { Db, PostMessage, ShownPost } from '../database/tables.ts'

type NewMessage = Omit<PostMessage, 'changed_by' | 'due_at'>

/** The post may have been changed since the message was written, so the two are compared at once. */
export const savePostMessage = (db: Db, message: NewMessage): Promise<unknown> =>
  db
    .insertInto('post_message')
    .values({ ...message, due_at: message.posted_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

type PostKey = Pick<PostMessage, 'team_id' | 'project_id' | 'post_id'>

/** Has the messages of a post compared with it at that time. */
export const checkMessages = (
  db: Db,
  { team_id, project_id, post_id }: PostKey,
  update: { due_at: Date; changed_by?: string },
): Promise<unknown> =>
  db
    .updateTable('post_message')
    .set(update)
    .where((eb) => eb.and({ team_id, project_id, post_id }))
    .execute()

const BATCH_SIZE = 100

export const listDueMessages = (db: Db, now: Date): Promise<PostMessage[]> =>
  db
    .selectFrom('post_message')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(BATCH_SIZE)
    .execute()

/** Longer than an update takes, so that no other instance writes an older text over a newer one. */
const LEASE_MS = 30_000

/** Until the lease ends, nobody else updates the message. Undefined if another instance has it. */
export const claimMessage = (
  db: Db,
  { channel_id, ts }: PostMessage,
  now: Date,
): Promise<PostMessage | undefined> =>
  db
    .updateTable('post_message')
    .set({ due_at: addMs(now, LEASE_MS) })
    .where((eb) => eb.and({ channel_id, ts }))
    .where('due_at', '<=', now)
    .returningAll()
    .executeTakeFirst()

/** Remembers what the message shows now. If the post was changed again meanwhile, the message stays due. */
export async function finishMessage(db: Db, claimed: PostMessage, post: ShownPost): Promise<void> {
  const { channel_id, ts, due_at } = claimed
  const message = db.updateTable('post_message').where((eb) => eb.and({ channel_id, ts }))
  await message.set({ post }).execute()
  await message.set({ due_at: null, changed_by: null }).where('due_at', '=', due_at).execute()
}

export const postponeMessage = (
  db: Db,
  { channel_id, ts, due_at: claimedUntil }: PostMessage,
  due_at: Date,
): Promise<unknown> =>
  db
    .updateTable('post_message')
    .set({ due_at })
    .where((eb) => eb.and({ channel_id, ts, due_at: claimedUntil }))
    .execute()

export const deletePostMessage = (db: Db, { channel_id, ts }: PostMessage) =>
  db
    .deleteFrom('post_message')
    .where((eb) => eb.and({ channel_id, ts }))
    .execute()

export const deleteOldPostMessages = (db: Db, postedBefore: Date): Promise<unknown> =>
  db.deleteFrom('post_message').where('posted_at', '<', postedBefore).execute()
