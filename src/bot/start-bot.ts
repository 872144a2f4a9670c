import { App, type Logger as BoltLogger, LogLevel } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Jobs } from '../store/jobs.ts'
import { mountFeatures } from './app.ts'
import type { Bot } from './bot.ts'
import { startDigests } from './digest/start-digests.ts'
import { createDirectory } from './directory.ts'
import { startOutbox } from './outbox/start-outbox.ts'

export type SlackAccess = {
  botToken: string
  /** One of these: for Socket Mode, or for requests over HTTP. */
  appToken?: string | undefined
  signingSecret?: string | undefined
  apiUrl?: string | undefined
}

type StartOptions = {
  bot: Omit<Bot, 'directory'>
  jobs: Jobs
  slack: SlackAccess
  host: string
  port: number
  /** How often it is looked what digests are due. */
  digestsEveryMs?: number | undefined
}

export type RunningBot = { stop: () => Promise<void> }

/** For a call to Slack; a bot that waits longer has lost its reader. */
const SLACK_TIMEOUT_MS = 10_000

export async function startBot(options: StartOptions): Promise<RunningBot> {
  const { bot: given, jobs, slack, host, port, digestsEveryMs } = options
  const { botToken, appToken, signingSecret, apiUrl } = slack
  const reach = { timeout: SLACK_TIMEOUT_MS, ...(apiUrl && { slackApiUrl: apiUrl }) }
  const app = new App({
    token: botToken,
    // The SDK would try for half an hour, and wait for ever.
    clientOptions: { ...reach, retryConfig: { retries: 2, maxTimeout: 2000 } },
    logger: boltLogger(given.log),
    ...(appToken ? { socketMode: true, appToken } : { signingSecret: signingSecret ?? '' }),
  })
  const bot = { ...given, directory: createDirectory(given.runtime) }
  mountFeatures(app, bot)
  await (appToken ? app.start() : app.start({ host, port }))
  // A call whose answer is lost may have been heard: what nobody waits for is tried again by those who can look first.
  const client = new WebClient(botToken, {
    ...reach,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: boltLogger(given.log),
  })
  const outbox = await startOutbox({ bot, client, jobs })
  const digests = await startDigests({ bot, client, jobs, everyMs: digestsEveryMs })
  return {
    async stop() {
      await app.stop()
      await outbox.stop()
      await digests.stop()
    },
  }
}

/** What Bolt has to say goes where all else goes. */
function boltLogger(log: Logger): BoltLogger {
  const words = (messages: unknown[]) => messages.map(String).join(' ')
  return {
    debug() {},
    info() {},
    warn: (...messages) => log.warn({ of: 'bolt' }, words(messages)),
    error: (...messages) => log.error({ of: 'bolt' }, words(messages)),
    setLevel() {},
    getLevel: () => LogLevel.ERROR,
    setName() {},
  }
}
