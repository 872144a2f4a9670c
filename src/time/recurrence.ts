import { DateTime, Info } from 'luxon'
import {
  type Day,
  dateFromDay,
  dayFromDate,
  dayOfMoment,
  lastOfMonth,
  mondayOfWeek,
  nextOrSameWeekday,
  nthWeekdayOfMonth,
  weekdayOf,
} from './calendar.ts'
import { formatDayAndMonth, formatTime, zoneLabel } from './describe.ts'
import { refuseOtherLanguage } from './other-languages.ts'
import {
  formatOrdinal,
  globalPattern,
  MONTH,
  monthNumber,
  ORDINAL,
  pattern,
  WEEKDAY,
  WEEKDAY_NAME,
  weekdayNumber,
} from './pattern-parts.ts'
import { applyPhrases, DATE_MARK, type ReadingState } from './phrase.ts'
import { dayDependentPhrases } from './phrases/relative-days.ts'
import { timePhrases } from './phrases/times.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { nameUnreadWords, preparationPhrases, startReading } from './read-when.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { refuseLongText } from './refusals.ts'
import { askForZone, unknownZone } from './resolve-reading.ts'
import { firstMomentAt, type TimeOfDay } from './wall-clock.ts'

/** Times that repeat on certain days, such as "weekdays at 9am and 5pm", in one time zone. */
export type Recurrence = { days: RecurrenceDays; clocks: Clock[]; zone: string }

export type Clock = Pick<TimeOfDay, 'hour' | 'minute'>

export type RecurrenceDays =
  /** 1 for Monday to 7 for Sunday. */
  | { every: 'week'; weekdays: number[] }
  /** Every other week, counted from the week that begins with this Monday. */
  | { every: 'two-weeks'; weekdays: number[]; from: Day }
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

/** Reads "weekdays at 9am", "every other monday 8:30 Berlin time", "daily at 9 and 17:00 except fridays". */
export function readRecurrence(text: string, context: ReadingContext): RecurrenceReading {
  const tooLong = refuseLongText(text, 'days and the time')
  if (tooLong) return tooLong
  const state = startReading(text, context)
  const { namedZone } = state
  const earlyRefusal =
    refuseOtherLanguage(state.text, context.locale, EXAMPLES) ?? applyPhrases(preparationPhrases, state)
  if (earlyRefusal) return earlyRefusal
  const extracted = extractDays(state.text)
  if (!extracted) return createRefusal('nonsense', `Enter the days and the time, such as ${EXAMPLES}.`)
  if (namedZone && !namedZone.options.length) return unknownZone(namedZone)
  const parts = splitTimes(extracted.rest)
  if (parts.length > MAX_TIMES_A_DAY) return createRefusal('several', TOO_MANY_TIMES)
  const times: PossibleTimes[] = []
  for (const [index, words] of parts.entries()) {
    const possibleTimes = readTime(words, { text, state, laterTimes: parts.slice(index + 1) })
    if ('kind' in possibleTimes) return possibleTimes
    times.push(possibleTimes)
  }
  const wrongCount = refuseWrongCount(state.text, { days: extracted.days, timeCount: times.length })
  if (wrongCount) return wrongCount
  const zones = namedZone?.options ?? [{ zone: context.zone }]
  const recurrences = zones.flatMap(({ zone }) =>
    combineTimes(times).map((clocks) => startAt(context.now, { days: extracted.days, clocks, zone })),
  )
  const [recurrence] = recurrences
  if (recurrence && recurrences.length === 1) {
    const assumptions = [...state.assumptions, ...times.flatMap((times) => times.assumptions ?? [])]
    if (!namedZone) assumptions.push(`in your time zone, ${zoneLabel(recurrence.zone)}`)
    return { kind: 'recurrence', recurrence, assumptions }
  }
  const question = times.find(({ times }) => times.length > 1)?.question ?? askForZone(namedZone)
  return {
    kind: 'question',
    question: question ?? 'Which one?',
    choices: recurrences.map((recurrence) => ({ label: describeRecurrence(recurrence), recurrence })),
  }
}

