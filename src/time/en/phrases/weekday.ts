import { type Day, mondayOf, weekdayOf } from '../../calendar.ts'
import { DATE, type Draft, foundDate, type Phrase } from '../../draft.ts'
import { MONTH, ORDINAL, WEEKDAY, weekdayNamed } from '../words.ts'

const WEEK = '(?:week|wk|w)'
const COUNTED_WEEKS = '(?:a|[1-4]) weeks?'

/** "next week monday", "thursday next week", "monday week", "friday in 2 weeks" */
export const weekdayOfWeek: Phrase = {
  name: 'a weekday of a week',
  pattern: new RegExp(
    [
      `\\b(?<week>next|this|the following|the coming) ${WEEK}(?:'s)?,? (?:on )?(?<inIt>${WEEKDAY})`,
      `\\b(?<beforeIt>${WEEKDAY}),? (?:of |in )?(?:the )?(?<weekBehind>next|following|this) ${WEEK}(?!\\w)`,
      `\\b(?<weekOn>${WEEKDAY}),? (?:a )?week(?!\\w)|\\b(?:a|1) week on (?<weekFrom>${WEEKDAY})`,
      `\\b(?<ahead>${WEEKDAY}) in (?<weeksAhead>${COUNTED_WEEKS})`,
      `\\bin (?<weeksBefore>${COUNTED_WEEKS}),? (?:on )?(?<behind>${WEEKDAY})`,
    ].join('|'),
  ),
  read: ({ groups = {} }, draft) => {
    const { week, inIt, beforeIt, weekBehind, weekOn, weekFrom, ahead, weeksAhead, weeksBefore, behind } =
      groups
    const weekday = weekdayNamed(inIt ?? beforeIt ?? weekOn ?? weekFrom ?? ahead ?? behind ?? '')
    if (weekOn ?? weekFrom) return foundDate(draft, firstToCome(draft.now.day, weekday) + 7)
    const monday = mondayOf(draft.now.day)
    const counted = weeksAhead ?? weeksBefore
    if (!counted) return foundDate(draft, monday + ((week ?? weekBehind) === 'this' ? 0 : 7) + weekday - 1)
    // "in a week" may be counted from now, or from the week that is to come.
    const day = monday + 7 * (Number.parseInt(counted, 10) || 1) + weekday - 1
    return foundDate(draft, { day, others: [day + 7] })
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
