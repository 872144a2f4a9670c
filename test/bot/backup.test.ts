import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { postgresPrograms, startPostgres, WITHOUT_POSTGRES } from '../support/debian-postgres.ts'
import { runProgram } from '../support/run-program.ts'
import { createTempFolder } from '../support/temp-folder.ts'
import { TEST_SECRET } from '../support/test-secret.ts'
import { openUpnext, withoutExtensions } from './workspace.ts'

if (process.env.CI && !postgresPrograms) throw new Error(WITHOUT_POSTGRES)
if (!postgresPrograms) console.warn(WITHOUT_POSTGRES)

const MAX_WAIT = { timeout: 60_000, interval: 50 }

// It is Friday 20 November 2026, 13:00 in Berlin.
it.skipIf(!postgresPrograms)('sends nothing twice after a backup is restored elsewhere', async () => {
  const postgres = await startPostgres()
  const folder = await createTempFolder('upnext-backup-')
  await postgres.query('create database first')
  await postgres.query('create database second')
  let isDown = false
  // Its service knows no idempotency keys, so sending something again would create it again.
  const upnext = await openUpnext({
    databaseUrl: async () => postgres.url('first'),
    skipsUploadTime: true,
    disableRateLimits: true,
    respond: (request) =>
      isDown && request.method === 'POST'
        ? Response.json({ detail: 'Too many' }, { status: 429, headers: { 'retry-after': '60' } })
        : withoutExtensions(request),
  })
  const mara = upnext.person('mara')
  const advance = (minutes: number) => {
    upnext.wait({ minutes })
    upnext.slack.controls.advanceClock({ seconds: minutes * 60 })
  }
  const posts = async () =>
    (await upnext.service.pool.query('select content from service.post order by content')).rows.map(
      ({ content }) => content,
    )
  const digests = () =>
    (mara.state().messages[mara.channel] ?? []).filter(({ text }) =>
      /^(Up next in|Digest for) Acme/.test(text ?? ''),
    )
  const directMessages = () =>
    JSON.stringify(Object.entries(mara.state().messages).filter(([channel]) => channel.startsWith('D')))

  await mara.runAndHear('/upnext digest every day at 14:00', /Digests in/)
  isDown = true
  await mara.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  await mara.submitView({ view: id, values: {} })
  await upnext.settled()
  const backup = join(folder, 'backup')
  await postgres.run('pg_dump', '--format=custom', `--file=${backup}`, postgres.url('first'))
  expect(await posts()).toEqual([])

  isDown = false
  advance(50)
  await vi.waitFor(async () => expect(await posts()).toEqual(['Launch day!']), MAX_WAIT)
  const scheduled = () =>
    upnext.slack.controls.appPayloads().filter(({ name }) => name === 'chat.scheduleMessage')
  await vi.waitFor(() => expect(scheduled()).toHaveLength(1), MAX_WAIT)
  advance(15)
  await vi.waitFor(() => expect(digests()).toHaveLength(1), MAX_WAIT)

  await postgres.run('pg_restore', `--dbname=${postgres.url('second')}`, backup)
  await upnext.stopBot()
  const env = { DATABASE_URL: postgres.url('second'), SECRET_KEY: TEST_SECRET }
  await expect(upnext.startSecondBot(postgres.url('second'))).rejects.toThrow(
    /a restored backup or a copy.*npm run after-restore/s,
  )
  const restored = runProgram('dist/after-restore/command-line.js', [], env)
  expect(await restored.exitCode).toBe(0)
  expect(restored.output()).toContain(
    'Submissions that people will be asked about: 1. Digests to look up in Slack: 1.',
  )
  // The program goes by the database's clock, the bot by that of the test.
  await postgres.query(`update upnext.job set due_at = '2026-11-20' where kind = 'notification'`, 'second')
  const [digest] = await postgres.query(
    "select next_at = post_at and next_at > now() - interval '1 day' as is_latest from upnext.digest",
    'second',
  )
  expect(digest).toEqual({ is_latest: true })
  await postgres.query(
    `update upnext.digest set (next_at, post_at, requested_at) =
       ('2026-11-20T13:00Z', '2026-11-20T13:00Z', '2026-11-20T13:00Z')`,
    'second',
  )
  await upnext.startSecondBot(postgres.url('second'))
  await vi.waitFor(
    () =>
      expect(directMessages()).toMatch(/It may have been sent already.*Upnext was restored from a backup/s),
    MAX_WAIT,
  )
  advance(30)
  await vi.waitFor(
    () => expect(directMessages()).toMatch(/didn't confirm whether the message for .* was posted/),
    MAX_WAIT,
  )
  expect(await posts()).toEqual(['Launch day!'])
  expect(digests()).toHaveLength(1)
  await upnext.close()
  await postgres.close()
  await rm(folder, { recursive: true })
})

it.skipIf(!postgresPrograms)(
  'keeps the service from starting on a restored backup until after-restore has run',
  async () => {
    const postgres = await startPostgres()
    const folder = await createTempFolder('upnext-backup-')
    await postgres.query('create database first')
    await postgres.query('create database second')
    const envOf = (name: string) => ({ DATABASE_URL: postgres.url(name), SECRET_KEY: TEST_SECRET })
    const service = runProgram('dist/service/command-line.js', [], { ...envOf('first'), SERVICE_PORT: '0' })
    await service.waitForLine('ready')
    await vi.waitFor(
      async () => expect(await postgres.query('select at from service.heartbeat', 'first')).toHaveLength(1),
      MAX_WAIT,
    )
    const backup = join(folder, 'backup')
    await postgres.run('pg_dump', '--format=custom', `--file=${backup}`, postgres.url('first'))
    await service.stop('SIGTERM')
    await postgres.run('pg_restore', `--dbname=${postgres.url('second')}`, backup)
    for (const args of [[], ['project', 'list']]) {
      const refused = runProgram('dist/service/command-line.js', args, envOf('second'))
      expect(await refused.exitCode).toBe(1)
      expect(refused.errors()).toMatch(/a restored backup or a copy.*npm run after-restore/s)
    }
    const restored = runProgram('dist/after-restore/command-line.js', [], envOf('second'))
    expect(await restored.exitCode, restored.errors()).toBe(0)
    // The service looks for posts that it may have published since the backup, however short that was.
    expect(
      await postgres.query(
        'select gap_from = at and gap_from < gap_to as has_gap from service.heartbeat',
        'second',
      ),
    ).toEqual([{ has_gap: true }])
    const listCommand = runProgram('dist/service/command-line.js', ['project', 'list'], envOf('second'))
    expect(await listCommand.exitCode, listCommand.errors()).toBe(0)
    await postgres.close()
    await rm(folder, { recursive: true })
  },
)

it.skipIf(!postgresPrograms)(
  'keeps the service from starting on a copy of its database on the same server',
  async () => {
    const postgres = await startPostgres()
    await postgres.query('create database first')
    const run = (name: string) =>
      runProgram('dist/service/command-line.js', ['project', 'list'], {
        DATABASE_URL: postgres.url(name),
        SECRET_KEY: TEST_SECRET,
      })
    expect(await run('first').exitCode).toBe(0)
    await postgres.query('create database second template first')
    const refused = run('second')
    expect(await refused.exitCode).toBe(1)
    expect(refused.errors()).toMatch(/a restored backup or a copy/)
    // Earlier versions didn't store the id of the database.
    const [{ known }] = await postgres.query(
      "select obj_description('service.job'::regclass, 'pg_class') as known",
      'first',
    )
    await postgres.query(`comment on table service.job is '${known.replace(/ \d+$/, '')}'`, 'first')
    expect(await run('first').exitCode).toBe(0)
    await postgres.close()
  },
)
