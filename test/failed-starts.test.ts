import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import { createDatabase as createOwnedDatabase } from './support/database.ts'
import { pgBouncerPath, startPgBouncer, WITHOUT_PGBOUNCER } from './support/pgbouncer.ts'
import { runProgram } from './support/run-program.ts'
import { createTempFolder } from './support/temp-folder.ts'
import { TEST_SECRET } from './support/test-secret.ts'

type Env = Record<string, string>
type Check = { name: string; status: string; message: string }

const admin = new pg.Client(inject('postgresSuperuser'))
const connecting = admin.connect()
afterAll(() => admin.end())

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A database with a role that owns it and another one for the application, as an operator sets it up. */
async function createDatabase() {
  await connecting
  const id = randomUUID().replaceAll('-', '')
  const [name, owner, app] = [`test_${id}`, `owner_${id}`, `app_${id}`]
  await admin.query(`create role ${owner} login password 'owner'; create role ${app} login password 'app'`)
  await admin.query(`create database ${name} owner ${owner}`)
  const urlOf = (user: string, password: string, pathname = name) =>
    Object.assign(new URL(inject('postgresUrl')), { username: user, password, pathname }).href
  return { name, owner, app, ownerUrl: urlOf(owner, 'owner'), appUrl: urlOf(app, 'app'), urlOf }
}
type Database = Awaited<ReturnType<typeof createDatabase>>