const COUNT = /\b(?:(twice)|(\d) times) (?:a|per|1) (day|week)\b|\btwice daily\b/

/** Refuses "3 times a day at 9", because the other times are missing. */
function refuseWrongCount(text: string, { days, timeCount }: { days: ExtractedDays; timeCount: number }) {
  const [words, twice, number, period = 'day'] = COUNT.exec(text) ?? []
  if (!words) return undefined
  const count = twice || !number ? 2 : Number(number)
  const found = period === 'day' ? timeCount : 'weekdays' in days && days.weekdays.length
  const missing =
    period === 'day' ? 'times, such as "daily at 9 and 17:00"' : 'days, such as "mon and thu 8:30"'
  return found === count ? undefined : createRefusal('vague', `Enter all the ${missing}.`)
}

const MAX_TIMES_A_DAY = 6
const TOO_MANY_TIMES = `That's too many times. Enter up to ${MAX_TIMES_A_DAY} a day, such as "daily at 9 and 17:00".`

/** Splits the words next to the days: "at 9 and 17:00" has two times. */
function splitTimes(words: string): string[] {
  const parts = words.split(/,|&|\+|\band\b/).filter((part) => part.replaceAll(DATE_MARK, '').trim())
  return parts.length > 1 ? parts : [words]
}

type TimeContext = { text: string; state: ReadingState; laterTimes: string[] }

/** Reads one time of day of a recurrence. */
function readTime(words: string, context: TimeContext): PossibleTimes | Refusal {
  const times = readWrittenTime(words, context)
  // In "8 and 10pm", the 8 is probably also in the evening.
  const [hour, nextHour] = [BARE_HOUR.exec(words)?.[1], PM_HOUR.exec(context.laterTimes.join())?.[1]]
  if ('kind' in times || !hour || !nextHour || Number(hour) >= Number(nextHour) % 12) return times
  const inAfternoon = readWrittenTime(`${words.trim()}pm`, context)
  if ('kind' in inAfternoon) return times
  return {
    times: [...inAfternoon.times, ...times.times],
    question: `${hour}:00 in the morning or in the afternoon?`,
  }
}

const BARE_HOUR = /^\D*\b([1-9]|1[01])\s*$/
const PM_HOUR = /\b(\d{1,2})(?:[:.]\d{2})? ?pm\b/

function readWrittenTime(words: string, { text, state: recurrence }: TimeContext): PossibleTimes | Refusal {
  // A bare hour is read as a time only next to a date.
  const withDate = `${DATE_MARK} ${words.replaceAll(DATE_MARK, '').trim()}`
  const state: ReadingState = { ...recurrence, text: withDate, dates: [{ day: 0 }], times: [] }
  const refusal = applyPhrases([...dayDependentPhrases, ...timePhrases], state)
  if (refusal) return refusal
  const unread = nameUnreadWords(text, state)
  if (unread || state.times.length > 1) {
    const message = `"${unread || text}" wasn't understood. Enter the days and the time, such as ${EXAMPLES}.`
    return createRefusal('nonsense', message)
  }
  // A recurring midnight is the one at the start of the day, so it isn't ambiguous.
  const midnight = state.times.find(({ isMidnight }) => isMidnight)
  const possibleTimes: PossibleTimes = midnight ? { times: [midnight] } : findPossibleTimes(state, 0)
  return possibleTimes.times.some(({ daysLater }) => daysLater)
    ? createRefusal('invalid', AFTER_MIDNIGHT)
    : possibleTimes
}

/** Returns the likeliest times first. A choice such as the afternoon applies to all times that leave a choice. */
function combineTimes(times: PossibleTimes[]): Clock[][] {
  const count = Math.max(...times.map(({ times }) => times.length))
  return Array.from({ length: count }, (_, index) => {
    const clocks = times.flatMap(({ times }) => times[Math.min(index, times.length - 1)] ?? [])
    return sortClocks(clocks.map(({ time: { hour, minute } }) => ({ hour, minute })))
  })
}

