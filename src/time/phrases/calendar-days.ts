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
  weekdayOf,
} from '../calendar.ts'
import { MONTH, monthNumber, pattern, WEEKDAY, weekdayNumber } from '../pattern-parts.ts'
import { addDate, type Phrase, type ReadingState } from '../phrase.ts'
import { createRefusal } from '../reading.ts'
import { holidayPhrases } from './holidays.ts'

const WORKING = '(?:business|working)'
const WEEK_COUNT = '(?:a|[1-4]) weeks?'

export const calendarDayPhrases: Phrase[] = [
  // "a week today", "tomorrow week", "two weeks on friday", "friday fortnight"
  [
    pattern`(?<!\b(?:next|this|last|following|coming|upcoming|current|in|in \d{1,2}) )\b(?:(?<count>\d{1,2}) )?
      (?<unit>week|fortnight)s? (?:on )?(?<day>today|tomorrow|${WEEKDAY})
      |\b(?<dayBefore>today|tomorrow|${WEEKDAY}) (?:1 )?(?<unitAfter>week|fortnight)(?!\w)`,
    ({ groups = {} }, state) => {
      const { count = '1', unit = groups.unitAfter, day = groups.dayBefore ?? '' } = groups
      const today = state.now.day
      const start = /^to/.test(day)
        ? today + (day === 'tomorrow' ? 1 : 0)
        : nextOrSameWeekday(today + 1, weekdayNumber(day))
      return addDate(state, start + Number(count) * (unit === 'week' ? 7 : 14))
    },
  ],
  // "next week monday", "thursday next week", "friday in 2 weeks"
  [
    pattern`\b(?<weekBefore>next|this|the following|the coming) (?:week|w)(?:'s)?,? (?:on )?(?<afterWeek>${WEEKDAY})
      |\b(?<beforeWeek>${WEEKDAY}),? (?:of |in )?(?:the )?(?<weekAfter>next|following|this) (?:week|w)(?!\w)
      |\b(?<beforeCount>${WEEKDAY}) in (?<countAfter>${WEEK_COUNT})
      |\bin (?<countBefore>${WEEK_COUNT}),? (?:on )?(?<afterCount>${WEEKDAY})`,
    ({ groups = {} }, state) => {
      const { beforeWeek, afterWeek, beforeCount, afterCount } = groups
      const weekday = weekdayNumber(beforeWeek ?? afterWeek ?? beforeCount ?? afterCount ?? '')
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
      return dayInNextYear === undefined
        ? undefined
        : addDate(state, { day: dayInNextYear, lacksYear: 'named-day' })
    },
  ],
  // "last day of october", "end of the month", "eom", "first day of next month"
  [
    pattern`\b(?:the )?(?:(eom)|(end|(?:[1-9](?:st|nd|rd|th) )?last (?:${WORKING} )?day|1st (?:${WORKING} )?day|start|beginning) (?:of|in) (?:
      (${MONTH}),?(?: (\d{4}))?|(?:the )?(this |next |coming |following )?month))`,
    ([, eom, boundary = '', name, year, which = ''], state) => {
      const today = state.now.day
      const isNextMonth = !eom && /next|coming|following/.test(which)
      const first = name ? firstOfNamedMonth(name, year, today) : firstOfMonth(today, isNextMonth ? 1 : 0)
      const isStart = /^(1st|start|beginning)/.test(boundary)
      const daysBeforeEnd = /^[2-9]/.test(boundary) ? Number.parseInt(boundary, 10) - 1 : 0
      const isWorkingDay = /business|working/.test(boundary)
      const boundaryOf = (month: Day) => {
        if (!isWorkingDay) return isStart ? month : lastOfMonth(month) - daysBeforeEnd
        let day = nearestWorkingDay(isStart ? month : lastOfMonth(month), isStart ? 1 : -1)
        for (let left = daysBeforeEnd; left > 0; left--) day = nearestWorkingDay(day - 1, -1)
        return day
      }
      const isOver = boundaryOf(first) < today && !year && !which.startsWith('this')
      const day = isOver ? boundaryOf(addMonths(first, name ? 12 : 1)) : boundaryOf(first)
      // "End of the month" may mean any of the last days, but "last day" means only one.
      if (!boundary.includes('day')) return addVagueDate(state, day, isStart ? 1 : -1)
      return addDate(state, { day, lacksYear: name && !year ? 'named-day' : undefined })
    },
  ],
  // "eoy", "end of the year", "last day of 2027"
  [
    /\b(?:the )?(?:eoy|(?:end|(last day)) of (?:(?:the |this )?year|(\d{4})))\b/,
    ([, lastDay, writtenYear], state) => {
      const day = requireDay({ year: Number(writtenYear ?? state.now.at.year), month: 12, day: 31 })
      return lastDay ? addDate(state, day) : addVagueDate(state, day, -1)
    },
  ],
  ...holidayPhrases,
]

/** "End of the month" may also mean the nearest working day. */
function addVagueDate(state: ReadingState, day: Day, direction: 1 | -1): string {
  const isWeekend = weekdayOf(day) > 5
  return addDate(state, {
    day,
    alternatives: [nearestWorkingDay(isWeekend ? day : day + direction, direction)],
  })
}

function nearestWorkingDay(from: Day, direction: 1 | -1): Day {
  let day = from
  while (weekdayOf(day) > 5) day += direction
  return day
}

/** Without a year, takes the month in this year. */
function firstOfNamedMonth(name: string, year: string | undefined, today: Day): Day {
  return requireDay({ year: Number(year ?? dateFromDay(today).year), month: monthNumber(name), day: 1 })
}
