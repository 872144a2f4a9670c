import type { WebClient } from '@slack/web-api'
import { type Form, listForms } from '../forms/form.ts'
import type { Actor } from '../slack/actor.ts'
import type { Module } from '../slack/feature.ts'
import type { OutboxItem } from './tables.ts'

export function formOf(modules: Module[], item: OutboxItem): Form {
  const form = listForms(modules).find(({ verb }) => verb === item.form)
  if (!form) throw new Error(`An outbox item belongs to an unknown form: "${item.form}".`)
  return form
}

/** All attempts use the item's id as their request id, so the service's log shows which item an entry belongs to. */
export const itemActor = (
  { id, team_id, user_id, channel_id, progress_channel: channel, progress_ts: ts }: OutboxItem,
  client: WebClient,
): Actor => ({
  team_id,
  user_id,
  channel_id: channel_id ?? undefined,
  progress: channel && ts ? { channel, ts } : undefined,
  client,
  request_id: id,
})
