import type { WebClient } from '@slack/web-api'
import type { Actor } from '../actor.ts'
import type { OutboxItem } from '../database/tables.ts'

/** All attempts to send an item share its id, so the service's log shows which item an entry belongs to. */
export const itemActor = ({ id, team_id, user_id, channel_id }: OutboxItem, client: WebClient): Actor => ({
  team_id,
  user_id,
  channel_id: channel_id ?? undefined,
  client,
  request_id: id,
})
