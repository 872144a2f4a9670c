import { type Day, dayOf, nextSuchDay, weekdayOf } from '../../calendar.ts'
import { type Draft, foundDate, type Phrase } from '../../draft.ts'
import { type Refusal, refuse } from '../../reading.ts'
import { MONTH, monthNamed, ORDINAL, WEEKDAY, weekdayNamed } from '../words.ts'

/** "2026-12-24", "2026/12/24" */
export const yearFirst: Phrase = {
  name: 'a date with the year first',
  pattern: /(?<![\d.:/-])(\d{4})([-/.:])(\d{1,2})\2(\d{1,2})(?![\d/]|[-.:]\d)t?/,
  read: ([, year, , month, day], draft) => existing(draft, { year, month, day }),
}

/** "20261224" */
export const yearFirstCompact: Phrase = {
  name: 'a date of eight figures',
  pattern: /(?<!\d)(20\d{2})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/,
  read: ([, year, month, day], draft) => existing(draft, { year, month, day }),
}

/** "2027 May 22nd", "2027 10 Apr" */
export const yearBeforeName: Phrase = {
  name: 'a date with a name and the year first',
  pattern: new RegExp(
    `\\b(\\d{4}),? (?:(${MONTH}) (\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)? (${MONTH}))(?:st|nd|rd|th)?(?![\\w:])`,
  ),
  read: ([, year, name, day, dayBefore, nameAfter], draft) =>
    Number(year) < 1900 // 0930 is a time
      ? undefined
      : existing(draft, { year, month: String(monthNamed(name ?? nameAfter ?? '')), day: day ?? dayBefore }),
}

/** "24.12.", "24.12.2026", "24.12.26": with periods the day is first everywhere; "16.40" is a time as often. */
export const dotted: Phrase = {
  name: 'a date with periods',
  pattern:
    /(?<![\d.:/-])(\d{1,2})\. ?(\d{1,2})(?:\.( ?\d{4}|\d{2}(?!\d))|\.(?!\d)|(?= |,|$))(?!(?: ?[ap]\.?m|:\d|\d))/g,
  read: ([words, first = '', second = '', yearText], draft) => {
    if (Number(first) > 12 && Number(second) > 12) return undefined // 17.30 is a time, whatever stands behind it
    const year = yearText?.trim()
    const isShort = !year && !words.endsWith('.')
    const date =
      Number(second) > 12 && Number(first) <= 12
        ? { year, month: first, day: second }
        : { year, month: second, day: first }
    if (
      isShort &&
      (draft.dates.length || mustBeClock(draft, words, first, second) || isBesideDay(draft, date))
    )
      return undefined
    return existing(draft, date)
  },
}

/** Another day is named: 13.05 is a time then, unless a weekday is all there is and fits the date. */
function isBesideDay(draft: Draft, date: Written): boolean {
  if (DAY_NAMED.test(draft.text)) return true
  const named = WEEKDAY_NAMED.exec(draft.text)?.[0]
  const day = existingDay(draft, date)
  return named !== undefined && day !== undefined && weekdayOf(day) !== weekdayNamed(named)
}

const DAY_NAMED = new RegExp(`\\b${MONTH}|\\b${ORDINAL}`)
const WEEKDAY_NAMED = new RegExp(`\\b${WEEKDAY}`)

/** Two digits behind the period that could be minutes, and something else that could be the date, or an "at" before. */
function mustBeClock(draft: Draft, words: string, first: string, second: string): boolean {
  if (second.length < 2 || Number(first) > 23 || Number(second) > 59) return false
  if (Number(second) > 12 || Number(second) === 0) return true
  const before = draft.text.slice(0, draft.text.indexOf(words))
  return /(?:\bat|@|around|about) ?$/.test(before)
}

/** "24-12-2026": with hyphens, and so not to be taken for a range. */
export const dayMonthYear: Phrase = {
  name: 'a date with hyphens',
  pattern: /(?<![\d.:/-])(\d{1,2})-(\d{1,2})-(\d{4}|\d{2})(?![\d/:-])/,
  read: ([, first = '', second = '', year], draft) => inEitherOrder(draft, { first, second, year }),
}

/** "31/3", "12/24/2026": the locale decides; else what is possible; else the person. */
export const slashed: Phrase = {
  name: 'a date with slashes',
  pattern: /(?<![\d.:/-])(\d{1,2}) ?\/ ?(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/:]|-\d| ?[ap]m)/,
  read: ([, first = '', second = '', year], draft) => inEitherOrder(draft, { first, second, year }),
}

type Ambiguous = { first: string; second: string; year: string | undefined }

function inEitherOrder(draft: Draft, { first, second, year }: Ambiguous): string | Refusal {
  const monthFirst = existingDay(draft, { year, month: first, day: second })
  const dayFirst = existingDay(draft, { year, month: second, day: first })
  const only = monthFirst ?? dayFirst
  if (only === undefined) return noSuchDate
  if (monthFirst === undefined || dayFirst === undefined || monthFirst === dayFirst)
    return foundDate(draft, only)
  const isMonthFirst = draft.isMonthFirst()
  if (isMonthFirst !== undefined) return foundDate(draft, isMonthFirst ? monthFirst : dayFirst)
  return foundDate(draft, { day: Math.min(monthFirst, dayFirst), others: [Math.max(monthFirst, dayFirst)] })
}

type Written = { year: string | undefined; month: string | undefined; day: string | undefined }

const noSuchDate = refuse('invalid', 'There is no such date. Write it as 24 Dec 2026, or 2026-12-24.')

function existing(draft: Draft, written: Written): string | Refusal {
  const day = existingDay(draft, written)
  return day === undefined ? noSuchDate : `${foundDate(draft, day)} `
}

/** Without a year: the next such day. */
function existingDay(draft: Draft, { year, month, day }: Written): Day | undefined {
  const date = { month: Number(month), day: Number(day) }
  if (!year) return nextSuchDay(date, draft.now.day)
  return dayOf({ year: Number(year) + (year.length === 2 ? 2000 : 0), ...date })
}
