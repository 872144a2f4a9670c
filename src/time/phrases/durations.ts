import { addMonths, type Day } from '../calendar.ts'
import { addDate, addTime, type Phrase, type ReadingState } from '../phrase.ts'
import { createRefusal } from '../reading.ts'
import { NUMBER, parseNumber, parseUnit, UNIT } from '../vocabulary.ts'

const AMOUNT = `${NUMBER} ?${UNIT}`
// After days, "17h" is a time of day.
const DURATION = `(${AMOUNT}(?:,? ?(?:and )?(?!(?:[7-9]|1\\d|2[0-4])h(?!\\w))${AMOUNT})*)`

/** "in 3 weeks", "2 hours from now", "1h 30m hence", "now + 2 hours" */
export const durationFromNow: Phrase = {
  pattern: new RegExp(
    `(?:\\b(?<within>with)?in|(?:\\bnow ?)?\\+|\\bafter another) ?${DURATION}(?:'? time|'? from (?:now|today))?|\\b${DURATION}'? (?:from (?:now|today|this (?:second|minute|moment))|hence|later|after now)\\b`,
  ),
  read: ({ groups, 2: durationAfter, 3: durationBefore }, state) => {
    const duration = durationAfter ?? durationBefore ?? ''
    if (groups?.within) state.confirmation = `Do you mean ${duration} from now?`
    return addDuration(duration, state)
  },
}

/** "2 hours" alone usually means from now, but some people mean for how long. */
export const bareDuration: Phrase = {
  // "1700 hours" and "13h" are times of day.
  pattern: new RegExp(`^(?!\\d{4} ?h|(?:[7-9]|1\\d|2[0-4])h$)${DURATION}$`),
  read: ([, duration = ''], state) => {
    if (ABBREVIATED_DURATION.test(duration)) state.assumptions.push('counted from now')
    else state.confirmation = `Do you mean ${duration} from now?`
    return addDuration(duration, state)
  },
}

/** "15m", "15 min", "1h30m": People abbreviate a duration if they count from now. */
const ABBREVIATED_DURATION = /^(?:\d{1,3} ?(?:m|min)|[1-6] ?h(?: ?\d{1,2} ?(?:m|min))?)$/

/** "upcoming 2 days", "2d 3pm" */
export const upcomingDays: Phrase = {
  pattern:
    /\b(?:(?:upcoming|coming) (\d{1,2}) days?|(\d{1,2}) (?:upcoming|coming) days?)\b|^(\d{1,2}) ?(d|days|w|weeks)(?= (?:at )?\d)/,
  read: ([words, countAfter, countBefore, countOfUnit, unit = 'd'], state) => {
    state.confirmation = `Do you mean ${words.replace(/upcoming |coming /, '')} from now?`
    return addDuration(`${countAfter ?? countBefore ?? countOfUnit} ${unit}`, state)
  },
}

/** "a week from monday", "2 days after tomorrow". Other phrases have already read the day. */
export const durationFromDay: Phrase = {
  pattern: new RegExp(
    `\\b(${NUMBER}) ?(d(?:ays?)?|w(?:eeks?)?|months?|years?|fortnights?)'? (?:from|after) (?:the )?\\uE000`,
  ),
  read: ([, amount = '', unit = ''], state) => {
    const start = state.dates.pop()
    return start && addDate(state, addCalendarUnits(start.day, parseNumber(amount), unit))
  },
}

/** "the day after monday" */
export const dayAfterDay: Phrase = {
  pattern: /\b(?:the )?day after (?:the )?\uE000/,
  read: (_match, state) => {
    const start = state.dates.pop()
    return start && addDate(state, start.day + 1)
  },
}

/** "15 minutes from 1pm" */
export const durationFromTime: Phrase = {
  pattern: /\b(\d{1,3}) ?(m(?:in(?:utes?)?)?|h(?:ours?)?) from \uE001/,
  read: ([, amount, unit = ''], state) => {
    const [start] = state.times.splice(0)
    if (!start) return undefined
    const { hour, minute, second } = start.time
    const minutes = hour * 60 + minute + Number(amount) * (unit.startsWith('h') ? 60 : 1)
    if (minutes >= 24 * 60)
      return createRefusal('invalid', 'That time is on another day. Enter the day and the time.')
    return addTime(state, { time: { hour: Math.floor(minutes / 60), minute: minutes % 60, second } })
  },
}

/** Adds the moment that is this long from now. Days keep the time of day, hours are counted across clock changes. */
function addDuration(duration: string, state: ReadingState): string | undefined {
  let day = state.now.day
  let seconds = 0
  for (const [, number = '', word = ''] of duration.matchAll(AMOUNTS)) {
    const amount = parseNumber(number)
    const { unit, factor } = parseUnit(word)
    if (amount > 100_000) return undefined
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
  state.exactMoment = state.now.at.plus({ days: day - state.now.day }).plus({ seconds })
  return ''
}

const AMOUNTS = new RegExp(`(${NUMBER}) ?(${UNIT})`, 'g')

function addCalendarUnits(day: Day, amount: number, word: string): Day {
  const { unit, factor } = parseUnit(word)
  if (unit === 'days') return day + amount
  if (unit === 'weeks') return day + 7 * amount * factor
  return addMonths(day, unit === 'months' ? amount : 12 * amount)
}
