import { fileURLToPath } from 'node:url'
import { openLocalSlack } from 'local-slack'
import { createApi } from './api/client.ts'
import { connectBotDatabase } from './bot/database/connect.ts'
import { type SlackAccess, startBot } from './bot/start-bot.ts'
import { type Config, isStartedByNpm, readConfig } from './config.ts'
import { type AddCleanup, runUntilStopped } from './lifecycle.ts'
import { createLog } from './log.ts'
import { systemRuntime as runtime } from './runtime.ts'
import { startDatabase, startService } from './startup.ts'

const manifest = fileURLToPath(new URL('../manifest.yml', import.meta.url))

await runUntilStopped(
  async (addCleanup) => {
    const config = readConfig()
    const log = createLog(config.LOG_LEVEL)
    const database = await startDatabase({ config, log, addCleanup })
    const service = config.API_BASE_URL
      ? { url: config.API_BASE_URL, token: undefined }
      : await startService({ config, log, addCleanup, database })
    const onError = (error: unknown) => log.error(error)
    const slack = findSlackAccess(config) ?? (await startLocalSlack(config, onError, addCleanup))
    const token = config.API_TOKEN ?? service.token
    if (!token) console.log('bot       No token for the scheduling service. Set API_TOKEN.')
    const bot = await startBot({
      bot: {
        api: createApi({ ...runtime, baseUrl: service.url, token: token ?? '' }),
        db: await connectBotDatabase(database.pool),
        log,
        runtime,
        admins: config.ADMINS,
        guestsMayWrite: config.GUESTS_MAY_WRITE,
      },
      slack,
      host: config.HOST,
      port: config.PORT,
    })
    addCleanup(bot.stop)
    console.log(`ready     service ${service.url}   slack ${slack.url}`)
  },
  { stopsWithParent: isStartedByNpm() },
)

type ReachableSlack = SlackAccess & { url: string }

function findSlackAccess(config: Config): ReachableSlack | undefined {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL } = config
  if (!SLACK_BOT_TOKEN) return undefined
  return {
    botToken: SLACK_BOT_TOKEN,
    appToken: SLACK_APP_TOKEN,
    signingSecret: SLACK_SIGNING_SECRET,
    apiUrl: SLACK_API_URL,
    url: SLACK_API_URL ?? 'https://slack.com/api/',
  }
}

async function startLocalSlack(
  config: Config,
  onError: (error: unknown) => void,
  addCleanup: AddCleanup,
): Promise<ReachableSlack> {
  const { url, apiUrl, secrets, close } = await openLocalSlack({
    manifest,
    runtime,
    port: config.LOCAL_SLACK_PORT,
    onError,
  })
  addCleanup(close)
  console.log(`slack     ${url}   (a local Slack workspace, only available on this machine)`)
  return { botToken: secrets.botToken, appToken: secrets.appToken, apiUrl, url }
}
