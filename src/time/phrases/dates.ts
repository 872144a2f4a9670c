import {
  type Day,
  dayFromDate,
  dayInMonth,
  findDate,
  mondayOfWeek,
  nextOrSameWeekday,
  weekdayOf,
} from '../calendar.ts'
import {
  DAY_NUMBER,
  globalPattern,
  MONTH,
  monthNumber,
  ORDINAL,
  pattern,
  WEEKDAY,
  weekdayNumber,
} from '../pattern-parts.ts'
import { addDate, DATE_MARK, type Phrase, type ReadingState } from '../phrase.ts'
import { createRefusal } from '../reading.ts'
import { NO_SUCH_DATE } from '../refusals.ts'

/** Dates with hyphens look like ranges, so these phrases run before the refusals. */
export const yearFirstAndHyphenPhrases: Phrase[] = [
  // "2026-12-24", "2026/12/24"
  [
    /(?<![\d.:/-])(?<year>\d{4})([-/.:])(?<month>\d{1,2})\2(?<day>\d{1,2})(?![\d/]|[-.:]\d)t?/,
    ({ groups = {} }, state) => addWrittenDate(state, groups),
  ],
  // "20261224"
  [
    /(?<!\d)(?<year>20\d{2})(?<month>0[1-9]|1[0-2])(?<day>[0-3]\d)(?!\d)/,
    ({ groups = {} }, state) => addWrittenDate(state, groups),
  ],
  // "2027 May 22nd", "2027 10 Apr"
  [
    pattern`\b(\d{4}),? (?:(${MONTH}) (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)? (${MONTH}))(?:st|nd|rd|th)?(?![\w:])`,
    ([, year, monthBefore, dayAfter, dayBefore, monthAfter], state) => {
      if (Number(year) < 1900) return undefined // 0930 is a time.
      const month = String(monthNumber(monthBefore ?? monthAfter ?? ''))
      return addWrittenDate(state, { year, month, day: dayAfter ?? dayBefore })
    },
  ],
  // "24-12-2026"
  [
    /(?<![\d.:/-])(\d{1,2})-(\d{1,2})-(\d{4}|\d{2})(?![\d/:-])/,
    ([, first, second, year], state) => addAmbiguousDate(state, first, second, year),
  ],
]

