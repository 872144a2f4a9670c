import { readConfig, startedByNpm } from './config.ts'
import { openDatabase } from './database/database.ts'
import { createLog } from './log.ts'
import { runUntilStopped } from './run.ts'
import { openService } from './service/open-service.ts'
import { realWorld as world } from './world.ts'

await runUntilStopped(
  async (opened) => {
    const config = readConfig()
    const log = createLog(config.LOG_LEVEL)
    let serviceUrl = config.API_BASE_URL

    if (!serviceUrl) {
      const database = await openDatabase({
        config,
        onError: (error) => log.error(error, 'database'),
        randomBytes: world.randomBytes,
      })
      opened(database.close)
      console.log(`database  ${database.where}`)

      const service = await openService({ config, pool: database.pool, log, world })
      opened(service.stop)
      serviceUrl = service.url
      for (const note of service.notes) console.log(note)
    }
    console.log(`service   ${serviceUrl}`)

    console.log(`ready     service ${serviceUrl}`)
  },
  { endsWithParent: startedByNpm() },
)
