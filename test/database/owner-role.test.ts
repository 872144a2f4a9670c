import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, inject, it } from 'vitest'
import { connectBotDatabase } from '../../src/bot/connect-database.ts'
import { deleteExpiredEntries, insertAuditEntry } from '../../src/bot/slack/audit-store.ts'
import { openDatabase } from '../../src/database/database.ts'
import { addJobs } from '../../src/jobs/job-store.ts'
import { systemRuntime as runtime } from '../../src/runtime.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { runProgram } from '../support/run-program.ts'
import { TEST_SECRET } from '../support/test-secret.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A database with a role that owns it and another one for the application, as an operator sets it up. */
async function createDatabaseWithRoles() {
  const id = randomUUID().replaceAll('-', '')
  const [name, owner, app] = [`test_${id}`, `owner_${id}`, `app_${id}`]
  const admin = new pg.Client(inject('postgresSuperuser'))
  await admin.connect()
  cleanups.push(() => admin.end())
  await admin.query(`create role ${owner} login password 'owner'`)
  await admin.query(`create role ${app} login password 'app'`)
  await admin.query(`create database ${name} owner ${owner}`)
  await admin.query(`grant create on database ${name} to ${app}`)
  const urlOf = (user: string, password: string) => {
    const url = new URL(inject('postgresUrl'))
    return Object.assign(url, { username: user, password, pathname: `/${name}` }).href
  }
  return { DATABASE_URL: urlOf(app, 'app'), DATABASE_OWNER_URL: urlOf(owner, 'owner') }
}

const now = new Date()
const entry = {
  at: now,
  team_id: 'T1',
  user_id: 'U1',
  user_team_id: 'T1',
  action: 'use',
  project_id: null,
  target: null,
  detail: null,
  outcome: 'done' as const,
  request_id: 'r1',
}

it('lets the application add to the audit trail, but not change it, if the tables have another owner', async () => {
  const urls = await createDatabaseWithRoles()
  const config = { ...urls, DATA_DIR: '', SECRET_KEY: [TEST_SECRET] }
  const database = await openDatabase({ config, onError: () => {}, runtime })
  cleanups.push(database.close)
  const db = await connectBotDatabase(database, { auditDays: 30, daysAfterUninstallation: 30 })
  await insertAuditEntry(db, entry)
  const { pool, ownerPool } = database
  for (const statement of [
    "update upnext.audit_entry set user_id = 'U2'",
    'delete from upnext.audit_entry',
    'truncate upnext.audit_entry',
    'drop table upnext.audit_entry',
    'alter table upnext.audit_entry disable trigger all',
    'update upnext.audit_retention set days = 0',
    `insert into upnext.audit_entry (id, at, team_id, user_id, user_team_id, action, outcome, request_id)
     overriding system value values (7, now(), 'T1', 'U1', 'T1', 'use', 'done', 'r')`,
    'delete from upnext.audit_retention',
    "insert into upnext.uninstallation (team_id, uninstalled_at) values ('T1', '2020-01-01')",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/)
  // Saying that the app was uninstalled now deletes nothing yet.
  await pool.query("insert into upnext.uninstallation (team_id) values ('T1')")
  await pool.query('update upnext.uninstallation set is_confirmed = true')
  await deleteExpiredEntries(db)
  const countEntries = async () => (await pool.query('select from upnext.audit_entry')).rowCount
  expect(await countEntries()).toBe(1)
  await ownerPool?.query("update upnext.audit_entry set at = now() - interval '31 days'")
  await deleteExpiredEntries(db)
  expect(await countEntries()).toBe(0)
})

it('lets only the owner of the tables erase a person from the audit trail', async () => {
  const urls = await createDatabaseWithRoles()
  const config = { ...urls, DATA_DIR: '', SECRET_KEY: [TEST_SECRET] }
  const database = await openDatabase({ config, onError: () => {}, runtime })
  cleanups.push(database.close)
  const db = await connectBotDatabase(database)
  await insertAuditEntry(db, { ...entry, action: 'invite', detail: { after: { Email: 'ada@acme.example' } } })
  const erase = async (names: (keyof typeof urls)[]) => {
    const env = Object.fromEntries(names.map((name) => [name, urls[name]]))
    const args = ['erase', 'ada@acme.example', '--yes']
    const settings = { ...env, SECRET_KEY: TEST_SECRET }
    const program = runProgram('dist/personal-data/command-line.js', args, settings)
    return { exitCode: await program.exitCode, errors: program.errors() }
  }
  const readDetails = async () =>
    (await db.selectFrom('audit_entry').select('detail').orderBy('id').execute()).map(({ detail }) => detail)
  expect(await erase(['DATABASE_URL'])).toEqual({
    exitCode: 1,
    errors: expect.stringMatching(
      /can't change the audit trail\. Set DATABASE_OWNER_URL .* Nothing was erased\./,
    ),
  })
  expect(await readDetails()).toEqual([{ after: { Email: 'ada@acme.example' } }])
  expect(await erase(['DATABASE_URL', 'DATABASE_OWNER_URL'])).toEqual({ exitCode: 0, errors: '' })
  expect(await readDetails()).toEqual([{ after: { Email: '(erased)' } }, null])
})

it('gives access to all instances that start simultaneously', async () => {
  const urls = await createDatabaseWithRoles()
  const config = { ...urls, DATA_DIR: '', SECRET_KEY: [TEST_SECRET] }
  const start = async () => {
    const database = await openDatabase({ config, onError: () => {}, runtime })
    try {
      await connectBotDatabase(database)
    } finally {
      await database.close()
    }
  }
  await start()
  for (let round = 0; round < 8; round++) await Promise.all([start(), start(), start()])
})

it('can use the other tables, the service and its job queue if the tables have another owner', async () => {
  const urls = await createDatabaseWithRoles()
  const config = { ...urls, DATA_DIR: '', SECRET_KEY: [TEST_SECRET] }
  for (let start = 1; start <= 2; start++) {
    const database = await openDatabase({ config, onError: () => {}, runtime })
    const db = await connectBotDatabase(database)
    await db
      .insertInto('received_request')
      .values({ signature: `s${start}`, received_at: now })
      .execute()
    await db.deleteFrom('received_request').execute()
    const service = await openServiceDatabase(database)
    expect(
      await service
        .insertInto('project')
        .values({ name: `P${start}` })
        .returning('name')
        .execute(),
    ).toEqual([{ name: `P${start}` }])
    await addJobs(service, [{ kind: 'test', id: '1', key: '1' }], now)
    await database.close()
  }
})
