import type pg from 'pg'
import { BOT_SCHEMA, openBotTables } from '../bot/connect-database.ts'
import { findInstalledWorkspace } from '../bot/slack/installation/installation-store.ts'
import type { Config } from '../config.ts'
import { checkKeys } from '../database/check-keys.ts'
import { checkRoles } from '../database/check-roles.ts'
import { type Database, openDatabase, readServerVersion } from '../database/database.ts'
import { readDatabaseClock } from '../database/database-clock.ts'
import { isMissingTable } from '../database/error-codes.ts'
import { checkTableVersion, listAppliedMigrations } from '../database/migrate.ts'
import { openTables, type Schema } from '../database/schema.ts'
import type { Runtime } from '../runtime.ts'
import { willHaveToken } from '../service/demo.ts'
import { createPublishers, readPublisherSettings } from '../service/publishing/create-publishers.ts'
import { findBusyPeriods, listAllConnectedAccounts } from '../service/stores/accounts-store.ts'
import { openServiceTables, SERVICE_SCHEMA } from '../service/stores/database.ts'
import { type Check, fail, hasFailure, ok, warn } from './check.ts'

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
    if (!pending.length)
      return ok(name, 'All migrations are applied, and no encryption key is missing.', details)
    const count = `${pending.length} migration${pending.length === 1 ? '' : 's'}`
    return ok(name, `The next start applies ${count}.`, details)
  } catch (error) {
    return fail(name, (error as Error).message)
  }
}

/**
 * Rate limits for posts: Telegram's for each chat (core.telegram.org/bots/faq), and the one for each key in Postiz's sample
 * configuration.
 */
const RATE_LIMITS = [
  { publisher: 'TELEGRAM', unit: 'minute', limit: 20 },
  { publisher: 'POSTIZ', unit: 'hour', limit: 30 },
] as const

const MAX_DETAILS = 5

/** Asks the networks whether each account can publish, and finds periods with more posts than a network accepts. */
async function checkPublishing(database: Database, config: Config, runtime: Runtime): Promise<Check[]> {
  const db = openServiceTables(database)
  const publishers = createPublishers(readPublisherSettings(config), runtime)
  const accounts = await listAllConnectedAccounts(db)
  if (!accounts.length)
    return [
      ok(
        'publishing',
        'No account is connected, so posts are marked as published without being sent to a platform.',
      ),
    ]
  const checks = accounts.map(async (account) => {
    const outcome = await publishers[account.publisher]?.check(account)
    if (outcome?.state === 'ok') return []
    const notSet = "POSTIZ_URL and POSTIZ_API_KEY aren't set."
    const reason = !outcome ? notSet : outcome.state === 'problem' ? outcome.problem : `${outcome.error}.`
    return [`${account.platform} (${account.name}): ${reason}`]
  })
  const problems = (await Promise.all(checks)).flat()
  const periods = await Promise.all(
    RATE_LIMITS.map(async (limits) =>
      (await findBusyPeriods(db, limits)).map(
        ({ start, posts, name }) =>
          `${name}: ${posts} posts in the ${limits.unit} from ${start.toISOString()}. The limit is usually ${limits.limit}.`,
      ),
    ),
  )
  const busy = periods.flat()
  return [
    problems.length
      ? warn('accounts', `${problems.length} of ${accounts.length} can't publish.`, problems)
      : ok('accounts', `${accounts.length} can publish.`),
    ...(busy.length
      ? [
          warn('plan', 'Some posts will be late. Spread them over a longer period.', [
            ...busy.slice(0, MAX_DETAILS),
            ...(busy.length > MAX_DETAILS ? [`and ${busy.length - MAX_DETAILS} more`] : []),
          ]),
        ]
      : []),
  ]
}

const CLOCK_CHECK = 'database clock'
const MAX_NORMAL_DIFFERENCE_S = 60
/**
 * Bolt rejects requests that are five minutes old by this machine's clock. Upnext remembers requests for ten minutes by
 * the database's clock. A limit below five minutes leaves time for the request itself.
 */
const MAX_HTTP_CLOCK_DIFFERENCE_S = 240

/** Compares this machine's clock with the database's clock. */
async function checkDatabaseClock(
  pool: pg.Pool,
  { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Pick<Config, 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET'>,
  { now }: Pick<Runtime, 'now'>,
): Promise<Check> {
  const database = await readDatabaseClock(pool)
  const seconds = (now().getTime() - database.now().getTime()) / 1000
  const distance = Math.abs(seconds)
  const difference = `This machine's clock is ${distance.toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's.`
  if (distance <= MAX_NORMAL_DIFFERENCE_S)
    return ok(CLOCK_CHECK, `${difference} Up to ${MAX_NORMAL_DIFFERENCE_S} s is fine.`)
  const advice = `${difference} Synchronize the clocks (NTP).`
  if (SLACK_SIGNING_SECRET && !SLACK_APP_TOKEN && distance > MAX_HTTP_CLOCK_DIFFERENCE_S)
    return fail(
      CLOCK_CHECK,
      `${advice} Over HTTP, the clocks may differ by at most ${MAX_HTTP_CLOCK_DIFFERENCE_S} s. Beyond that, requests from Slack are rejected, or accepted twice.`,
    )
  return warn(
    CLOCK_CHECK,
    `${advice} The database's clock decides when posts and digests go out. This machine's clock decides the times in the log and, over HTTP, whether Slack's requests are accepted. Over HTTP, the clocks may differ by at most ${MAX_HTTP_CLOCK_DIFFERENCE_S} s.`,
  )
}
