import { randomBytes } from 'node:crypto'
import { WebClient } from '@slack/web-api'
import { createApi } from '../../src/api/client.ts'
import { startDigests } from '../../src/bot/digest/start-digests.ts'
import { createDirectory } from '../../src/bot/directory.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { connectStore } from '../../src/store/connect.ts'
import { startJobs } from '../../src/store/jobs.ts'

/** One instance's digests, by the clock that its parent tells it. */
export type Told = { aheadMs: number }

const { DATA_DIR = '', SERVICE_URL = '', API_TOKEN = '', SLACK_URL = '', BOT_TOKEN = '' } = process.env
let aheadMs = 0
process.on('message', (told: Told) => {
  aheadMs = told.aheadMs
})
process.on('disconnect', () => process.exit())

const runtime = { ...systemRuntime, now: () => new Date(Date.now() + aheadMs) }
const log = createLog('fatal')
const database = await openDatabase({ config: { DATA_DIR }, onError: () => {}, randomBytes })
const bot = {
  api: createApi({ ...runtime, baseUrl: SERVICE_URL, token: API_TOKEN }),
  db: await connectStore(database.pool),
  directory: createDirectory(runtime),
  log,
  runtime,
  admins: [],
  guestsMayWrite: false,
}
const client = new WebClient(BOT_TOKEN, {
  slackApiUrl: SLACK_URL,
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
})
process.send?.('open')
// It is told the time before it begins.
await new Promise((resolve) => process.once('message', resolve))
await startDigests({
  bot,
  client,
  jobs: await startJobs({ pool: database.pool, onError: () => {} }),
  everyMs: 50,
})
process.send?.('ready')
