import type { Db, Tables } from '../../database/tables.ts'

type Image = Tables['uploaded_picture']

/** Returns the file's id. Returns undefined if there is none, or while Slack may still be processing the image. */
export async function findImage(
  db: Db,
  { team_id, hash }: Pick<Image, 'team_id' | 'hash'>,
  now: Date,
): Promise<string | undefined> {
  const image = await db
    .selectFrom('uploaded_picture')
    .select('file_id')
    .where((eb) => eb.and({ team_id, hash }))
    .where('ready_at', '<=', now)
    .executeTakeFirst()
  return image?.file_id
}

export const saveImage = (db: Db, image: Image): Promise<unknown> =>
  db
    .insertInto('uploaded_picture')
    .values(image)
    .onConflict((conflict) => conflict.columns(['team_id', 'hash']).doUpdateSet(image))
    .execute()

/** Forgets an image that Slack no longer has, so that it is uploaded again. */
export const forgetImage = (db: Db, { team_id, file_id }: Pick<Image, 'team_id' | 'file_id'>) =>
  db
    .deleteFrom('uploaded_picture')
    .where((eb) => eb.and({ team_id, file_id }))
    .execute()