export const datePhrases: Phrase[] = [
  // "30 feb", which never exists, and "feb 29", which doesn't exist every year. Chrono reads all other dates with month names.
  [
    pattern`(?<![\d.:/-])(?:
      (29|3\d|[4-9]\d)(?:st|nd|rd|th)?(?: of)?[ /.-]?(${MONTH})
      |(${MONTH})[ /.-]?(?:the )?(29|3\d|[4-9]\d)(?:st|nd|rd|th)?
      )(?![\d:])(?:,? (\d{4})\b)?`,
    ([, dayBefore, monthAfter, monthBefore, dayAfter, year], state) => {
      const month = monthNumber(monthAfter ?? monthBefore ?? '')
      const day = Number(dayBefore ?? dayAfter)
      if (dayFromDate({ year: 2024, month, day }) === undefined) return createRefusal('invalid', NO_SUCH_DATE)
      if (month !== 2) return undefined
      const leapDay = findDate({ year: year ? Number(year) : undefined, month, day }, state.now.day)
      return leapDay === undefined
        ? createRefusal('invalid', `29 February ${year} doesn't exist. Enter another date.`)
        : addDate(state, { day: leapDay, lacksYear: year ? undefined : 'date' })
    },
  ],
  // "31/3", "12/24/2026"
  [
    /(?<![\d.:/-])(\d{1,2}) ?\/ ?(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/:]|-\d| ?[ap]m)/,
    ([, first, second, year], state) => addAmbiguousDate(state, first, second, year),
  ],
  // "24.12.", "24.12.2026", "24.12.26". The day comes first in every country, but "16.40" may be a time.
  [
    /(?<![\d.:/-])(\d{1,2})\. ?(\d{1,2})(?:\.( ?\d{4}|\d{2}(?!\d))|\.(?!\d)|(?= |,|$))(?!(?: ?[ap]\.?m|:\d|\d))/g,
    (match, state) => {
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
  ],
  // "monday", "this friday", "next tuesday". A weekday next to a date must match the date.
  [
    globalPattern`\b(?:(this coming|this|coming|upcoming|next|following)\b ?)?(?:the )?(${WEEKDAY})`,
    ([, which = '', name = ''], state) => {
      const weekday = weekdayNumber(name)
      if (state.hasShortWeekday) state.isWeakMatch = true
      if (state.dates.length || NEARBY_DATE.test(state.text)) {
        if (state.weekday && state.weekday !== weekday) return undefined
        state.weekday = weekday
        return ''
      }
      const today = state.now.day
      if (which === 'next' || which === 'following') {
        const day = nextOrSameWeekday(today + 1, weekday)
        // If the weekday is still to come this week, "next" is ambiguous.
        const isInThisWeek = mondayOfWeek(day) === mondayOfWeek(today)
        return addDate(state, isInThisWeek ? { day: day + 7, alternatives: [day] } : day)
      }
      const day = nextOrSameWeekday(today, weekday)
      const dayIfPast = day === today && which !== 'this' ? day + 7 : undefined
      return addDate(state, { day, dayIfPast, repeats: 'week' })
    },
  ],
  // "the 15th", "the 28th of next month", "next month 28th", "thu 15th". After a month's name, chrono reads the day.
  [
    pattern`(?=[\dnot])(?<!${MONTH} (?:the )?)\b
      (?:(?<monthBefore>next|this) month,? )?(?:on )?(?:the )?
      (?<ordinal>${ORDINAL})(?: day)?
      (?:(?: (?:of|in))? (?:the )?(?<monthAfter>next |following |coming |this |current )?month)?
      (?! (?:of )?(?:the )?${MONTH}|[ -]?of|[/.-])`,
    ({ groups = {} }, state) => {
      if (state.dates.length) return undefined
      const { ordinal = '', monthBefore, monthAfter } = groups
      const dayOfMonth = Number.parseInt(ordinal, 10)
      if (dayOfMonth < 1 || dayOfMonth > 31)
        return createRefusal('invalid', `No month has a ${ordinal}. Enter another date.`)
      const month = (monthBefore ?? monthAfter)?.trim()
      if (!month) return addNextDayOfMonth(dayOfMonth, state)
      const day = dayInMonth(state.now.day, month === 'this' || month === 'current' ? 0 : 1, dayOfMonth)
      return day === undefined
        ? createRefusal('invalid', `That month doesn't have a ${ordinal}. Enter another date.`)
        : addDate(state, day)
    },
  ],
]

const NEARBY_DATE = pattern`${DATE_MARK}|(?<!\d)${DAY_NUMBER}(?: of)?[ /.-]?${MONTH}|${MONTH} ?\d|${MONTH} (?:the )?${ORDINAL}|\b${ORDINAL}`

/** The digits of a date. */
type WrittenDate = { year?: string | undefined; month?: string | undefined; day?: string | undefined }

/** A two-digit year means 20xx. */
function resolveWrittenDate({ year, month, day }: WrittenDate, state: ReadingState) {
  const fullYear = year?.length === 2 ? `20${year}` : year
  const date = { year: fullYear ? Number(fullYear) : undefined, month: Number(month), day: Number(day) }
  return findDate(date, state.now.day)
}

function addWrittenDate(state: ReadingState, date: WrittenDate) {
  const day = resolveWrittenDate(date, state)
  if (day === undefined) return createRefusal('invalid', NO_SUCH_DATE)
  return `${addDate(state, { day, lacksYear: date.year ? undefined : 'date' })} `
}

