import type { ViewOutput } from '@slack/bolt'
import { addMs } from '../../runtime.ts'
import { deleteRows, prepareOne, saveRow, selectRows, updateRows } from '../database/queries.ts'
import type { Db, Tables, UserKey } from '../database/tables.ts'
import { CLOSED_FORM, OPEN_FORM_TTL_MS } from './tables.ts'

type OpenForm = Omit<Tables['open_form'], 'submitted_view' | 'changed_ts'>

/** Stores the state of a form after a user's action, unless the state after a later action is already stored. */
export const saveOpenForm = (db: Db, form: OpenForm): Promise<unknown> => insertOrUpdate(db, form, form)

/** Stores the state of a form only if nothing is stored yet. */
export const saveFirstState = (db: Db, form: OpenForm): Promise<unknown> =>
  db
    .insertInto('open_form')
    .values(form)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Stores text that doesn't change the view. Keeps `action_ts`, so the update after an earlier action still runs. */
export const saveTypedText = (db: Db, form: OpenForm): Promise<unknown> => {
  const { form_values, project_id, saved_at } = form
  return insertOrUpdate(db, form, { form_values, project_id, saved_at })
}

/** Stores values that Upnext has filled in after a user's action, unless something newer is already stored. */
export const saveFilledValues = (
  db: Db,
  { view_id, action_ts, saved_at }: Pick<OpenForm, 'view_id' | 'action_ts' | 'saved_at'>,
  changes: Pick<OpenForm, 'form_values' | 'project_id'>,
): Promise<unknown> =>
  db
    .updateTable('open_form')
    .set(changes)
    .where('view_id', '=', view_id)
    .where('action_ts', '=', action_ts)
    .where('saved_at', '=', saved_at)
    .execute()

const insertOrUpdate = (db: Db, form: OpenForm, changes: Partial<OpenForm>) =>
  db
    .insertInto('open_form')
    .values(form)
    .onConflict((conflict) =>
      conflict.column('view_id').doUpdateSet(changes).where('open_form.action_ts', '<', form.action_ts),
    )
    .execute()

type SubmittedForm = Omit<OpenForm, 'action_ts'> & { submitted_view: ViewOutput }

/** Stores a form that will be sent when the user confirms its warnings. */
export const saveSubmittedForm = (db: Db, submitted: SubmittedForm): Promise<unknown> =>
  db
    .insertInto('open_form')
    .values({ ...submitted, action_ts: EARLIEST_ACTION_TS })
    .onConflict((conflict) => conflict.column('view_id').doUpdateSet(submitted))
    .execute()

/** The form behind a confirmation. Undefined after an hour. */
export const findSubmittedForm = (db: Db, { team_id, user_id }: UserKey, view_id: string) =>
  selectRows(db, 'open_form', { team_id, user_id, view_id }).executeTakeFirst()

export async function isLatestAction(
  db: Db,
  { view_id, action_ts }: Pick<OpenForm, 'view_id' | 'action_ts'>,
): Promise<boolean> {
  const latest = db
    .selectFrom('open_form')
    .select('view_id')
    .where((eb) => eb.and({ view_id, action_ts }))
  return (await latest.executeTakeFirst()) !== undefined
}

/** Stores that an action changes other inputs of a form, even if the state after later typing is already stored. */
export const saveChange = (db: Db, view_id: string, changed_ts: string): Promise<unknown> =>
  updateRows(db, 'open_form', { view_id })
    .set({ changed_ts })
    .where(({ eb, or }) => or([eb('changed_ts', 'is', null), eb('changed_ts', '<', changed_ts)]))
    .execute()

/** Forgets the changes of a form whose view now shows another form. */
export const forgetChanges = (db: Db, view_id: string): Promise<unknown> =>
  updateRows(db, 'open_form', { view_id }).set({ changed_ts: null }).execute()

/** The latest action that changes other inputs of a form. */
export async function findLatestChange(db: Db, view_id: string): Promise<string | undefined> {
  const found = await selectRows(db, 'open_form', { view_id }).select('changed_ts').executeTakeFirst()
  return found?.changed_ts ?? undefined
}

/** The latest form of this kind that the user left without submitting it. */
export const findUnfinishedForm = (db: Db, { team_id, user_id }: UserKey, form: string, now: Date) =>
  findSavedForm(db, { team_id, user_id, form, saved_after: addMs(now, -OPEN_FORM_TTL_MS) })

const findSavedForm = prepareOne(
  (db, { team_id, user_id, form, saved_after }: UserKey & { form: string; saved_after: Date }) =>
    db
      .selectFrom('open_form')
      .select(['view_id', 'form_values', 'saved_at'])
      .where((eb) => eb.and({ team_id, user_id, form }))
      .where('saved_at', '>', saved_after)
      // A correction isn't offered again, because it could go out in addition to the item that it corrects.
      .where('replaces', 'is', null)
      .orderBy('saved_at', 'desc')
      .limit(1),
)

export type UnfinishedForm = Pick<OpenForm, 'view_id' | 'form_values' | 'saved_at'>

type ContinuedForm = { form: string; from: string; view_id: string; changed_ts: string }

/**
 * Moves a user's input from one form to another, and returns what is stored for the other form. If an earlier press has
 * moved the input, or if it isn't stored anymore, nothing is moved.
 */
export const continueForm = (
  db: Db,
  { team_id, user_id, form, from, view_id, changed_ts }: UserKey & ContinuedForm,
): Promise<Pick<OpenForm, 'form_values' | 'project_id'> | undefined> =>
  db.transaction().execute(async (transaction) => {
    const key = { team_id, user_id, form }
    const unfinished = { ...key, view_id: from }
    const open = await selectRows(transaction, 'open_form', unfinished).forUpdate().executeTakeFirst()
    if (!open) return selectRows(transaction, 'open_form', { ...key, view_id }).executeTakeFirst()
    await deleteRows(transaction, 'open_form', { view_id }).execute()
    await updateRows(transaction, 'open_form', unfinished).set({ view_id, changed_ts }).execute()
    return open
  })

/** The row stays for a while, so that a keystroke that arrives late doesn't bring the form back. */
export const closeOpenForm = (db: Db, form: Omit<OpenForm, keyof typeof CLOSED_FORM>): Promise<unknown> =>
  saveRow(db, 'open_form', ['view_id'], { ...form, ...CLOSED_FORM })

/** Earlier than the timestamp of any action. */
const EARLIEST_ACTION_TS = '0'