function sortClocks(clocks: Clock[]): Clock[] {
  const byMinute = new Map(clocks.map((clock) => [clock.hour * 60 + clock.minute, clock]))
  return [...byMinute.entries()].sort(([a], [b]) => a - b).map(([, clock]) => clock)
}

type ExtractedDays = Exclude<RecurrenceDays, { every: 'two-weeks' }> | OpenTwoWeeks

/** Every other week, counted from the first occurrence to come. */
type OpenTwoWeeks = { every: 'two-weeks'; weekdays: number[]; from: Day | undefined }

function startAt(
  now: Date,
  { days, clocks, zone }: Omit<Recurrence, 'days'> & { days: ExtractedDays },
): Recurrence {
  if (days.every !== 'two-weeks') return { days, clocks, zone }
  const first = nextOccurrence({ days: onWeekdays(days.weekdays), clocks, zone }, now)
  const from = days.from ?? mondayOfWeek(dayOfMoment(first.setZone(zone)))
  return { days: { ...days, from }, clocks, zone }
}

function extractDays(text: string): { days: ExtractedDays; rest: string } | undefined {
  const exception = EXCEPTION.exec(text)
  const included = exception ? text.replace(exception[0], ' ') : text
  for (const [pattern, read] of DAY_RULES) {
    const match = pattern.exec(included)
    const days = match && read(match)
    if (!days) continue
    const end = match.index + match[0].length
    const rest = `${included.slice(0, match.index)} ${DATE_MARK} ${included.slice(end)}`
    const remaining = exception ? withoutDays(days, exception[1] ?? '') : days
    return remaining && { days: remaining, rest: rest.replace(FREQUENCY, ' ').trim() }
  }
  return undefined
}

/** Removes the days of an exception, such as "fridays". */
function withoutDays(days: ExtractedDays, exception: string): ExtractedDays | undefined {
  const excluded = extractDays(exception)?.days
  if (days.every !== 'week' || excluded?.every !== 'week') return undefined
  const weekdays = days.weekdays.filter((weekday) => !excluded.weekdays.includes(weekday))
  return weekdays.length ? onWeekdays(weekdays) : undefined
}

const onWeekdays = (weekdays: number[]) => ({ every: 'week' as const, weekdays })

const WEEKDAY_OR_PLURAL = String.raw`(?:${WEEKDAY_NAME}\.?s?(?!\w))`
const EVERY = '(?:(?:every|each|on|all) )?'
const WEEKDAY_LIST = String.raw`${WEEKDAY_OR_PLURAL}(?:(?: ?,? ?(?:and|&|\+|/) ?|, ?| )${EVERY}${WEEKDAY_OR_PLURAL}){0,6}`
const EVERY_OTHER_WEEK = `(?:(?:every|each) (?:other|2nd|2) weeks?|(?:every|each) fortnight|bi-?weekly|fortnightly|alternat(?:e|ing) weeks?)`

/** "except fridays", "but not on wed" */
const EXCEPTION = pattern`,? ?\b(?:except|excluding|besides|apart from|other than|without|but not|but|not)(?: for| on)? (${WEEKDAY_LIST}|weekends?|weekdays?)`

/** Words that repeat what the days and times say. */
const FREQUENCY =
  /\b(?:(?:once|twice|\d times) (?:a|per|1) (?:day|week)|(?:once |twice )?daily|weekly|(?:every|each) (?:day|week)|digest)\b,?/g

