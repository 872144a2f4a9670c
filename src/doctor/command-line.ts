import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createApi } from '../api/client.ts'
import { type Config, readConfig } from '../config.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { type Check, fail, formatCheck, hasFailed, ok } from './check.ts'
import { checkDatabase } from './check-database.ts'
import { checkService } from './check-service.ts'
import { checkSlack } from './check-slack.ts'

const HELP = `Usage: npm run --silent doctor -- [--json]

Checks everything that the settings name, and prints what to do about each problem.
Ends with exit status 1 if a check fails.`

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url))

try {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const { json, help } = parseArgs({ options }).values
  if (help) console.log(HELP)
  else await runChecks(Boolean(json))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function runChecks(isJson: boolean): Promise<void> {
  // Pauses between requests don't keep a process alive.
  const keepAlive = setInterval(() => {}, 1000)
  const checks: Check[] = []
  for await (const check of checkAll()) {
    checks.push(check)
    if (!isJson) console.log(formatCheck(check))
  }
  clearInterval(keepAlive)
  if (isJson) console.log(JSON.stringify({ ok: !hasFailed(checks), checks }, null, 2))
  if (hasFailed(checks)) process.exitCode = 1
}

async function* checkAll(): AsyncGenerator<Check> {
  yield ok('node', process.version)
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield fail('settings', (error as Error).message)
    return
  }
  yield* await checkDatabase(config, runtime)
  const { API_BASE_URL, API_TOKEN = '', SLACK_BOT_TOKEN } = config
  if (API_BASE_URL) {
    const api = createApi({ ...runtime, baseUrl: API_BASE_URL, token: API_TOKEN })
    yield* await checkService(api, API_BASE_URL)
  } else yield ok('service', 'The embedded one. It runs while Upnext does. Set API_BASE_URL to use another.')
  if (SLACK_BOT_TOKEN) yield* await checkSlack(config, runtime, MANIFEST)
  else
    yield ok(
      'slack',
      'The local one. It runs while Upnext does. Set SLACK_BOT_TOKEN to use a real workspace.',
    )
}
