import type { Db, Tables } from '../../database/tables.ts'

type Image = Tables['uploaded_picture']

/** Undefined also while Slack is still processing the image. */
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

/** For an image that Slack doesn't have anymore. */
export const forgetImage = (db: Db, { team_id, file_id }: Pick<Image, 'team_id' | 'file_id'>) =>
  db
    .deleteFrom('uploaded_picture')
    .where((eb) => eb.and({ team_id, file_id }))
    .execute()
