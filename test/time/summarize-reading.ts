import type { DateTime } from 'luxon'
import { readPostCommand } from '../../src/post-command/read-post-command.ts'
import { readWhen } from '../../src/time/read-when.ts'
import type { Reading, ReadingContext } from '../../src/time/reading.ts'

/** Friday, 20 November 2026, 13:05 in Berlin. The next clock change is four months away. */
export const now = new Date('2026-11-20T12:05:00Z')
export const inBerlin: ReadingContext = { now, zone: 'Europe/Berlin' }
/** For the readers of a new time. The zone of the post differs, so that most words are read in both. */
export const inBerlinWithPost: ReadingContext = {
  ...inBerlin,
  post: { at: new Date('2026-11-27T17:00:00Z'), zone: 'America/New_York' },
}

/** "Sat 21 Nov 09:00 +01:00" for a moment, "a or b?" for a question, "no: past" for a refusal. */
export function summarizeReading(reading: Reading): string {
  if (reading.kind === 'refusal') return `no: ${reading.reason}`
  if (reading.kind === 'moment') return formatLocalTime(reading.at)
  return `${reading.choices.map(({ at }) => formatLocalTime(at)).join(' or ')}?`
}

const formatLocalTime = (at: DateTime) =>
  at.toFormat('ccc d MMM yyyy HH:mm ZZ', { locale: 'en' }).replace(' 2026', '')

export const readAndSummarize = (text: string, context = inBerlin): string =>
  summarizeReading(readWhen(text, context))

/** The time that is read in a command, and what stays of it as the text of the post. */
export function findWhen(text: string, context = inBerlin) {
  const { when, content } = readPostCommand(text, context)
  return when && { words: when.words, rest: content, isCertain: !when.isInText }
}
