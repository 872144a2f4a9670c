import { type NotNull, sql } from 'kysely'
import { selectRows } from '../database/queries.ts'
import type { Db, UserKey } from '../database/tables.ts'
import type { StoredSubmission } from '../forms/form.ts'
import type { OutboxItem } from './tables.ts'

export type ItemKey = UserKey & { id: string }

type ItemFilter = Partial<
  Pick<OutboxItem, 'id' | 'team_id' | 'user_id' | 'project_id' | 'form' | 'record_id'>
>

export const findItem = (db: Db, filter: ItemFilter): Promise<OutboxItem | undefined> =>
  selectRows(db, 'outbox_item', filter).executeTakeFirst()

/** Lists items that aren't held: unsent ones before sent ones, and the latest first within each group. */
export const listItems = (db: Db, { team_id, user_id }: UserKey, limit: number): Promise<OutboxItem[]> =>
  selectRows(db, 'outbox_item', { team_id, user_id })
    .where('state', '!=', 'held')
    .orderBy((eb) => eb('state', '=', 'sent'))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()

/** Counts the user's items that need attention: failed ones, and ones whose outcome only the user can find out. */
export async function countItemsNeedingAttention(db: Db, { team_id, user_id }: UserKey): Promise<number> {
  const { count } = await db
    .selectFrom('outbox_item')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and({ team_id, user_id }))
    .where((eb) =>
      eb.or([eb('needs_answer', '=', true), eb('state', 'in', ['refused', 'missed', 'expired'])]),
    )
    // Nothing can be done about an item whose input is erased.
    .where('form_values', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The bodies of a workspace's items from these forms, except sent items and new posts that are held. */
export async function listUnsentBodies(
  db: Db,
  team_id: string,
  forms: string[],
): Promise<Record<string, unknown>[]> {
  const items = await db
    .selectFrom('outbox_item')
    .select('body')
    .where('team_id', '=', team_id)
    .where('form', 'in', forms)
    .where('state', '!=', 'sent')
    .where(({ eb, or }) => or([eb('state', '!=', 'held'), eb('form', '!=', 'schedule')]))
    .where('body', 'is not', null)
    .execute()
  return items.flatMap(({ body }) => (body ? [body] : []))
}

const MAX_OTHER_ITEMS = 1000

type OtherItem = Pick<OutboxItem, 'state' | 'record_id' | 'finished_at'> & { body: Record<string, unknown> }

/** The latest items of the same project and form, to distinguish their records from this item's. */
export const listOtherItems = (db: Db, { id, project_id, form }: StoredSubmission): Promise<OtherItem[]> =>
  db
    .selectFrom('outbox_item')
    .select(['state', 'record_id', 'body', 'finished_at'])
    .where((eb) => eb.and({ project_id, form }))
    .where('id', '!=', id)
    .where('body', 'is not', null)
    .$narrowType<{ body: NotNull }>()
    .orderBy('seq', 'desc')
    .limit(MAX_OTHER_ITEMS)
    .execute()

type PostKey = { project_id: string; post_id: string; is_held?: boolean | undefined }

/** Finds the submission of a post. Call this before a cancellation deletes it. Its `user_id` may be `ERASED`. */
export const findPostItem = (
  db: Db,
  team_id: string,
  { project_id, post_id, is_held }: PostKey,
): Promise<Pick<OutboxItem, 'id' | 'user_id' | 'body'> | undefined> =>
  db
    .selectFrom('outbox_item')
    .select(['id', 'user_id', 'body'])
    .where((eb) => eb.and({ team_id, project_id, form: 'schedule' }))
    .where(is_held ? 'id' : 'record_id', '=', post_id)
    .executeTakeFirst()

export const findPostAuthor = async (db: Db, team_id: string, post: PostKey): Promise<string | undefined> =>
  (await findPostItem(db, team_id, post))?.user_id

/** The items that were submitted together, in the order of submission. */
export const listBatch = (db: Db, batch_id: string): Promise<OutboxItem[]> =>
  db.selectFrom('outbox_item').selectAll().where('batch_id', '=', batch_id).orderBy('seq').execute()

type ItemProjectKey = Pick<OutboxItem, 'team_id' | 'project_id' | 'id'>

/** A held change to an existing record. It waits for approval. */
export type HeldChange = Pick<OutboxItem, 'id' | 'body'>

/** Held changes to an existing record. Held new records aren't included. */
export const listHeldChanges = (
  db: Db,
  { team_id, project_id, record_id }: { team_id: string; project_id: string; record_id: string },
): Promise<HeldChange[]> =>
  db
    .selectFrom('outbox_item')
    .select(['id', 'body'])
    .where((eb) => eb.and({ team_id, project_id, state: 'held' }))
    .where('form', '!=', 'schedule')
    .where(sql<boolean>`opened_record ->> 'record_id' = ${record_id}`)
    .execute()

/** New posts of a project that are held or on their way. */
export const listUnfinishedPosts = (db: Db, { team_id, project_id }: Omit<ItemProjectKey, 'id'>) =>
  db
    .selectFrom('outbox_item')
    .select(['id', 'user_id', 'body', 'state'])
    .where((eb) => eb.and({ team_id, project_id, form: 'schedule' }))
    .where('finished_at', 'is', null)
    .execute()
