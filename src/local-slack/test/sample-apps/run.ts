import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type LocalSlack, openLocalSlack } from '../../index.ts'
import { systemRuntime } from '../../runtime.ts'
import { readYamlFile } from '../../yaml-file.ts'
import { findFreePort } from '../http-server.ts'
import { Driver, Step } from './driver.ts'

/**
 * Runs public sample apps on the local Slack, and prints what works. `--checkouts` is a folder with a clone of each
 * repository in apps.yml, named owner+repository, at the commit named there and with its packages installed. Apps in
 * Python also need clones of slackapi/bolt-python and slackapi/python-slack-sdk.
 */
const HELP = 'Usage: npm run sample-apps -- --checkouts FOLDER [name ...]'

const SampleApp = z.strictObject({
  name: z.string(),
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  folder: z.string().default(''),
  start: z.array(z.string()).min(1),
  /** Whether the app takes HTTP requests in place of Socket Mode. */
  http: z.boolean().default(false),
  env: z.record(z.string(), z.string()).default({}),
  /** The manifest's path in the repository. */
  manifest: z.string().optional(),
  /** What the code of an app without a manifest uses. */
  needs: z
    .strictObject({
      scopes: z.array(z.string()),
      events: z.array(z.string()),
      commands: z.array(z.string()).default([]),
      shortcuts: z.record(z.string(), z.enum(['global', 'message'])).default({}),
    })
    .optional(),
  /** Methods whose calls Slack would refuse, too. */
  refusals: z.array(z.string()).default([]),
  steps: z.array(Step),
})
type SampleApp = z.output<typeof SampleApp>

const FOLDER = import.meta.dirname
const START_TIMEOUT_MS = 40_000
const PYTHON_SDKS = ['slackapi+bolt-python', 'slackapi+python-slack-sdk']

const { values, positionals } = parseArgs({
  options: { checkouts: { type: 'string' } },
  allowPositionals: true,
})
if (!values.checkouts) throw new Error(HELP)
const checkouts = values.checkouts
const apps = readYamlFile(join(FOLDER, 'apps.yml'), z.array(SampleApp), 'is not a list of sample apps')
const table: string[] = []
for (const app of apps) {
  if (positionals.length && !positionals.includes(app.name)) continue
  const { problems, unsupported } = await runApp(app).catch((error: Error) => ({
    problems: [error.message],
    unsupported: [],
  }))
  const status = problems.length ? (unsupported.length ? 'partly' : 'FAILED') : 'works'
  const note = unsupported.length ? `   (asks for ${unsupported.join('; ')})` : ''
  table.push(status.padEnd(8) + app.name + note, ...problems.map((problem) => `          ${problem}`))
}
console.log(`\n${table.join('\n')}`)
process.exit(table.some((line) => line.startsWith('FAILED')) ? 1 : 0)

/** Returns what didn't happen as expected, what was refused, and what the app asks for that isn't there. */
async function runApp(app: SampleApp): Promise<{ problems: string[]; unsupported: string[] }> {
  console.log(`\n${app.name}`)
  const checkout = join(checkouts, app.repository.replace('/', '+'))
  checkCommit(app, checkout)
  const port = await findFreePort()
  const slack = await openLocalSlack({
    manifest: app.manifest ? join(checkout, app.manifest) : await writeManifest(app),
    // The images in the apps' messages are on the internet.
    runtime: { ...systemRuntime, fetch: fetchLocally },
    disableRateLimits: true,
    ...(app.http && { requestUrl: `http://127.0.0.1:${port}` }),
  })
  const program = startProgram(app, { cwd: join(checkout, app.folder), slack, port })
  try {
    const isUp = () => program.child.exitCode !== null || isConnected(app, slack, port)
    if (!(await waitUntil(isUp, START_TIMEOUT_MS)) || program.child.exitCode !== null)
      throw new Error(`The app didn't connect: ${program.output().slice(-1000)}`)
    const driver = new Driver(slack)
    for (const step of app.steps) await driver.run(step)
    const refusals = slack.controls
      .appPayloads()
      .filter(({ name, problems }) => problems.length && !app.refusals.includes(name))
      .map(({ name, problems }) => `${name} was refused: ${problems.join(', ')}`)
    return { problems: [...driver.problems, ...refusals], unsupported: slack.unsupported }
  } finally {
    stopGroup(program.child)
    await slack.close()
  }
}

function checkCommit({ repository, commit }: SampleApp, checkout: string): void {
  const head = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  if (head !== commit) throw new Error(`${checkout} is at ${head}. Check out ${repository} at ${commit}.`)
}

async function writeManifest({ name, needs, http }: SampleApp): Promise<string> {
  const { scopes, events, commands, shortcuts } = needs ?? {
    scopes: [],
    events: [],
    commands: [],
    shortcuts: {},
  }
  const manifest = {
    display_information: { name: name.slice(0, 35) },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true },
      bot_user: { display_name: name },
      slash_commands: commands.map((command) => ({ command, description: command })),
      shortcuts: Object.entries(shortcuts).map(([callback_id, type]) => {
        const name = callback_id.slice(0, 24)
        return { name, type, callback_id, description: callback_id }
      }),
    },
    oauth_config: { scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { bot_events: events },
      interactivity: { is_enabled: true },
      socket_mode_enabled: !http,
    },
  }
  const file = join(await mkdtemp(join(tmpdir(), 'sample-app-')), 'manifest.json')
  await writeFile(file, JSON.stringify(manifest))
  return file
}

/** The program may have started others, as npm does, or may have ended by itself. */
function stopGroup({ pid, exitCode }: ChildProcess): void {
  if (pid && exitCode === null) process.kill(-pid, 'SIGKILL')
}

type ProgramOptions = { cwd: string; slack: LocalSlack; port: number }

function startProgram(
  { start, env, http }: SampleApp,
  { cwd, slack, port }: ProgramOptions,
): { child: ChildProcess; output: () => string } {
  const { botToken, appToken, signingSecret } = slack.secrets
  const redirect = join(FOLDER, 'redirect')
  const fill = (text: string) =>
    text.replace('{botToken}', botToken).replace('{appToken}', appToken).replace('{port}', String(port))
  const [program = '', ...args] = start.map(fill)
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      PORT: String(port),
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      ...(!http && { SLACK_APP_TOKEN: appToken }),
      NODE_OPTIONS: `--require ${join(redirect, 'slack-api.cjs')}`,
      PYTHONPATH: [redirect, ...PYTHON_SDKS.map((name) => join(checkouts, name))].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  return { child, output: () => output }
}

function isConnected({ http }: SampleApp, slack: LocalSlack, port: number): boolean | Promise<boolean> {
  if (!http) return slack.controls.socketCount() > 0
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
}

function fetchLocally(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname === '127.0.0.1') return fetch(input, init)
  return Promise.resolve(new Response('image', { headers: { 'content-type': 'image/png' } }))
}

async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100))
    if (await condition()) return true
  return false
}
