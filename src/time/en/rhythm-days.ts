import { DATE } from '../draft.ts'
import type { RecurrenceDays } from '../recurrence.ts'
import { ORDINAL, WEEKDAY, weekdayNamed } from './words.ts'

const DAYS = `(?:${WEEKDAY.replace("(?![\\w'])", '')}s?(?!\\w))`
const EVERY = '(?:(?:every|each|on|all) )?'

/** Takes the days of a rhythm out of the words: those of a week by their names, those of a month by their count. */
export function rhythmDays(text: string): { days: RecurrenceDays; rest: string } | undefined {
  for (const [pattern, read] of RULES) {
    const match = pattern.exec(text)
    const days = match && read(match)
    if (days)
      return {
        days,
        rest: `${text.slice(0, match.index)} ${DATE} ${text.slice(match.index + match[0].length)}`.trim(),
      }
  }
  return undefined
}

const week = (...weekdays: number[]): RecurrenceDays => ({ every: 'week', weekdays })

const RULES: [RegExp, (match: RegExpExecArray) => RecurrenceDays | undefined][] = [
  [
    new RegExp(
      `\\b${EVERY}(?:the )?(?:(\\d)(?:st|nd|rd|th)|last) (${WEEKDAY})(?: (?:of|in) (?:the|each|every) month| of the month|,? (?:monthly|every month|each month))`,
    ),
    ([, nth, name = '']) => {
      const count = nth === undefined ? -1 : Number(nth)
      return count >= -1 && count <= 4 && count !== 0
        ? { every: 'month', weekday: weekdayNamed(name), nth: count }
        : undefined
    },
  ],
  [
    new RegExp(
      `\\b(?:monthly )?(?:on )?(?:the )?(?:(${ORDINAL})|last day) (?:day )?(?:of|in) (?:the|each|every) month|\\b(?:monthly|every month|each month),? (?:on )?the (${ORDINAL})`,
    ),
    ([, first, second]) => {
      const day = first || second ? Number.parseInt(first ?? second ?? '', 10) : 31
      return day >= 1 && day <= 31 ? { every: 'month', day } : undefined
    },
  ],
  [/\b(?:(?:every|each|on) )?(?:(?:week|work|working|business) ?days?)\b/, () => week(1, 2, 3, 4, 5)],
  [/\b(?:(?:every|each|on) )?(?:the )?weekends?\b/, () => week(6, 7)],
  [
    /\b(?:daily\b|every ?day\b|each day\b|(?:every|each) (?=morning|afternoon|evening|night)|(?=mornings\b))/,
    () => week(1, 2, 3, 4, 5, 6, 7),
  ],
  [
    new RegExp(`\\b${EVERY}(${DAYS}) ?(?:-|to|through|thru) ?(${DAYS})`),
    ([, from = '', to = '']) => {
      const [first, last] = [weekdayNamed(from), weekdayNamed(to)]
      const count = ((last - first + 7) % 7) + 1
      return week(
        ...Array.from({ length: count }, (_, index) => ((first - 1 + index) % 7) + 1).sort((a, b) => a - b),
      )
    },
  ],
  [
    new RegExp(
      `\\b(?:weekly,? )?${EVERY}${DAYS}(?:(?: ?,? ?(?:and|&|\\+|/) ?|, ?| )${EVERY}${DAYS})*(?:,? (?:weekly|every week|each week))?`,
    ),
    ([words]) => {
      const named = [...words.matchAll(new RegExp(`\\b${DAYS}`, 'g'))].map(([name]) => weekdayNamed(name))
      return week(...[...new Set(named)].sort((a, b) => a - b))
    },
  ],
]
