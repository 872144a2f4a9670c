import { expect, it } from 'vitest'
import { borrowDatabase } from './borrowed-database.ts'
import { openTestDatabase } from './database.ts'
import { SERVICE_TEMPLATE } from './service.ts'

/** No other file uses copies of it, which may have grown there. */
const TEMPLATE = { ...SERVICE_TEMPLATE, name: 'borrowed_template' }

const borrow = () => borrowDatabase(TEMPLATE)

/** Borrows a database, runs the statement and gives the database back. */
async function use(statement: string) {
  const borrowed = await borrow()
  await borrowed.database.pool.query(statement)
  await borrowed.database.close()
  return borrowed
}

it('lends the database of the previous test, with the rows of the template', async () => {
  const { url } = await use("insert into service.project (name) values ('Acme')")
  const next = await borrow()
  expect(next.url).toBe(url)
  const { rows } = await next.database.pool.query(
    'select (select count(*)::int from service.project) as projects, (select count(*)::int from service.kysely_migration) > 0 as is_migrated',
  )
  expect(rows).toEqual([{ projects: 0, is_migrated: true }])
  await next.database.close()
})

it.each([
  ['a default', "alter table service.project alter column name set default 'Acme'"],
  [
    'a table that was renamed back',
    'alter table service.log rename to a; alter table service.a rename to log',
  ],
  [
    'another trigger on a table with triggers',
    'create trigger a after update on service.post for each row execute function suppress_redundant_updates_trigger()',
  ],
  [
    'a setting of its own',
    "do $$ begin execute format('alter database %I set work_mem = 100', current_database()); end $$",
  ],
  ['a transaction that never ends', 'begin'],
])('does not lend a database again that has %s', async (_change, statement) => {
  const { url } = await use(statement)
  const next = await borrow()
  expect(next.url).not.toBe(url)
  await next.database.close()
})

it('does not lend a database again while another client is connected', async () => {
  const borrowed = await borrow()
  const other = await openTestDatabase(borrowed.url)
  await other.pool.query('select')
  await borrowed.database.close()
  const next = await borrow()
  expect(next.url).not.toBe(borrowed.url)
  await Promise.all([other.close(), next.database.close()])
})

it('does not let a test use a database that it has returned', async () => {
  const { database } = await use('select')
  const over = 'This test has given its database back.'
  await expect(database.pool.query('select')).rejects.toThrow(over)
  await expect(database.pool.connect()).rejects.toThrow(over)
})

it('takes a database back only once', async () => {
  const { database } = await use('select')
  await database.close()
  const [first, second] = [await borrow(), await borrow()]
  expect(first.url).not.toBe(second.url)
  await Promise.all([first.database.close(), second.database.close()])
})
