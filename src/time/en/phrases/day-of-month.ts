import { type Day, dayOf, monthAfter, partsOf, weekdayOf } from '../../calendar.ts'
import { type Draft, foundDate, type Phrase } from '../../draft.ts'
import { refuse } from '../../reading.ts'
import { MONTH, ORDINAL } from '../words.ts'

/** "the 15th", "the 28th of next month", "next month 28th", "thu 15th" */
export const dayOfMonth: Phrase = {
  name: 'a day of a month that is not named',
  pattern: new RegExp(
    [
      `(?=[\\dnot])(?<!${MONTH} (?:the )?)\\b`, // behind the name of a month it is that month's
      '(?:(?<before>next|this) month,? )?(?:on )?(?:the )?',
      `(?<ordinal>${ORDINAL})(?: day)?`,
      '(?:(?: (?:of|in))? (?:the )?(?<behind>next |following |coming |this |current )?month)?',
      `(?! (?:of )?(?:the )?${MONTH}|[ -]?of|[/.-])`,
    ].join(''),
  ),
  read: ({ groups = {} }, draft) => {
    if (draft.dates.length) return undefined
    const { ordinal = '', before, behind } = groups
    const day = Number.parseInt(ordinal, 10)
    if (day < 1 || day > 31)
      return refuse('invalid', `No month has a ${ordinal}. Write a date that there is.`)
    const which = (before ?? behind)?.trim()
    if (!which) return nextOf(day, draft)
    const months = which === 'this' || which === 'current' ? 0 : 1
    const named = dayOf({ ...monthAfter(partsOf(draft.now.day), months), day })
    return named === undefined
      ? refuse('invalid', `That month has no ${ordinal}. Write a date that there is.`)
      : foundDate(draft, named)
  },
}

function nextOf(dayOfMonth: number, draft: Draft): string | undefined {
  const found: Day[] = []
  for (let months = 0; months < 24; months++) {
    const day = dayOf({ ...monthAfter(partsOf(draft.now.day), months), day: dayOfMonth })
    if (day !== undefined && day >= draft.now.day) found.push(day)
  }
  const [soonest, after] = found
  if (soonest === undefined) return undefined
  const { weekday } = draft
  if (weekday && weekdayOf(soonest) !== weekday) {
    const fitting = found.find((day) => weekdayOf(day) === weekday)
    draft.weekday = undefined
    return foundDate(draft, fitting === undefined ? soonest : { day: fitting, others: [soonest] })
  }
  return foundDate(draft, soonest === draft.now.day ? { day: soonest, orElse: after } : soonest)
}
