import { dayOf, daysInMonth, nextSuchDay } from '../../calendar.ts'
import { foundDate, type Phrase } from '../../draft.ts'
import { refuse } from '../../reading.ts'
import { MONTH, monthNamed } from '../words.ts'

/** "30 feb" and "feb 29": those that there are not, or not each year. Chrono reads all others. */
export const unusualDate: Phrase = {
  name: 'a day that the month has not, or not always',
  pattern: new RegExp(
    `(?<![\\d.:/-])(?:(29|3\\d|[4-9]\\d)(?:st|nd|rd|th)?(?: of)?[ /.-]?(${MONTH})|(${MONTH})[ /.-]?(?:the )?(29|3\\d|[4-9]\\d)(?:st|nd|rd|th)?)(?![\\d:])(?:,? (\\d{4})\\b)?`,
  ),
  read: ([, dayBefore, nameAfter, nameBefore, dayAfter, year], draft) => {
    const [day, month] = [Number(dayBefore ?? dayAfter), monthNamed(nameAfter ?? nameBefore ?? '')]
    if (day > daysInMonth(2024, month))
      return refuse('invalid', 'That month is shorter. Write a date that there is, such as 24 Dec.')
    if (month !== 2 || day !== 29) return undefined
    const found = year
      ? dayOf({ year: Number(year), month, day })
      : nextSuchDay({ month, day }, draft.now.day)
    return found === undefined
      ? refuse('invalid', `There is no 29 February ${year}.`)
      : foundDate(draft, found)
  },
}
