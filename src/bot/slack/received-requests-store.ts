import { sql } from 'kysely'
import { prepareOne } from '../database/queries.ts'
import type { Tables } from '../database/tables.ts'
import type { Bot } from './bot.ts'

const CLAIM_TIMEOUT_MS = 500

/**
 * Returns false if a request with this signature was claimed before, by this instance or another. If the database is slow
 * or down, the request counts as new: Slack waits only three seconds, and the handler reports the failure. A request
 * without a signature, as in Socket Mode, isn't claimed.
 */
export async function claimRequest(
  { db, log, runtime }: Bot,
  signature: string | undefined,
): Promise<boolean> {
  if (!signature) return true
  const claim = insertRequest(db, { signature, received_at: runtime.now() }).then(
    (inserted) => inserted !== undefined,
    (err) => {
      log.error({ err }, 'Failed to record a received request')
      return true
    },
  )
  return Promise.race([claim, runtime.sleep(CLAIM_TIMEOUT_MS).then(() => true)])
}

const insertRequest = prepareOne(
  (_db, { signature, received_at }: Tables['received_request']) => sql`
    insert into upnext.received_request (signature, received_at) values (${signature}, ${received_at})
    on conflict do nothing returning signature`,
)
