import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { createPublishers, readPublisherSettings } from '../service/publishing/create-publishers.ts'
import { findBusyPeriods, listAllConnectedAccounts } from '../service/stores/accounts-store.ts'
import { openServiceTables } from '../service/stores/database.ts'
import { type Check, ok, warn } from './check.ts'

/**
 * Rate limits for posts: Telegram's for each chat (core.telegram.org/bots/faq), and the one for each key in Postiz's sample
 * configuration.
 */
const LIMITS = [
  { publisher: 'TELEGRAM', unit: 'minute', limit: 20 },
  { publisher: 'POSTIZ', unit: 'hour', limit: 30 },
] as const

const MAX_DETAILS = 5

/** Asks the networks whether each account can publish, and finds periods with more posts than they accept. */
export async function checkPublishing(
  database: Database,
  config: Config,
  runtime: Runtime,
): Promise<Check[]> {
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
    LIMITS.map(async (limits) =>
      (await findBusyPeriods(db, limits)).map(
        ({ start, posts, name }) =>
          `${name}: ${posts} posts in the ${limits.unit} of ${start.toISOString()}, and the limit is usually ${limits.limit}.`,
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
