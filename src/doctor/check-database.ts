import { inspectBotDatabase } from '../bot/database/connect.ts'
import type { Config } from '../config.ts'
import { type Database, openDatabase, readServerState } from '../database/database.ts'
import type { MigrationState } from '../database/inspect-schema.ts'
import type { Runtime } from '../runtime.ts'
import { inspectServiceDatabase } from '../service/stores/database.ts'
import { type Check, checkClock, fail, ok } from './check.ts'

/** Connects to the database, which starts the embedded one, and compares its tables with this version of Upnext. */
export async function checkDatabase(config: Config, runtime: Runtime): Promise<Check[]> {
  let database: Database
  try {
    database = await openDatabase({ config, onError: () => {}, runtime })
  } catch (error) {
    return [fail('database', (error as Error).message)]
  }
  try {
    const { now, version } = await readServerState(database.pool)
    return [
      ok('database', `PostgreSQL ${version} at ${database.location}.`),
      ...(config.DATABASE_URL ? [checkClock('database clock', now, runtime.now())] : []),
      await checkTables('bot tables', inspectBotDatabase(database)),
      ...(config.API_BASE_URL ? [] : [await checkTables('service tables', inspectServiceDatabase(database))]),
    ]
  } catch (error) {
    return [fail('database', (error as Error).message)]
  } finally {
    await database.close()
  }
}

async function checkTables(name: string, inspection: Promise<MigrationState>): Promise<Check> {
  try {
    const { pending, unknown } = await inspection
    if (unknown.length)
      return fail(
        name,
        `A newer version of Upnext has changed these tables (${unknown.join(', ')}). Start that version.`,
      )
    if (!pending.length) return ok(name, 'All migrations are applied, and the key fits.')
    return ok(name, `The next start applies ${pending.length} migration${pending.length === 1 ? '' : 's'}.`)
  } catch (error) {
    return fail(name, (error as Error).message)
  }
}
