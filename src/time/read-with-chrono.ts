import type { Chrono, ParsedComponents } from 'chrono-node'
import { type Day, dayOf, nextSuchDay, partsOf } from './calendar.ts'
import { type Draft, withoutMarks } from './draft.ts'
import type { Clock } from './place.ts'

/** What chrono makes of the words that the phrases have left. */
export type ChronoReading = {
  dates: { day: Day; hasYear: boolean }[]
  clocks: Clock[]
  weekday: number | undefined
  /** The words that it did not read. */
  rest: string
  /** A date that there is not, such as 30 February. */
  isImpossible: boolean
}

/** Of chrono's parsers those for dates with names and for clocks: what else it would read has been read before. */
const PARSERS =
  /^(ISOFormatParser|ENMonthName(Little|Middle)EndianParser|ENTimeExpressionParser|ENYearMonthDayParser)$/

export function narrow(chrono: Chrono): Chrono {
  const narrowed = chrono.clone()
  narrowed.parsers = narrowed.parsers.filter((parser) => PARSERS.test(parser.constructor.name))
  return narrowed
}

export function readWithChrono(draft: Draft, chrono: Chrono): ChronoReading {
  const text = withoutMarks(draft.text)
  const { year, month, day } = partsOf(draft.now.day)
  const { hour, minute } = draft.now.clock
  // The wall clock given as if it were UTC, and read back the same way: no zone takes part until the end.
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute))
  const results = chrono.parse(text, { instant, timezone: 0 })
  let rest = text
  const reading: ChronoReading = {
    dates: [],
    clocks: [],
    weekday: undefined,
    rest: '',
    isImpossible: false,
  }
  for (const result of [...results].reverse()) {
    rest = `${rest.slice(0, result.index)} ${rest.slice(result.index + result.text.length)}`
    for (const part of [result.start, ...(result.end ? [result.end] : [])]) readPart(part, draft, reading)
  }
  return { ...reading, rest }
}

function readPart(part: ParsedComponents, draft: Draft, reading: ChronoReading): void {
  if (part.isCertain('weekday')) reading.weekday = part.get('weekday') || 7
  if (part.isCertain('day') && part.isCertain('month')) {
    const hasYear = part.isCertain('year')
    const day = dayIn(part, draft, hasYear)
    if (day === undefined) reading.isImpossible = true
    else reading.dates.push({ day, hasYear })
  }
  if (part.isCertain('hour'))
    reading.clocks.push({
      hour: part.get('hour') ?? 0,
      minute: part.get('minute') ?? 0,
      second: part.get('second') ?? 0,
    })
}

/** Without a year: the next such day, 29 February in the next leap year. */
function dayIn(part: ParsedComponents, draft: Draft, hasYear: boolean): Day | undefined {
  const [month, day] = [part.get('month') ?? 0, part.get('day') ?? 0]
  if (hasYear) return dayOf({ year: part.get('year') ?? 0, month, day })
  return nextSuchDay({ month, day }, draft.now.day)
}
