import { BOT_SCHEMA, openBotTables } from '../bot/connect-database.ts'
import { findInstalledWorkspace } from '../bot/slack/installation/installation-store.ts'
import type { Config } from '../config.ts'
import { checkKeys } from '../database/check-keys.ts'
import { checkRoles } from '../database/check-roles.ts'
import { type Database, openDatabase, readServerVersion } from '../database/database.ts'
import { isMissingTable } from '../database/error-codes.ts'
import { checkTableVersion, listAppliedMigrations } from '../database/migrate.ts'
import { openTables, type Schema } from '../database/schema.ts'
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
  let database: Database | undefined
  try {
    database = await openDatabase({ config, onError: () => {}, runtime })
    const { pool, location } = database
    const botTables = await checkTables('bot tables', database, BOT_SCHEMA)
    const serviceTables = config.API_BASE_URL
      ? []
      : [await checkTables('service tables', database, SERVICE_SCHEMA)]
    const isServiceUsable = serviceTables.length > 0 && !hasFailure(serviceTables)
    return {
      checks: [
        ok('database', `PostgreSQL ${await readServerVersion(pool)} at ${location}.`),
        ...(config.DATABASE_URL ? [await checkDatabaseClock(pool, config, runtime)] : []),
        botTables,
        ...serviceTables,
        ...(isServiceUsable ? await ifTablesExist(checkPublishing(database, config, runtime), []) : []),
      ],
      workspace: hasFailure([botTables]) ? undefined : await findWorkspace(database),
      hasToken: isServiceUsable ? await hasServiceToken(database, config) : undefined,
    }
  } catch (error) {
    return { checks: [fail('database', (error as Error).message)] }
  } finally {
    await database?.close()
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

/** Compares a schema with this version of Upnext, without changing it. */
async function checkTables(name: string, database: Database, schema: Schema): Promise<Check> {
  try {
    const { pool, encryption } = database
    await checkRoles(database, schema.name)
    await checkTableVersion(pool, schema)
    const applied = await listAppliedMigrations(pool, schema.name)
    const pending = Object.keys(schema.migrations).filter((name) => !applied.includes(name))
    const keyUses = await checkKeys(openTables(database, schema), { ...schema, encryption })
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
