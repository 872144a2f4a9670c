import { daysInMonth, known, monthAfter, partsOf } from '../../calendar.ts'
import { foundDate, type Phrase } from '../../draft.ts'
import { MONTH, monthNamed } from '../words.ts'

/** "last day of october", "end of the month", "eom", "first day of next month" */
export const edgeOfMonth: Phrase = {
  name: 'the first or last day of a month',
  pattern: new RegExp(
    `\\b(?:the )?(?:(eom)|(end|(?:\\d(?:st|nd|rd|th) )?last day|1st day|start|beginning) (?:of|in) (?:(${MONTH}),?(?: (\\d{4}))?|(?:the )?(this |next |coming |following )?month))`,
  ),
  read: ([, eom, edge = '', name, year, which], draft) => {
    const today = partsOf(draft.now.day)
    const where = name
      ? { year: Number(year ?? today.year), month: monthNamed(name) }
      : monthAfter(today, !eom && /next|coming|following/.test(which ?? '') ? 1 : 0)
    const isStart = /^(1st|start|beginning)/.test(edge)
    const fromEnd = /^\d/.test(edge) && !isStart ? Number.parseInt(edge, 10) - 1 : 0
    const dayIn = ({ year, month }: typeof where) =>
      known({ year, month, day: isStart ? 1 : daysInMonth(year, month) - fromEnd })
    const day = dayIn(where)
    // Only the days themselves are sure: an end may be the last days, and a start the first ones.
    if (!/day/.test(edge)) draft.doubt = 'Which day do you mean?'
    return foundDate(
      draft,
      day < draft.now.day ? dayIn({ ...where, year: where.year + (year ? 0 : 1) }) : day,
    )
  },
}

/** "eoy", "end of the year", "last day of 2027" */
export const edgeOfYear: Phrase = {
  name: 'the last day of a year',
  pattern: /\b(?:the )?(?:eoy|(?:end|(last day)) of (?:(?:the |this )?year|(\d{4})))\b/,
  read: ([, day, year], draft) => {
    if (!day) draft.doubt = 'Which day do you mean?'
    return foundDate(draft, known({ year: Number(year ?? partsOf(draft.now.day).year), month: 12, day: 31 }))
  },
}
