import { monthAfter, nthWeekday, partsOf } from '../../calendar.ts'
import { foundDate, type Phrase } from '../../draft.ts'
import { refuse } from '../../reading.ts'
import { MONTH, monthNamed, WEEKDAY, weekdayNamed } from '../words.ts'

/** "first monday of december", "2nd tuesday of next month", "last friday of the month", "first monday in 2 months" */
export const nthWeekdayOfMonth: Phrase = {
  name: 'a counted weekday of a month',
  pattern: new RegExp(
    [
      `\\b(?:the )?(?:(?<count>\\d)(?:st|nd|rd|th)|last|final) (?<weekday>${WEEKDAY})`,
      ' (?:(?:of|in) (?:the )?)?(?:month )?(?:in |this )?',
      `(?:(?<month>${MONTH}),?(?: (?:of )?(?<year>\\d{4}))?|(?<next>next|following|coming) month|(?:this )?month|(?<months>\\d+) months?)`,
    ].join(''),
  ),
  read: ({ groups = {} }, draft) => {
    const { count, month, year, next, months } = groups
    const nth = count ? Number(count) : -1
    const weekday = weekdayNamed(groups.weekday ?? '')
    const today = partsOf(draft.now.day)
    const find = (where: { year: number; month: number }) => nthWeekday({ ...where, weekday, nth })
    const where = month
      ? { year: Number(year ?? today.year), month: monthNamed(month) }
      : monthAfter(today, Number(months ?? (next ? 1 : 0)))
    const day = find(where)
    if (day === undefined) return refuse('invalid', 'That month has no such weekday. Write the date instead.')
    if (!month || year || day >= draft.now.day) return foundDate(draft, day)
    const later = find({ ...where, year: where.year + 1 })
    return later === undefined ? undefined : foundDate(draft, later)
  },
}
