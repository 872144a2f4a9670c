import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectBotDatabase } from '../src/bot/connect-database.ts'
import type { Db } from '../src/bot/database/tables.ts'
import { listKnownRecords, saveKnownRecord } from '../src/bot/features/projects/projects-store.ts'
import { openDatabase } from '../src/database/database.ts'
import { readSecretFile } from '../src/database/secret-keys.ts'
import { systemRuntime as runtime } from '../src/runtime.ts'
import { findWebhook, saveWebhook } from '../src/service/stores/projects-store.ts'
import { createDatabase } from './support/database.ts'
import { runProgram } from './support/run-program.ts'
import { SERVICE_TEMPLATE, startTestService } from './support/service.ts'
import { createTempFolder } from './support/temp-folder.ts'

type Instance = { db: Db; stop: () => Promise<void> }

const instances = new Set<Instance>()
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const { stop } of instances) await stop()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const OLD_SECRET = 'the-first-secret-of-32-characters-or-longer'
const NEW_SECRET = 'the-second-secret-of-32-characters-or-longer'
const now = new Date('2027-03-05T12:00:00Z')

/** A database, and a function that starts an instance on it with these secrets. */
async function createEncryptedDatabase() {
  const url = await createDatabase()
  const pool = new pg.Pool({ connectionString: url })
  cleanups.push(() => pool.end())
  const start = async (...secrets: string[]): Promise<Instance> => {
    const config = { DATABASE_URL: url, DATA_DIR: '', SECRET_KEY: secrets }
    const database = await openDatabase({ config, onError: () => {}, runtime })
    try {
      const instance: Instance = {
        db: await connectBotDatabase(database),
        async stop() {
          if (instances.delete(instance)) await database.close()
        },
      }
      instances.add(instance)
      return instance
    } catch (error) {
      await database.close()
      throw error
    }
  }
  return { url, pool, start }
}

const USERS = { team_id: 'T1', project_id: 'p1', kind: 'user' } as const
const ada = { ...USERS, record_id: 'u1', name: 'Ada King', email: 'ada@acme.example', last_seen_at: now }

async function dump(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query(`select t::text as row from ${table} t`)
  return rows.map(({ row }) => row).join('\n')
}

/** One more known user for each call. */
const save = (db: Db, record_id: string) => saveKnownRecord(db, { ...ada, record_id })
const list = async (db: Db) => (await listKnownRecords(db, USERS)).map(({ value }) => value).sort()

it('keeps stored names and email addresses unreadable in the database and readable for the bot', async () => {
  const { pool, start } = await createEncryptedDatabase()
  const { db } = await start(OLD_SECRET)
  await saveKnownRecord(db, ada)
  const stored = await dump(pool, 'upnext.known_record')
  expect(stored).toContain('u1')
  expect(stored).not.toMatch(/Ada King|acme\.example/)
  expect(await listKnownRecords(db, USERS)).toEqual([{ value: 'u1', label: 'Ada King · ada@acme.example' }])
})

it('encrypts older unencrypted values at the next start', async () => {
  const { pool, start } = await createEncryptedDatabase()
  await start(OLD_SECRET)
  await pool.query(
    `insert into upnext.known_record (team_id, project_id, kind, record_id, name, email, last_seen_at)
     select 'T1', 'p1', 'user', 'u' || n, 'Ada King', 'ada@acme.example', now() from generate_series(1, 1200) n`,
  )
  await pool.query(
    `insert into upnext.digest_content values (gen_random_uuid(), 'T1', '{"title": "Launch day"}', now())`,
  )
  const { db } = await start(OLD_SECRET)
  expect(await dump(pool, 'upnext.known_record')).not.toMatch(/Ada King|acme\.example/)
  expect(await dump(pool, 'upnext.digest_content')).not.toContain('Launch')
  const contents = await db.selectFrom('digest_content').select('content').execute()
  expect(contents).toEqual([{ content: { title: 'Launch day' } }])
  const labels = (await listKnownRecords(db, USERS)).map(({ label }) => label)
  expect(new Set(labels)).toEqual(new Set(['Ada King · ada@acme.example']))
})

