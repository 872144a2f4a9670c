import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import { createLog } from './log.ts'
import { openService } from './service/open-service.ts'
import { realWorld as world } from './world.ts'

type Opened = (close: () => Promise<void>) => void

/** Opens the database and the scheduling service on it, telling of each as it comes up; returns the service's address. */
export async function serve(config: Config, opened: Opened): Promise<string> {
  const log = createLog(config.LOG_LEVEL)
  const database = await openDatabase({
    config,
    onError: (error) => log.error(error, 'database'),
    randomBytes: world.randomBytes,
  })
  opened(database.close)
  console.log(`database  ${database.where}`)
  const service = await openService({ config, pool: database.pool, log, world })
  opened(service.stop)
  for (const note of service.notes) console.log(note)
  console.log(`service   ${service.url}`)
  return service.url
}
