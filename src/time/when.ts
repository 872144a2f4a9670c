import { read, type WhenContext } from './read.ts'
import { type Reading, refuse } from './reading.ts'

export type { WhenContext } from './read.ts'
export type { Choice, Instant, Question, Reading, Reason, Refusal } from './reading.ts'

const LONGEST = 300

/** Reads a person's words for a moment to come. */
export function readWhen(text: string, context: WhenContext): Reading {
  if (text.length > LONGEST)
    return refuse('too-long', `Write only the time, in at most ${LONGEST} characters.`)
  return read(text, context).reading
}
