import type { ApiFailure } from '../../api/result.ts'
import { isTemporaryDatabaseError } from '../../database/connection-error.ts'
import type { Bot } from './bot.ts'
import type { Request } from './feature.ts'
import { escapeText, type Reply } from './message-blocks.ts'
import type { AuthorizedActor } from './permissions.ts'
import { newErrorId, slackErrorCode } from './slack-errors.ts'

export const INPUT_KEPT = 'What you typed is still here.'

type FailureContext = {
  /** Says that nothing is lost. */
  reassurance?: string
  /** The bot keeps trying by itself, so the user needs no advice. */
  willRetry?: boolean
  /** The request only read something, so the user needs no advice on whether anything was saved. */
  isReadOnly?: boolean
}

/** Explains a failure to the user, with an id that is also in the log. */
export function reportFailure(user: AuthorizedActor, failure: ApiFailure, context: FailureContext = {}) {
  const { bot, actor, profile } = user
  const { reassurance, willRetry = false, isReadOnly = false } = context
  const { log, runtime } = bot
  const id = newErrorId(runtime)
  const { problem, advice } = explainFailure(failure, profile.role, { isReadOnly })
  const logFields = {
    id,
    request: actor.request_id,
    workspace: actor.team_id,
    user: actor.user_id,
    ...describeForLog(failure),
  }
  log.warn(logFields, 'Failed to call the scheduling service')
  return [problem, !willRetry && advice, reassurance, `(${id})`].filter(Boolean).join(' ')
}

/** Leaves out the service's message, which may contain personal data. */
export const describeForLog = (failure: ApiFailure) => ({
  kind: failure.kind,
  reason: 'status' in failure ? failure.status : 'cause' in failure ? failure.cause : undefined,
  code: 'code' in failure ? failure.code : undefined,
})

/** Explains an unexpected error to the user, with an id that is also in the log. */
export function reportBug({ log, runtime }: Bot, err: unknown): string {
  const id = newErrorId(runtime)
  log.error({ err, id }, 'Unexpected error')
  if (isTemporaryDatabaseError(err))
    return `Upnext can't reach its database, so nothing was done. Try again in a minute. (${id})`
  if (slackErrorCode(err) === 'expired_trigger_id')
    return `The window took too long to open. Try again. (${id})`
  return `Something went wrong in Upnext. Check whether your request went through before you try again. (${id})`
}

export const errorReply = (message: string): Reply => ({ text: `:warning: ${message}` })

export const replyWithFailure = (request: Request, failure: ApiFailure, { isReadOnly = true } = {}) =>
  request.reply(errorReply(reportFailure(request, failure, { isReadOnly })))

type Role = AuthorizedActor['profile']['role']
type Explanation = { problem: string; advice?: string }

export function explainFailure(failure: ApiFailure, role: Role, { isReadOnly = false } = {}): Explanation {
  switch (failure.kind) {
    case 'unsuccessful': {
      const advice = isReadOnly ? RETRY_ADVICE : 'Nothing seems to have been saved. Try again.'
      return { ...withMessage('The scheduling service reported that this failed', failure), advice }
    }
    case 'invalid':
      return withMessage('The scheduling service rejected this', failure)
    case 'unauthorized': {
      const advice =
        role === 'admin'
          ? 'Ask the person who runs Upnext to set a new API_TOKEN and restart Upnext.'
          : "Ask a workspace admin to renew Upnext's API token."
      return { problem: "The scheduling service doesn't accept Upnext's token.", advice }
    }
    case 'forbidden':
      return withMessage("Upnext's API token isn't allowed to do this", failure)
    case 'not-found':
      return withMessage("The scheduling service can't find this", failure)
    case 'rate-limited': {
      const seconds = failure.retryAfterSeconds
      const waitTime = seconds ? `${seconds} second${seconds === 1 ? '' : 's'}` : 'a minute'
      const problem = 'The scheduling service is getting too many requests.'
      return { problem, advice: `Try again in ${waitTime}.` }
    }
    case 'rejected':
      return withMessage(`The scheduling service rejected this (status ${failure.status})`, failure)
    case 'server-error': {
      const problem = `The scheduling service has a problem (status ${failure.status}).`
      return { problem, advice: RETRY_ADVICE }
    }
    case 'unreachable':
      return {
        problem: `Couldn't reach the scheduling service${isReadOnly ? '' : ', so nothing was sent'}.`,
        advice: RETRY_ADVICE,
      }
    case 'unclear': {
      if (failure.cause === 'incomplete')
        return { problem: 'There are more posts than Upnext can load.', advice: DATE_ADVICE }
      const problem =
        failure.cause === 'unreadable'
          ? "The scheduling service sent a response that Upnext can't read."
          : "The scheduling service didn't respond in time."
      if (isReadOnly) return { problem, advice: RETRY_ADVICE }
      const advice = 'Check whether it did before you try again.'
      return { problem: `${problem} Your request may have gone through.`, advice }
    }
  }
}

const RETRY_ADVICE = 'Try again in a minute.'
const DATE_ADVICE = 'Add a date, as in `/upnext posts 24 december`.'

const withMessage = (sentence: string, { message }: { message?: string | undefined }): Explanation => ({
  problem: message ? `${sentence}: ${escapeText(message)}` : `${sentence}.`,
})
