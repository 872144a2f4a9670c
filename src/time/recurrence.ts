import { DateTime, Info } from 'luxon'
import { type Day, dateFromDay, dayOfMoment, lastOfMonth, nthWeekdayOfMonth, weekdayOf } from './calendar.ts'
import { formatTime, zoneLabel } from './describe.ts'
import { globalPattern, ORDINAL, pattern, WEEKDAY, WEEKDAY_NAME, weekdayNumber } from './pattern-parts.ts'
import { applyPhrases, DATE_MARK } from './phrase.ts'
import { timePhrases } from './phrases/times.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { findUnreadWords, preparationPhrases, startReading } from './read-when.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { refuseLongText } from './refusals.ts'
import { askForZone, unknownZone } from './resolve-reading.ts'
import { firstMomentAt, type TimeOfDay } from './wall-clock.ts'

/** A time that repeats, such as "weekdays at 9am" in one time zone. */
export type Recurrence = { days: RecurrenceDays; clock: Pick<TimeOfDay, 'hour' | 'minute'>; zone: string }

export type RecurrenceDays =
  /** 1 for Monday to 7 for Sunday. */
  | { every: 'week'; weekdays: number[] }
  /** The nth such weekday of the month (1 to 4), or the last one if `nth` is -1. */
  | { every: 'month'; weekday: number; nth: number }
  /** A shorter month uses its last day. */
  | { every: 'month'; day: number }

export type RecurrenceReading =
  | { kind: 'recurrence'; recurrence: Recurrence; assumptions: string[] }
  | { kind: 'question'; question: string; choices: { label: string; recurrence: Recurrence }[] }
  | Refusal

const AFTER_MIDNIGHT =
  'That time is after midnight, so it is on the next day. Enter that day, such as "saturdays at 2am".'
const EXAMPLES = '"weekdays at 9am", "mon and thu 8:30" or "first monday of the month at 10"'

/** Reads "weekdays at 9am", "every mon, wed and fri 8:30 Berlin time", "first monday of the month at 10". */
export function readRecurrence(text: string, context: ReadingContext): RecurrenceReading {
  const tooLong = refuseLongText(text, 'days and the time')
  if (tooLong) return tooLong
  const state = startReading(text, context)
  const { namedZone } = state
  const earlyRefusal = applyPhrases(preparationPhrases, state)
  if (earlyRefusal) return earlyRefusal
  const extracted = extractDays(state.text)
  if (!extracted) return createRefusal('nonsense', `Enter the days and the time, such as ${EXAMPLES}.`)
  const { days, rest } = extracted
  state.text = rest
  // A bare hour is read as a time only next to a date, so this adds one.
  state.dates.push({ day: 0 })
  const timeRefusal = applyPhrases(timePhrases, state)
  if (timeRefusal) return timeRefusal
  const unreadWords = findUnreadWords(state.text)
  if (unreadWords.length || state.times.length > 1) {
    const unread = unreadWords.join(' ') || text
    const message = `I didn't understand "${unread}". Enter the days and one time, such as ${EXAMPLES}.`
    return createRefusal('nonsense', message)
  }
  if (namedZone && !namedZone.options.length) return unknownZone(namedZone)
  // A recurring midnight is the one at the start of the day, so it isn't ambiguous.
  const midnight = state.times.find(({ isMidnight }) => isMidnight)
  const possibleTimes = midnight ? { times: [midnight] } : findPossibleTimes(state, 0)
  const { times, question, assumptions = [] }: PossibleTimes = possibleTimes
  if (times.some(({ daysLater }) => daysLater)) return createRefusal('invalid', AFTER_MIDNIGHT)
  const zones = namedZone?.options ?? [{ zone: context.zone }]
  const recurrences = zones.flatMap(({ zone }) =>
    times.map(({ time: { hour, minute } }): Recurrence => ({ days, clock: { hour, minute }, zone })),
  )
  const [recurrence] = recurrences
  const firstQuestion = question ?? state.confirmation ?? askForZone(namedZone)
  if (recurrence && recurrences.length === 1 && !firstQuestion) {
    const zoneAssumption = namedZone ? [] : [`in your time zone, ${zoneLabel(recurrence.zone)}`]
    return { kind: 'recurrence', recurrence, assumptions: [...assumptions, ...zoneAssumption] }
  }
  return {
    kind: 'question',
    question: firstQuestion ?? 'Which one?',
    choices: recurrences.map((recurrence) => ({ label: describeRecurrence(recurrence), recurrence })),
  }
}

function extractDays(text: string): { days: RecurrenceDays; rest: string } | undefined {
  for (const [pattern, read] of DAY_RULES) {
    const match = pattern.exec(text)
    const days = match && read(match)
    if (!days) continue
    const end = match.index + match[0].length
    return { days, rest: `${text.slice(0, match.index)} ${DATE_MARK} ${text.slice(end)}`.trim() }
  }
  return undefined
}

function onWeekdays(weekdays: number[]): RecurrenceDays {
  return { every: 'week', weekdays: [...new Set(weekdays)].sort((a, b) => a - b) }
}

const WEEKDAY_OR_PLURAL = String.raw`(?:${WEEKDAY_NAME}\.?s?(?!\w))`
const EVERY = '(?:(?:every|each|on|all) )?'

