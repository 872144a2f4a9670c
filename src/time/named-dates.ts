import { en, type ParsedComponents } from 'chrono-node'
import { type Day, dateFromDay, findDate } from './calendar.ts'
import type { ReadingState } from './phrase.ts'
import { type TimeOfDay, timeOfDay } from './wall-clock.ts'

/** What chrono found in the words that the phrases did not read. */
export type NamedDates = {
  dates: { day: Day; hasYear: boolean }[]
  times: TimeOfDay[]
  weekday: number | undefined
  /** The text without the words that chrono read. */
  unreadText: string
  /** Whether the text names a date that does not exist, such as 30 February. */
  hasImpossibleDate: boolean
}

/** The parsers for dates with month names and for times. The phrases read everything else better. */
const PARSERS =
  /^(ISOFormatParser|ENMonthName(Little|Middle)EndianParser|ENTimeExpressionParser|ENYearMonthDayParser)$/

const chrono = en.strict.clone()
chrono.parsers = chrono.parsers.filter((parser) => PARSERS.test(parser.constructor.name))

export function readNamedDates({ text, now }: ReadingState): NamedDates {
  // Separators in place of the marks keep the words around a mark apart.
  let unreadText = text.replace(/[\uE000\uE001]/g, ' ; ')
  const { year, month, day } = dateFromDay(now.day)
  // Chrono gets the local time as if it were UTC, so that no time zone influences its results.
  const instant = new Date(Date.UTC(year, month - 1, day, now.time.hour, now.time.minute))
  const results = chrono.parse(unreadText, { instant, timezone: 0 })
  const named: NamedDates = {
    dates: [],
    times: [],
    weekday: undefined,
    unreadText: '',
    hasImpossibleDate: false,
  }
  for (const { index, text: words, start, end } of [...results].reverse()) {
    unreadText = `${unreadText.slice(0, index)} ${unreadText.slice(index + words.length)}`
    addComponents(named, start, now.day)
    if (end) addComponents(named, end, now.day)
  }
  return { ...named, unreadText }
}

function addComponents(named: NamedDates, components: ParsedComponents, today: Day): void {
  const value = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second') => components.get(name) ?? 0
  if (components.isCertain('weekday')) named.weekday = components.get('weekday') || 7
  if (components.isCertain('day') && components.isCertain('month')) {
    const hasYear = components.isCertain('year')
    const year = hasYear ? value('year') : undefined
    const day = findDate({ year, month: value('month'), day: value('day') }, today)
    if (day === undefined) named.hasImpossibleDate = true
    else named.dates.push({ day, hasYear })
  }
  if (components.isCertain('hour'))
    named.times.push(timeOfDay(value('hour'), value('minute'), value('second')))
}
