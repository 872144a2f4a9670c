import { type Day, mondayOf, weekdayOf } from '../../calendar.ts'
import { DATE, type Draft, foundDate, type Phrase } from '../../draft.ts'
import { MONTH, ORDINAL, WEEKDAY, weekdayNamed } from '../words.ts'

/** "next week monday", "thursday next week", "monday of next week", "friday in 2 weeks" */
export const weekdayOfWeek: Phrase = {
  name: 'a weekday of a week',
  pattern: new RegExp(
    `\\b(?:(?:next|this|the following|the coming) (?:week|wk|w)(?:'s)?,? (?:on )?(${WEEKDAY})|(${WEEKDAY}),? (?:of |in )?(?:the )?(next|following|this) (?:week|wk)|(${WEEKDAY}),? (?:a )?week|(?:a|1) week on (${WEEKDAY})|(${WEEKDAY}) in (?:a|1|2|3|4) weeks?|in (?:a|1|2|3|4) weeks?,? (?:on )?(${WEEKDAY}))`,
  ),
  read: ([words, after, before, which, week, weekOn, inWeeks, onInWeeks], draft) => {
    const aWeekOn = week ?? weekOn
    const weeksAhead = inWeeks ?? onInWeeks
    const name = after ?? before ?? aWeekOn ?? weeksAhead ?? ''
    const weekday = weekdayNamed(name)
    if (aWeekOn) return foundDate(draft, firstToCome(draft.now.day, weekday) + 7)
    const weeks = weeksAhead
      ? Number(/in (\d)/.exec(words)?.[1] ?? 1)
      : which === 'this' || words.startsWith('this')
        ? 0
        : 1
    const day = mondayOf(draft.now.day) + 7 * weeks + weekday - 1
    // "in a week" may be counted from now, or from the week that is to come.
    return foundDate(draft, weeksAhead ? { day, others: [day + 7] } : day)
  },
}

/** "monday", "this friday", "next tuesday"; beside a date, a check of it. */
export const weekday: Phrase = {
  name: 'a weekday',
  pattern: new RegExp(
    `\\b(?:(this coming|this|coming|upcoming|next|following)\\b ?)?(?:the )?(${WEEKDAY})`,
    'g',
  ),
  read: ([, which, name = ''], draft) => {
    const named = weekdayNamed(name)
    if (/^(?:sun|sat|mon|wed|thu|fri|tue)$/.test(name)) draft.isWeak = true
    if (draft.dates.length || BESIDE_A_DATE.test(draft.text)) {
      if (draft.weekday && draft.weekday !== named) return undefined
      draft.weekday = named
      return ''
    }
    if (which === 'next' || which === 'following') return next(draft, named)
    return coming(draft, named, { rollsOver: which !== 'this' })
  },
}

const BESIDE_A_DATE = new RegExp(
  `${DATE}|(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?(?: of)?[ /.-]?${MONTH}|${MONTH} ?\\d|${MONTH} (?:the )?${ORDINAL}|\\b${ORDINAL}`,
)

function coming(draft: Draft, weekday: number, { rollsOver }: { rollsOver: boolean }): string {
  const day = firstToCome(draft.now.day, weekday, { orToday: true })
  return foundDate(draft, day === draft.now.day && rollsOver ? { day, orElse: day + 7 } : { day })
}

/** Past in this week, or today: the coming one. Still ahead: people differ. */
function next(draft: Draft, weekday: number): string {
  const soon = firstToCome(draft.now.day, weekday)
  const isAhead = mondayOf(soon) === mondayOf(draft.now.day)
  return foundDate(draft, isAhead ? { day: soon + 7, others: [soon] } : { day: soon })
}

export function firstToCome(from: Day, weekday: number, { orToday = false } = {}): Day {
  const ahead = (weekday - weekdayOf(from) + 7) % 7
  return from + (ahead || (orToday ? 0 : 7))
}
