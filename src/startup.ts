import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import type { AddCleanup } from './lifecycle.ts'
import { systemRuntime as runtime } from './runtime.ts'
import { startConfiguredService } from './service/service.ts'

type StartOptions = { config: Config; log: Logger; addCleanup: AddCleanup }

/** Opens the database and prints its location. */
export async function startDatabase({ config, log, addCleanup }: StartOptions): Promise<Database> {
  const database = await openDatabase({
    config,
    onError: (error) => log.error(error, 'database error'),
    randomBytes: runtime.randomBytes,
  })
  addCleanup(database.close)
  console.log(`database  ${database.location}`)
  return database
}

/** Starts the scheduling service and prints its URL. With demo data, it also returns a token for the bot. */
export async function startService({
  config,
  log,
  addCleanup,
  database,
}: StartOptions & { database: Database }): Promise<{ url: string; token: string | undefined }> {
  const service = await startConfiguredService({ config, pool: database.pool, log, runtime })
  addCleanup(service.stop)
  for (const message of service.messages) console.log(message)
  console.log(`service   ${service.url}`)
  return { url: service.url, token: service.botToken }
}
