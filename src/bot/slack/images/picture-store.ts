import type { Db, Tables } from '../../database/tables.ts'

type Picture = Tables['uploaded_picture']

/** Undefined also while Slack is still processing the picture. */
export async function findPicture(
  db: Db,
  { team_id, hash }: Pick<Picture, 'team_id' | 'hash'>,
  now: Date,
): Promise<string | undefined> {
  const picture = await db
    .selectFrom('uploaded_picture')
    .select('file_id')
    .where((eb) => eb.and({ team_id, hash }))
    .where('ready_at', '<=', now)
    .executeTakeFirst()
  return picture?.file_id
}

export const savePicture = (db: Db, picture: Picture): Promise<unknown> =>
  db
    .insertInto('uploaded_picture')
    .values(picture)
    .onConflict((conflict) => conflict.columns(['team_id', 'hash']).doUpdateSet(picture))
    .execute()

/** For a picture that Slack doesn't have anymore. */
export const forgetPicture = (db: Db, { team_id, file_id }: Pick<Picture, 'team_id' | 'file_id'>) =>
  db
    .deleteFrom('uploaded_picture')
    .where((eb) => eb.and({ team_id, file_id }))
    .execute()
