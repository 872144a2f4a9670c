import { DateTime, Info } from 'luxon'
import {
  type Day,
  dateFromDay,
  dayOfMoment,
  lastOfMonth,
  mondayOfWeek,
  nthWeekdayOfMonth,
  weekdayOf,
} from './calendar.ts'
import { PROBLEM } from './chart.ts'
import { valuesOf } from './cover.ts'
import { formatDayAndMonth, formatOrdinal, formatTime, listWords, zoneLabel } from './describe.ts'
import { recurrenceGrammar } from './grammar/grammar.ts'
import {
  EVERY_DAY,
  type RecurrenceCount,
  type RecurrenceDays,
  type WrittenDays,
} from './grammar/recurrences.ts'
import type { Point } from './point.ts'
import type { PossibleTimes } from './possible-times.ts'
import { joinTokens, type ParsedText, parseText } from './read-words.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { type ClockTime, combineTimes, findPossibleRecurringTimes } from './recurring-times.ts'
import { ownZoneAssumption, refuseZone, zoneQuestion } from './resolve-point.ts'
import type { PartOfDay } from './vocabulary.ts'
import { firstMomentAt } from './wall-clock.ts'
import type { NamedZone } from './zones.ts'

/** Times that repeat on certain days, such as "weekdays at 9am and 5pm", in one time zone. */
export type Recurrence<Days = RecurrenceDays> = { days: Days; clocks: ClockTime[]; zone: string }

export type RecurrenceReading =
  | { kind: 'recurrence'; recurrence: Recurrence; assumptions: string[] }
  | { kind: 'question'; question: string; choices: { label: string; recurrence: Recurrence }[] }
  | Refusal

const EXAMPLES = '"weekdays at 9am", "mon and thu 8:30" or "first monday of the month at 10"'

/** Reads "weekdays at 9am", "every other monday 8:30 Berlin time", "daily at 9 and 17:00 except fridays". */
export function readRecurrence(text: string, context: ReadingContext): RecurrenceReading {
  const parsed = parseText(text, context, {
    grammar: recurrenceGrammar,
    types: RECURRENCE_TYPES,
    subject: 'days and the time',
    examples: EXAMPLES,
  })
  if ('kind' in parsed) return parsed
  const words = findRecurrenceWords(parsed)
  if ('kind' in words) return words
  const { days, times: writtenTimes, zone: namedZone } = words
  if (namedZone && !namedZone.matches.length) return refuseZone(namedZone)
  if (writtenTimes.length > MAX_TIMES_A_DAY) return createRefusal('several', TOO_MANY_TIMES)
  const times: PossibleTimes[] = []
  for (const [index, time] of writtenTimes.entries()) {
    const possibleTimes = findPossibleRecurringTimes(time, writtenTimes.slice(index + 1), parsed.local)
    if ('kind' in possibleTimes) return possibleTimes
    times.push(possibleTimes)
  }
  const zones = namedZone?.matches ?? [{ zone: context.zone }]
  const recurrences = zones.flatMap(({ zone }) =>
    combineTimes(times).map((clocks) => withFirstWeek(context.now, { days, clocks, zone })),
  )
  const [recurrence] = recurrences
  if (recurrence && recurrences.length === 1) {
    const assumptions = times.flatMap((times) => times.assumptions ?? [])
    if (!namedZone) assumptions.push(ownZoneAssumption(recurrence.zone))
    return { kind: 'recurrence', recurrence, assumptions }
  }
  const question = times.find(({ times }) => times.length > 1)?.question ?? zoneQuestion(namedZone)
  return {
    kind: 'question',
    question: question ?? 'Which one?',
    choices: recurrences.map((recurrence) => ({ label: describeRecurrence(recurrence), recurrence })),
  }
}

type RecurrenceWords = {
  days: WrittenDays
  times: Point[]
  zone: NamedZone | undefined
}

const RECURRENCE_TYPES =
  `days dailyPart exception times dayPart count zone oneDay FREQUENCY ${PROBLEM}`.split(' ')

