import type { WebAPIPlatformError } from '@slack/web-api'
import type { Outcome } from '../api/outcome.ts'
import { isConnectionError } from '../store/away.ts'
import { findPerson, type Person } from './asker.ts'
import type { Asker, Bot } from './bot.ts'
import type { Request } from './feature.ts'
import { escaped, type Reply } from './reply.ts'

export type Failure = Exclude<Outcome, { kind: 'ok' }>

type Met = {
  asker: Asker
  person: Person
  /** What of theirs was not lost by it. */
  kept?: string
  /** What is done about it without them; otherwise they are told what to do. */
  isTakenCareOf?: boolean
  /** Whether it was only to be looked at: then nothing can have come of it. */
  isLooking?: boolean
}

export const STILL_HERE = 'What you wrote is still here.'

/** What went wrong, in words for that person, with the id under which the log has it. */
export function report(
  { log, runtime }: Bot,
  { asker, person, kept, isTakenCareOf = false, isLooking = false }: Met,
  failure: Failure,
): string {
  const id = runtime.newId().slice(0, 8)
  const { happened, todo } = explain(failure, person, { isLooking })
  // Not what the service said: it may name people.
  const { kind, ...more } = failure
  const why = 'status' in more ? more.status : 'why' in more ? more.why : undefined
  log.warn({ id, kind, why, user: asker.user_id }, 'a call of the scheduling service failed')
  return [happened, !isTakenCareOf && todo, kept, `(${id})`].filter(Boolean).join(' ')
}

/** What nobody foresaw, in words for a person; the log has all of it under that id. */
export function reportBug({ log, runtime }: Bot, err: unknown): string {
  const id = runtime.newId().slice(0, 8)
  log.error({ err, id }, 'something failed that should not')
  if (isConnectionError(err))
    return `The bot cannot reach its own database, and so did nothing. Try again in a minute. (${id})`
  if ((err as Partial<WebAPIPlatformError>).data?.error === 'expired_trigger_id')
    return `That took longer than Slack lets a form be opened. Try again. (${id})`
  return `Something went wrong here that should not have. Look what has come of it before you try again. (${id})`
}

export const troubled = (say: string): Reply => ({ text: `:warning: ${say}` })

/** Answers a request with what went wrong. */
export async function replyFailure(
  { bot, asker, reply }: Request,
  failure: Failure,
  { isLooking = true } = {},
): Promise<void> {
  const person = await findPerson(bot, asker)
  await reply(troubled(report(bot, { asker, person, isLooking }, failure)))
}

/** Each way in which a call can fail has words of its own: what happened, and what to do next. */
export function explain(
  failure: Failure,
  { role }: Person,
  { isLooking = false } = {},
): { happened: string; todo?: string } {
  switch (failure.kind) {
    case 'failed':
      return {
        happened: 'The scheduling service answered that it did not succeed.',
        todo: 'Nothing was changed as far as it tells; try again.',
      }
    case 'invalid':
      return { happened: saying('The scheduling service did not accept that', failure.said) }
    case 'unauthorized':
      return {
        happened: 'The token for the scheduling service no longer works.',
        todo:
          role === 'admin'
            ? 'Set a new one as API_TOKEN where this bot runs, and start it again.'
            : 'Tell an owner or admin of this workspace: the bot needs a new one.',
      }
    case 'forbidden':
      return { happened: saying("The bot's token may not do that in this project", failure.said) }
    case 'not-found':
      return { happened: saying('The scheduling service does not have that (any more)', failure.said) }
    case 'too-many': {
      const wait = failure.retryAfterSeconds
      return {
        happened: 'The scheduling service asks for a pause.',
        todo: `Try again in ${wait ? plural(wait, 'second') : 'a minute'}.`,
      }
    }
    case 'refused':
      return {
        happened: saying(`The scheduling service refused that (status ${failure.status})`, failure.said),
      }
    case 'broken':
      return {
        happened: `The scheduling service has a problem of its own (status ${failure.status}).`,
        todo: 'Try again in a minute.',
      }
    case 'unreachable':
      return {
        happened: 'The scheduling service could not be reached, so nothing was sent.',
        todo: 'Try again in a minute.',
      }
    case 'unclear': {
      const happened =
        failure.why === 'unreadable'
          ? 'The scheduling service answered something that cannot be read'
          : 'The scheduling service did not answer in time'
      return isLooking
        ? { happened: `${happened}.`, todo: 'Try again in a minute.' }
        : {
            happened: `${happened}, so it is not known whether it went through.`,
            todo: 'Look before you send it again.',
          }
    }
  }
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

const saying = (what: string, said: string | undefined) => (said ? `${what}: ${escaped(said)}` : `${what}.`)
