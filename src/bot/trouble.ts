import type { Outcome } from '../api/outcome.ts'
import { escaped } from './reply.ts'

/** What went wrong, in words for a person: what happened, what was kept, what to do next. */
export type Trouble = { say: string; kind: Failure['kind'] }

export type Failure = Exclude<Outcome, { kind: 'ok' }>

/** Each way in which a call can fail has words of its own. */
export function explain(outcome: Failure): Trouble {
  return { kind: outcome.kind, say: wordsFor(outcome) }
}

function wordsFor(outcome: Failure): string {
  switch (outcome.kind) {
    case 'failed':
      return 'The scheduling service answered that it did not succeed. Nothing was changed as far as it tells; try again.'
    case 'invalid':
      return saying('The scheduling service did not accept that', outcome.said)
    case 'unauthorized':
      return 'The token for the scheduling service no longer works. Whoever runs this bot has to set a new one as API_TOKEN and start it again.'
    case 'forbidden':
      return saying("The bot's token may not do that in this project", outcome.said)
    case 'not-found':
      return saying('The scheduling service does not have that (any more)', outcome.said)
    case 'too-many': {
      const wait = outcome.retryAfterSeconds
      return `The scheduling service asks for a pause. Try again in ${wait ? `${wait} seconds` : 'a minute'}.`
    }
    case 'refused':
      return saying(`The scheduling service refused that (status ${outcome.status})`, outcome.said)
    case 'broken':
      return `The scheduling service has a problem of its own (status ${outcome.status}). Try again in a minute.`
    case 'unreachable':
      return 'The scheduling service could not be reached, so nothing was sent. Try again in a minute.'
    case 'unclear':
      return 'The scheduling service did not answer in time, so it is not known whether it went through. Look before you send it again.'
  }
}

const saying = (what: string, said: string | undefined) => (said ? `${what}: ${escaped(said)}` : `${what}.`)
