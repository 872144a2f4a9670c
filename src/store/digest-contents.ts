import type { Db } from './tables.ts'

/** What a digest had to say, for whoever unfolds it in the channel. */
export const keepContent = (
  db: Db,
  { id, content, kept_at }: { id: string; content: object; kept_at: Date },
): Promise<unknown> =>
  db
    .insertInto('digest_content')
    .values({ id, content: JSON.stringify(content), kept_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ content: JSON.stringify(content) }))
    .execute()

export async function findContent(db: Db, id: string): Promise<object | undefined> {
  const row = await db.selectFrom('digest_content').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content
}

export const forgetContents = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('digest_content').where('kept_at', '<', before).execute()
