import { fileURLToPath } from 'node:url'
import { openLocalSlack } from 'local-slack'
import { createApi } from './api/client.ts'
import { type SlackAccess, startBot } from './bot/start-bot.ts'
import { type Config, readConfig, startedByNpm } from './config.ts'
import { createLog } from './log.ts'
import { runUntilStopped } from './run.ts'
import { systemRuntime as runtime } from './runtime.ts'
import { type Opened, openData, serve } from './serve.ts'
import { connectStore } from './store/connect.ts'
import { startJobs } from './store/jobs.ts'

const manifest = fileURLToPath(new URL('../manifest.yml', import.meta.url))

await runUntilStopped(
  async (opened) => {
    const config = readConfig()
    const log = createLog(config.LOG_LEVEL)
    const database = await openData(config, log, opened)
    const service = config.API_BASE_URL
      ? { url: config.API_BASE_URL }
      : await serve({ config, log, database, opened })
    const slack = namedSlack(config) ?? (await ownSlack(config, log.error.bind(log), opened))
    const token = config.API_TOKEN ?? ('token' in service ? service.token : undefined)
    if (!token) console.log('bot       has no token for the scheduling service: set API_TOKEN')
    const jobs = await startJobs({
      pool: database.pool,
      onError: (error) => log.error({ err: error }, 'jobs'),
    })
    opened(() => jobs.stop({ graceful: true }))
    const bot = await startBot({
      jobs,
      bot: {
        api: createApi({ ...runtime, baseUrl: service.url, token: token ?? '' }),
        db: await connectStore(database.pool),
        log,
        runtime,
        admins: config.ADMINS,
        guestsMayWrite: config.GUESTS_MAY_WRITE,
      },
      slack,
      host: config.HOST,
      port: config.PORT,
    })
    opened(bot.stop)
    console.log(`ready     service ${service.url}   slack ${slack.url}`)
  },
  { endsWithParent: startedByNpm() },
)

type Reached = SlackAccess & { url: string }

function namedSlack(config: Config): Reached | undefined {
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

async function ownSlack(config: Config, log: (error: unknown) => void, opened: Opened): Promise<Reached> {
  const { url, apiUrl, secrets, close } = await openLocalSlack({
    manifest,
    runtime,
    port: config.LOCAL_SLACK_PORT,
    onError: log,
  })
  opened(close)
  console.log(`slack     ${url}   (a Slack of this machine's own; nobody else can reach it)`)
  return { botToken: secrets.botToken, appToken: secrets.appToken, apiUrl, url }
}
