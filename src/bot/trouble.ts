import type { Outcome } from '../api/outcome.ts'
import { isDatabaseAway } from '../store/away.ts'
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
}

/** What went wrong, in words for that person, with the id under which the log has it. */
export function report(
  { log, world }: Bot,
  { asker, person, kept, isTakenCareOf = false }: Met,
  failure: Failure,
): string {
  const id = world.newId().slice(0, 8)
  const { happened, todo } = explain(failure, person)
  log.warn({ id, kind: failure.kind, user: asker.user_id }, happened)
  return [happened, !isTakenCareOf && todo, kept, `(${id})`].filter(Boolean).join(' ')
}

/** What nobody foresaw, in words for a person; the log has all of it under that id. */
export function reportBug({ log, world }: Bot, error: unknown): string {
  const id = world.newId().slice(0, 8)
  log.error({ error, id }, 'something failed that should not')
  return isDatabaseAway(error)
    ? `The bot cannot reach its own database, and so did nothing. Try again in a minute. (${id})`
    : `Something went wrong here that should not have. Look what has come of it before you try again. (${id})`
}

export const troubled = (say: string): Reply => ({ text: `:warning: ${say}` })

/** Answers a request with what went wrong. */
export async function replyFailure({ bot, asker, reply }: Request, failure: Failure): Promise<void> {
  const person = await findPerson(bot, asker)
  await reply(troubled(report(bot, { asker, person }, failure)))
}

/** Each way in which a call can fail has words of its own: what happened, and what to do next. */
export function explain(failure: Failure, { role }: Person): { happened: string; todo?: string } {
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
    case 'unclear':
      return {
        happened:
          'The scheduling service did not answer in time, so it is not known whether it went through.',
        todo: 'Look before you send it again.',
      }
  }
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

const saying = (what: string, said: string | undefined) => (said ? `${what}: ${escaped(said)}` : `${what}.`)
