import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalSlack } from 'local-slack'
import { systemRuntime } from '../../src/runtime.ts'
import { startPostgres } from '../support/debian-postgres.ts'
import { runProgram } from '../support/run-program.ts'
import { TEST_SECRET } from '../support/test-secret.ts'

/**
 * Records what this version stores, for the test that later versions start with it. Run it when a version is released:
 * npm run record-data -- 0.1.0
 */
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run record-data -- VERSION')

const postgres = await startPostgres()
await postgres.query('create database recorded')
const settings = { DATABASE_URL: postgres.url('recorded'), SECRET_KEY: TEST_SECRET }

async function manageService(...args: string[]): Promise<string> {
  const program = runProgram('dist/service/command-line.js', args, settings)
  if (await program.exitCode) throw new Error(program.errors())
  return program.output()
}
await manageService('project', 'add', 'Acme')
const inAcme = ['--project', 'Acme']
await manageService('user', 'add', 'ada@acme.example', ...inAcme, '--role', 'ADMIN', '--first-name', 'Ada')
await manageService('source', 'add', 'https://acme.example/feed', ...inAcme)
await manageService('template', 'add', 'Launch', ...inAcme, '--content', 'We launch {product}.')
await manageService('webhook', 'set', 'https://hooks.acme.example/posts', ...inAcme)
const API_TOKEN = (await manageService('token', 'add', 'ada@acme.example')).trim().split(/\s+/).at(-1) ?? ''

const slack = await openLocalSlack({
  manifest: 'manifest.yml',
  runtime: systemRuntime,
  onError: (error) => console.error(error),
})
const upnext = runProgram('dist/main.js', [], {
  ...settings,
  API_TOKEN,
  SERVICE_PORT: '0',
  SLACK_BOT_TOKEN: slack.secrets.botToken,
  SLACK_APP_TOKEN: slack.secrets.appToken,
  SLACK_API_URL: slack.apiUrl,
})
await upnext.waitForLine('ready')
const mara = slack.openSession('mara')
const channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''

async function waitFor<Found>(find: () => Found | undefined): Promise<Found> {
  for (let count = 0; count < 300; count++) {
    const found = find()
    if (found) return found
    await sleep(100)
  }
  throw new Error(`Not found:\n${JSON.stringify(mara.state().messages[channel]?.at(-1))}\n${upnext.errors()}`)
}

const hears = (words: RegExp) => waitFor(() => words.test(JSON.stringify(mara.state().messages)) || undefined)

async function run(text: string, words: RegExp): Promise<void> {
  await mara.runCommand({ channel, text })
  await hears(words)
}

/** Submits the form that the command opens, until it closes: at first, it may only show how a date is read. */
async function submit(text: string, words: RegExp): Promise<void> {
  await mara.runCommand({ channel, text })
  await waitFor(() => mara.state().views.find(({ blocks }) => blocks.some(({ type }) => type === 'input')))
  for (let view = mara.state().views.at(-1); view; view = mara.state().views.at(-1)) {
    await sleep(2500)
    await mara.submitView({ view: view.id, values: {} })
  }
  await hears(words)
}

await submit(
  '/schedule-post Launch day! Fri 2 March 2035 9:00 Berlin time on X',
  /Scheduled in.*Launch day!/s,
)
await submit(
  '/schedule-post draft: Launch week! Mon 5 March 2035 9:00 Berlin time on LinkedIn',
  /Saved as a draft.*Launch week!/s,
)
await submit('/upnext slots weekdays at 9:00 and 17:00', /17:00/)
await run('/upnext digest weekdays at 9:00', /Digests in/)
await run('/upnext zone Europe/Berlin', /Europe.Berlin|Berlin/)
await upnext.stop('SIGTERM')
await slack.close()

const { stdout } = await postgres.run(
  'pg_dump',
  ...['--no-owner', '--no-privileges', '--inserts', '--schema=upnext', '--schema=service'],
  postgres.url('recorded'),
)
// psql's own commands mean nothing to other programs.
const statements = stdout.replace(/^\\.*\n/gm, '')
await writeFile(`test/upgrade/${version}.sql`, `-- Its API token: ${API_TOKEN}\n${statements}`)
await postgres.close()
process.exit()
