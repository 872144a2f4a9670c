import {
  addToMonth,
  type Day,
  dateFromDay,
  dayFromDate,
  daysInMonth,
  nextDayWithDate,
  weekdayOf,
} from '../calendar.ts'
import { addDate, type Phrase, type ReadingState } from '../phrase.ts'
import { createRefusal, type Refusal } from '../reading.ts'
import { NO_SUCH_DATE } from '../refusals.ts'
import { MONTH, monthNumber, ORDINAL, WEEKDAY, weekdayNumber } from '../vocabulary.ts'

/** The digits of a date. */
type WrittenDate = { year: string | undefined; month: string | undefined; day: string | undefined }

/** Without a year, takes the next such date. Two digits of a year mean 20xx. */
function findDay({ year, month, day }: WrittenDate, state: ReadingState): Day | undefined {
  const date = { month: Number(month), day: Number(day) }
  if (!year) return nextDayWithDate(date, state.now.day)
  return dayFromDate({ year: Number(year) + (year.length === 2 ? 2000 : 0), ...date })
}

function addWrittenDate(state: ReadingState, date: WrittenDate): string | Refusal {
  const day = findDay(date, state)
  return day === undefined ? NO_SUCH_DATE : `${addDate(state, day)} `
}

/** "2026-12-24", "2026/12/24" */
export const yearFirstDate: Phrase = {
  pattern: /(?<![\d.:/-])(\d{4})([-/.:])(\d{1,2})\2(\d{1,2})(?![\d/]|[-.:]\d)t?/,
  read: ([, year, , month, day], state) => addWrittenDate(state, { year, month, day }),
}

/** "20261224" */
export const eightDigitDate: Phrase = {
  pattern: /(?<!\d)(20\d{2})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/,
  read: ([, year, month, day], state) => addWrittenDate(state, { year, month, day }),
}

/** "2027 May 22nd", "2027 10 Apr" */
export const yearBeforeMonth: Phrase = {
  pattern: new RegExp(
    `\\b(\\d{4}),? (?:(${MONTH}) (\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)? (${MONTH}))(?:st|nd|rd|th)?(?![\\w:])`,
  ),
  read: ([, year, monthBefore, dayAfter, dayBefore, monthAfter], state) => {
    if (Number(year) < 1900) return undefined // 0930 is a time.
    const month = String(monthNumber(monthBefore ?? monthAfter ?? ''))
    return addWrittenDate(state, { year, month, day: dayAfter ?? dayBefore })
  },
}

/** "24-12-2026". The hyphens would otherwise look like a range. */
export const dateWithHyphens: Phrase = {
  pattern: /(?<![\d.:/-])(\d{1,2})-(\d{1,2})-(\d{4}|\d{2})(?![\d/:-])/,
  read: ([, first = '', second = '', year], state) => addAmbiguousDate(state, first, second, year),
}

/** "31/3", "12/24/2026" */
export const dateWithSlashes: Phrase = {
  pattern: /(?<![\d.:/-])(\d{1,2}) ?\/ ?(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/:]|-\d| ?[ap]m)/,
  read: ([, first = '', second = '', year], state) => addAmbiguousDate(state, first, second, year),
}

/** The locale decides whether 4/5 is in April or May. Without a locale, the user decides. */
function addAmbiguousDate(
  state: ReadingState,
  first: string,
  second: string,
  year: string | undefined,
): string | Refusal {
  const monthFirst = findDay({ year, month: first, day: second }, state)
  const dayFirst = findDay({ year, month: second, day: first }, state)
  const day = monthFirst ?? dayFirst
  if (day === undefined) return NO_SUCH_DATE
  if (monthFirst === undefined || dayFirst === undefined || monthFirst === dayFirst)
    return addDate(state, day)
  const isMonthFirst = isMonthFirstIn(state.locale)
  if (isMonthFirst !== undefined) return addDate(state, isMonthFirst ? monthFirst : dayFirst)
  return addDate(state, {
    day: Math.min(monthFirst, dayFirst),
    alternatives: [Math.max(monthFirst, dayFirst)],
  })
}

/** Undefined without a country, because English dates differ between countries. */
function isMonthFirstIn(locale: string | undefined): boolean | undefined {
  if (!locale || /^en$/i.test(locale)) return undefined
  try {
    const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
    return parts.indexOf('month') < parts.indexOf('day')
  } catch {
    return undefined
  }
}

/** "24.12.", "24.12.2026", "24.12.26". The day comes first in every country, but "16.40" may be a time. */
export const dateWithPeriods: Phrase = {
  pattern:
    /(?<![\d.:/-])(\d{1,2})\. ?(\d{1,2})(?:\.( ?\d{4}|\d{2}(?!\d))|\.(?!\d)|(?= |,|$))(?!(?: ?[ap]\.?m|:\d|\d))/g,
  read: (match, state) => {
    const [words, first = '', second = '', yearAfterPeriod] = match
    if (Number(first) > 12 && Number(second) > 12) return undefined // 17.30 is a time.
    const year = yearAfterPeriod?.trim()
    const isMonthFirst = Number(second) > 12 && Number(first) <= 12
    const date = isMonthFirst ? { year, month: first, day: second } : { year, month: second, day: first }
    const mayBeTime = !year && !words.endsWith('.')
    if (mayBeTime && (state.dates.length || isTimeWithPeriod(match, state) || hasOtherDay(state, date)))
      return undefined
    return addWrittenDate(state, date)
  },
}

