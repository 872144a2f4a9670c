import type { WebClient } from '@slack/web-api'

export type Actor = {
  team_id: string
  user_id: string
  /** Undefined on the Home tab and in global shortcuts. */
  channel_id: string | undefined
  /** Where a response can be posted for half an hour, even if the bot isn't a member of the channel. */
  response_url?: string | undefined
  /** The response takes the place of the message whose menu was used. */
  replaces_original?: boolean | undefined
  /** A direct message that shows the outcome instead of a new one. */
  progress?: { channel: string; ts: string } | undefined
  client: WebClient
  /** Links the entries in the bot's audit trail with those in the service's log. */
  request_id: string
}

/** Excludes direct messages. */
export const isChannelId = (id: string | undefined): id is string => /^[CG]/.test(id ?? '')
