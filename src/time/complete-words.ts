import type { DateTime } from 'luxon'
import { zoneLabel } from './describe.ts'
import type { ReadingState } from './phrase.ts'
import { type ReadText, readText, readWhen, toLocalContext } from './read-when.ts'
import { type Choice, createRefusal, type Reading, type ReadingContext } from './reading.ts'
import { IN_THE_PAST } from './refusals.ts'
import { labelChoices } from './resolve-reading.ts'

/** Words that are to change when a post goes out, and what Upnext knows about that post. */
export type Change = {
  context: ReadingContext
  /** When the post goes out, in its own zone. */
  at: DateTime
  zone: string
  text: string
  /** The state of a reading whose text has no polite words and zones, and whose numbers are written as digits. */
  state: ReadingState
}

/** Reads words for a day, and keeps the post's time of day. */
export function readAtSameTime(
  day: string,
  change: Change,
  assumptions = [`at the post's time, ${clockOf(change.at)}`],
): Reading {
  const { context, at, zone } = change
  const zoneWords = zone === context.zone ? '' : zone
  const reading = readWhen(`${day} at ${clockOf(at)} ${zoneWords}`, context)
  return assume(reading, [...assumptions, ...zoneAssumption(change)])
}

type TimeOnDay = { day: string; time: string; assumption: string }

/** Reads words for a time on a day that the post supplies. A time without a zone may be in the post's or the user's zone. */
export function readTimeOn({ day, time, assumption }: TimeOnDay, change: Change): Reading {
  const { context, zone, state } = change
  const alone = readWhen(time, context)
  const readIn = (zoneWords: string): Reading => {
    const reading = readWhen(`${time} on ${day} ${zoneWords}`, context)
    if (reading.kind !== 'moment' || alone.kind !== 'question') return reading
    // Next to a day, 9 is read as the morning. But the user entered no day here, so all readings of the hour are offered.
    const readings = alone.choices
      .toSorted((a, b) => minutesFromPost(a.at, change) - minutesFromPost(b.at, change))
      .map(({ at, zone }) =>
        readWhen(`${clockOf(at)} on ${day} ${state.namedZone ? zone : zoneWords}`, context),
      )
    return ask(alone.question, change, readings)
  }
  if (state.namedZone || zone === context.zone) return assume(readIn(''), [assumption])
  const inZoneOfPost = assume(readIn(zone), [assumption, ...zoneAssumption(change)])
  const question = `In which time zone, ${zoneLabel(zone)} or ${zoneLabel(context.zone)}?`
  return ask(question, change, [inZoneOfPost, assume(readIn(''), [assumption])])
}

export const isTimeAlone = (words: string, { context }: Change): boolean =>
  isTimeOnly(readText(words, toLocalContext(context)))

export const isTimeOnly = ({ hasDay, hasTime, hasPartOfDay }: ReadText): boolean =>
  !hasDay && (hasTime || hasPartOfDay)

/** Asks which of the readings is meant, unless only one of them can be used. */
export function ask(question: string, { context }: Change, readings: Reading[]): Reading {
  const usable = readings.filter((reading) => reading.kind !== 'refusal')
  const all = usable.flatMap((reading): Choice[] =>
    reading.kind === 'moment' ? [{ ...reading, label: '' }] : reading.choices,
  )
  const choices = all.filter(({ at }, index) => all.findIndex((other) => +other.at === +at) === index)
  if (choices.length > 1) return { kind: 'question', question, choices: labelChoices(choices, context.zone) }
  return usable[0] ?? readings[0] ?? createRefusal('past', IN_THE_PAST)
}

const assume = (reading: Reading, assumptions: string[]): Reading =>
  reading.kind === 'moment' ? { ...reading, assumptions: [...assumptions, ...reading.assumptions] } : reading

export const zoneAssumption = ({ context, zone }: Change): string[] =>
  zone === context.zone ? [] : [`in the post's time zone, ${zoneLabel(zone)}`]

/** The date in ISO format, which `readWhen` reads in any zone. */
export const dayWords = (at: DateTime): string => at.toFormat('yyyy-MM-dd')

const clockOf = (at: DateTime): string => at.toFormat(at.second ? 'HH:mm:ss' : 'HH:mm')

const minutesOfDay = ({ hour, minute }: DateTime) => hour * 60 + minute
const minutesFromPost = (at: DateTime, change: Change) => Math.abs(minutesOfDay(at) - minutesOfDay(change.at))