function findRecurrenceWords({ text, chart, cover }: ParsedText): RecurrenceWords | Refusal {
  const { items, unparsed } = cover
  const problem = valuesOf<Refusal>(cover, PROBLEM)[0]
  const parts = valuesOf<PartOfDay>(cover, 'dailyPart')
  const counts = valuesOf<RecurrenceCount>(cover, 'count')
  const names = (type: string) => chart.some((meanings) => meanings.has(type))
  // "Mornings at 9" is daily. The German "morgen abends um 9" is tomorrow, and "do abends um 9" on Thursday.
  const isEveryPart = parts.length > 0 || (names('everyPart') && !names('oneDay') && !names('dayName'))
  const isDaily = isEveryPart || counts.some(({ period }) => period === 'day')
  const [days = isDaily ? EVERY_DAY : undefined, otherDays] = valuesOf<WrittenDays>(cover, 'days')
  const [zone, otherZone] = valuesOf<NamedZone | 'own'>(cover, 'zone')
  const isOneMoment = otherZone !== undefined || items.some(({ type }) => type === 'oneDay')
  const missingDaysRefusal = createRefusal('nonsense', `Enter the days and the time, such as ${EXAMPLES}.`)
  if (problem) return problem
  if (!days) return missingDaysRefusal
  if (otherDays || isOneMoment || unparsed.length) {
    const message = `"${joinTokens(text, unparsed) || text.text}" wasn't understood. Enter the days and the time, such as ${EXAMPLES}.`
    return createRefusal('nonsense', message)
  }
  const partOfDay = valuesOf<PartOfDay>(cover, 'dayPart')[0] ?? parts[0]
  const written = valuesOf<Point[]>(cover, 'times').flat()
  const times = written.map((time) => (partOfDay ? { partOfDay, ...time } : time))
  const excluded = valuesOf<number[]>(cover, 'exception').flat()
  const remaining = excluded.length ? withoutWeekdays(days, excluded) : days
  const wrongCount = counts.map((count) => refuseWrongCount(count, days, times.length)).find(Boolean)
  if (wrongCount) return wrongCount
  if (!remaining) return missingDaysRefusal
  return {
    days: remaining,
    times: times.length ? times : [{ ...(partOfDay && { partOfDay }) }],
    zone: zone === 'own' ? undefined : zone,
  }
}

/** Refuses "3 times a day at 9", because the other times are missing. */
function refuseWrongCount(
  { value, period }: RecurrenceCount,
  days: WrittenDays,
  timeCount: number,
): Refusal | undefined {
  const writtenCount = period === 'day' ? timeCount : 'weekdays' in days && days.weekdays.length
  const missing =
    period === 'day' ? 'times, such as "daily at 9 and 17:00"' : 'days, such as "mon and thu 8:30"'
  return writtenCount === value ? undefined : createRefusal('vague', `Enter all the ${missing}.`)
}

const MAX_TIMES_A_DAY = 6
const TOO_MANY_TIMES = `That's too many times. Enter up to ${MAX_TIMES_A_DAY} a day, such as "daily at 9 and 17:00".`

function withFirstWeek(now: Date, { days, clocks, zone }: Recurrence<WrittenDays>): Recurrence {
  if (days.every !== 'two-weeks') return { days, clocks, zone }
  const first = nextOccurrence({ days: { every: 'week', weekdays: days.weekdays }, clocks, zone }, now)
  const from = days.from ?? mondayOfWeek(dayOfMoment(first.setZone(zone)))
  return { days: { ...days, from }, clocks, zone }
}

/** Removes the days of an exception, such as "fridays". */
function withoutWeekdays(days: WrittenDays, excluded: number[]): WrittenDays | undefined {
  if (days.every !== 'week') return undefined
  const weekdays = days.weekdays.filter((weekday) => !excluded.includes(weekday))
  return weekdays.length ? { every: 'week', weekdays } : undefined
}

/**
 * Returns the moment after which the next run is allowed. A recurrence with one time runs at most once a day, even if its
 * time changes, so this is the end of the last run's day. With several times a day, it is the last run itself.
 */
