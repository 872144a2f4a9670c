import {
  addToMonth,
  type Day,
  dateFromDay,
  daysInMonth,
  nthWeekdayOfMonth,
  requireDay,
  type YearMonth,
} from '../calendar.ts'
import { addDate, type Phrase } from '../phrase.ts'
import { MONTH, monthNumber } from '../vocabulary.ts'

/** "last day of october", "end of the month", "eom", "first day of next month" */
export const monthBoundary: Phrase = {
  pattern: new RegExp(
    `\\b(?:the )?(?:(eom)|(end|(?:\\d(?:st|nd|rd|th) )?last day|1st day|start|beginning) (?:of|in) (?:(${MONTH}),?(?: (\\d{4}))?|(?:the )?(this |next |coming |following )?month))`,
  ),
  read: ([, eom, boundary = '', name, year, which = ''], state) => {
    const today = dateFromDay(state.now.day)
    const isNextMonth = !eom && /next|coming|following/.test(which)
    const month = name
      ? { year: Number(year ?? today.year), month: monthNumber(name) }
      : addToMonth(today, isNextMonth ? 1 : 0)
    const isStart = /^(1st|start|beginning)/.test(boundary)
    const daysBeforeEnd = /^\d/.test(boundary) && !isStart ? Number.parseInt(boundary, 10) - 1 : 0
    const dayIn = (yearMonth: YearMonth) =>
      requireDay({ ...yearMonth, day: isStart ? 1 : daysInMonth(yearMonth) - daysBeforeEnd })
    // "End of the month" may mean any of the last days, "last day" may not.
    if (!boundary.includes('day')) state.confirmation = 'Which day?'
    const day = dayIn(month)
    const isPast = day < state.now.day
    return addDate(state, isPast && !year ? dayIn({ ...month, year: month.year + 1 }) : day)
  },
}

/** "eoy", "end of the year", "last day of 2027" */
export const yearEnd: Phrase = {
  pattern: /\b(?:the )?(?:eoy|(?:end|(last day)) of (?:(?:the |this )?year|(\d{4})))\b/,
  read: ([, lastDay, year], state) => {
    if (!lastDay) state.confirmation = 'Which day?'
    return addDate(
      state,
      requireDay({ year: Number(year ?? dateFromDay(state.now.day).year), month: 12, day: 31 }),
    )
  },
}

type HolidayRule =
  | [month: number, day: number]
  | { daysAfterEaster: number }
  | { daysAfterThanksgiving: number }

function dayOfHoliday(rule: HolidayRule, year: number): Day {
  if ('daysAfterEaster' in rule) return easterSunday(year) + rule.daysAfterEaster
  if (Array.isArray(rule)) return requireDay({ year, month: rule[0], day: rule[1] })
  const thanksgiving = nthWeekdayOfMonth({ year, month: 11, weekday: 4, nth: 4 }) as Day
  return thanksgiving + rule.daysAfterThanksgiving
}

/** Only holidays that have the same date in all countries. Mother's Day, for one, does not. */
const HOLIDAYS: [pattern: string, rule: HolidayRule][] = [
  ["new year'?s eve|nye|silvester", [12, 31]],
  ["new year'?s(?: day)?", [1, 1]],
  ["(?:st\\.? )?valentine'?s?(?: day)?", [2, 14]],
  ["st\\.? patrick'?s(?: day)?", [3, 17]],
  ["april fool'?s?(?: day)?", [4, 1]],
  ['earth day', [4, 22]],
  ['halloween', [10, 31]],
  ['christmas eve', [12, 24]],
  ['boxing day', [12, 26]],
  ['christmas(?: day)?', [12, 25]],
  ['palm sunday', { daysAfterEaster: -7 }],
  ['maundy thursday', { daysAfterEaster: -3 }],
  ['good friday', { daysAfterEaster: -2 }],
  ['easter monday', { daysAfterEaster: 1 }],
  ['easter(?: sunday)?', { daysAfterEaster: 0 }],
  ['(?:whit|pentecost) monday', { daysAfterEaster: 50 }],
  ['pentecost|whit sunday', { daysAfterEaster: 49 }],
  ['black friday', { daysAfterThanksgiving: 1 }],
  ['cyber monday', { daysAfterThanksgiving: 4 }],
  ['thanksgiving(?: day)?', { daysAfterThanksgiving: 0 }],
]

export const holiday: Phrase = {
  pattern: new RegExp(
    `\\b(?:on )?(?:(?:next|this|coming) )?(?:${HOLIDAYS.map(([pattern]) => `(${pattern})`).join('|')})(?:,? (\\d{4}))?(?!\\w)`,
  ),
  read: (match, state) => {
    const index = HOLIDAYS.findIndex((_holiday, position) => match[position + 1] !== undefined)
    const rule = HOLIDAYS[index]?.[1]
    if (!rule) return undefined
    const year = match[HOLIDAYS.length + 1]
    if (year) return addDate(state, dayOfHoliday(rule, Number(year)))
    const thisYear = dateFromDay(state.now.day).year
    const day = dayOfHoliday(rule, thisYear)
    return addDate(state, day < state.now.day ? dayOfHoliday(rule, thisYear + 1) : day)
  },
}

/** Gauss's Easter algorithm for the Gregorian calendar. */
function easterSunday(year: number): Day {
  const goldenNumber = year % 19
  const century = Math.floor(year / 100)
  const epact =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * goldenNumber + 15) % 30
  const fullMoon =
    epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - goldenNumber) / 11))
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7
  return requireDay({ year, month: 3, day: 28 }) + fullMoon - weekday
}
