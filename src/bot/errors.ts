import type { WebAPIPlatformError } from '@slack/web-api'
import type { ApiFailure } from '../api/result.ts'
import { isConnectionError } from '../database/connection-error.ts'
import type { Bot } from './bot.ts'
import type { Request } from './feature.ts'
import { escapeText, type Reply } from './message-blocks.ts'
import type { UserProfile } from './people/profile.ts'

export const INPUT_KEPT = 'What you typed is still here.'

type FailureContext = {
  user_id: string
  profile: UserProfile
  /** Tells the user that nothing is lost. */
  reassurance?: string
  /** The bot keeps trying, so the user needs no advice. */
  isHandled?: boolean
  /** A request that only read something cannot have changed anything. */
  isRead?: boolean
}

/** Explains a failure to the user, with an id that is also in the log. */
export function reportFailure({ log, runtime }: Bot, context: FailureContext, failure: ApiFailure): string {
  const { user_id, profile, reassurance, isHandled = false, isRead = false } = context
  const id = newErrorId(runtime)
  const { whatHappened, advice } = explainFailure(failure, profile, { isRead })
  // The service's message stays out of the log: it may contain personal data.
  const reason = 'status' in failure ? failure.status : 'cause' in failure ? failure.cause : undefined
  log.warn({ id, kind: failure.kind, reason, user: user_id }, 'A call to the scheduling service failed')
  return [whatHappened, !isHandled && advice, reassurance, `(${id})`].filter(Boolean).join(' ')
}

/** Explains an unexpected error to the user, with an id that is also in the log. */
export function reportBug({ log, runtime }: Bot, err: unknown): string {
  const id = newErrorId(runtime)
  log.error({ err, id }, 'Unexpected error')
  if (isConnectionError(err))
    return `The bot can't reach its database, so nothing was done. Try again in a minute. (${id})`
  if (slackErrorCode(err) === 'expired_trigger_id')
    return `Slack gave up waiting for the form. Try again. (${id})`
  return `Something went wrong on our side. Check whether it went through before you try again. (${id})`
}

const newErrorId = ({ newId }: Bot['runtime']) => newId().slice(0, 8)

export const errorReply = (message: string): Reply => ({ text: `:warning: ${message}` })

export async function replyWithFailure(
  { bot, actor, profile, reply }: Request,
  failure: ApiFailure,
  { isRead = true } = {},
): Promise<void> {
  await reply(errorReply(reportFailure(bot, { user_id: actor.user_id, profile, isRead }, failure)))
}

/** Says what happened, and what to do about it. */
export function explainFailure(
  failure: ApiFailure,
  { role }: Pick<UserProfile, 'role'>,
  { isRead = false } = {},
): { whatHappened: string; advice?: string } {
  switch (failure.kind) {
    case 'unsuccessful':
      return {
        whatHappened: 'The scheduling service reported that this failed.',
        advice: 'It seems that nothing changed. Try again.',
      }
    case 'invalid':
      return { whatHappened: withMessage("The scheduling service didn't accept this", failure.message) }
    case 'unauthorized':
      return {
        whatHappened: "The bot's access to the scheduling service has expired.",
        advice:
          role === 'admin'
            ? 'Set a new API_TOKEN and restart the bot.'
            : 'Ask a workspace admin to renew its token.',
      }
    case 'forbidden':
      return { whatHappened: withMessage("The bot's token can't do this in this project", failure.message) }
    case 'not-found':
      return { whatHappened: withMessage("The scheduling service can't find this", failure.message) }
    case 'rate-limited': {
      const seconds = failure.retryAfterSeconds
      return {
        whatHappened: 'The scheduling service is getting too many requests.',
        advice: `Try again in ${seconds ? `${seconds} second${seconds === 1 ? '' : 's'}` : 'a minute'}.`,
      }
    }
    case 'rejected':
      return {
        whatHappened: withMessage(
          `The scheduling service rejected this (status ${failure.status})`,
          failure.message,
        ),
      }
    case 'server-error':
      return {
        whatHappened: `The scheduling service has a problem (status ${failure.status}).`,
        advice: 'Try again in a minute.',
      }
    case 'unreachable':
      return {
        whatHappened: "Couldn't reach the scheduling service, so nothing was sent.",
        advice: 'Try again in a minute.',
      }
    case 'unclear': {
      const whatHappened =
        failure.cause === 'unreadable'
          ? "The scheduling service sent a response that the bot can't read."
          : "The scheduling service didn't respond in time."
      return isRead
        ? { whatHappened, advice: 'Try again in a minute.' }
        : {
            whatHappened: `${whatHappened} It may have gone through.`,
            advice: 'Check before you send it again.',
          }
    }
  }
}

const withMessage = (sentence: string, message: string | undefined) =>
  message ? `${sentence}: ${escapeText(message)}` : `${sentence}.`

/** The code that Slack gave for refusing a call. */
export const slackErrorCode = (error: unknown): string | undefined =>
  (error as Partial<WebAPIPlatformError>).data?.error
