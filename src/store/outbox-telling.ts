import type { Db, OutboxItem } from './tables.ts'

type Person = { team_id: string; user_id: string }

/** The next thing that the person is to be told, for whoever takes it in hand; if nothing comes of that, once more then. */
export const takeUntold = (
  db: Db,
  { team_id, user_id }: Person,
  { now, again_at }: { now: Date; again_at: Date },
): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set({ due_at: again_at })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('outbox_item')
        .select('id')
        .where('team_id', '=', team_id)
        .where('user_id', '=', user_id)
        .where('is_untold', '=', true)
        .where('due_at', '<=', now)
        .orderBy('seq')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** Unless something else has come of it since. */
export const markTold = (db: Db, { id, due_at, state }: OutboxItem): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({ is_untold: false })
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .where('state', '=', state)
    .execute()
