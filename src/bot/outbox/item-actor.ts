import type { WebClient } from '@slack/web-api'
import type { Actor } from '../slack/actor.ts'
import type { OutboxItem } from './tables.ts'

/** All attempts use the item's id as their request id, so the service's log shows which item an entry belongs to. */
export const itemActor = (item: OutboxItem, client: WebClient): Actor => ({
  team_id: item.team_id,
  user_id: item.user_id,
  channel_id: item.channel_id ?? undefined,
  progress: progressMessageOf(item),
  client,
  request_id: item.id,
})

const progressMessageOf = ({ progress_channel: channel, progress_ts: ts }: OutboxItem) =>
  channel && ts ? { channel, ts } : undefined
