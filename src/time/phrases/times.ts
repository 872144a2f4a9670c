import { DAY_NUMBER, globalPattern, MONTH, pattern } from '../pattern-parts.ts'
import { addDate, addTime, type PartOfDay, type Phrase, type ReadingState, TIME_MARK } from '../phrase.ts'
import { createRefusal } from '../reading.ts'
import { timeOfDay } from '../wall-clock.ts'

const AT = String.raw`(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])`
const MERIDIEM = String.raw`(a\.?m\b\.?|p\.?m\b\.?|[ap]\b\.?)`
const PARTS_OF_DAY: PartOfDay[] = ['morning', 'afternoon', 'evening', 'night']

const NO_SUCH_TIME = 'That time of day doesn\'t exist. Try "9:30", "2pm" or "14:30".'

export const timePhrases: Phrase[] = [
  // "half past 4", "quarter to six", "20 minutes past 3pm"
  [
    pattern`\b(?:at |around |about )?(?:(half)|(?:a )?(quarter)|(\d{1,2})(?: minutes?| min)?) (
      past|after|to|until|before|of) (\d{1,2}|noon|midnight|\uE001)(?: ?${MERIDIEM})?(?: o'?clock)?(?![\d:])`,
    ([, half, quarter, minutes, direction = '', hourWord = '', meridiem], state) => {
      const distance = half ? 30 : quarter ? 15 : Number(minutes)
      if (hourWord === TIME_MARK || distance > 59 || (half && direction !== 'past')) return undefined
      if (/after|before|of/.test(direction) && !quarter && !half) return undefined // "5 minutes after 12" is unclear.
      const fullHour = hourWord === 'noon' ? 12 : hourWord === 'midnight' ? 0 : Number(hourWord)
      if (fullHour > 24) return createRefusal('invalid', NO_SUCH_TIME)
      const isBefore = /to|until|before|of/.test(direction)
      return addWrittenTime(state, {
        hour: isBefore ? (fullHour + 23) % 24 : fullHour,
        minute: isBefore ? 60 - distance : distance,
        meridiem,
        missingMeridiem: !meridiem && /\d/.test(hourWord) && fullHour <= 12 ? 'hour-only' : undefined,
      })
    },
  ],
  [
    pattern`\b(?:at )?(?:(?<!${MONTH} |the )12(?::00)? )?(?:((?:high )?noon|noon(ish))|midnight)\b`,
    ([, noon, ish], state) => {
      if (ish) state.isApproximate = true
      return addTime(state, noon ? { time: timeOfDay(12) } : { time: timeOfDay(0), isMidnight: true })
    },
  ],
  // "9am", "9.30 p.m.", "8p", "1120pm", "10h am"
  [
    globalPattern`(?:\b(?:at|around|about|@) ?)?(?<![\d.:/-])(\d{1,2})
      (?:(?:[:.h]?|(?= )(?<=\b(?:0?[1-9]|1[0-2]))(?<!${MONTH} (?:the )?\d{1,2}) )(\d{2})(?:[:.](\d{2})(?:\.\d+)?)?|h
      )? ?(?:o'?clock )?(?:in the )?${MERIDIEM}(?!\w)`,
    ([, hour, minute, second, meridiem], state) => addWrittenTime(state, { hour, minute, second, meridiem }),
  ],
  // "14:30", "9:30:15", "6:00 hours"
  [
    /(?:\b(?:at|around|about) |@ ?|(?<=\uE000 ?)t)?(?<![\d.:/-])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?! ?[ap]\.?m)(?![\d:])(?: ?(?:h|hours?|o'?clock)\b)?/g,
    addHourAndMinute,
  ],
  // "19h30", "15h". An hour up to 6 may also be in the afternoon.
  [
    globalPattern`${AT}(\d{1,2})h(\d{2})?m?(?![\w:/-]|\.\d)`,
    ([, hour = '', minute], state) => {
      const isOpen = /^[1-6]$/.test(hour) || (state.partOfDay && isTwelveHourClock(hour))
      return addWrittenTime(state, { hour, minute, missingMeridiem: isOpen ? 'with-minutes' : undefined })
    },
  ],
  // "0600h"
  [
    globalPattern`${AT}(\d{2})(\d{2}) ?(?:h|hours?)(?![\w:/-]|\.\d)`,
    ([, hour, minute], state) => addWrittenTime(state, { hour, minute }),
  ],
  // "1430". Four digits may also be a year.
  [
    globalPattern`${AT}([01]\d|2[0-4])([0-5]\d)(?![\w:/-]|\.\d)`,
    ({ index, 0: words, 1: hour = '', 2: minute }, state) => {
      const likelihood = likelihoodOfYear(state, Number(words), index)
      if (likelihood === 'certain' || (likelihood === 'possible' && state.times.length)) return undefined
      if (likelihood === 'possible' && AFTER_MONTH.test(textBefore(state, index)))
        return createRefusal('past', mayBeYear(words.trim(), `${hour}:${minute}`))
      if (/^(?:19|20)/.test(hour)) state.isWeakMatch = true
      return addWrittenTime(state, { hour, minute })
    },
  ],
  // "at 730", "tomorrow 930"
  [globalPattern`${AT}(?<=^|\bat |\uE000,? )([1-9])([0-5]\d)(?=$| )`, addHourAndMinute],
  // "16.40", unless it was already read as a date
  [pattern`${AT}(\d{1,2})\.(\d{2})(?![\d:]|\.\d)(?: ?(?:h|hours?|o'?clock)\b)?`, addHourAndMinute],
  // "at thirteen thirty". Earlier phrases have turned the words into digits.
  [/(?:\bat |(?<=\uE000 )|^)(\d{1,2}) ([1-5]\d)(?=\s*$| \uE000)/, addHourAndMinute],
  // "15 minutes from 1pm"
  [
    /\b(\d{1,3}) ?(m(?:in(?:utes?)?)?|h(?:ours?)?) from \uE001/,
    ([, amount, unit = ''], state) => {
      const [start] = state.times.splice(0)
      if (!start) return undefined
      const { hour, minute, second } = start.time
      const minutes = hour * 60 + minute + Number(amount) * (unit.startsWith('h') ? 60 : 1)
      if (minutes >= 24 * 60)
        return createRefusal('invalid', 'That time is on another day. Enter the day and the time.')
      return addTime(state, { time: timeOfDay(Math.floor(minutes / 60), minutes % 60, second) })
    },
  ],
  // "9 in the morning"
  [
    pattern`(?=\d)(?<!${MONTH} (?:the )?)\b(\d{1,2})(?= (?:in the|at) (?:morning|afternoon|evening|night)\b)`,
    ([, hour], state) => addBareHour(state, Number(hour)),
  ],
  // "tomorrow morning", "in the morning", "this afternoon", "monday night"
  [
    /\b(?:(this) |(?:in|during|at) (?:the )?)?(?:(early|mid|late)[ -]?)?(morning|afternoon|evening|night|lunch ?time|lunch)s?\b/,
    ([, thisWord, modifier, word = ''], state) => {
      state.partOfDay = PARTS_OF_DAY.find((part) => part.startsWith(word.slice(0, 3))) ?? 'noon'
      state.partModifier ??= modifier
      return thisWord && !state.dates.length ? addDate(state, state.now.day) : ''
    },
  ],
  // "april 3 10", "3 april 9 30". Two digits after a date with a month name are an hour, unless they are a year.
  [
    pattern`(?=\d)(?<=${MONTH} (?:the )?${DAY_NUMBER},? |\b${DAY_NUMBER} (?:of )?${MONTH},? )
      (\d|1\d|2[0-4])(?: ([0-5]\d))?\s*$`,
    (match, state) => {
      const [, hour = '', minute] = match
      if (state.times.length) return undefined
      if (minute) return addHourAndMinute(match, state)
      const year = 2000 + Number(hour)
      if (year >= state.now.at.year && year < state.now.at.year + 8)
        return createRefusal('vague', mayBeYear(hour, `${hour}:00`))
      if (Number(hour) > 9) state.assumptions.push(`taking ${hour} as ${hour}:00, not as a year`)
      return addBareHour(state, Number(hour))
    },
  ],
  // "at 8", "9 o'clock", "10ish"
  [
    /(?:\b(?:at|around|about) (?:about |around )?|@ ?)(\d{1,2})(?:ish)?(?: o'?clock)?(?![\d:/.-]|\w)|\b(\d{1,2}) ?(?:ish|o'?clock)\b/,
    ([words, hourAfterAt, hourBeforeClock], state) => {
      if (words.includes('ish')) state.isApproximate = true
      return addBareHour(state, Number(hourAfterAt ?? hourBeforeClock))
    },
  ],
  // "tomorrow 9", "9 tomorrow". A number above 12 may be something else.
  [
    /(?<=\uE000,?\s*)\b(\d{1,2})(?=\s*$| [^\d])|^(\d{1,2})(?=,?\s+(?:on\s+)?\uE000)|^\s*(\d{1,2})\s*$/,
    ([, hourAfterDay, hourBeforeDay, onlyHour], state) => {
      if (onlyHour && !state.partOfDay) return undefined
      const hour = Number(hourAfterDay ?? hourBeforeDay ?? onlyHour)
      if (hour > (hourAfterDay ? 24 : 12)) return undefined
      if (hour > 12) state.assumptions.push(`taking ${hour} as ${hour}:00`)
      return addBareHour(state, hour)
    },
  ],
]

const mayBeYear = (words: string, time: string) =>
  `${words} may be a year. For the time, enter "${time}" with a day.`

/** The parts of a time as they were written. */
type WrittenTime = {
  hour: string | number | undefined
  minute?: string | number | undefined
  second?: string | undefined
  meridiem?: string | undefined
  missingMeridiem?: 'hour-only' | 'with-minutes' | undefined
}

function addWrittenTime(state: ReadingState, written: WrittenTime) {
  const { meridiem, missingMeridiem } = written
  const hour = Number(written.hour)
  const minute = Number(written.minute ?? 0)
  const second = Number(written.second ?? 0)
  const isPm = meridiem?.startsWith('p')
  const isImpossible = minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute > 0)
  if (isImpossible || (meridiem && (hour > 23 || (hour === 0 && isPm))))
    return createRefusal('invalid', NO_SUCH_TIME)
  const hourOfDay = meridiem && hour <= 12 ? (hour % 12) + (isPm ? 12 : 0) : hour % 24
  const time = timeOfDay(hourOfDay, minute, second)
  // "20am" may be 20:00 or 8:00.
  const alternatives = meridiem && hour > 12 ? [timeOfDay(hour - 12, minute, second)] : undefined
  return addTime(state, {
    time,
    missingMeridiem,
    isMidnight: hour === 24,
    ...(alternatives && { alternatives }),
  })
}

