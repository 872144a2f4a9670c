import { addMonths } from '../../calendar.ts'
import { type Draft, foundClock, foundDate, type Phrase } from '../../draft.ts'
import { refuse } from '../../reading.ts'
import { NUMBER, numberOf, UNIT, unitNamed } from '../words.ts'

const ONE = `${NUMBER} ?${UNIT}`
// Behind days "17h" is a time of day.
const SEVERAL = `(${ONE}(?:,? ?(?:and )?(?!(?:[7-9]|1\\d|2[0-4])h(?!\\w))${ONE})*)`

/** "in 3 weeks", "2 hours from now", "1h 30m hence", "now + 2 hours". */
export const fromNow: Phrase = {
  name: 'so long from now',
  pattern: new RegExp(
    `(?:\\b(?<loosely>with)?in|(?:\\bnow ?)?\\+|\\bafter another) ?${SEVERAL}(?:'? time|'? from (?:now|today))?|\\b${SEVERAL}'? (?:from (?:now|today|this (?:second|minute|moment))|hence|later|after now)\\b`,
  ),
  read: ({ groups, 2: before, 3: after }, draft) => {
    if (groups?.loosely) draft.doubt = `Do you mean ${before} from now?`
    return count(before ?? after ?? '', draft)
  },
}

/** "a week from monday", "2 days after tomorrow": what they are counted from is read by then. */
export const fromDate: Phrase = {
  name: 'so long from a day',
  pattern: new RegExp(
    `\\b(${NUMBER}) ?(d(?:ays?)?|w(?:(?:ee)?ks?)?|months?|years?|fortnights?)'? (?:from|after) (?:the )?\\uE000`,
  ),
  read: ([, amount = '', unit = ''], draft) => {
    const from = draft.dates.pop()
    if (!from) return undefined
    return foundDate(draft, addCalendar(from.day, numberOf(amount), unit))
  },
}

/** "upcoming 2 days", "2d 3pm": most likely so long from now. */
export const loosely: Phrase = {
  name: 'so long, loosely',
  pattern:
    /\b(?:(?:upcoming|coming) (\d{1,2}) days?|(\d{1,2}) (?:upcoming|coming) days?)\b|^(\d{1,2}) ?(d|days|w|weeks)(?= (?:at )?\d)/,
  read: ([words, first, second, third, unit = 'd'], draft) => {
    draft.doubt = `Do you mean ${words.replace(/upcoming |coming /, '')} from now?`
    return count(`${first ?? second ?? third} ${unit}`, draft)
  },
}

/** "15 minutes from 1pm" */
export const fromClock: Phrase = {
  name: 'so long from a time',
  pattern: /\b(\d{1,3}) ?(m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?) from \uE001/,
  read: ([, amount, unit = ''], draft) => {
    const [found] = draft.clocks.splice(0)
    if (!found) return undefined
    const { hour, minute, second } = found.clock
    const minutes = hour * 60 + minute + Number(amount) * (unit.startsWith('h') ? 60 : 1)
    if (minutes >= 24 * 60) return refuse('invalid', 'That is another day. Write the day and the time.')
    return foundClock(draft, { clock: { hour: Math.floor(minutes / 60), minute: minutes % 60, second } })
  },
}

/** "the day after monday" */
export const dayAfter: Phrase = {
  name: 'the day after a day',
  pattern: /\b(?:the )?day after (?:the )?\uE000/,
  read: (_match, draft) => {
    const from = draft.dates.pop()
    return from && foundDate(draft, from.day + 1)
  },
}

/** "2 hours" alone: most people mean from now, some mean for how long. */
export const bare: Phrase = {
  name: 'so long',
  // "1700 hours" and "13h" are times of day.
  pattern: new RegExp(`^(?!\\d{4} ?h|(?:[7-9]|1\\d|2[0-4])h$)${SEVERAL}$`),
  read: ([, all = ''], draft) => {
    if (COMPACT.test(all)) draft.assumed.push('counted from now')
    else draft.doubt = `Do you mean ${all} from now?`
    return count(all, draft)
  },
}

/** As people abbreviate what they mean to count from now: "15m", "1h30m". */
const COMPACT = /^(?:\d{1,3} ?(?:m|min)|[1-6] ?h(?: ?\d{1,2} ?(?:m|min))?)$/

function count(all: string, draft: Draft): string | undefined {
  const parts = [...all.matchAll(new RegExp(`(${NUMBER}) ?(${UNIT})`, 'g'))].map(
    ([, amount = '', word = '']) => ({
      amount: numberOf(amount),
      word,
      ...unitNamed(word),
    }),
  )
  let day = draft.now.day
  let seconds = 0
  for (const { amount, unit, times, word } of parts) {
    if (amount > 100_000) return undefined
    if (unit === 'hours') seconds += amount * 3600
    else if (unit === 'minutes') seconds += amount * 60
    else if (unit === 'seconds') seconds += amount
    else if (Number.isInteger(amount * times)) day = addCalendar(day, amount, word)
    else if (unit === 'weeks') day += Math.round(amount * 7)
    else if (unit === 'years') day = addMonths(day, Math.round(amount * 12))
    else if (unit === 'days') seconds += amount * 86_400
    else return undefined
  }
  if (!seconds) {
    const { clock } = draft.now
    draft.sameClock = clock
    return foundDate(draft, day)
  }
  // Days keep the clock, hours are counted: across a change of the clocks they differ.
  draft.exact = draft.now.at.plus({ days: day - draft.now.day }).plus({ seconds })
  return ''
}

function addCalendar(day: number, amount: number, word: string): number {
  const { unit, times } = unitNamed(word)
  if (unit === 'days') return day + amount
  if (unit === 'weeks') return day + 7 * amount * times
  return addMonths(day, unit === 'months' ? amount : 12 * amount)
}
