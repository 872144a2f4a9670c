import { addMonths, type Day, partsOf } from '../calendar.ts'
import {
  type DaySpan,
  lastWeekday,
  monthFromNow,
  type SpanContext,
  type Toward,
  wholeMonth,
  wholeWeek,
  wholeYear,
} from '../date-range.ts'
import { MONTH, monthNamed, WEEKDAY, weekdayNamed } from './words.ts'

/** The days of a filter; undefined where the words name none. */
export function spanIn(text: string, context: SpanContext): DaySpan | undefined {
  const words = text.replace(/^(?:in|on|during|for|of|the) (?=.)/, '').replace(/^the /, '')
  for (const [pattern, read] of RULES) {
    const match = pattern.exec(words)
    if (match) return read(match, context)
  }
  return undefined
}

const steps: Record<string, number> = {
  last: -1,
  past: -1,
  previous: -1,
  this: 0,
  current: 0,
  next: 1,
  coming: 1,
  following: 1,
}
const STEP = Object.keys(steps).join('|')

type Rule = [RegExp, (match: RegExpExecArray, context: SpanContext) => DaySpan | undefined]

const RULES: Rule[] = [
  [new RegExp(`^(${STEP}) week$`), ([, step = ''], { today }) => wholeWeek(today, steps[step] ?? 0)],
  [new RegExp(`^(${STEP}) month$`), ([, step = ''], { today }) => monthFromNow(today, steps[step] ?? 0)],
  [
    new RegExp(`^(${STEP}) year$`),
    ([, step = ''], { today }) => wholeYear(partsOf(today).year + (steps[step] ?? 0)),
  ],
  [
    new RegExp(`^(${STEP}) weekend$`),
    ([, step = ''], { today }) => {
      const { last } = wholeWeek(today, steps[step] ?? 0)
      return last === undefined ? undefined : { first: last - 1, last }
    },
  ],
  [
    /^(last|past|previous|next|coming) (\d{1,3}) (day|week|month)s?$/,
    ([, step = '', count, unit], { today }) => {
      const isBack = (steps[step] ?? 0) < 0
      const amount = Number(count)
      if (amount < 1) return undefined
      const days = unit === 'week' ? amount * 7 : amount
      if (unit === 'month')
        return isBack
          ? { first: addMonths(today, -amount), last: today }
          : { first: today, last: addMonths(today, amount) }
      return isBack ? { first: today - days + 1, last: today } : { first: today, last: today + days - 1 }
    },
  ],
  [
    new RegExp(`^(${MONTH})(?: (\\d{4}))?$`),
    ([, name = '', year], { today, side }) => {
      const month = monthNamed(name)
      if (year) return wholeMonth({ year: Number(year), month })
      const now = partsOf(today)
      const ahead = side === 'past' && month > now.month ? -1 : side === 'future' && month < now.month ? 1 : 0
      return wholeMonth({ year: now.year + ahead, month })
    },
  ],
  [/^(\d{4})$/, ([, year]) => wholeYear(Number(year))],
  [
    new RegExp(`^(?:from |between )?(${WEEKDAY}) ?(?:to|until|till|through|and|-) ?(${WEEKDAY})$`),
    ([, from = '', to = ''], { today }) => {
      const last = lastWeekday(today + 6, weekdayNamed(to))
      return { first: lastWeekday(last, weekdayNamed(from)), last }
    },
  ],
  [
    /^(?:from |between )(.+?) (?:to|until|till|through|and|-) (.+)$|^(.+?) (?:to|until|till|through|-) (.+)$/,
    ([, from, to, start, end], context) => bothEnds(from ?? start ?? '', to ?? end ?? '', context),
  ],
  [/^since (.+)$/, ([, words = ''], context) => open({ first: toward('past', words, context)?.first })],
  [
    /^after (.+)$/,
    ([, words = ''], context) => open({ first: shift(toward('past', words, context)?.last, 1) }),
  ],
  [
    /^(?:from|starting) (.+?)(?: onwards?| on)?$/,
    ([, words = ''], context) => open({ first: toward('future', words, context)?.first }),
  ],
  [
    /^before (.+)$/,
    ([, words = ''], context) => open({ last: shift(toward('future', words, context)?.first, -1) }),
  ],
  [
    /^(?:until|till|up to|by) (.+)$/,
    ([, words = ''], context) => open({ last: toward('future', words, context)?.last }),
  ],
  [/^yesterday$/, (_match, { today }) => ({ first: today - 1, last: today - 1 })],
  [
    new RegExp(`^last (${WEEKDAY})$`),
    ([, name = ''], { today }) => {
      const day = lastWeekday(today - 1, weekdayNamed(name))
      return { first: day, last: day }
    },
  ],
  [
    /^(.+)$/,
    ([, words = ''], { dayIn }) => {
      const day = dayIn(words, 'future')
      return day === undefined ? undefined : { first: day, last: day }
    },
  ],
]

/** "since march", "until friday": the words are a span themselves, the one behind or the one ahead. */
const toward = (side: Toward, words: string, context: SpanContext) =>
  spanIn(words, { ...context, side, dayIn: (day) => context.dayIn(day, side) })

const shift = (day: Day | undefined, by: number) => (day === undefined ? undefined : day + by)

const open = (ends: Partial<DaySpan>): DaySpan | undefined =>
  ends.first === undefined && ends.last === undefined ? undefined : { first: ends.first, last: ends.last }

/** Each end may itself be a span: "from march to may" is from the first of one to the last of the other. */
function bothEnds(from: string, to: string, context: SpanContext): DaySpan | undefined {
  const end = spanIn(to, context)
  const bare =
    /^\d{1,2}(?:st|nd|rd|th)?$/.test(from) && end
      ? `${from} ${to.replace(/^\W*\d{1,2}(?:st|nd|rd|th)?\s*/, '')}`
      : from
  const start = spanIn(bare, context)
  return start && end ? { first: start.first, last: end.last } : undefined
}
