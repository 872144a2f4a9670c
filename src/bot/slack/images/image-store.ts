import { deleteRows, saveRow, selectRows } from '../../database/queries.ts'
import type { Db, Tables } from '../../database/tables.ts'

type Image = Tables['uploaded_picture']

/** Returns the file's id. Returns undefined if there is none, or while Slack may still be processing the image. */
export async function findImage(
  db: Db,
  { team_id, hash }: Pick<Image, 'team_id' | 'hash'>,
  now: Date,
): Promise<string | undefined> {
  const images = selectRows(db, 'uploaded_picture', { team_id, hash })
  return (await images.where('ready_at', '<=', now).executeTakeFirst())?.file_id
}

export const saveImage = (db: Db, image: Image): Promise<unknown> =>
  saveRow(db, 'uploaded_picture', ['team_id', 'hash'], image)

/** Forgets an image that Slack no longer has, so that it is uploaded again. */
export const forgetImage = (db: Db, { team_id, file_id }: Pick<Image, 'team_id' | 'file_id'>) =>
  deleteRows(db, 'uploaded_picture', { team_id, file_id }).execute()
