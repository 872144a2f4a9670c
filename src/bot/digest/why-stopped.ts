/** Why a digest cannot come any more, by Slack's word for it. */
const WHY: Record<string, string> = {
  channel_not_found: 'the channel is gone, or this app is not in it any more',
  not_in_channel: 'this app is not in the channel any more',
  is_archived: 'the channel is archived',
  restricted_action: 'this app may not post there',
  token_revoked: 'this app was taken out of the workspace',
  account_inactive: 'this app was taken out of the workspace',
  app_uninstalled: 'this app was taken out of the workspace',
  invalid_auth: 'this app was not let into the workspace any more',
}

export const isGone = (code: string): boolean => Object.hasOwn(WHY, code)

export const whyStopped = (code: string): string => WHY[code] ?? code