it('fails to start with another key, and says how many rows need which key', async () => {
  const { start } = await createEncryptedDatabase()
  const { db, stop } = await start(OLD_SECRET)
  await save(db, 'u1')
  await save(db, 'u2')
  await stop()
  await expect(start(NEW_SECRET)).rejects.toThrow(
    /SECRET_KEY lacks a key of this database: in the schema upnext, 2 rows need the key with id [0-9a-f]{12}\./,
  )
})

it('no longer needs the old key after one start with the new and the old key', async () => {
  const { pool, start } = await createEncryptedDatabase()
  const first = await start(OLD_SECRET)
  await saveKnownRecord(first.db, ada)
  await first.stop()
  const before = await dump(pool, 'upnext.known_record')
  await (await start(NEW_SECRET, OLD_SECRET)).stop()
  expect(await dump(pool, 'upnext.known_record')).not.toBe(before)
  const last = await start(NEW_SECRET)
  expect(await listKnownRecords(last.db, USERS)).toEqual([
    { value: 'u1', label: 'Ada King · ada@acme.example' },
  ])
  await last.stop()
  await expect(start(OLD_SECRET)).rejects.toThrow('SECRET_KEY lacks a key of this database')
})

describe('several instances', () => {
  it('reads the values of all instances while the instances rotate the key one after another', async () => {
    const { start } = await createEncryptedDatabase()
    const steps = [[OLD_SECRET], [OLD_SECRET, NEW_SECRET], [NEW_SECRET, OLD_SECRET], [NEW_SECRET]]
    const running: Instance[] = []
    const stored: string[] = []
    for (const secrets of steps)
      for (const turn of [0, 1, 2]) {
        await running[turn]?.stop()
        running[turn] = await start(...secrets)
        for (const { db } of running) {
          stored.push(`u${100 + stored.length}`)
          await save(db, stored.at(-1) ?? '')
        }
        for (const { db } of running) expect(await list(db)).toEqual(stored)
      }
  })

  it.each([
    ['the new key first, which they lack', [OLD_SECRET], [NEW_SECRET, OLD_SECRET], 'have the first key'],
    ['the new key alone, which they lack', [OLD_SECRET], [NEW_SECRET], 'have the first key'],
    [
      'the new key alone, while they encrypt with the old one',
      [OLD_SECRET, NEW_SECRET],
      [NEW_SECRET],
      "encrypts with a key that isn't in SECRET_KEY",
    ],
    [
      'the old key first, which they no longer have',
      [NEW_SECRET],
      [OLD_SECRET, NEW_SECRET],
      'have the first',
    ],
  ])('refuses to start another instance with %s', async (_order, running, starting, problem) => {
    const { start } = await createEncryptedDatabase()
    const first = await start(...running)
    await save(first.db, 'u1')
    await expect(start(...starting)).rejects.toThrow(
      new RegExp(
        `running instance .*${problem}.*restart all instances with the old key, a comma, and the new`,
      ),
    )
    expect(await list(first.db)).toEqual(['u1'])
    await first.stop()
    const { db } = await start(...starting, ...running)
    expect(await list(db)).toEqual(['u1'])
  })

  it('still detects running instances after their connections broke', async () => {
    const { pool, start } = await createEncryptedDatabase()
    const { db } = await start(OLD_SECRET)
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await vi.waitFor(() => save(db, 'u1'), { timeout: 60_000, interval: 20 })
    await expect(start(NEW_SECRET, OLD_SECRET)).rejects.toThrow('have the first key')
  })
})

