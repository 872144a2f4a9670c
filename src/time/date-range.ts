import { DateTime } from 'luxon'
import { type Day, formatIsoDate } from './calendar.ts'
import { PROBLEM } from './chart.ts'
import { formatDateRange } from './describe.ts'
import { rangeGrammar } from './grammar/grammar.ts'
import { REVERSED, type Span } from './grammar/ranges.ts'
import type { Direction } from './period.ts'
import { parseText } from './read-words.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { firstMomentAt } from './wall-clock.ts'

/** Whole days, hours of one day, or a period counted from now. An open range has no `from` or no `to`. */
export type DateRange = { kind: 'range'; from: DateTime | undefined; to: DateTime | undefined; zone: string }

const UNKNOWN_DATES = 'Try dates such as "last week", "march" or "from monday to friday".'

export function readDateRange(
  text: string,
  context: ReadingContext,
  direction: Direction,
): DateRange | Refusal {
  const { zone } = context
  const parsed = parseText(text, context, {
    grammar: rangeGrammar,
    types: ['span', PROBLEM],
    subject: 'dates',
    extra: { direction },
  })
  const unknownDatesRefusal = createRefusal('nonsense', UNKNOWN_DATES)
  // With the reason "nonsense", callers search posts for the words, which may be in any language.
  if ('kind' in parsed) return parsed.reason === 'language' ? unknownDatesRefusal : parsed
  const { items, unparsed } = parsed.cover
  const [item, other] = items
  if (!item || other || unparsed.length || item.type !== 'span') return unknownDatesRefusal
  const { first, last, hours, time, fromNow, problem } = item.value as Span
  if (problem) return problem
  const now = parsed.local.now.at
  if (fromNow)
    return {
      kind: 'range',
      from: now.plus({ minutes: fromNow.from }),
      to: now.plus({ minutes: fromNow.to }),
      zone,
    }
  if (first !== undefined && last !== undefined && first > last) return createRefusal('invalid', REVERSED)
  const startOf = (day: Day | undefined) =>
    day === undefined ? undefined : DateTime.fromISO(formatIsoDate(day), { zone })
  const at = (day: DateTime | undefined, minutes: number) =>
    day?.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
  const [start, end] = [startOf(first), startOf(last)]
  const from = first !== undefined && time ? firstMomentAt(first, time, zone) : start
  return {
    kind: 'range',
    from: hours ? at(start, hours.from) : from,
    to: hours && hours.to < 24 * 60 ? at(end, hours.to) : end?.endOf('day'),
    zone,
  }
}

/** "on Sat 21 Nov", "from Mon 16 to Fri 20 Nov", "from Mon 16 Nov on", "until Fri 20 Nov" */
export function describeDateRange({ from, to }: DateRange, now: Date): string {
  if (from && to) return formatDateRange(from, to, now)
  if (from) return `from ${formatDateRange(from, from, now).replace(/^on /, '')} on`
  return to ? `until ${formatDateRange(to, to, now).replace(/^on /, '')}` : ''
}