export const earliestNextRun = ({ zone, clocks }: Recurrence, last: Date): Date =>
  clocks.length === 1 ? DateTime.fromJSDate(last, { zone }).endOf('day').toJSDate() : last

/**
 * Finds the first occurrence after a moment. If the clocks skip the time, the occurrence is at the end of the gap. If
 * the clocks repeat the time, the occurrence is at the first of the two moments.
 */
export function nextOccurrence(recurrence: Recurrence, after: Date): DateTime {
  const { zone, clocks, days } = recurrence
  const today = dayOfMoment(DateTime.fromJSDate(after, { zone }))
  const start = days.every === 'two-weeks' ? Math.max(today, days.from) : today
  for (let day = start; day <= start + 366; day++) {
    if (!includesDay(days, day)) continue
    const moments = clocks.map((clock) => firstMomentAt(day, { ...clock, second: 0 }, zone))
    const next = moments.find((at) => at.toMillis() > after.getTime())
    if (next) return next
  }
  throw new Error(`"${describeRecurrence(recurrence)}" has no further occurrence.`)
}

function includesDay(days: RecurrenceDays, day: Day): boolean {
  if (days.every === 'week') return days.weekdays.includes(weekdayOf(day))
  if (days.every === 'two-weeks')
    return (
      day >= days.from && days.weekdays.includes(weekdayOf(day)) && (mondayOfWeek(day) - days.from) % 14 === 0
    )
  if ('weekday' in days) return nthWeekdayOfMonth(day, days.weekday, days.nth) === day
  const { day: dayOfMonth } = dateFromDay(day)
  return dayOfMonth === days.day || (day === lastOfMonth(day) && dayOfMonth < days.day)
}

/** "Weekdays at 09:00 Berlin" */
export const describeRecurrence = (recurrence: Recurrence): string =>
  `${recurrenceToWords(recurrence)} ${zoneLabel(recurrence.zone)}`

/** Writes a recurrence without its zone, in words that `readRecurrence` reads as the same recurrence. */
export const recurrenceToWords = ({ days, clocks }: Omit<Recurrence, 'zone'>): string =>
  `${describeDays(days)} at ${formatTimes(clocks)}`

/** "09:00 and 17:00" */
export const formatTimes = (clocks: ClockTime[]): string => listWords(clocks.map(formatTime))

const NTH_WORDS = ['first', 'second', 'third', 'fourth']
const WEEKDAY_SETS: Record<string, string> = { 1234567: 'Every day', 12345: 'Weekdays', 67: 'Weekends' }
const WEEKDAY_NAMES = Info.weekdays('long', { locale: 'en' })

function describeDays(days: RecurrenceDays): string {
  if (days.every === 'week') return WEEKDAY_SETS[days.weekdays.join('')] ?? describeWeekdays('Every', days)
  if (days.every === 'two-weeks') {
    const { weekdays, from } = days
    const first = from + (weekdays[0] ?? 1) - 1
    return `${describeWeekdays('Every other', { weekdays })} from ${formatDayAndMonth(first)} ${dateFromDay(first).year}`
  }
  if ('weekday' in days)
    return `The ${days.nth < 0 ? 'last' : NTH_WORDS[days.nth - 1]} ${WEEKDAY_NAMES[days.weekday - 1]} of the month`
  if (days.day === 31) return 'The last day of the month'
  return `The ${formatOrdinal(days.day)} of the month${days.day > 28 ? ', or the last day of shorter months,' : ''}`
}

/** "Every Monday", "Mon, Wed and Fri", "Every other Mon and Thu" */
function describeWeekdays(every: string, { weekdays }: { weekdays: number[] }): string {
  const names = weekdays.map((weekday) => WEEKDAY_NAMES[weekday - 1] ?? '')
  if (names.length === 1) return `${every} ${names[0]}`
  const list = listWords(names.map((name) => name.slice(0, 3)))
  return every === 'Every' ? list : `${every} ${list}`
}
