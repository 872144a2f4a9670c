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

/**
 * In org-wide installations, some requests don't name a workspace. Those from a modal name the user's own, not the
 * app's.
 */
export function readRequester(
  body: object,
): Pick<Actor, 'team_id' | 'user_id' | 'channel_id' | 'response_url'> {
  // Commands, and Bolt's types of other requests, have these properties in common.
  const { team_id, user_id, channel_id, team, view, enterprise, user, channel, response_url } = body as {
    team_id?: string
    user_id?: string
    channel_id?: string
    team?: { id: string } | null
    view?: { app_installed_team_id?: string }
    enterprise?: { id: string }
    user?: { id: string; team_id?: string }
    channel?: { id: string }
    response_url?: string
  }
  return {
    team_id: team_id ?? view?.app_installed_team_id ?? team?.id ?? user?.team_id ?? enterprise?.id ?? '',
    user_id: user_id ?? user?.id ?? '',
    channel_id: channel_id ?? channel?.id,
    response_url,
  }
}

/** Excludes direct messages. */
export const isChannelId = (id: string | undefined): id is string => /^[CG]/.test(id ?? '')
