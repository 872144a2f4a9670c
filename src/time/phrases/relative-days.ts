import { addMonths, type Day, weekdayOf } from '../calendar.ts'
import { NUMBER, parseNumber, parseUnit, pattern, UNIT } from '../pattern-parts.ts'
import { addDate, addTime, type Phrase, type ReadingState } from '../phrase.ts'
import { timeOfDay } from '../wall-clock.ts'

const MAX_AMOUNT = 100_000
/** `Date` can't represent days more than 100 million days from 1970. Half of that leaves room to add one more duration. */
const MAX_DAY = 50_000_000
const AMOUNT = `${NUMBER} ?${UNIT}`
export const AMOUNTS = new RegExp(`(${NUMBER}) ?(${UNIT})`, 'g')
// In "2 days 17h", "17h" is a time of day. The number of amounts is limited, because a pattern that fails after a long list
// of them is tried again from each amount.
export const DURATION = String.raw`(${AMOUNT}(?:,? ?(?:and )?(?!(?:[7-9]|1\d|2[0-4])h(?!\w))${AMOUNT}){0,6})`
/** "15m", "90 min", "24h", "1h30m": An abbreviated duration alone counts from now. */
const ABBREVIATED_DURATION = /^(?:\d{1,3} ?(?:m|min)|\d{1,3} ?h(?: ?\d{1,2} ?(?:m|min))?)$/

export const currentTimePhrases: Phrase[] = [
  [
    /^(?:right |just )?now$|^immediately$|^at (?:the moment|this (?:time|moment))$/,
    (_match, state) => {
      // The words are read again when the form is submitted. The moment must still be in the future then.
      state.exactMoment = state.now.at.plus({ seconds: 30 })
      state.assumptions.push('as soon as possible')
      return ''
    },
  ],
  // "next week same time"
  [
    /\bnext week,? (?:at )?(?:the )?same time\b|\b(?:same|this) time,? next week\b/,
    (_match, state) => `${addDate(state, state.now.day + 7)} ${addCurrentTime(state)}`,
  ],
  // "same time tomorrow"
  [
    /\b(?:at )?(?:the |this )?same time\b|\bthis time(?= (?:on|tomorrow|next|mon|tue|wed|thu|fri|sat|sun))/,
    (_match, state) => addCurrentTime(state),
  ],
]

const addCurrentTime = (state: ReadingState) => addTime(state, { time: state.now.time, isCurrentTime: true })

