import {
  addMonths,
  type Day,
  dateFromDay,
  firstOfMonth,
  lastOfMonth,
  mondayOfWeek,
  nextOrSameWeekday,
  nthWeekdayOfMonth,
  requireDay,
} from '../calendar.ts'
import { MONTH, monthNumber, pattern, WEEKDAY, weekdayNumber } from '../pattern-parts.ts'
import { addDate, type Phrase } from '../phrase.ts'
import { createRefusal } from '../reading.ts'

const WEEK_COUNT = '(?:a|[1-4]) weeks?'

/** Only holidays that have the same date in all countries. Mother's Day, for one, does not. */
const HOLIDAYS: [pattern: string, dayInYear: (year: number) => Day][] = [
  ["new year'?s eve|nye|silvester", everyYearOn(12, 31)],
  ["new year'?s(?: day)?", everyYearOn(1, 1)],
  ["(?:st\\.? )?valentine'?s?(?: day)?", everyYearOn(2, 14)],
  ["st\\.? patrick'?s(?: day)?", everyYearOn(3, 17)],
  ["april fool'?s?(?: day)?", everyYearOn(4, 1)],
  ['earth day', everyYearOn(4, 22)],
  ['halloween', everyYearOn(10, 31)],
  ['christmas eve', everyYearOn(12, 24)],
  ['boxing day', everyYearOn(12, 26)],
  ['christmas(?: day)?', everyYearOn(12, 25)],
  ['palm sunday', (year) => easterSunday(year) - 7],
  ['maundy thursday', (year) => easterSunday(year) - 3],
  ['good friday', (year) => easterSunday(year) - 2],
  ['easter monday', (year) => easterSunday(year) + 1],
  ['easter(?: sunday)?', easterSunday],
  ['(?:whit|pentecost) monday', (year) => easterSunday(year) + 50],
  ['pentecost|whit sunday', (year) => easterSunday(year) + 49],
  ['black friday', (year) => thanksgiving(year) + 1],
  ['cyber monday', (year) => thanksgiving(year) + 4],
  ['thanksgiving(?: day)?', thanksgiving],
]

function everyYearOn(month: number, day: number): (year: number) => Day {
  return (year) => requireDay({ year, month, day })
}

/** Thanksgiving in the United States is on the fourth Thursday of November. */
function thanksgiving(year: number): Day {
  return nextOrSameWeekday(requireDay({ year, month: 11, day: 22 }), 4)
}

/** Gauss's Easter algorithm for the Gregorian calendar. */
function easterSunday(year: number): Day {
  const yearInMetonicCycle = year % 19
  const century = Math.floor(year / 100)
  const epact =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * yearInMetonicCycle + 15) %
    30
  const fullMoon =
    epact -
    Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - yearInMetonicCycle) / 11))
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7
  return requireDay({ year, month: 3, day: 28 }) + fullMoon - weekday
}

