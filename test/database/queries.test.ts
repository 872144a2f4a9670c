import { afterEach, beforeEach, expect, it } from 'vitest'
import { openServiceTables } from '../../src/service/stores/database.ts'
import { deleteRows, selectRows, updateRows } from '../../src/service/stores/queries.ts'
import { type BorrowedDatabase, borrowDatabase } from '../support/borrowed-database.ts'
import { SERVICE_TEMPLATE } from '../support/service.ts'

let borrowed: BorrowedDatabase
beforeEach(async () => {
  borrowed = await borrowDatabase(SERVICE_TEMPLATE)
})
afterEach(() => borrowed.database.close())

it.each([
  ['has no value', { id: undefined as unknown as string }],
  ['is missing', {}],
])('refuses a query whose condition %s, because it would match every row', (_reason, values) => {
  const db = openServiceTables(borrowed.database)
  for (const query of [selectRows, updateRows, deleteRows])
    expect(() => query(db, 'project', values)).toThrow('needs a value')
})

it('selects, updates and deletes only rows that match all values', async () => {
  const db = openServiceTables(borrowed.database)
  for (const name of ['Acme', 'Bolt', 'Crux'])
    await db.insertInto('project').values({ name, created_at: new Date() }).execute()
  const namesOf = async (is_bot_only: boolean) =>
    (await selectRows(db, 'project', { is_bot_only }).orderBy('name').execute()).map(({ name }) => name)
  await updateRows(db, 'project', { name: 'Acme', is_bot_only: false }).set({ is_bot_only: true }).execute()
  expect([await namesOf(false), await namesOf(true)]).toEqual([['Bolt', 'Crux'], ['Acme']])
  await deleteRows(db, 'project', { name: 'Acme', is_bot_only: false }).execute()
  await deleteRows(db, 'project', { name: 'Bolt', is_bot_only: false }).execute()
  expect([await namesOf(false), await namesOf(true)]).toEqual([['Crux'], ['Acme']])
})