/** The service starts in the same way as the whole program, and faster. */
const start = (env: Env, path = 'dist/service/command-line.js') =>
  runProgram(path, [], { SECRET_KEY: TEST_SECRET, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0', ...env })

async function findError(env: Env, path?: string): Promise<string> {
  const program = start(env, path)
  expect(await program.exitCode).toBe(1)
  expect(program.output()).not.toContain('ready')
  return program.errors()
}

async function diagnose(env: Env, name: string): Promise<string | undefined> {
  const doctor = runProgram('dist/doctor/command-line.js', ['--json'], { SECRET_KEY: TEST_SECRET, ...env })
  const exitCode = await doctor.exitCode
  const { checks } = JSON.parse(doctor.output()) as { checks: Check[] }
  const failed = checks.find((check) => check.name === name && check.status === 'failed')
  expect(exitCode).toBe(checks.some(({ status }) => status === 'failed') ? 1 : 0)
  return failed?.message
}

describe('the doctor and a failed start', () => {
  const allowCreation = ({ name, app }: Database) => admin.query(`grant create on database ${name} to ${app}`)

  it.each<[string, (database: Database) => Env | Promise<Env>, RegExp]>([
    [
      'a missing grant to create a schema',
      ({ appUrl }) => ({ DATABASE_URL: appUrl }),
      /The role app_\w+ can't create tables in the schema service\. .* grant create on database test_\w+ to app_/,
    ],
    [
      "an owner that can't create a schema",
      async (database) => {
        await allowCreation(database)
        const stranger = await createDatabase()
        const { username, password } = new URL(stranger.ownerUrl)
        return { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.urlOf(username, password) }
      },
      /The role owner_\w+ can't create tables in the schema service\. .* to owner_/,
    ],
    [
      'an owner that is the role of the application',
      async (database) => {
        await allowCreation(database)
        return { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.appUrl }
      },
      /DATABASE_OWNER_URL has no effect, because the role in DATABASE_URL is the same/,
    ],
    [
      'an owner of tables that belong to the application',
      async (database) => {
        await allowCreation(database)
        const DATABASE_URL = database.appUrl
        const program = start({ DATABASE_URL })
        await program.waitForLine('ready')
        await program.stop('SIGTERM')
        return { DATABASE_URL, DATABASE_OWNER_URL: database.ownerUrl }
      },
      /DATABASE_OWNER_URL has no effect, because the role in DATABASE_URL owns tables in the schema service/,
    ],
    [
      'an owner in another database',
      async (database) => {
        await allowCreation(database)
        return { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: (await createDatabase()).ownerUrl }
      },
      /point to different databases/,
    ],
    [
      'an owner that is no longer set',
      async (database) => {
        await allowCreation(database)
        const DATABASE_URL = database.appUrl
        const program = start({ DATABASE_URL, DATABASE_OWNER_URL: database.ownerUrl })
        await program.waitForLine('ready')
        await program.stop('SIGTERM')
        return { DATABASE_URL }
      },
      /The tables in the schema service belong to the role owner_\w+\. Set DATABASE_OWNER_URL to that role's URL/,
    ],
  ])('explains %s', async (_problem, prepare, message) => {
    const env = await prepare(await createDatabase())
    expect(await diagnose(env, 'service tables')).toMatch(message)
    expect(await findError(env)).toMatch(message)
  })
  it.each<[string, Env, string, string]>([
    [
      'an address of another machine',
      { HOST: '192.0.2.1' },
      'host',
      "This machine doesn't have the address 192.0.2.1. Set HOST to one of its addresses, such as 127.0.0.1.",
    ],
    [
      'a host that has no address',
      { HOST: 'upnext..internal' },
      'host',
      'the address upnext..internal. Set HOST',
    ],
    [
      'an id in ADMINS that no Slack user can have',
      { ADMINS: 'U0123ABCD,@mara' },
      'settings',
      `ADMINS.1: "@mara" isn't the id of a Slack user`,
    ],
  ])('explains a setting with %s', async (_problem, env, check, message) => {
    const DATABASE_URL = await createOwnedDatabase()
    expect(await diagnose({ DATABASE_URL, ...env }, check)).toContain(message)
    expect(await findError({ DATABASE_URL, ...env })).toContain(message)
  })
})

it('explains a token unknown to the embedded service, both in the doctor and at a failed start', async () => {
  const env = { DATABASE_URL: await createOwnedDatabase(), API_TOKEN: 'a-token-of-nobody' }
  const message = "API_TOKEN isn't a token of the embedded service"
  expect(await diagnose(env, 'service')).toContain(message)
  const failed = start(env, 'dist/main.js')
  expect(await failed.exitCode).toBe(1)
  expect(failed.output()).toContain(message)
  expect(failed.errors()).toContain('rejected the token')
  expect(await diagnose(env, 'service')).toContain(message)

  const run = async (...args: string[]) => {
    const operator = runProgram('dist/service/command-line.js', args, { SECRET_KEY: TEST_SECRET, ...env })
    expect(await operator.exitCode).toBe(0)
    return operator.output()
  }
  await run('project', 'add', 'Acme')
  await run('user', 'add', 'ada@acme.example', '--project', 'Acme', '--role', 'ADMIN')
  const [API_TOKEN = ''] = /upn_\S+/.exec(await run('token', 'add', 'ada@acme.example')) ?? []
  expect(await diagnose({ ...env, API_TOKEN }, 'service')).toBeUndefined()
  const program = start({ ...env, API_TOKEN }, 'dist/main.js')
  await program.waitForLine('ready')
  expect(program.output()).not.toContain('API_TOKEN')
  expect(await program.stop('SIGTERM')).toBe(0)
})

if (!pgBouncerPath) console.warn(`\n${WITHOUT_PGBOUNCER}\n`)

describe.runIf(pgBouncerPath || process.env.CI)('PgBouncer', () => {
  const pooler = async (...settings: string[]) => {
    const server = await startPgBouncer(await createOwnedDatabase(), ...settings)
    cleanups.push(server.close)
    return { DATABASE_URL: server.url }
  }
  const IGNORE_PARAMETERS =
    'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout'

  it.each([
    [
      'transaction pooling',
      'pool_mode = transaction',
      IGNORE_PARAMETERS,
      /Can't connect .*: DATABASE_URL goes through PgBouncer or another pooler that shares connections\. Connect to PostgreSQL directly/,
    ],
    [
      'its default settings',
      '',
      '',
      /Can't connect .*: PgBouncer rejected the connection: "unsupported startup parameter.*Connect to PostgreSQL directly/,
    ],
  ])('is refused with %s', async (_mode, mode, parameters, message) => {
    const env = await pooler(mode, parameters)
    const errors = await Promise.all([diagnose(env, 'database'), findError(env)])
    for (const error of errors) expect(error).toMatch(message)
  })

  it('is accepted in session mode', async () => {
    const env = await pooler('pool_mode = session', IGNORE_PARAMETERS)
    expect(await diagnose(env, 'database')).toBeUndefined()
    const program = start(env)
    await program.waitForLine('ready')
    expect(await program.stop('SIGTERM')).toBe(0)
  })
})

describe('a start with settings that cannot be used', () => {
  it('names DATA_DIR if it is not a folder', async () => {
    expect(await findError({ DATA_DIR: import.meta.filename })).toMatch(/^DATA_DIR can't be used: EEXIST/m)
  })

  it('says that .env cannot be read if it is a folder', async () => {
    const cwd = await createTempFolder('upnext-env-')
    await mkdir(join(cwd, '.env'))
    const { status, stderr } = spawnSync(process.execPath, [resolve('dist/service/command-line.js')], {
      cwd,
      env: { PATH: process.env.PATH },
    })
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^\.env can't be read\. Check that it is a file/m),
    ])
    await rm(cwd, { recursive: true })
  })

  it.each([{ SLACK_APP_TOKEN: 'xapp-1' }, { SLACK_SIGNING_SECRET: 'secret' }])(
    'asks for the bot token if only %j is set',
    async (env) => {
      expect(await findError(env)).toMatch(/SLACK_BOT_TOKEN: is required with SLACK_APP_TOKEN or/)
    },
  )
})
