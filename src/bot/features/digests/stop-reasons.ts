export const PROJECT_LOST = 'project_lost'

/** Slack's error codes that stop a digest until someone acts, and a reason of Upnext's own. */
const REASONS: Record<string, string> = {
  [PROJECT_LOST]: 'its project no longer exists, or Upnext has no access to it',
  channel_not_found: "the channel no longer exists or Upnext isn't in it",
  invalid_channel: 'the channel no longer exists',
  not_in_channel: "Upnext isn't in the channel anymore",
  is_archived: 'the channel is archived',
  token_revoked: 'Upnext was removed from the workspace',
  account_inactive: 'Upnext was removed from the workspace',
  app_uninstalled: 'Upnext was removed from the workspace',
  invalid_auth: 'Upnext lost its access to the workspace',
  not_authed: 'Upnext lost its access to the workspace',
  missing_scope: 'Upnext lacks a permission in Slack and must be reinstalled',
}

export const isStopReason = (code: string): boolean => Object.hasOwn(REASONS, code) || isRestriction(code)

export const explainStop = (code: string): string =>
  REASONS[code] ?? (isRestriction(code) ? "Upnext isn't allowed to post in the channel" : code)

/** The part of the owner's notification that follows the digest's project and channel. */
export function stopMessage(code: string): string {
  const replacement = replacementFor(code)
  const advice = replacement
    ? `To resume it ${replacement}, use \`/upnext digest list\`, and press *Edit*.`
    : 'To resume it, use `/upnext digest resume` in the channel.'
  return `paused because ${explainStop(code)}. ${advice}`
}

export function adviceAfterStop(code: string): string {
  const replacement = replacementFor(code)
  return replacement ? `Press *Edit* to resume it ${replacement}` : 'Resume it with `/upnext digest resume`'
}

/** Some digests can only be resumed elsewhere. Nobody can type commands in an archived or deleted channel. */
function replacementFor(code: string): string | undefined {
  if (code === PROJECT_LOST) return 'for another project'
  return ['invalid_channel', 'is_archived'].includes(code) ? 'in another channel' : undefined
}

const isRestriction = (code: string) => code.startsWith('restricted_action')
