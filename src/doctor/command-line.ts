import { join } from 'node:path'
import { createApi } from '../api/client.ts'
import { OtherWorkspaceError } from '../bot/slack/installation/other-workspace.ts'
import { type Config, readConfig } from '../config.ts'
import { PACKAGE_FOLDER } from '../package-folder.ts'
import { runTool } from '../run-tool.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { UNKNOWN_TOKEN_MESSAGE } from '../service/demo.ts'
import { MISSING_TOKEN } from '../service-access.ts'
import { type Check, fail, formatCheck, hasFailure, ok } from './check.ts'
import { checkDatabase, type DatabaseReport } from './check-database.ts'
import { checkHost } from './check-host.ts'
import { checkService } from './check-service.ts'
import { checkSlack } from './check-slack.ts'
import { checkUploads } from './check-uploads.ts'

const HELP = `Usage: npm run --silent doctor -- [--json]

Checks the settings and everything they refer to, and prints how to solve each problem.
Exits with status 1 if a check fails.`

const MANIFEST = join(PACKAGE_FOLDER, 'manifest.yml')

await runTool(HELP, ['json'], async (args, { json: isJson }) => {
  if (args.length) throw new Error(HELP)
  // The runtime's `sleep` doesn't keep the process alive.
  const keepAlive = setInterval(() => {}, 1000)
  const checks: Check[] = []
  try {
    for await (const check of checkAll()) {
      checks.push(check)
      if (!isJson) console.log(formatCheck(check))
    }
  } finally {
    clearInterval(keepAlive)
  }
  if (isJson) console.log(JSON.stringify({ ok: !hasFailure(checks), checks }, null, 2))
  if (hasFailure(checks)) process.exitCode = 1
})

async function* checkAll(): AsyncGenerator<Check> {
  yield ok('node', process.version)
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield fail('settings', (error as Error).message)
    return
  }
  yield* await checkSafely('host', () => checkHost(config))
  let report: DatabaseReport = { checks: [] }
  yield* await checkSafely('database', async () => {
    report = await checkDatabase(config, runtime)
    return report.checks
  })
  yield* await checkSafely('service', () => checkConfiguredService(config, report))
  yield* await checkSafely('slack', () => checkConfiguredSlack(config, report))
  yield* await checkSafely('uploads', () => checkUploads(config, runtime))
}

/** An unexpected error ends one group of checks, not all of them. */
function checkSafely(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  return check().catch((error: Error) => [fail(name, `The check itself failed: ${error.message}`)])
}

async function checkConfiguredService(
  { API_BASE_URL, API_TOKEN = '' }: Config,
  { hasToken = true, checks }: DatabaseReport,
): Promise<Check[]> {
  if (API_BASE_URL)
    return checkService(
      createApi({ ...runtime, baseUrl: API_BASE_URL, token: API_TOKEN }),
      API_BASE_URL,
      runtime,
    )
  if (hasFailure(checks)) return []
  if (!hasToken) return [fail('service', API_TOKEN ? UNKNOWN_TOKEN_MESSAGE : MISSING_TOKEN)]
  return [ok('service', 'The embedded service starts with Upnext.')]
}

async function checkConfiguredSlack(config: Config, { workspace }: DatabaseReport): Promise<Check[]> {
  if (config.SLACK_BOT_TOKEN) return checkSlack(config, runtime, { manifest: MANIFEST, workspace })
  if (workspace) return [fail('workspace', new OtherWorkspaceError(workspace, 'the local Slack').message)]
  return [ok('slack', 'The local Slack starts with Upnext.')]
}
