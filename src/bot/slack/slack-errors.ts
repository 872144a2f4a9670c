import { SlackError, type WebAPIPlatformError } from '@slack/web-api'
import type { Runtime } from '../../runtime.ts'

/** Slack was asked and didn't answer in the time that was left. */
export class SlackTimeoutError extends Error {}

/** Slack rejected a call, failed, or couldn't be reached. */
export const isSlackFailure = (error: unknown): boolean =>
  error instanceof SlackError || error instanceof SlackTimeoutError

export const slackErrorCode = (error: unknown): string | undefined =>
  (error as Partial<WebAPIPlatformError>).data?.error

/** Slack's codes for a bot without access to the workspace. It may get access again. */
const REFUSED_CODES = ['invalid_auth', 'not_authed']
const ACCESS_LOST_CODES = ['token_revoked', 'account_inactive', ...REFUSED_CODES]

export const isLostAccess = (error: unknown): boolean =>
  ACCESS_LOST_CODES.includes(slackErrorCode(error) ?? '')

/** Slack doesn't know the token. A workspace that uninstalled the app has other codes. */
export const isTokenRefused = (error: unknown): boolean => REFUSED_CODES.includes(slackErrorCode(error) ?? '')

/** Slack's internal errors: the call may have taken effect. */
const INTERNAL_CODES = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

export const hasSlackFailed = (error: unknown): boolean =>
  INTERNAL_CODES.includes(slackErrorCode(error) ?? '')

/** The user sees the id, and the log also has it. */
export const newErrorId = ({ newId }: Pick<Runtime, 'newId'>): string => newId().slice(0, 8)