export const relativeDayPhrases: Phrase[] = [
  // "tomorrow", "the day after tomorrow", "today"
  [
    /\b(?:(?:the )?day after tomorrow|overmorrow|(tomorrow|(?:the )?next day)|(today))(?:'?s)?\b/,
    ([, tomorrow, today], state) => addDate(state, state.now.day + (today ? 0 : tomorrow ? 1 : 2)),
  ],
  [
    /\b(?:tonight|this night)\b/,
    (_match, state) => {
      state.partOfDay = 'night'
      state.partModifier = 'this'
      return addDate(state, state.now.day)
    },
  ],
  // "in 3 weeks", "2 hours from now", "1h 30m hence", "now + 2 hours"
  [
    pattern`(?:\b(?<within>with)?in|(?:\bnow ?)?\+|\bafter another) ?${DURATION}(?:'? time|'? from (?:now|today))?
      |\b${DURATION}'? (?:from (?:now|today|this (?:second|minute|moment))|hence|later|after now)\b`,
    ([, within, durationAfter, durationBefore], state) => {
      if (within) state.isApproximate = true
      return addDuration(durationAfter ?? durationBefore ?? '', state)
    },
  ],
  // "5h" alone may also be an hour of the day.
  [
    /^(1[0-2]|[1-9]) ?h$/,
    ([, hour = ''], state) => {
      const today = state.now.at.startOf('day')
      const hours = [0, 12, 24, 36].map((offset) => (Number(hour) % 12) + offset)
      state.otherMoments = hours
        .map((hour) => today.plus({ days: Math.floor(hour / 24) }).set({ hour: hour % 24 }))
        .filter((at) => at > state.now.at)
        .slice(0, 2)
      return addDuration(`${hour} hours`, state)
    },
  ],
  // "2 hours" alone usually counts from now, but some people mean a duration. "1700 hours" and "13h" are times of day.
  [
    pattern`^(?!\d{4} ?h|(?:1[3-9]|2[0-3])h$)${DURATION}$`,
    ([, duration = ''], state) => {
      if (ABBREVIATED_DURATION.test(duration)) state.assumptions.push('counted from now')
      else state.isApproximate = true
      return addDuration(duration, state)
    },
  ],
  // "upcoming 2 days", "2d 3pm"
  [
    /\b(?:(?:upcoming|coming) (\d{1,2}) days?|(\d{1,2}) (?:upcoming|coming) days?)\b|^(\d{1,2}) ?(d|days|w|weeks)(?= (?:at )?\d)/,
    ([, countAfterWord, countBeforeWord, countOfUnit, unit = 'd'], state) => {
      state.assumptions.push('counted from now')
      return addDuration(`${countAfterWord ?? countBeforeWord ?? countOfUnit} ${unit}`, state)
    },
  ],
  // "next business day", "in 2 working days"
  [
    /(?<!within )\b(?:on )?(?:the )?(?:next|in (\d{1,2})|(\d{1,2})) (?:business|bus|working|work) ?days?(?: (?:from now|later))?\b/,
    ([, countAfterIn, count], state) => {
      state.assumptions.push('counting Monday to Friday as business days')
      let day = state.now.day
      for (let left = Number(countAfterIn ?? count ?? 1); left > 0; left--) {
        day++
        while (weekdayOf(day) > 5) day++
      }
      return addDate(state, day)
    },
  ],
]

/** Phrases that depend on the day that other phrases have read. */
export const dayDependentPhrases: Phrase[] = [
  // "eod" is the end of the working day. Without another day it is today.
  [
    /\b(?:by )?(?:the )?(?:eod|(?:end|close) of (?:the |business )?(?:day|business)|end of today)\b(?: (?:today|(\uE000)))?/,
    ([, dateMark], state) => {
      const timeMark = addTime(state, { time: timeOfDay(17), alternatives: [timeOfDay(18), timeOfDay(23)] })
      if (dateMark) return `${dateMark} ${timeMark}`
      return state.dates.length || state.weekday ? timeMark : `${addDate(state, state.now.day)} ${timeMark}`
    },
  ],
  // "a week from monday", "2 days after tomorrow"
  [
    pattern`\b(${NUMBER}) ?(d(?:ays?)?|w(?:eeks?)?|months?|years?|fortnights?)'? (?:from|after) (?:the )?\uE000`,
    ([, number = '', unit = ''], state) => {
      const amount = parseNumber(number)
      const start = amount > MAX_AMOUNT ? undefined : state.dates.pop()
      return start && addDate(state, addCalendarUnits(start.day, amount, unit))
    },
  ],
  // "the day after monday"
  [
    /\b(?:the )?day after (?:the )?\uE000/,
    (_match, state) => {
      const start = state.dates.pop()
      return start && addDate(state, start.day + 1)
    },
  ],
]

/** Adds the moment that is this long from now. Days keep the time of day, hours are counted across clock changes. */
function addDuration(duration: string, state: ReadingState): string | undefined {
  let day = state.now.day
  let seconds = 0
  for (const [, number = '', word = ''] of duration.matchAll(AMOUNTS)) {
    const amount = parseNumber(number)
    const { unit, factor } = parseUnit(word)
    if (amount > MAX_AMOUNT || day > MAX_DAY) return undefined
    if (unit === 'hours') seconds += amount * 3600
    else if (unit === 'minutes') seconds += amount * 60
    else if (unit === 'seconds') seconds += amount
    else if (Number.isInteger(amount * factor)) day = addCalendarUnits(day, amount, word)
    else if (unit === 'weeks') day += Math.round(amount * 7)
    else if (unit === 'years') day = addMonths(day, Math.round(amount * 12))
    else if (unit === 'days') seconds += amount * 86_400
    else return undefined
  }
  if (!seconds) {
    state.defaultTime = state.now.time
    return addDate(state, day)
  }
  state.exactMoment = state.now.at.plus({ days: day - state.now.day, seconds })
  return ''
}

function addCalendarUnits(day: Day, amount: number, word: string): Day {
  const { unit, factor } = parseUnit(word)
  if (unit === 'days') return day + amount
  if (unit === 'weeks') return day + 7 * amount * factor
  return addMonths(day, unit === 'months' ? amount : 12 * amount)
}