/** Two digits after the period are minutes if they are too high for a month, or if a word such as "at" precedes. */
function isTimeWithPeriod(
  { index, 1: first = '', 2: second = '' }: RegExpExecArray,
  state: ReadingState,
): boolean {
  const minute = Number(second)
  if (second.length < 2 || Number(first) > 23 || minute > 59) return false
  return minute > 12 || minute === 0 || /(?:\bat|@|around|about) ?$/.test(state.text.slice(0, index))
}

/** If the text names another day, 13.05 is a time. A weekday that fits the date is not another day. */
function hasOtherDay(state: ReadingState, date: WrittenDate): boolean {
  if (MONTH_OR_ORDINAL.test(state.text)) return true
  const weekday = FIRST_WEEKDAY.exec(state.text)?.[0]
  const day = findDay(date, state)
  return weekday !== undefined && day !== undefined && weekdayOf(day) !== weekdayNumber(weekday)
}

const MONTH_OR_ORDINAL = new RegExp(`\\b${MONTH}|\\b${ORDINAL}`)
const FIRST_WEEKDAY = new RegExp(`\\b${WEEKDAY}`)

/** "30 feb" and "feb 29", which do not exist or not every year. Chrono reads all other dates with month names. */
export const unusualDate: Phrase = {
  pattern: new RegExp(
    `(?<![\\d.:/-])(?:(29|3\\d|[4-9]\\d)(?:st|nd|rd|th)?(?: of)?[ /.-]?(${MONTH})|(${MONTH})[ /.-]?(?:the )?(29|3\\d|[4-9]\\d)(?:st|nd|rd|th)?)(?![\\d:])(?:,? (\\d{4})\\b)?`,
  ),
  read: ([, dayBefore, monthAfter, monthBefore, dayAfter, year], state) => {
    const date = { month: monthNumber(monthAfter ?? monthBefore ?? ''), day: Number(dayBefore ?? dayAfter) }
    if (date.day > daysInMonth({ year: 2024, month: date.month }))
      return createRefusal('invalid', 'That month is shorter. Enter another date, such as "24 Dec".')
    if (date.month !== 2 || date.day !== 29) return undefined
    const day = year ? dayFromDate({ year: Number(year), ...date }) : nextDayWithDate(date, state.now.day)
    return day === undefined
      ? createRefusal('invalid', `29 February ${year} doesn't exist. Enter another date.`)
      : addDate(state, day)
  },
}

/** "the 15th", "the 28th of next month", "next month 28th", "thu 15th" */
export const dayOfMonth: Phrase = {
  pattern: new RegExp(
    [
      `(?=[\\dnot])(?<!${MONTH} (?:the )?)\\b`, // After the name of a month, chrono reads the day.
      '(?:(?<monthBefore>next|this) month,? )?(?:on )?(?:the )?',
      `(?<ordinal>${ORDINAL})(?: day)?`,
      '(?:(?: (?:of|in))? (?:the )?(?<monthAfter>next |following |coming |this |current )?month)?',
      `(?! (?:of )?(?:the )?${MONTH}|[ -]?of|[/.-])`,
    ].join(''),
  ),
  read: ({ groups = {} }, state) => {
    if (state.dates.length) return undefined
    const { ordinal = '', monthBefore, monthAfter } = groups
    const dayOfMonth = Number.parseInt(ordinal, 10)
    if (dayOfMonth < 1 || dayOfMonth > 31)
      return createRefusal('invalid', `No month has a ${ordinal}. Enter another date.`)
    const month = (monthBefore ?? monthAfter)?.trim()
    if (!month) return addNextDayOfMonth(dayOfMonth, state)
    const monthsAhead = month === 'this' || month === 'current' ? 0 : 1
    const day = dayFromDate({ ...addToMonth(dateFromDay(state.now.day), monthsAhead), day: dayOfMonth })
    return day === undefined
      ? createRefusal('invalid', `That month doesn't have a ${ordinal}. Enter another date.`)
      : addDate(state, day)
  },
}

function addNextDayOfMonth(dayOfMonth: number, state: ReadingState): string | undefined {
  const days: Day[] = []
  for (let months = 0; months < 24; months++) {
    const day = dayFromDate({ ...addToMonth(dateFromDay(state.now.day), months), day: dayOfMonth })
    if (day !== undefined && day >= state.now.day) days.push(day)
  }
  const [nextDay, dayAfterNext] = days
  if (nextDay === undefined) return undefined
  const { weekday } = state
  if (weekday && weekdayOf(nextDay) !== weekday) {
    const dayOnWeekday = days.find((day) => weekdayOf(day) === weekday)
    state.weekday = undefined
    return addDate(
      state,
      dayOnWeekday === undefined ? nextDay : { day: dayOnWeekday, alternatives: [nextDay] },
    )
  }
  return addDate(state, nextDay === state.now.day ? { day: nextDay, dayIfPast: dayAfterNext } : nextDay)
}
