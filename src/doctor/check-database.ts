import { BOT_SCHEMA, openBotTables } from '../bot/connect-database.ts'
import { findInstalledWorkspace } from '../bot/slack/installation/installation-store.ts'
import type { Config } from '../config.ts'
import { type Database, openDatabase, readServerVersion } from '../database/database.ts'
import { isMissingTable } from '../database/error-codes.ts'
import { inspectSchema } from '../database/inspect-schema.ts'
import type { Schema } from '../database/schema.ts'
import type { Runtime } from '../runtime.ts'
import { willHaveToken } from '../service/demo.ts'
import { openServiceTables, SERVICE_SCHEMA } from '../service/stores/database.ts'
import { type Check, fail, hasFailure, ok } from './check.ts'
import { checkDatabaseClock } from './check-database-clock.ts'
import { checkPublishing } from './check-publishing.ts'

export type DatabaseReport = {
  checks: Check[]
  /** The Slack workspace to which the database belongs, if it's known. */
  workspace?: string | undefined
  /** Whether the embedded service will have a token for the bot, if that can be determined. */
  hasToken?: boolean | undefined
}

/** Connects to the database, starting the embedded one if it's used, and compares its tables with this version of Upnext. */
export async function checkDatabase(config: Config, runtime: Runtime): Promise<DatabaseReport> {
  let database: Database
  try {
    database = await openDatabase({ config, onError: () => {}, runtime })
  } catch (error) {
    return { checks: [fail('database', (error as Error).message)] }
  }
  try {
    const { pool } = database
    const botTables = await checkTables('bot tables', database, BOT_SCHEMA)
    const serviceTables = config.API_BASE_URL
      ? undefined
      : await checkTables('service tables', database, SERVICE_SCHEMA)
    return {
      checks: [
        ok('database', `PostgreSQL ${await readServerVersion(pool)} at ${database.location}.`),
        ...(config.DATABASE_URL ? [await checkDatabaseClock(pool, config, runtime)] : []),
        botTables,
        ...(serviceTables ? [serviceTables] : []),
        ...(serviceTables && !hasFailure([serviceTables])
          ? await ifTablesExist(checkPublishing(database, config, runtime), [])
          : []),
      ],
      workspace: hasFailure([botTables]) ? undefined : await findWorkspace(database),
      hasToken:
        !serviceTables || hasFailure([serviceTables]) ? undefined : await hasServiceToken(database, config),
    }
  } catch (error) {
    return { checks: [fail('database', (error as Error).message)] }
  } finally {
    await database.close()
  }
}

/** Returns `fallback` if the tables don't exist yet, as before the first start. */
function ifTablesExist<Result>(query: Promise<Result>, fallback: Result): Promise<Result> {
  return query.catch((error) => {
    if (isMissingTable(error)) return fallback
    throw error
  })
}

const findWorkspace = (database: Database): Promise<string | undefined> =>
  ifTablesExist(findInstalledWorkspace(openBotTables(database)), undefined)

function hasServiceToken(database: Database, { DATABASE_URL, API_TOKEN }: Config): Promise<boolean> {
  const wantsDemo = !DATABASE_URL
  return ifTablesExist(willHaveToken(openServiceTables(database), API_TOKEN, { wantsDemo }), wantsDemo)
}

async function checkTables(name: string, database: Database, schema: Schema): Promise<Check> {
  try {
    const { pending, keyUses } = await inspectSchema(database, schema)
    const details = keyUses.map(({ key_id, rows }) =>
      key_id ? `Rows encrypted with the key ${key_id}: ${rows}.` : `Rows that aren't encrypted yet: ${rows}.`,
    )
    if (!pending.length) return ok(name, 'All migrations are applied, and the keys fit all rows.', details)
    const count = `${pending.length} migration${pending.length === 1 ? '' : 's'}`
    return ok(name, `The next start applies ${count}.`, details)
  } catch (error) {
    return fail(name, (error as Error).message)
  }
}