const DAY_RULES: [pattern: RegExp, read: (match: RegExpExecArray) => RecurrenceDays | undefined][] = [
  [
    pattern`\b${EVERY}(?:the )?(?:(\d)(?:st|nd|rd|th)|last) (${WEEKDAY})
      (?: (?:of|in) (?:the|each|every) month| of the month|,? (?:monthly|every month|each month))`,
    ([, count, name = '']) => {
      const nth = count === undefined ? -1 : Number(count)
      if (nth === 0 || nth > 4) return undefined
      return { every: 'month', weekday: weekdayNumber(name), nth }
    },
  ],
  [
    pattern`\b(?:monthly )?(?:on )?(?:the )?(?:(${ORDINAL})|last day) (?:day )?(?:of|in) (?:the|each|every) month
      |\b(?:monthly|every month|each month),? (?:on )?the (${ORDINAL})`,
    ([, dayBefore, dayAfter]) => {
      const day = Number.parseInt(dayBefore ?? dayAfter ?? '31', 10)
      return day >= 1 && day <= 31 ? { every: 'month', day } : undefined
    },
  ],
  [/\b(?:(?:every|each|on) )?(?:(?:week|work|working|business) ?days?)\b/, () => onWeekdays([1, 2, 3, 4, 5])],
  [/\b(?:(?:every|each|on) )?(?:the )?weekends?\b/, () => onWeekdays([6, 7])],
  [
    /\b(?:daily\b|every day\b|each day\b|(?:every|each) (?=morning|afternoon|evening|night)|(?=mornings\b))/,
    () => onWeekdays([1, 2, 3, 4, 5, 6, 7]),
  ],
  [
    pattern`\b${EVERY}(${WEEKDAY_OR_PLURAL}) ?(?:-|to|through) ?(${WEEKDAY_OR_PLURAL})`,
    ([, firstName = '', lastName = '']) => {
      const first = weekdayNumber(firstName)
      const count = ((weekdayNumber(lastName) - first + 7) % 7) + 1
      return onWeekdays(Array.from({ length: count }, (_, index) => ((first - 1 + index) % 7) + 1))
    },
  ],
  [
    pattern`\b(?:weekly,? )?${EVERY}${WEEKDAY_OR_PLURAL}
      (?:(?: ?,? ?(?:and|&|\+|/) ?|, ?| )${EVERY}${WEEKDAY_OR_PLURAL})*(?:,? (?:weekly|every week|each week))?`,
    ([words]) => onWeekdays((words.match(ALL_WEEKDAYS) ?? []).map(weekdayNumber)),
  ],
]

const ALL_WEEKDAYS = globalPattern`\b${WEEKDAY_NAME}`

/**
 * Finds the first occurrence after a moment. If the clocks skip the time, the occurrence is at the end of the gap. If
 * they repeat it, the occurrence is at the first of the two.
 */
export function nextOccurrence(recurrence: Recurrence, after: Date): DateTime {
  const { zone, clock, days } = recurrence
  const today = dayOfMoment(DateTime.fromJSDate(after, { zone }))
  for (let day = today; day <= today + 366; day++) {
    if (!includesDay(days, day)) continue
    const at = firstMomentAt(day, { ...clock, second: 0 }, zone)
    if (at.toMillis() > after.getTime()) return at
  }
  throw new Error(`The recurrence ${describeRecurrence(recurrence)} has no next occurrence.`)
}

function includesDay(days: RecurrenceDays, day: Day): boolean {
  if (days.every === 'week') return days.weekdays.includes(weekdayOf(day))
  if ('weekday' in days) return nthWeekdayOfMonth(day, days.weekday, days.nth) === day
  const { day: dayOfMonth } = dateFromDay(day)
  return dayOfMonth === days.day || (day === lastOfMonth(day) && dayOfMonth < days.day)
}

/** "Weekdays at 09:00 Berlin" */
export const describeRecurrence = (recurrence: Recurrence): string =>
  `${recurrenceToWords(recurrence)} ${zoneLabel(recurrence.zone)}`

/** Writes a recurrence without its zone, in words that `readRecurrence` reads as the same recurrence. */
export const recurrenceToWords = ({ days, clock }: Omit<Recurrence, 'zone'>): string =>
  `${describeDays(days)} at ${formatTime(clock)}`

const NTH_WORDS = ['first', 'second', 'third', 'fourth']
const WEEKDAY_SETS: Record<string, string> = { 1234567: 'Every day', 12345: 'Weekdays', 67: 'Weekends' }
const WEEKDAY_NAMES = Info.weekdays('long', { locale: 'en' })

function describeDays(days: RecurrenceDays): string {
  if (days.every === 'week') {
    const description = WEEKDAY_SETS[days.weekdays.join('')]
    if (description) return description
    const names = days.weekdays.map((weekday) => WEEKDAY_NAMES[weekday - 1] ?? '')
    if (names.length === 1) return `Every ${names[0]}`
    const shortNames = names.map((name) => name.slice(0, 3))
    return `${shortNames.slice(0, -1).join(', ')} and ${shortNames.at(-1)}`
  }
  if ('weekday' in days)
    return `The ${days.nth < 0 ? 'last' : NTH_WORDS[days.nth - 1]} ${WEEKDAY_NAMES[days.weekday - 1]} of the month`
  if (days.day === 31) return 'The last day of the month'
  return days.day > 28 ? `Day ${days.day} of the month, or its last,` : `Day ${days.day} of the month`
}
