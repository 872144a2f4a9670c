import { DateTime } from 'luxon'
import { type Day, dayAt, daysInMonth, nthWeekday, partsOf, weekdayOf } from './calendar.ts'
import { clocksOf } from './clocks.ts'
import { zoneLabel } from './describe.ts'
import { languageOf } from './language.ts'
import { type Clock, placeOrNext } from './place.ts'
import { apply, leftoverIn, prepare, type WhenContext } from './read.ts'
import { type Refusal, refuse } from './reading.ts'

/** What comes back: on which days, at what time, in which zone. */
export type Recurrence = { days: RecurrenceDays; clock: Pick<Clock, 'hour' | 'minute'>; zone: string }

export type RecurrenceDays =
  /** 1 for Monday to 7 for Sunday. */
  | { every: 'week'; weekdays: number[] }
  /** The first to fourth of a weekday, or the last one for -1. */
  | { every: 'month'; weekday: number; nth: number }
  /** In a month that is too short, its last day. */
  | { every: 'month'; day: number }

export type RecurrenceReading =
  | { kind: 'rhythm'; rhythm: Recurrence; assumed: string[] }
  | { kind: 'question'; ask: string; choices: { label: string; rhythm: Recurrence }[] }
  | Refusal

/** Reads "weekdays at 9am", "every mon, wed and fri 8:30 Berlin time", "first monday of the month at 10". */
export function readRecurrence(text: string, context: WhenContext): RecurrenceReading {
  if (text.length > 300) return refuse('too-long', 'Write only the rhythm, in at most 300 characters.')
  const language = languageOf(context.locale)
  const { draft, named } = prepare(text, context, language)
  const stopped = apply(language.beforeRefusals, draft)
  if (stopped) return stopped
  const taken = language.rhythmDays(draft.text)
  if (!taken) return refuse('nonsense', `Write the days and the time, such as ${EXAMPLES}.`)
  draft.text = taken.rest
  draft.dates.push({ day: 0 }) // the days are marked in the rest: an hour may stand beside them
  const unclear = apply(language.clockPhrases, draft)
  if (unclear) return unclear
  const leftover = leftoverIn(draft.text, language)
  if (leftover.length || draft.clocks.length > 1)
    return refuse(
      'nonsense',
      `I cannot read "${leftover.join(' ') || text}". Write the days and one time, such as ${EXAMPLES}.`,
    )
  const zones = named ? named.options.map(({ zone }) => zone) : [context.zone]
  if (!zones.length)
    return refuse(
      'ambiguous-zone',
      `There is no time zone ${named?.words}. Write a city, such as "Berlin time".`,
    )
  const found = draft.clocks[0]
  // Of a rhythm a midnight is the one that the day begins with.
  const { clocks, ask, assumed } = found?.isMidnight
    ? { clocks: [{ clock: found.clock, daysLater: 0 }], ask: undefined, assumed: [] }
    : clocksOf(draft, { day: 0, read: undefined })
  if (clocks.some(({ daysLater }) => daysLater))
    return refuse(
      'invalid',
      'That is the night to the next day. Write the day that it is then, such as "saturdays at 2am".',
    )
  const rhythms = zones.flatMap((zone) =>
    clocks.map(
      ({ clock: { hour, minute } }): Recurrence => ({ days: taken.days, clock: { hour, minute }, zone }),
    ),
  )
  const [only, ...more] = rhythms
  const question = ask ?? draft.doubt ?? (zones.length > 1 ? `Which ${named?.words} do you mean?` : undefined)
  if (only && !more.length && !question)
    return {
      kind: 'rhythm',
      rhythm: only,
      assumed: [...assumed, ...(named ? [] : [`your time zone, ${zoneLabel(only.zone)}`])],
    }
  const choices = rhythms.map((rhythm) => ({ label: describeRecurrence(rhythm), rhythm }))
  return { kind: 'question', ask: question ?? 'Which one?', choices }
}

const EXAMPLES = '"weekdays at 9am", "mon and thu 8:30" or "first monday of the month at 10"'

/**
 * The next time after that moment. A time that the clocks skip comes at the first moment after the gap, one that they
 * show twice comes once.
 */
export function nextOccurrence(rhythm: Recurrence, after: Date): DateTime {
  const { zone } = rhythm
  const clock = { ...rhythm.clock, second: 0 }
  const start = DateTime.fromJSDate(after, { zone })
  const today = dayAt(start)
  for (let day = today; day <= today + 366; day++) {
    if (!isOn(rhythm.days, day)) continue
    const at = placeOrNext(day, clock, zone)
    if (at.toMillis() > after.getTime()) return at
  }
  throw new Error(`The rhythm ${describeRecurrence(rhythm)} never comes.`)
}

function isOn(days: RecurrenceDays, day: Day): boolean {
  if (days.every === 'week') return days.weekdays.includes(weekdayOf(day))
  const { year, month, day: date } = partsOf(day)
  if ('day' in days) return date === Math.min(days.day, daysInMonth(year, month))
  return nthWeekday({ year, month, weekday: days.weekday, nth: days.nth }) === day
}

/** "Weekdays at 09:00 Berlin" */
export const describeRecurrence = (rhythm: Recurrence): string =>
  `${recurrenceToWords(rhythm)} ${zoneLabel(rhythm.zone)}`

/** The same without its zone: words that are read as that rhythm again by those who are in it. */
export function recurrenceToWords({ days, clock }: Omit<Recurrence, 'zone'>): string {
  const time = [clock.hour, clock.minute].map((part) => String(part).padStart(2, '0')).join(':')
  return `${describeDays(days)} at ${time}`
}

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const COUNTS = ['first', 'second', 'third', 'fourth']

function describeDays(days: RecurrenceDays): string {
  if (days.every === 'week') {
    const key = days.weekdays.join('')
    if (key === '1234567') return 'Every day'
    if (key === '12345') return 'Weekdays'
    if (key === '67') return 'Weekends'
    const names = days.weekdays.map((weekday) => NAMES[weekday - 1] ?? '')
    if (names.length === 1) return `Every ${names[0]}`
    const short = names.map((name) => name.slice(0, 3))
    return `${short.slice(0, -1).join(', ')} and ${short.at(-1)}`
  }
  if ('weekday' in days)
    return `The ${days.nth < 0 ? 'last' : COUNTS[days.nth - 1]} ${NAMES[days.weekday - 1]} of the month`
  if (days.day === 31) return 'The last day of the month'
  return days.day > 28 ? `Day ${days.day} of the month, or its last,` : `Day ${days.day} of the month`
}
