import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { StoreAccess } from '../database/database.ts'
import { JOB_INTERVAL_MS } from '../jobs/job-queue.ts'
import { type Poller, startPoller } from '../jobs/poller.ts'
import { explainListenError, formatUrl } from '../listen-address.ts'
import { createDatabaseChecks, createPollerCheck, createReadinessCheck } from '../readiness.ts'
import { addMs } from '../runtime.ts'
import { readApiDocument } from './api-document.ts'
import {
  createDemoData,
  DEMO_ADMIN_EMAIL,
  saveDemoToken,
  setConfiguredToken,
  UNKNOWN_TOKEN_MESSAGE,
} from './demo.ts'
import {
  createPublishers,
  type PublisherSettings,
  readPublisherSettings,
} from './publishing/create-publishers.ts'
import { startPublishing } from './publishing/start-publishing.ts'
import { createServer, type ServerOptions } from './server.ts'
import { openServiceDatabase } from './stores/database.ts'
import { deleteExpiredKeys } from './stores/idempotency-store.ts'
import { deleteLogEntries } from './stores/logs-store.ts'
import { deleteRevokedTokens, generateToken, revokeToken } from './stores/tokens-store.ts'

export type ServiceOptions = Omit<ServerOptions, 'publishers' | 'requestTimeoutMs' | 'findProblem'> & {
  database: StoreAccess
  host: string
  port: number
  log: Logger
  /** After how many days log entries and revoked tokens are deleted. */
  retentionDays: number
  publishing: PublisherSettings
  timing?: Partial<typeof DEFAULT_TIMING>
  isStopping?: (() => boolean) | undefined
}

const DEFAULT_TIMING = {
  /** How often the service looks for due posts. */
  publishIntervalMs: 1000,
  jobIntervalMs: JOB_INTERVAL_MS,
  /** Far below MAX_RUN_MS, after which the run of a job is abandoned. */
  webhookTimeoutMs: 15_000,
  requestTimeoutMs: 20_000,
  /** How long stopping waits for requests in progress. */
  shutdownTimeoutMs: 10_000,
}

/** Starts the scheduling API and the publishing of due posts. */
export async function startService(options: ServiceOptions) {
  const { database, host, port, log, runtime, publishing, isStopping } = options
  const timing = { ...DEFAULT_TIMING, ...options.timing }
  const publishers = createPublishers(publishing, runtime)
  const pollers: Poller[] = []
  const checks = [...createDatabaseChecks(database, runtime), createPollerCheck(pollers)]
  const findProblem = createReadinessCheck({ log, isStopping, checks })
  const server = createServer({ ...options, ...timing, publishers, findProblem })
  await server.listen({ host, port }).catch((error) => {
    throw explainListenError(error, { host, port, setting: 'SERVICE_PORT' })
  })
  // Started only after listening: if the port is taken, nothing is published and no heartbeat is recorded.
  pollers.push(
    ...startPublishing({ ...options, ...publishing, ...timing, publishers }),
    startPoller({
      log,
      runtime,
      name: 'clean up',
      intervalMs: CLEANUP_INTERVAL_MS,
      task: () => cleanUp(options),
    }),
  )
  const address = server.server.address() as AddressInfo
  return {
    url: formatUrl(host, address.port),
    async stop() {
      const timer = setTimeout(() => server.server.closeAllConnections(), timing.shutdownTimeoutMs)
      await Promise.all([server.close(), ...pollers.map((poller) => poller.stop())])
      clearTimeout(timer)
    },
  }
}

const CLEANUP_INTERVAL_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Deletes tokens that were revoked long ago, expired idempotency keys, and old log entries, which name people. */
async function cleanUp({ db, runtime, retentionDays }: ServiceOptions): Promise<boolean> {
  const now = runtime.now()
  const cutoff = addMs(now, -retentionDays * DAY_MS)
  await deleteRevokedTokens(db, cutoff)
  await deleteExpiredKeys(db, now)
  return deleteLogEntries(db, cutoff)
}

type ConfiguredServiceOptions = Pick<
  ServiceOptions,
  'database' | 'isStopping' | 'log' | 'metrics' | 'runtime'
> & {
  /** Whether this process runs the bot. The service doesn't limit the bot's requests, because the bot limits its users. */
  hasBot: boolean
  config: Config
}

/** Starts the service with the demo data and the tokens that the configuration asks for. */
export async function startConfiguredService(options: ConfiguredServiceOptions) {
  const { config, metrics, runtime, hasBot } = options
  // The service isn't ready until it has started.
  metrics.ready.set({ upnext_server: 'service' }, 0)
  const { now, randomBytes } = runtime
  const generatedToken = generateToken(randomBytes)
  const botToken = config.API_TOKEN ?? generatedToken
  const db = await openServiceDatabase(options.database)
  const service = await startService({
    ...options,
    db,
    host: config.HOST,
    port: config.SERVICE_PORT,
    apiDocument: readApiDocument(),
    requestsPerMinute: config.SERVICE_REQUESTS_PER_MINUTE,
    botToken: hasBot ? botToken : undefined,
    retentionDays: config.AUDIT_RETENTION_DAYS,
    publishing: readPublisherSettings(config),
  })
  const { url: serviceUrl } = service
  const messages: string[] = []
  // A database set in DATABASE_URL gets no demo data.
  const wantsDemo = !config.DATABASE_URL
  const demoToken = generateToken(randomBytes)
  if (wantsDemo && (await createDemoData(db, { token: demoToken, serviceUrl, now: now() })))
    messages.push(
      `demo      Created two demo projects. API token of ${DEMO_ADMIN_EMAIL} (shown only once):`,
      `          ${demoToken}`,
    )
  // Without an API_TOKEN, this only revokes the token set at the previous start.
  const tokenState = await setConfiguredToken(db, config.API_TOKEN, now())
  if (tokenState === 'given to the demo admin')
    messages.push(`demo      API_TOKEN is now a token of ${DEMO_ADMIN_EMAIL}.`)
  if (tokenState === 'unknown') messages.push(`token     ${UNKNOWN_TOKEN_MESSAGE}`)
  const savedToken =
    wantsDemo && !config.API_TOKEN ? await saveDemoToken(db, generatedToken, 'bot') : undefined
  return {
    ...service,
    /** Lines to print for the person who started the service. */
    messages,
    /** A token for the bot in this process: API_TOKEN or, if there is demo data, one that is revoked when the service stops. */
    botToken: config.API_TOKEN ?? (savedToken && generatedToken),
    async stop() {
      // If the database can't be reached, the token stays valid, but only this process knew it.
      if (savedToken) await revokeToken(db, savedToken.id, now()).catch(() => {})
      await service.stop()
    },
  }
}
