import type { Db, UserKey } from '../database/tables.ts'

export async function findHomeHash(db: Db, { team_id, user_id }: UserKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_home')
    .select('content_hash')
    .where((eb) => eb.and({ team_id, user_id }))
    .executeTakeFirst()
  return row?.content_hash
}

export const saveHomeHash = (db: Db, { team_id, user_id }: UserKey, content_hash: string): Promise<unknown> =>
  db
    .insertInto('user_home')
    .values({ team_id, user_id, content_hash })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ content_hash }))
    .execute()
