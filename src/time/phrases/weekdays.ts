import {
  addToMonth,
  dateFromDay,
  mondayOfWeek,
  nextOrSameWeekday,
  nthWeekdayOfMonth,
  type YearMonth,
} from '../calendar.ts'
import { addDate, DATE_MARK, type Phrase } from '../phrase.ts'
import { createRefusal } from '../reading.ts'
import { MONTH, monthNumber, ORDINAL, WEEKDAY, weekdayNumber } from '../vocabulary.ts'

const WEEK = '(?:week|w)'
const WEEK_COUNT = '(?:a|[1-4]) weeks?'

/** "next week monday", "thursday next week", "monday week", "friday in 2 weeks" */
export const weekdayOfWeek: Phrase = {
  pattern: new RegExp(
    [
      `\\b(?<weekBefore>next|this|the following|the coming) ${WEEK}(?:'s)?,? (?:on )?(?<afterWeek>${WEEKDAY})`,
      `\\b(?<beforeWeek>${WEEKDAY}),? (?:of |in )?(?:the )?(?<weekAfter>next|following|this) ${WEEK}(?!\\w)`,
      `\\b(?<beforeA>${WEEKDAY}),? (?:a )?week(?!\\w)|\\b(?:a|1) week on (?<afterA>${WEEKDAY})`,
      `\\b(?<beforeCount>${WEEKDAY}) in (?<countAfter>${WEEK_COUNT})`,
      `\\bin (?<countBefore>${WEEK_COUNT}),? (?:on )?(?<afterCount>${WEEKDAY})`,
    ].join('|'),
  ),
  read: ({ groups = {} }, state) => {
    const { beforeA, afterA, beforeWeek, afterWeek, beforeCount, afterCount } = groups
    const weekdayAfterNext = beforeA ?? afterA
    const name = weekdayAfterNext ?? beforeWeek ?? afterWeek ?? beforeCount ?? afterCount ?? ''
    const weekday = weekdayNumber(name)
    if (weekdayAfterNext) return addDate(state, nextWeekday(state.now.day, weekday) + 7)
    const dayInThisWeek = mondayOfWeek(state.now.day) + weekday - 1
    const count = groups.countBefore ?? groups.countAfter
    const isThisWeek = (groups.weekBefore ?? groups.weekAfter) === 'this'
    if (!count) return addDate(state, dayInThisWeek + (isThisWeek ? 0 : 7))
    // Some people count "in a week" from today, others from the end of this week.
    const day = dayInThisWeek + 7 * (Number.parseInt(count, 10) || 1)
    return addDate(state, { day, alternatives: [day + 7] })
  },
}

/** "monday", "this friday", "next tuesday". A weekday beside a date must match the date. */
export const weekday: Phrase = {
  pattern: new RegExp(
    `\\b(?:(this coming|this|coming|upcoming|next|following)\\b ?)?(?:the )?(${WEEKDAY})`,
    'g',
  ),
  read: ([, which, name = ''], state) => {
    const number = weekdayNumber(name)
    if (state.hasShortWeekday) state.isWeakMatch = true
    if (state.dates.length || NEARBY_DATE.test(state.text)) {
      if (state.weekday && state.weekday !== number) return undefined
      state.weekday = number
      return ''
    }
    const today = state.now.day
    if (which === 'next' || which === 'following') {
      const day = nextWeekday(today, number)
      // If the weekday is still ahead in this week, "next" is ambiguous.
      const isInThisWeek = mondayOfWeek(day) === mondayOfWeek(today)
      return addDate(state, isInThisWeek ? { day: day + 7, alternatives: [day] } : { day })
    }
    const day = nextOrSameWeekday(today, number)
    const canMoveToNextWeek = day === today && which !== 'this'
    return addDate(state, canMoveToNextWeek ? { day, dayIfPast: day + 7 } : { day })
  },
}

const nextWeekday = (today: number, weekday: number) => nextOrSameWeekday(today + 1, weekday)

const NEARBY_DATE = new RegExp(
  `${DATE_MARK}|(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?(?: of)?[ /.-]?${MONTH}|${MONTH} ?\\d|${MONTH} (?:the )?${ORDINAL}|\\b${ORDINAL}`,
)

/** "first monday of december", "2nd tuesday of next month", "last friday of the month", "first monday in 2 months" */
export const weekdayOfMonth: Phrase = {
  pattern: new RegExp(
    [
      `\\b(?:the )?(?:(?<nth>\\d)(?:st|nd|rd|th)|last|final) (?<weekday>${WEEKDAY})`,
      ' (?:(?:of|in) (?:the )?)?(?:month )?(?:in |this )?',
      `(?:(?<month>${MONTH}),?(?: (?:of )?(?<year>\\d{4}))?|(?<next>next|following|coming) month|(?:this )?month|(?<monthCount>\\d+) months?)`,
    ].join(''),
  ),
  read: ({ groups = {} }, state) => {
    const { month, year, next, monthCount } = groups
    const nth = groups.nth ? Number(groups.nth) : -1
    const weekday = weekdayNumber(groups.weekday ?? '')
    const findIn = (yearMonth: YearMonth) => nthWeekdayOfMonth({ ...yearMonth, weekday, nth })
    const today = dateFromDay(state.now.day)
    const yearMonth = month
      ? { year: Number(year ?? today.year), month: monthNumber(month) }
      : addToMonth(today, Number(monthCount ?? (next ? 1 : 0)))
    const day = findIn(yearMonth)
    if (day === undefined)
      return createRefusal(
        'invalid',
        `That month doesn't have a ${nth}th ${groups.weekday}. Enter the date instead.`,
      )
    if (!month || year || day >= state.now.day) return addDate(state, day)
    const dayInNextYear = findIn({ ...yearMonth, year: yearMonth.year + 1 })
    return dayInNextYear === undefined ? undefined : addDate(state, dayInNextYear)
  },
}
