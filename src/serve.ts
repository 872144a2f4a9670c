import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { systemRuntime as runtime } from './runtime.ts'
import { openService } from './service/open-service.ts'

export type Opened = (close: () => Promise<void>) => void

/** Opens the database, and tells where it is. */
export async function openData(config: Config, log: Logger, opened: Opened): Promise<Database> {
  const database = await openDatabase({
    config,
    onError: (error) => log.error(error, 'database'),
    randomBytes: runtime.randomBytes,
  })
  opened(database.close)
  console.log(`database  ${database.where}`)
  return database
}

type Serving = { config: Config; log: Logger; database: Database; opened: Opened }

/** Opens the scheduling service on it; `token` is one that the bot of this process may use, if there is a demo. */
export async function serve({
  config,
  log,
  database,
  opened,
}: Serving): Promise<{ url: string; token?: string }> {
  const service = await openService({ config, pool: database.pool, log, runtime })
  opened(service.stop)
  for (const note of service.notes) console.log(note)
  console.log(`service   ${service.url}`)
  return { url: service.url, ...(service.token && { token: service.token }) }
}
