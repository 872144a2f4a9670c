import { SlackError, type WebAPIPlatformError } from '@slack/web-api'
import type { Runtime } from '../../runtime.ts'

/** Slack didn't answer before the deadline. */
export class SlackTimeoutError extends Error {}

/** Slack rejected a call, failed, or couldn't be reached. */
export const isSlackFailure = (error: unknown): boolean =>
  error instanceof SlackError || error instanceof SlackTimeoutError

export const slackErrorCode = (error: unknown): string | undefined =>
  (error as Partial<WebAPIPlatformError>).data?.error

/** Returns a function that checks whether an error has one of these Slack error codes. */
export const hasSlackErrorCode = (codes: string[]) => (error: unknown) =>
  codes.includes(slackErrorCode(error) ?? '')

/** Whether Slack rejects the token as unknown. After an uninstallation, Slack sends other codes. */
export const isTokenRejected = hasSlackErrorCode(['invalid_auth', 'not_authed'])

/** Whether the bot has no access to the workspace. It may get access again. */
export const isAccessLost = hasSlackErrorCode([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'account_inactive',
])

/** Whether Slack failed while handling the call. The call may have taken effect. */
export const isSlackInternalError = hasSlackErrorCode([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

/** Slack's codes for a message that can't be updated anymore. */
export const LOST_MESSAGE_CODES = [
  'message_not_found',
  'channel_not_found',
  'cant_update_message',
  'edit_window_closed',
  'is_archived',
]

export function explainPostingError(code: string | undefined): string {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'Upnext isn\'t in the channel. Type "/invite @Upnext" there.'
  if (code === 'is_archived') return 'the channel is archived.'
  return `Slack rejected the message${code ? ` (${code})` : ''}.`
}

/** Returns a short id that appears both in the reply and in the log. */
export const newErrorId = ({ newId }: Pick<Runtime, 'newId'>): string => newId().slice(0, 8)