const DAY_RULES: [pattern: RegExp, read: (match: RegExpExecArray) => ExtractedDays | undefined][] = [
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
      (?:,? or its last day,?)?|\b(?:monthly|every month|each month),? (?:on )?the (${ORDINAL})|\b(?:every|each) (${ORDINAL})(?! (?:${WEEKDAY}|week|day|of))`,
    ([, dayBefore, dayAfter, dayOnly]) => {
      const day = Number.parseInt(dayBefore ?? dayAfter ?? dayOnly ?? '31', 10)
      return day >= 1 && day <= 31 ? { every: 'month', day } : undefined
    },
  ],
  // "every other monday", "fortnightly on thursdays", "fridays every 2 weeks"
  [
    pattern`\b(?:(?:(?:every|each) (?:other|2nd)|alternat(?:e|ing)) (?<list>${WEEKDAY_LIST})
      |${EVERY_OTHER_WEEK},? (?:on )?(?<after>${WEEKDAY_LIST})
      |(?<before>${WEEKDAY_LIST}),? ${EVERY_OTHER_WEEK})(?! of)(?: from (?<day>\d{1,2}) (?<month>${MONTH}) (?<year>\d{4}))?`,
    ({ groups = {} }) => {
      const { list, after, before, day, month, year } = groups
      const weekdays = weekdaysIn(list ?? after ?? before ?? '')
      const date = { year: Number(year), month: monthNumber(month ?? ''), day: Number(day) }
      if (!year) return { every: 'two-weeks', weekdays, from: undefined }
      const start = dayFromDate(date)
      if (start === undefined) return undefined
      const firstDays = weekdays.map((weekday) => nextOrSameWeekday(start, weekday))
      return { every: 'two-weeks', weekdays, from: mondayOfWeek(Math.min(...firstDays)) }
    },
  ],
  [/\b(?:(?:every|each|on) )?(?:(?:week|work|working|business) ?days?)\b/, () => onWeekdays([1, 2, 3, 4, 5])],
  [/\b(?:(?:every|each|on) )?(?:the )?weekends?\b/, () => onWeekdays([6, 7])],
  [
    pattern`\b${EVERY}(${WEEKDAY_OR_PLURAL}) ?(?:-|to|through) ?(${WEEKDAY_OR_PLURAL})`,
    ([, firstName = '', lastName = '']) => {
      const first = weekdayNumber(firstName)
      const count = ((weekdayNumber(lastName) - first + 7) % 7) + 1
      const weekdays = Array.from({ length: count }, (_, index) => ((first - 1 + index) % 7) + 1)
      return onWeekdays(weekdays.sort((a, b) => a - b))
    },
  ],
  // "This friday" is a single day, not a recurrence.
  [
    pattern`(?<!\b(?:this|next|coming|following|last) )\b(?:weekly,? )?${EVERY}${WEEKDAY_LIST}(?:,? (?:weekly|every week|each week))?`,
    ([words]) => onWeekdays(weekdaysIn(words)),
  ],
  [
    /\b(?:(?:once |twice )?daily\b|(?:every|each) day\b|(?:twice|\d times) (?:a|per|1) day\b|(?:every|each) (?=morning|afternoon|evening|night)|(?=mornings\b))/,
    () => onWeekdays([1, 2, 3, 4, 5, 6, 7]),
  ],
]

const weekdaysIn = (words: string): number[] =>
  [...new Set((words.match(ALL_WEEKDAYS) ?? []).map(weekdayNumber))].sort((a, b) => a - b)

const ALL_WEEKDAYS = globalPattern`\b${WEEKDAY_NAME}`

/**
 * Returns the moment after which the next run is allowed. A recurrence with one time runs at most once a day, even if its
 * time changes, so this is the end of the last run's day. With several times a day, it is the last run itself.
 */
export const blockedUntil = ({ zone, clocks }: Recurrence, last: Date): Date =>
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
  throw new Error(`The recurrence ${describeRecurrence(recurrence)} has no next occurrence.`)
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
export const formatTimes = (clocks: Clock[]): string => listWords(clocks.map(formatTime))

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
  return `The ${formatOrdinal(days.day)} of the month${days.day > 28 ? ', or its last day,' : ''}`
}

/** "Every Monday", "Mon, Wed and Fri", "Every other Mon and Thu" */
function describeWeekdays(every: string, { weekdays }: { weekdays: number[] }): string {
  const names = weekdays.map((weekday) => WEEKDAY_NAMES[weekday - 1] ?? '')
  if (names.length === 1) return `${every} ${names[0]}`
  const list = listWords(names.map((name) => name.slice(0, 3)))
  return every === 'Every' ? list : `${every} ${list}`
}

const listWords = (words: string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join()
