import { WebClient } from '@slack/web-api'
import { createApi } from '../../src/api/client.ts'
import { NO_EXTENSIONS } from '../../src/api/service-extensions.ts'
import { connectBotDatabase } from '../../src/bot/connect-database.ts'
import { digestsModule } from '../../src/bot/features/digests/index.ts'
import { notificationHandler } from '../../src/bot/outbox/deliver-notification.ts'
import { createActionLimiter } from '../../src/bot/slack/action-limiter.ts'
import { createConnectedPlatforms } from '../../src/bot/slack/connected-platforms.ts'
import { createScopeCheck } from '../../src/bot/slack/installation/granted-scopes.ts'
import { createProjectList } from '../../src/bot/slack/project-list.ts'
import { createUserDirectory } from '../../src/bot/slack/user-directory.ts'
import { createUserGroups } from '../../src/bot/slack/user-groups.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startJobQueue } from '../../src/jobs/job-queue.ts'
import { MAX_RUN_MS } from '../../src/jobs/limit-run-time.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { type Runtime, systemRuntime } from '../../src/runtime.ts'

// The digests of one instance of the bot, in a process that can be killed.

/** The parent process sends how far the clock is ahead of the real one. */
export type ClockMessage = { offsetMs: number }

const {
  DATABASE_URL,
  SECRET_KEY = '',
  API_BASE_URL = '',
  API_TOKEN = '',
  SLACK_API_URL = '',
  SLACK_BOT_TOKEN = '',
} = process.env
let offsetMs = 0
process.on('message', (message: ClockMessage) => {
  offsetMs = message.offsetMs
})
process.on('disconnect', () => process.exit())

const runtime = { ...systemRuntime, now: () => new Date(Date.now() + offsetMs) }
const database = await openDatabase({
  config: { DATABASE_URL, DATA_DIR: '', SECRET_KEY: [SECRET_KEY] },
  onError: () => {},
  runtime,
})
const api = createApi({ ...runtime, baseUrl: API_BASE_URL, token: API_TOKEN })
const bot = {
  refreshHome: async () => {},
  api,
  db: await connectBotDatabase(database),
  directory: createUserDirectory(runtime),
  userGroups: createUserGroups(runtime, createLog('fatal')),
  extensions: { current: NO_EXTENSIONS, areKnown: true },
  actionLimit: createActionLimiter({ perUser: 0, perWorkspace: 0 }, runtime.now),
  typingUpdates: new Map(),
  projectList: createProjectList(api, runtime.now),
  connectedPlatforms: createConnectedPlatforms(api, runtime.now),
  scopes: createScopeCheck(runtime),
  slackFetch: runtime.fetch,
  uploads: { current: { baseUrl: undefined, isPublic: false, maxWorkspaceBytes: 0 } },
  log: createLog('fatal'),
  metrics: createMetrics(),
  runtime,
  admins: [],
  guestsMayWrite: false,
  externalUsersMayView: false,
  uninstallRetentionDays: 30,
}
const client = new WebClient(SLACK_BOT_TOKEN, {
  slackApiUrl: SLACK_API_URL,
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
})
process.send?.('open')
// The digests must not start before the clock is set.
await new Promise((resolve) => process.once('message', resolve))
// A day passes in seconds, so the pollers must not sleep for long. Their runs take as long as elsewhere.
const sleep: Runtime['sleep'] = (ms, signal) =>
  runtime.sleep(ms === MAX_RUN_MS ? ms : Math.min(ms, 50), signal)
const impatientBot = { ...bot, runtime: { ...runtime, sleep } }
const context = {
  bot: impatientBot,
  client,
  modules: [],
  workspaceTables: [],
  slackFiles: { origin: '', botToken: '' },
}
const handlers = [notificationHandler(context), ...(digestsModule.jobs?.(context) ?? [])]
startJobQueue({ ...impatientBot, handlers })
process.send?.('ready')