/** The locale decides whether 4/5 is in April or May. Otherwise a weekday in the text decides, or else the user. */
function addAmbiguousDate(state: ReadingState, first?: string, second?: string, year?: string) {
  const monthFirstDay = resolveWrittenDate({ year, month: first, day: second }, state)
  const dayFirstDay = resolveWrittenDate({ year, month: second, day: first }, state)
  const day = monthFirstDay ?? dayFirstDay
  if (day === undefined) return createRefusal('invalid', NO_SUCH_DATE)
  const lacksYear = year ? undefined : 'date'
  if (monthFirstDay === undefined || dayFirstDay === undefined || monthFirstDay === dayFirstDay)
    return addDate(state, { day, lacksYear })
  const isMonthFirst =
    isMonthFirstIn(state.locale) ?? isMonthFirstOnWeekday(monthFirstDay, dayFirstDay, state)
  if (isMonthFirst !== undefined)
    return addDate(state, { day: isMonthFirst ? monthFirstDay : dayFirstDay, lacksYear })
  const [earlier, later] = [Math.min(monthFirstDay, dayFirstDay), Math.max(monthFirstDay, dayFirstDay)]
  return addDate(state, { day: earlier, alternatives: [later], lacksYear })
}

/** Returns undefined unless the text names a weekday that only one of the two dates falls on. */
function isMonthFirstOnWeekday(monthFirstDay: Day, dayFirstDay: Day, { text }: ReadingState) {
  const name = FIRST_WEEKDAY.exec(text)?.[0]
  const [fitsMonthFirst, fitsDayFirst] = [monthFirstDay, dayFirstDay].map(
    (day) => name !== undefined && weekdayOf(day) === weekdayNumber(name),
  )
  return fitsMonthFirst === fitsDayFirst ? undefined : fitsMonthFirst
}

/** Returns undefined for plain "en", because English-speaking countries write dates in different orders. */
function isMonthFirstIn(locale: string | undefined): boolean | undefined {
  if (!locale || /^en$/i.test(locale)) return undefined
  try {
    const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
    return parts.indexOf('month') < parts.indexOf('day')
  } catch {
    return undefined
  }
}

/** Two digits after the period are minutes if they can't be a month, or if a word such as "at" precedes the time. */
function isTimeWithPeriod({ index, 1: hour, 2: digits = '' }: RegExpExecArray, { text }: ReadingState) {
  const minute = Number(digits)
  if (digits.length < 2 || Number(hour) > 23 || minute > 59) return false
  return (
    minute > 12 ||
    minute === 0 ||
    /(?:\bat|@|around|about) ?$/.test(text.slice(Math.max(0, index - 8), index))
  )
}

/** If the text names another day, 13.05 is a time. A weekday that fits the date is not another day. */
function hasOtherDay(state: ReadingState, date: WrittenDate): boolean {
  if (MONTH_OR_ORDINAL.test(state.text)) return true
  const weekday = FIRST_WEEKDAY.exec(state.text)?.[0]
  const day = resolveWrittenDate(date, state)
  return weekday !== undefined && day !== undefined && weekdayOf(day) !== weekdayNumber(weekday)
}

const MONTH_OR_ORDINAL = pattern`\b${MONTH}|\b${ORDINAL}`
const FIRST_WEEKDAY = pattern`\b${WEEKDAY}`

/** Adds the next such day of a month or, if the text names a weekday, the first one on that weekday. */
function addNextDayOfMonth(dayOfMonth: number, state: ReadingState): string | undefined {
  const today = state.now.day
  const days = Array.from({ length: 24 }, (_, months) => dayInMonth(today, months, dayOfMonth))
    .filter((day) => day !== undefined)
    .filter((day) => day >= today)
  const [nextDay = today, dayAfterNext] = days
  const { weekday = weekdayOf(nextDay) } = state
  if (weekdayOf(nextDay) === weekday)
    return addDate(state, {
      day: nextDay,
      dayIfPast: nextDay === today && !state.weekday ? dayAfterNext : undefined,
      repeats: 'month',
    })
  state.weekday = undefined
  const dayOnWeekday = days.find((day) => weekdayOf(day) === weekday)
  return addDate(state, dayOnWeekday ? { day: dayOnWeekday, alternatives: [nextDay] } : nextDay)
}