/** In the 24-hour clock, an hour before 10 has a leading zero and an afternoon hour is above 12. */
const isTwelveHourClock = (hour: string): boolean => /^(?:[1-9]|1[0-2])$/.test(hour)

function addHourAndMinute([, hour = '', minute, second]: RegExpExecArray, state: ReadingState) {
  const missingMeridiem = isTwelveHourClock(hour) ? 'with-minutes' : undefined
  return addWrittenTime(state, { hour, minute, second, missingMeridiem })
}

function addBareHour(state: ReadingState, hour: number) {
  if (state.times.length) return undefined
  return addWrittenTime(state, { hour, missingMeridiem: hour <= 12 && hour > 0 ? 'hour-only' : undefined })
}

/** Next to a month, a year in the near future is certain. Other years are only possible, and 0710 is never a year. */
function likelihoodOfYear(state: ReadingState, year: number, index: number): 'certain' | 'possible' | 'none' {
  const thisYear = state.now.at.year
  if (!AFTER_MONTH.test(textBefore(state, index)))
    return year > thisYear - 17 && year < thisYear + 4 ? 'possible' : 'none'
  if (year >= thisYear && year < thisYear + 8) return 'certain'
  return year >= 1900 && year < 2100 ? 'possible' : 'none'
}

/** Long enough for "12th of september., " and the like. */
const MAX_DATE_LENGTH = 24
const AFTER_MONTH = pattern`${MONTH},? ?(?:(?:the )?${DAY_NUMBER}(?:, ?| ))?$|${DAY_NUMBER} (?:of )?${MONTH}(?:, ?| )$`

const textBefore = ({ text }: ReadingState, index: number) =>
  text.slice(Math.max(0, index - MAX_DATE_LENGTH), index)
