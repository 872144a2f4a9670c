import type { Component } from 'chrono-node'
// Chrono's main module would load all languages.
import { strict } from 'chrono-node/en'
import { dateFromDay, findDate } from './calendar.ts'
import { addDate, addTime, type ReadingState } from './phrase.ts'
import { createRefusal, type Refusal } from './reading.ts'
import { NO_SUCH_DATE } from './refusals.ts'
import { timeOfDay } from './wall-clock.ts'

/** The parsers for dates with month names and for times. The phrases read everything else better. */
const PARSERS = [
  'ISOFormatParser',
  'ENMonthNameLittleEndianParser',
  'ENMonthNameMiddleEndianParser',
  'ENTimeExpressionParser',
  'ENYearMonthDayParser',
]

const chrono = strict.clone()
chrono.parsers = chrono.parsers.filter((parser) => PARSERS.includes(parser.constructor.name))
// A bundler may rename classes.
if (chrono.parsers.length !== PARSERS.length) throw new Error("Some of chrono's parsers are missing.")

/** Lets chrono read the words that the phrases did not read. */
export function readChronoDates(state: ReadingState): Refusal | undefined {
  // Separators in place of the marks keep the words around a mark apart.
  state.text = state.text.replace(/[\uE000\uE001]/g, ' ; ')
  if (!/\d/.test(state.text)) return undefined // Chrono's dates and times all have digits here.
  const { now } = state
  const { year, month, day } = dateFromDay(now.day)
  // Chrono gets the local time as if it were UTC, so that no time zone influences its results.
  const instant = new Date(Date.UTC(year, month - 1, day, now.time.hour, now.time.minute))
  for (const { index, text, start, end } of chrono.parse(state.text, { instant, timezone: 0 }).reverse()) {
    state.text = `${state.text.slice(0, index)} ${state.text.slice(index + text.length)}`
    for (const components of end ? [start, end] : [start]) {
      const value = (name: Component) => components.get(name) ?? 0
      if (components.isCertain('weekday')) state.weekday ??= value('weekday') || 7
      if (components.isCertain('hour'))
        addTime(state, { time: timeOfDay(value('hour'), value('minute'), value('second')) })
      if (!components.isCertain('day') || !components.isCertain('month')) continue
      const year = components.isCertain('year') ? value('year') : undefined
      const date = findDate({ year, month: value('month'), day: value('day') }, now.day)
      if (date === undefined) return createRefusal('invalid', NO_SUCH_DATE)
      addDate(state, { day: date, lacksYear: year === undefined ? 'date' : undefined })
    }
  }
  return undefined
}
