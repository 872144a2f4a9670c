import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { createDemoData, createDemoToken, setDemoAdminToken } from './demo.ts'
import { operations } from './operations/index.ts'
import { startPublishing } from './publishing/publish-posts.ts'
import { createServer } from './server.ts'
import { isReachable, openServiceDatabase } from './stores/database.ts'
import type { Db } from './stores/tables.ts'
import { revokeToken } from './stores/tokens-store.ts'

export type ServiceOptions = {
  pool: Pool
  host: string
  port: number
  log: Logger
  runtime: Runtime
  timing?: Partial<typeof DEFAULT_TIMING>
}

const DEFAULT_TIMING = {
  publishIntervalMs: 1000,
  deliveryIntervalMs: 2000,
  webhookTimeoutMs: 15_000,
  /** How long stopping waits for requests in progress. */
  shutdownTimeoutMs: 10_000,
}

export type Service = { url: string; db: Db; stop(): Promise<void> }

/** Starts the scheduling API and the publishing of due posts. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { pool, host, port, log, runtime } = options
  const { shutdownTimeoutMs, ...intervals } = { ...DEFAULT_TIMING, ...options.timing }
  const db = await openServiceDatabase(pool)
  const publishing = await startPublishing({ pool, db, log, runtime, ...intervals })
  const server = createServer({ db, operations, log, runtime, isReady: () => isReachable(pool) })
  try {
    await server.listen({ host, port })
  } catch (error) {
    await publishing.stop()
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portInUse(port) : error
  }
  const address = server.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    db,
    async stop() {
      const timer = setTimeout(() => server.server.closeAllConnections(), shutdownTimeoutMs)
      await server.close()
      clearTimeout(timer)
      await publishing.stop()
    },
  }
}

const portInUse = (port: number) =>
  new Error(
    `Port ${port} is already in use, maybe by another Upnext. Stop it, or set SERVICE_PORT to another port.`,
  )

type ConfiguredServiceOptions = Pick<ServiceOptions, 'pool' | 'log' | 'runtime'> & {
  config: Pick<Config, 'HOST' | 'SERVICE_PORT' | 'API_TOKEN' | 'DATABASE_URL'>
}

type ConfiguredService = Service & {
  /** Lines to print for the person who started the service. */
  messages: string[]
  /** A token for the bot in this process, if there is demo data. Stopping the service revokes the token. */
  botToken: string | undefined
}

/** Starts the service with the demo data and the tokens that the configuration asks for. */
export async function startConfiguredService({
  config,
  pool,
  log,
  runtime,
}: ConfiguredServiceOptions): Promise<ConfiguredService> {
  const service = await startService({ pool, host: config.HOST, port: config.SERVICE_PORT, log, runtime })
  const { db } = service
  const messages: string[] = []
  // A database that DATABASE_URL names is for real data only.
  const demo = config.DATABASE_URL ? undefined : await createDemoData(db, runtime)
  if (demo)
    messages.push(
      `demo      Created two sample projects. API token of ${demo.adminEmail} (shown only once):`,
      `          ${demo.token}`,
    )
  // Without an API_TOKEN, this only revokes the one of the previous start.
  const adminEmail = await setDemoAdminToken(db, config.API_TOKEN, runtime.now())
  if (adminEmail) messages.push(`demo      API_TOKEN is now a token of ${adminEmail}.`)
  else if (config.API_TOKEN)
    messages.push(
      'demo      API_TOKEN is ignored because there is no demo data.',
      '          Create a token with "npm run service -- token add".',
    )
  const botToken = config.DATABASE_URL ? undefined : await createDemoToken(db, runtime, 'bot')
  return {
    ...service,
    messages,
    botToken: botToken?.token,
    async stop() {
      // If the database is no longer reachable, the token stays valid, but no one knows it.
      if (botToken) await revokeToken(db, botToken.id, runtime.now()).catch(() => {})
      await service.stop()
    },
  }
}
