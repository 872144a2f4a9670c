import type { Logger } from 'pino'
import { type Config, readConfig } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { startDatabaseClock } from './database/database-clock.ts'
import { type Lifecycle, runUntilStopped } from './lifecycle.ts'
import { createLog } from './log.ts'
import { measureProcess } from './metrics/measure-process.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { type Runtime, systemRuntime } from './runtime.ts'
import { startConfiguredService } from './service/service.ts'
import { startTracing } from './tracing/start-tracing.ts'
import { VERSION } from './version.ts'

export type Startup = Lifecycle & {
  config: Config
  log: Logger
  database: Database
  metrics: Metrics
  /** With the database's clock. */
  runtime: Runtime
}

/** Reads the settings, opens the database, calls `start`, and stops everything when a signal arrives. */
export async function runServer(start: (startup: Startup) => Promise<void>): Promise<void> {
  await runUntilStopped(async (lifecycle) => {
    const config = readConfig()
    const log = createLog(config.LOG_LEVEL)
    logProcessErrors(log)
    log.info({ version: VERSION, node: process.version }, 'Upnext is starting')
    console.log(`upnext    ${VERSION}`)
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config
    if (endpoint) lifecycle.addCleanup(await startTracing({ endpoint, serviceName }, log))
    const onError = (error: Error) => log.error(error, 'Database error')
    const database = await openDatabase({ config, onError, runtime: systemRuntime })
    lifecycle.addCleanup(database.close)
    const clock = await startDatabaseClock({ pool: database.pool, log, runtime: systemRuntime })
    lifecycle.addCleanup(clock.stop)
    console.log(`database  ${database.location}`)
    if (database.secretFile)
      console.log(
        `          Encrypted with the key in ${database.secretFile}. Set SECRET_KEY to keep the key elsewhere.`,
      )
    const metrics = createMetrics()
    if (config.METRICS_PORT !== undefined) {
      const { HOST: host, METRICS_PORT: port } = config
      const stopMeasuring = measureProcess(metrics, database.pool)
      lifecycle.addCleanup(async () => stopMeasuring())
      const { url, close } = await serveMetrics({ metrics, log, host, port })
      lifecycle.addCleanup(close)
      console.log(`metrics   ${url}`)
    }
    await start({
      config,
      log,
      database,
      metrics,
      runtime: { ...systemRuntime, now: clock.now },
      ...lifecycle,
    })
    // While draining, /readyz fails, so that proxies stop sending requests.
    lifecycle.onDrain(() => systemRuntime.sleep(config.DRAIN_SECONDS * 1000))
  })
}

/** One faulty request must not end the process. A crash is logged with its cause before Node ends the process. */
function logProcessErrors(log: Logger): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'Unhandled promise rejection'))
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'Upnext crashed'))
}

/** Starts the scheduling service and prints its URL. Also returns a token for the bot, if there is one. */
export async function startService(startup: Startup, { hasBot = false } = {}) {
  const { url, botToken, messages, stop } = await startConfiguredService({ ...startup, hasBot })
  startup.addCleanup(stop)
  for (const message of [...messages, `service   ${url}`]) console.log(message)
  return { url, token: botToken }
}
