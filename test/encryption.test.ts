import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { connectBotDatabase } from '../src/bot/database/connect.ts'
import { listKnownRecords, saveKnownRecord } from '../src/bot/projects/projects-store.ts'
import { createEncryption } from '../src/database/encryption.ts'
import { readSecretFile } from '../src/database/secret-keys.ts'
import { systemRuntime as runtime } from '../src/runtime.ts'
import { openServiceDatabase } from '../src/service/stores/database.ts'
import { findWebhook, saveWebhook } from '../src/service/stores/projects-store.ts'
import { createDatabase, openTestDatabase } from './support/database.ts'
import { startTestService } from './support/service.ts'
import { createTempFolder } from './support/temp-folder.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

const OLD_SECRET = 'the first secret, 32 characters or longer'
const NEW_SECRET = 'the second secret, 32 characters or longer'
const now = new Date('2027-03-05T12:00:00Z')

/** A database with access through any secrets, as an instance has it that was started with them. */
async function createEncryptedDatabase() {
  const { pool, close } = await openTestDatabase(await createDatabase())
  cleanups.push(close)
  const open = (...secrets: string[]) =>
    connectBotDatabase({ pool, encryption: createEncryption(secrets, runtime.randomBytes) }, now)
  return { pool, open }
}

const USERS = { team_id: 'T1', project_id: 'p1', kind: 'user' } as const
const ada = { ...USERS, record_id: 'u1', name: 'Ada King', email: 'ada@acme.example', last_seen_at: now }

async function dump(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query(`select t::text as row from ${table} t`)
  return rows.map(({ row }) => row).join('\n')
}

it('stored names and email addresses are unreadable in the database and readable for the bot', async () => {
  const { pool, open } = await createEncryptedDatabase()
  const db = await open(OLD_SECRET)
  await saveKnownRecord(db, ada)
  const stored = await dump(pool, 'upnext.known_record')
  expect(stored).toContain('u1')
  expect(stored).not.toMatch(/Ada King|acme\.example/)
  expect(await listKnownRecords(db, USERS)).toEqual([{ value: 'u1', label: 'Ada King · ada@acme.example' }])
})

it('values that were stored before encryption are encrypted at the next start', async () => {
  const { pool, open } = await createEncryptedDatabase()
  await open(OLD_SECRET)
  await pool.query(
    `insert into upnext.known_record (team_id, project_id, kind, record_id, name, email, last_seen_at)
     select 'T1', 'p1', 'user', 'u' || n, 'Ada King', 'ada@acme.example', now() from generate_series(1, 1200) n`,
  )
  await pool.query(
    `insert into upnext.digest_content values (gen_random_uuid(), '{"title": "Launch day"}', now())`,
  )
  const db = await open(OLD_SECRET)
  expect(await dump(pool, 'upnext.known_record')).not.toMatch(/Ada King|acme\.example/)
  expect(await dump(pool, 'upnext.digest_content')).not.toContain('Launch')
  const contents = await db.selectFrom('digest_content').select('content').execute()
  expect(contents).toEqual([{ content: { title: 'Launch day' } }])
  const labels = (await listKnownRecords(db, USERS)).map(({ label }) => label)
  expect(new Set(labels)).toEqual(new Set(['Ada King · ada@acme.example']))
})

it('a start with another key fails, and names the key that it needs', async () => {
  const { open } = await createEncryptedDatabase()
  await open(OLD_SECRET)
  await expect(open(NEW_SECRET)).rejects.toThrow(
    /SECRET_KEY doesn't fit this database.*\(id [0-9a-f]{12}, used since 2027-03-05\)/,
  )
})

it('after one start with the new and the old key, the old key is no longer needed', async () => {
  const { pool, open } = await createEncryptedDatabase()
  await saveKnownRecord(await open(OLD_SECRET), ada)
  const before = await dump(pool, 'upnext.known_record')
  await open(NEW_SECRET, OLD_SECRET)
  expect(await dump(pool, 'upnext.known_record')).not.toBe(before)
  const db = await open(NEW_SECRET)
  expect(await listKnownRecords(db, USERS)).toEqual([{ value: 'u1', label: 'Ada King · ada@acme.example' }])
  await expect(open(OLD_SECRET)).rejects.toThrow("SECRET_KEY doesn't fit this database")
})

it('text that looks encrypted is stored and read as it was typed', async () => {
  const { pool, open } = await createEncryptedDatabase()
  const db = await open(OLD_SECRET)
  const name = `enc:v1:${'0'.repeat(12)}:AAAA`
  await saveKnownRecord(db, { ...ada, name })
  expect(await dump(pool, 'upnext.known_record')).not.toContain(name)
  expect(await listKnownRecords(db, USERS)).toEqual([{ value: 'u1', label: `${name} · ada@acme.example` }])
})

it('an encrypted value that somebody changed cannot be read', async () => {
  const { pool, open } = await createEncryptedDatabase()
  const db = await open(OLD_SECRET)
  await saveKnownRecord(db, ada)
  await pool.query(
    `update upnext.known_record set name = overlay(name placing case when substr(name, 40, 1) = 'A' then 'B' else 'A' end from 40)`,
  )
  await expect(listKnownRecords(db, USERS)).rejects.toThrow()
})

it('the secret of a webhook is unreadable in the database and still signs', async () => {
  const service = await startTestService()
  cleanups.push(service.stop)
  const project_id = await service.addProject()
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  await saveWebhook(service.db, { project_id, url: 'https://example.com/hook', secret })
  expect(await dump(service.pool, 'service.webhook')).not.toContain('MfKQ9r8')
  expect(await findWebhook(service.db, project_id)).toMatchObject({ secret })
  const wrong = createEncryption([NEW_SECRET], runtime.randomBytes)
  await expect(openServiceDatabase({ pool: service.pool, encryption: wrong }, now)).rejects.toThrow(
    "SECRET_KEY doesn't fit this database",
  )
})

it('the key file is created once, and only its owner can read it', async () => {
  const folder = await createTempFolder('upnext-key-', 0o700)
  const files = await Promise.all([1, 2, 3].map(() => readSecretFile(folder, runtime)))
  const secrets = new Set(files.map(({ secret }) => secret))
  expect(secrets.size).toBe(1)
  expect([...secrets][0]).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  const { mode } = await stat(join(folder, 'secret-key'))
  expect(mode & 0o777).toBe(0o600)
})
