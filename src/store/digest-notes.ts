import type { Selectable } from 'kysely'
import type { Db, Tables } from './tables.ts'

export type DigestNote = Selectable<Tables['digest_note']>

export type NewNote = Pick<DigestNote, 'channel_id' | 'project_name' | 'set_by' | 'say'>

/** Kept until it has reached them: with what it is about, where that is written down too. */
export const keepNote = (
  db: Db,
  { channel_id, project_name, set_by, say }: NewNote,
  now: Date,
): Promise<unknown> =>
  db
    .insertInto('digest_note')
    .values({ channel_id, project_name, set_by, say, noted_at: now, tell_at: now })
    .execute()

/** What is to be told now, for whoever takes it in hand; if nothing comes of that, once more then. */
export const takeNotes = (db: Db, { now, again_at }: { now: Date; again_at: Date }): Promise<DigestNote[]> =>
  db
    .updateTable('digest_note')
    .set({ tell_at: again_at })
    .where('tell_at', '<=', now)
    .returningAll()
    .execute()

export const forgetNote = (db: Db, { id }: DigestNote): Promise<unknown> =>
  db.deleteFrom('digest_note').where('id', '=', id).execute()
