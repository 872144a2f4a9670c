import { monthAfter, nthWeekday, partsOf } from '../../calendar.ts'
import { foundDate, type Phrase } from '../../draft.ts'
import { refuse } from '../../reading.ts'
import { MONTH, monthNamed, WEEKDAY, weekdayNamed } from '../words.ts'

/** "first monday of december", "2nd tuesday of next month", "last friday of the month", "first monday in 2 months" */
export const nthWeekdayOfMonth: Phrase = {
  name: 'a counted weekday of a month',
  pattern: new RegExp(
    `\\b(?:the )?(?:(\\d)(?:st|nd|rd|th)|(last|final)) (${WEEKDAY}) (?:(?:of|in) (?:the )?)?(?:month )?(?:in |this )?(?:(${MONTH}),?(?: (?:of )?(\\d{4}))?|(next month|following month|coming month)|(this month|month)|(?:in )?(\\d+) months?)`,
  ),
  read: ([, count, last, name = '', month, year, nextMonth, , months], draft) => {
    const today = partsOf(draft.now.day)
    const nth = last ? -1 : Number(count)
    const find = (where: { year: number; month: number }) =>
      nthWeekday({ ...where, weekday: weekdayNamed(name), nth })
    const ahead = month ? undefined : Number(months ?? (nextMonth ? 1 : 0))
    const where = month
      ? { year: Number(year ?? today.year), month: monthNamed(month) }
      : monthAfter(today, ahead ?? 0)
    const day = find(where)
    if (day === undefined)
      return refuse('invalid', `That month has no ${count}th such weekday. Write the date instead.`)
    if (month && !year && day < draft.now.day) {
      const later = find({ ...where, year: where.year + 1 })
      return later === undefined ? undefined : foundDate(draft, later)
    }
    return foundDate(draft, day)
  },
}
