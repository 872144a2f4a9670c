import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { openLocalSlack } from 'local-slack'
import { createApi } from './api/client.ts'
import { measureServiceCalls } from './api/measure-calls.ts'
import { connectBotDatabase } from './bot/connect-database.ts'
import { startBot } from './bot/start-bot.ts'
import type { Config } from './config.ts'
import { PACKAGE_FOLDER } from './package-folder.ts'
import { systemRuntime } from './runtime.ts'
import { checkServiceAccess, MISSING_TOKEN, reportWhenServiceAnswers } from './service-access.ts'
import { runServer, type Startup, startService } from './startup.ts'
import { VERSION } from './version.ts'

// By default, V8 lets garbage grow to several times the memory in use, and keeps that memory.
setFlagsFromString('--heap-growing-percent=25')

if (process.argv.includes('--version')) {
  console.log(VERSION)
  process.exit()
}

await runServer(async (startup) => {
  const { config, log, database, metrics, runtime, addCleanup, fail, isStopping } = startup
  // Until the bot has started, nothing else sets this metric.
  metrics.ready.set({ upnext_server: 'bot' }, 0)
  const service = config.API_BASE_URL
    ? { url: config.API_BASE_URL, token: config.API_TOKEN }
    : await startService(startup, { hasBot: true })
  const slack = findSlackAccess(config) ?? (await startLocalSlack(startup))
  const token = service.token ?? ''
  if (!token && !config.API_BASE_URL) throw new Error(MISSING_TOKEN)
  const api = createApi({
    ...runtime,
    fetch: measureServiceCalls(metrics, runtime.fetch),
    baseUrl: service.url,
    token,
  })
  const access = await checkServiceAccess(api, service.url, runtime.now())
  if (access.kind === 'refused') throw new Error(`The scheduling service at ${access.message}`)
  const bot = await startBot({
    database,
    bot: {
      api,
      db: await connectBotDatabase(database, {
        auditDays: config.AUDIT_RETENTION_DAYS,
        daysAfterUninstallation: config.UNINSTALL_RETENTION_DAYS,
      }),
      log,
      metrics,
      runtime,
      admins: config.ADMINS,
      guestsMayWrite: config.GUESTS_MAY_WRITE,
      externalUsersMayView: config.EXTERNAL_USERS_MAY_VIEW,
      uninstallRetentionDays: config.UNINSTALL_RETENTION_DAYS,
    },
    actionLimits: {
      perUser: config.USER_ACTIONS_PER_MINUTE,
      perWorkspace: config.WORKSPACE_ACTIONS_PER_MINUTE,
    },
    slack,
    onOtherWorkspace: fail,
    isStopping,
    host: config.HOST,
    port: config.PORT,
    publicUrl: config.PUBLIC_URL,
    isServiceOnThisMachine: !config.API_BASE_URL,
    maxWorkspaceBytes: config.MEDIA_GIGABYTES * 1e9,
  })
  addCleanup(bot.stop)
  console.log(`bot       ${bot.url}`)
  if (bot.slackProblem) console.log(`slack     ${bot.slackProblem.reason} Upnext keeps trying.`)
  const urls = `service ${service.url}   slack ${slack.url}`
  if (access.kind === 'ok') return console.log(`ready     ${urls}`)
  console.log(`service   ${access.message}`)
  console.log(`ready, but the service doesn't answer yet (retrying)   ${urls}`)
  addCleanup(reportWhenServiceAnswers({ api, url: service.url, log, runtime }).stop)
})

function findSlackAccess(config: Config) {
  if (!config.SLACK_BOT_TOKEN) return undefined
  return {
    botToken: config.SLACK_BOT_TOKEN,
    appToken: config.SLACK_APP_TOKEN,
    signingSecret: config.SLACK_SIGNING_SECRET,
    apiUrl: config.SLACK_API_URL,
    url: config.SLACK_API_URL ?? 'https://slack.com/api/',
  }
}

async function startLocalSlack({ config, log, addCleanup }: Startup) {
  const { url, apiUrl, secrets, close } = await openLocalSlack({
    manifest: join(PACKAGE_FOLDER, 'manifest.yml'),
    runtime: systemRuntime,
    port: config.LOCAL_SLACK_PORT,
    onError: (error) => log.error(error),
  })
  addCleanup(close)
  console.log(`slack     ${url}   (a local Slack workspace, only available on this machine)`)
  return { botToken: secrets.botToken, appToken: secrets.appToken, apiUrl, url, isLocal: true }
}
