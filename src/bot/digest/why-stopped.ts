/** Why a digest cannot come any more, by Slack's word for it. */
const WHY: Record<string, string> = {
  channel_not_found: 'the channel is gone, or this app is not in it any more',
  invalid_channel: 'the channel is gone',
  not_in_channel: 'this app is not in the channel any more',
  is_archived: 'the channel is archived',
  token_revoked: 'this app was taken out of the workspace',
  account_inactive: 'this app was taken out of the workspace',
  app_uninstalled: 'this app was taken out of the workspace',
  invalid_auth: 'this app is not let into the workspace any more',
  not_authed: 'this app is not let into the workspace any more',
  missing_scope: 'this app lacks a right that it needs there: install it anew',
}

const RESTRICTED = 'this app may not post there'

export const isGone = (code: string): boolean => Object.hasOwn(WHY, code) || isRestricted(code)

export const whyStopped = (code: string): string => WHY[code] ?? (isRestricted(code) ? RESTRICTED : code)

/** Not the one that says that too many are waiting: that passes. */
const isRestricted = (code: string) => code.startsWith('restricted_action')
