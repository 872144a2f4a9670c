import { sql } from 'kysely'
import { prepareOne } from '../database/queries.ts'
import type { Tables } from '../database/tables.ts'
import { readActorIds } from './actor.ts'
import type { Bot } from './bot.ts'
import { type SettingsKey, selectSettings } from './settings-store.ts'
import type { SettingsInChannel } from './tables.ts'

type Claim = SettingsInChannel & {
  /** False if a request with this signature was claimed before, by this instance or another. */
  is_first: boolean
}

const CLAIM_TIMEOUT_MS = 500

/**
 * Claims a request and, in the same round trip, finds the settings that its handler needs. Returns undefined if the database
 * is slow or down: Slack waits only three seconds, and the handler reports the failure. A request without a signature, as in
 * Socket Mode, isn't claimed.
 */
export async function claimRequest(
  { db, log, runtime }: Bot,
  signature: string | undefined,
  body: object,
): Promise<Claim | undefined> {
  if (!signature) return undefined
  const { team_id, user_id, channel_id = '' } = readActorIds(body)
  const received = { signature, received_at: runtime.now(), team_id, user_id, channel_id }
  const claim = insertRequest(db, received).catch((err) => {
    log.error({ err }, 'Failed to record a received request')
    return undefined
  })
  return Promise.race([claim, runtime.sleep(CLAIM_TIMEOUT_MS).then(() => undefined)])
}

type ReceivedRequest = Tables['received_request'] & SettingsKey

const insertRequest = prepareOne(
  (_db, { signature, received_at, team_id, user_id, channel_id }: ReceivedRequest) => sql<Claim>`
    with claimed as (
      insert into upnext.received_request (signature, received_at) values (${signature}, ${received_at})
      on conflict do nothing returning signature
    )
    select exists (select from claimed) as is_first, settings.*
    from (${selectSettings({ team_id, user_id, channel_id })}) settings`,
)