export const calendarDayPhrases: Phrase[] = [
  // "next week monday", "thursday next week", "monday week", "friday in 2 weeks"
  [
    pattern`\b(?<weekBefore>next|this|the following|the coming) (?:week|w)(?:'s)?,? (?:on )?(?<afterWeek>${WEEKDAY})
      |\b(?<beforeWeek>${WEEKDAY}),? (?:of |in )?(?:the )?(?<weekAfter>next|following|this) (?:week|w)(?!\w)
      |\b(?<beforeA>${WEEKDAY}),? (?:a )?week(?!\w)|\b(?:a|1) week on (?<afterA>${WEEKDAY})
      |\b(?<beforeCount>${WEEKDAY}) in (?<countAfter>${WEEK_COUNT})
      |\bin (?<countBefore>${WEEK_COUNT}),? (?:on )?(?<afterCount>${WEEKDAY})`,
    ({ groups = {} }, state) => {
      const { beforeA, afterA, beforeWeek, afterWeek, beforeCount, afterCount } = groups
      const weekdayAfterNext = beforeA ?? afterA
      const name = weekdayAfterNext ?? beforeWeek ?? afterWeek ?? beforeCount ?? afterCount ?? ''
      const weekday = weekdayNumber(name)
      if (weekdayAfterNext) return addDate(state, nextOrSameWeekday(state.now.day + 1, weekday) + 7)
      const dayInThisWeek = mondayOfWeek(state.now.day) + weekday - 1
      const count = groups.countBefore ?? groups.countAfter
      const isThisWeek = (groups.weekBefore ?? groups.weekAfter) === 'this'
      if (!count) return addDate(state, dayInThisWeek + (isThisWeek ? 0 : 7))
      // Some people count "in a week" from today, others from the end of this week.
      const day = dayInThisWeek + 7 * (Number.parseInt(count, 10) || 1)
      return addDate(state, { day, alternatives: [day + 7] })
    },
  ],
  // "first monday of december", "2nd tuesday of next month", "last friday of the month", "first monday in 2 months"
  [
    pattern`\b(?:the )?(?:(?<nth>\d)(?:st|nd|rd|th)|last|final) (?<weekday>${WEEKDAY}) (?:(?:of|in) (?:the )?)?
      (?:month )?(?:in |this )?(?:
      (?<month>${MONTH}),?(?: (?:of )?(?<year>\d{4}))?
      |(?<next>next|following|coming) month|(?:this )?month|(?<monthCount>\d+) months?)`,
    ({ groups = {} }, state) => {
      const { month, year, next, monthCount } = groups
      const nth = groups.nth ? Number(groups.nth) : -1
      const weekday = weekdayNumber(groups.weekday ?? '')
      const today = state.now.day
      const first = month
        ? firstOfNamedMonth(month, year, today)
        : firstOfMonth(today, Number(monthCount ?? (next ? 1 : 0)))
      const day = nthWeekdayOfMonth(first, weekday, nth)
      const words = `${groups.nth ? `${nth}th` : 'last'} ${groups.weekday}`
      const missingDay = `That month doesn't have a ${words}. Enter the date instead.`
      if (day === undefined) return createRefusal('invalid', missingDay)
      if (!month || year || day >= today) return addDate(state, day)
      const dayInNextYear = nthWeekdayOfMonth(addMonths(first, 12), weekday, nth)
      return dayInNextYear === undefined ? undefined : addDate(state, dayInNextYear)
    },
  ],
  // "last day of october", "end of the month", "eom", "first day of next month"
  [
    pattern`\b(?:the )?(?:(eom)|(end|(?:\d(?:st|nd|rd|th) )?last day|1st day|start|beginning) (?:of|in) (?:
      (${MONTH}),?(?: (\d{4}))?|(?:the )?(this |next |coming |following )?month))`,
    ([, eom, boundary = '', name, year, which = ''], state) => {
      const today = state.now.day
      const isNextMonth = !eom && /next|coming|following/.test(which)
      const first = name ? firstOfNamedMonth(name, year, today) : firstOfMonth(today, isNextMonth ? 1 : 0)
      const isStart = /^(1st|start|beginning)/.test(boundary)
      const daysBeforeEnd = /^\d/.test(boundary) ? Number.parseInt(boundary, 10) - 1 : 0
      const boundaryOf = (month: Day) => (isStart ? month : lastOfMonth(month) - daysBeforeEnd)
      // "End of the month" may mean any of the last days, "last day" may not.
      if (!boundary.includes('day')) state.confirmation = 'Which day?'
      const day = boundaryOf(first)
      return addDate(state, day < today && !year ? boundaryOf(addMonths(first, 12)) : day)
    },
  ],
  // "eoy", "end of the year", "last day of 2027"
  [
    /\b(?:the )?(?:eoy|(?:end|(last day)) of (?:(?:the |this )?year|(\d{4})))\b/,
    ([, lastDay, writtenYear], state) => {
      if (!lastDay) state.confirmation = 'Which day?'
      const year = Number(writtenYear ?? state.now.at.year)
      return addDate(state, requireDay({ year, month: 12, day: 31 }))
    },
  ],
  [
    pattern`\b(?:on )?(?:(?:next|this|coming) )?
      (?:${HOLIDAYS.map(([name]) => `(${name})`).join('|')})(?:,? (\d{4}))?(?!\w)`,
    (match, state) => {
      const [, dayInYear] = HOLIDAYS.find((_holiday, index) => match[index + 1] !== undefined) ?? []
      if (!dayInYear) return undefined
      const writtenYear = match[HOLIDAYS.length + 1]
      if (writtenYear) return addDate(state, dayInYear(Number(writtenYear)))
      const { year } = state.now.at
      const day = dayInYear(year)
      return addDate(state, day < state.now.day ? dayInYear(year + 1) : day)
    },
  ],
]

/** Without a year, takes the month in this year. */
function firstOfNamedMonth(name: string, year: string | undefined, today: Day): Day {
  return requireDay({ year: Number(year ?? dateFromDay(today).year), month: monthNumber(name), day: 1 })
}
