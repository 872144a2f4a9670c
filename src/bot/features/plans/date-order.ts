import { Info } from 'luxon'

export const MONTH_NAMES = ['de', 'en']
  .flatMap((locale) => [...Info.months('long', { locale }), ...Info.months('short', { locale })])
  .map((name) => name.replace('.', ''))
  .join('|')
/** Regex source for dates: "2027-01-02", "2.1.2027", "1/25", "2 Jan", "Jan. 2nd", but not "24/7" or "1/2". */
export const DATE_PATTERN =
  String.raw`(?<![\d.,])(?:\d{4}-\d{1,2}-\d|\d{1,2}\.\d{1,2}\.(?!\d{3,}\.)|\d{1,2}[/-]\d{1,2}[/-]\d{2}|(?!(?:24/7|[123]/[234])(?!\d))\d{1,2}/\d{1,2}(?![\d/%]))` +
  String.raw`|(?<!\p{L})(?:\d{1,2}(?:st|nd|rd|th|\.)?(?: of)? ?(?:${MONTH_NAMES})(?!\p{L})|(?:${MONTH_NAMES})\.? \d{1,2}(?!\d))`

const NUMERIC_DATE = /^(\d{1,2})([/-])(\d{1,2})\2((?:20)?\d{2})\b/

type DateOrder = 'day first' | 'month first'

/** Infers the order from dates such as "12/31/2026". Returns undefined if there are none, or if they disagree. */
export function findDateOrder(dates: string[]): DateOrder | undefined {
  const numbers = dates.flatMap((date) => {
    const [, first, , second] = NUMERIC_DATE.exec(date) ?? []
    return first && second ? [{ first: Number(first), second: Number(second) }] : []
  })
  const isDayFirst = numbers.some(({ first }) => first > 12)
  const isMonthFirst = numbers.some(({ second }) => second > 12)
  if (isDayFirst === isMonthFirst) return undefined
  return isDayFirst ? 'day first' : 'month first'
}

/** Writes a date as "2027-01-02", which can be read in one way only. */
export const toIsoDate = (date: string, order: DateOrder | undefined): string =>
  order
    ? date.replace(NUMERIC_DATE, (_date, first: string, _separator, second: string, year: string) => {
        const [day, month] = order === 'day first' ? [first, second] : [second, first]
        return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
      })
    : date
