import type { SlashCommand } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'

export type Actor = {
  team_id: string
  user_id: string
  /** Undefined on the Home tab and in global shortcuts. */
  channel_id: string | undefined
  /** Where a response can be posted for half an hour, even if the bot isn't a member of the channel. */
  response_url?: string | undefined
  /** Whether the response replaces the message whose menu was used. */
  replaces_original?: boolean | undefined
  /** The direct message that shows the progress of an upload, until the outcome replaces it. */
  progress?: { channel: string; ts: string } | undefined
  client: WebClient
  /** When the request arrived, by the clock of `performance.now()`. Undefined for work that no request started. */
  received_at?: number | undefined
  /** Links the entries in the bot's audit trail with those in the service's log. */
  request_id: string
}

export const isCommand = (body: object): body is SlashCommand => 'command' in body

/** Reads the ids from a command, button, menu, form or shortcut. Events have the ids in other places. */
export function readActorIds(body: object): Pick<Actor, 'team_id' | 'user_id' | 'channel_id'> {
  if (isCommand(body)) {
    const { team_id, user_id, channel_id } = body
    return { team_id, user_id, channel_id }
  }
  // Actions, shortcuts and modal submissions have these properties, but not each of them has all.
  const { team, view, enterprise, user, channel } = body as {
    team?: { id: string } | null
    view?: { app_installed_team_id?: string | null }
    enterprise?: { id: string } | null
    user?: { id: string; team_id?: string | null }
    channel?: { id: string }
  }
  return {
    // In org-wide installations, `team` may be null. In Slack Connect, a modal's `team` is the user's own, not the app's.
    team_id: view?.app_installed_team_id ?? team?.id ?? user?.team_id ?? enterprise?.id ?? '',
    user_id: user?.id ?? '',
    channel_id: channel?.id,
  }
}

/** Excludes direct messages. */
export const isChannelId = (id: string | null | undefined): id is string => /^[CG]/.test(id ?? '')
