import { readdir, readFile } from 'node:fs/promises'
import { openLocalSlack } from 'local-slack'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { BOT_SCHEMA } from '../src/bot/connect-database.ts'
import { systemRuntime } from '../src/runtime.ts'
import { SERVICE_SCHEMA } from '../src/service/stores/database.ts'
import { VERSION } from '../src/version.ts'
import { createDatabase } from './support/database.ts'
import { runProgram } from './support/run-program.ts'
import { TEST_SECRET } from './support/test-secret.ts'

const MAX_WAIT = { timeout: 60_000, interval: 100 }

/** What earlier versions stored, recorded with record-data.ts. */
const FOLDER = 'test/upgrade'
const versions = (await readdir(FOLDER)).flatMap((name) => /^(.*)\.sql$/.exec(name)?.[1] ?? [])

async function load(version: string) {
  const sql = await readFile(`${FOLDER}/${version}.sql`, 'utf8')
  const DATABASE_URL = await createDatabase()
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await client.query(sql)
  const applied = await client.query(
    'select name from upnext.kysely_migration union select name from service.kysely_migration',
  )
  await client.end()
  const [, API_TOKEN = ''] = /Its API token: (\S+)/.exec(sql) ?? []
  return {
    settings: { DATABASE_URL, SECRET_KEY: TEST_SECRET, API_TOKEN },
    applied: applied.rows.map(({ name }) => name),
  }
}

describe.each(versions)('a backup of %s', (version) => {
  it('can be prepared for a start, and people are asked about items that were on their way', async () => {
    const { settings } = await load(version)
    const client = new pg.Client(settings.DATABASE_URL)
    await client.connect()
    await client.query("update upnext.outbox_item set state = 'queued', finished_at = null, record_id = null")
    await client.end()
    const program = 'dist/after-restore/command-line.js'
    const swallowed = runProgram(program, [], {
      ...settings,
      npm_config_moved: 'true',
      npm_lifecycle_event: 'after-restore',
    })
    expect(await swallowed.exitCode).toBe(1)
    expect(swallowed.errors()).toContain('npm consumed --moved itself')
    const run = runProgram(program, [], settings)
    expect(await run.exitCode, run.errors()).toBe(0)
    expect(run.output()).toMatch(/people will be asked about: [1-9]/)
  })
})

describe.each(versions)('an upgrade from %s', (version) => {
  it('keeps posts, digests, templates, zones and slots', async () => {
    const { settings } = await load(version)
    const moved = runProgram('dist/after-restore/command-line.js', ['--moved'], settings)
    expect(await moved.exitCode, moved.errors()).toBe(0)
    const slack = await openLocalSlack({
      manifest: 'manifest.yml',
      runtime: systemRuntime,
      onError: (error) => {
        throw error
      },
    })
    const program = runProgram('dist/main.js', [], {
      ...settings,
      SERVICE_PORT: '0',
      SLACK_BOT_TOKEN: slack.secrets.botToken,
      SLACK_APP_TOKEN: slack.secrets.appToken,
      SLACK_API_URL: slack.apiUrl,
    })
    await program.waitForLine('ready')
    const mara = slack.openSession('mara')
    const channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
    const expectAnswer = async (text: string, words: RegExp) => {
      await mara.runCommand({ channel, text })
      const shown = () => {
        const { messages, views } = mara.state()
        return JSON.stringify([messages[channel]?.at(-1), views.at(-1)])
      }
      await vi.waitFor(() => expect(shown()).toMatch(words), MAX_WAIT)
    }
    await expectAnswer('/upnext posts march 2035', /Launch day!.*Launch week!|Launch week!.*Launch day!/)
    await expectAnswer('/upnext digest', /Acme/)
    await expectAnswer('/upnext templates', /Launch/)
    await expectAnswer('/upnext zone', /Berlin/)
    await expectAnswer('/upnext slots', /9:00.*17:00/)
    expect(await program.stop('SIGTERM')).toBe(0)
    await slack.close()
  })

  it('makes only table changes that earlier instances ignore', async () => {
    const { applied } = await load(version)
    const added = [BOT_SCHEMA, SERVICE_SCHEMA].flatMap(({ migrations }) =>
      Object.entries(migrations).flatMap(([name, statements]) => (applied.includes(name) ? [] : statements)),
    )
    expect(added.filter((statement) => !COMPATIBLE.some((pattern) => pattern.test(statement)))).toEqual([])
  })
})

/** What the statements of an earlier version don't notice: new tables and indexes, and columns that may be empty. */
const COMPATIBLE = [
  /^create (unlogged )?table /,
  /^create index /,
  /^alter table \S+ add (column )?\S+ \w+(\[\])?( not null default \S+)?$/,
]

it('refuses to replace a newer version, and names it', async () => {
  const [version = ''] = versions
  const { settings } = await load(version)
  const client = new pg.Client(settings.DATABASE_URL)
  await client.connect()
  await client.query(`insert into upnext.kysely_migration values ('9999-later', now()::text)`)
  await client.query(`comment on schema upnext is '99.0.0'`)
  await client.end()
  const program = runProgram('dist/main.js', [], { ...settings, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0' })
  expect(await program.exitCode).toBe(1)
  expect(program.errors()).toContain('Upnext 99.0.0')
})

it('includes recorded data of an earlier version', () => {
  expect(versions.filter((version) => version !== VERSION).length).toBeGreaterThan(0)
})