it('fails to start with the new key alone after another instance stored rows with the old key', async () => {
  const { url, start } = await createEncryptedDatabase()
  const late = await start(OLD_SECRET, NEW_SECRET)
  const early = await start(NEW_SECRET, OLD_SECRET)
  await save(late.db, 'u1')
  await save(early.db, 'u2')
  await Promise.all([late.stop(), early.stop()])
  await expect(start(NEW_SECRET)).rejects.toThrow('in the schema upnext, 1 row needs the key with id')

  const diagnose = async (...secrets: string[]) => {
    const env = { DATABASE_URL: url, SECRET_KEY: secrets.join(), API_BASE_URL: 'http://127.0.0.1:1' }
    const doctor = runProgram('dist/doctor/command-line.js', ['--json'], env)
    await doctor.exitCode
    const { checks } = JSON.parse(doctor.output()) as { checks: { name: string }[] }
    return checks.find(({ name }) => name === 'bot tables')
  }
  expect(await diagnose(NEW_SECRET)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('1 row needs the key with id'),
  })
  const rows = expect.stringMatching(/^Rows encrypted with the key [0-9a-f]{12}: 1\.$/)
  expect(await diagnose(NEW_SECRET, OLD_SECRET)).toMatchObject({ status: 'ok', details: [rows, rows] })

  await (await start(NEW_SECRET, OLD_SECRET)).stop()
  expect(await list((await start(NEW_SECRET)).db)).toEqual(['u1', 'u2'])
})

it('stores and reads text that looks encrypted as it was typed', async () => {
  const { pool, start } = await createEncryptedDatabase()
  const { db } = await start(OLD_SECRET)
  const name = `enc:v1:${'0'.repeat(12)}:AAAA`
  await saveKnownRecord(db, { ...ada, name })
  expect(await dump(pool, 'upnext.known_record')).not.toContain(name)
  expect(await listKnownRecords(db, USERS)).toEqual([{ value: 'u1', label: `${name} · ada@acme.example` }])
})

it('fails to read an encrypted value that was changed', async () => {
  const { pool, start } = await createEncryptedDatabase()
  const { db } = await start(OLD_SECRET)
  await saveKnownRecord(db, ada)
  await pool.query(
    `update upnext.known_record set name = overlay(name placing case when substr(name, 40, 1) = 'A' then 'B' else 'A' end from 40)`,
  )
  await expect(listKnownRecords(db, USERS)).rejects.toThrow()
})

it('keeps the secret of a webhook unreadable in the database, and still signs with it', async () => {
  const databaseUrl = await createDatabase(SERVICE_TEMPLATE)
  const service = await startTestService({ databaseUrl })
  const project_id = await service.addProject()
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  await saveWebhook(service.db, { project_id, url: 'https://example.com/hook', secret })
  expect(await dump(service.pool, 'service.webhook')).not.toContain('MfKQ9r8')
  expect(await findWebhook(service.db, project_id)).toMatchObject({ secret })
  await service.stop()
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: NEW_SECRET }
  const operator = runProgram('dist/service/command-line.js', ['project', 'list'], env)
  expect(await operator.exitCode).toBe(1)
  expect(operator.errors()).toContain(
    'SECRET_KEY lacks a key of this database: in the schema service, 1 row needs',
  )
})

it('creates the key file once, readable only for its owner', async () => {
  const folder = await createTempFolder('upnext-key-', 0o700)
  const files = await Promise.all([1, 2, 3].map(() => readSecretFile(folder, runtime)))
  const secrets = new Set(files.map(({ secret }) => secret))
  expect(secrets.size).toBe(1)
  expect([...secrets][0]).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  const { mode } = await stat(join(folder, 'secret-key'))
  expect(mode & 0o777).toBe(0o600)
})

it('refuses an incomplete key file', async () => {
  const folder = await createTempFolder('upnext-key-', 0o700)
  await writeFile(join(folder, 'secret-key'), 'abc\n')
  await expect(readSecretFile(folder, runtime)).rejects.toThrow(
    /secret-key doesn't contain a complete key\. Restore this file from a backup/,
  )
})
