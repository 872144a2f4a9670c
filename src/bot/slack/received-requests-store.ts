import { sql } from 'kysely'
import { prepareOne } from '../database/prepare.ts'
import type { Tables } from '../database/tables.ts'
import { type SettingsInChannel, type SettingsKey, selectSettings } from './user-settings-store.ts'

type ReceivedRequest = Tables['received_request'] & SettingsKey

export type Claim = SettingsInChannel & {
  /** False if a request with this signature was claimed before, by this instance or another. */
  is_first: boolean
}

/** Claims a request, and finds the settings that its handler needs in the same round trip. */
export const claimRequest = prepareOne(
  (_db, { signature, received_at, team_id, user_id, channel_id }: ReceivedRequest) => sql<Claim>`
    with claimed as (
      insert into upnext.received_request (signature, received_at) values (${signature}, ${received_at})
      on conflict do nothing returning signature
    )
    select exists (select from claimed) as is_first, settings.*
    from (${selectSettings({ team_id, user_id, channel_id })}) settings`,
)
