import type { Db, Tables } from '../database/tables.ts'

type PostMessage = Tables['post_message']
type PostKey = Pick<PostMessage, 'team_id' | 'project_id' | 'post_id'>

export const savePostMessage = (db: Db, message: PostMessage): Promise<unknown> =>
  db
    .insertInto('post_message')
    .values(message)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const listPostMessages = (db: Db, { team_id, project_id, post_id }: PostKey): Promise<PostMessage[]> =>
  db
    .selectFrom('post_message')
    .selectAll()
    .where((eb) => eb.and({ team_id, project_id, post_id }))
    .execute()

export const deletePostMessage = (db: Db, { channel_id, ts }: Pick<PostMessage, 'channel_id' | 'ts'>) =>
  db
    .deleteFrom('post_message')
    .where((eb) => eb.and({ channel_id, ts }))
    .execute()

export const deleteOldPostMessages = (db: Db, postedBefore: Date): Promise<unknown> =>
  db.deleteFrom('post_message').where('posted_at', '<', postedBefore).execute()

/** Who scheduled a post from Slack. */
export async function findAuthor(
  db: Db,
  { team_id, project_id, post_id }: PostKey,
): Promise<string | undefined> {
  const item = await db
    .selectFrom('outbox_item')
    .select('user_id')
    .where((eb) => eb.and({ team_id, project_id, record_id: post_id, form: 'schedule' }))
    .executeTakeFirst()
  return item?.user_id
}
