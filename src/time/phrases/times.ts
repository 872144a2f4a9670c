import { addTime, type Phrase, type ReadingState, TIME_MARK } from '../phrase.ts'
import { createRefusal, type Refusal } from '../reading.ts'
import { MONTH } from '../vocabulary.ts'
import { timeOfDay } from '../wall-clock.ts'

const MERIDIEM = '(a\\.?m\\b\\.?|p\\.?m\\b\\.?|[ap]\\b\\.?)'

const NO_SUCH_TIME = createRefusal(
  'invalid',
  'That time of day doesn\'t exist. Try "9:30", "2pm" or "14:30".',
)

/** The parts of a time as they were written. */
type WrittenTime = {
  hour: string | number | undefined
  minute?: string | number | undefined
  second?: string | number | undefined
  meridiem?: string | undefined
  missingMeridiem?: 'hour-only' | 'with-minutes' | undefined
}

function addWrittenTime(state: ReadingState, written: WrittenTime): string | Refusal {
  const { meridiem, missingMeridiem } = written
  const hour = Number(written.hour)
  const minute = Number(written.minute ?? 0)
  const second = Number(written.second ?? 0)
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute > 0)) return NO_SUCH_TIME
  if (!meridiem)
    return addTime(state, {
      time: timeOfDay(hour % 24, minute, second),
      missingMeridiem,
      isMidnight: hour === 24,
    })
  const isPm = meridiem.startsWith('p')
  if (hour > 23 || (hour === 0 && isPm)) return NO_SUCH_TIME
  if (hour > 12) {
    state.confirmation = `Do you mean ${hour}:${String(minute).padStart(2, '0')}?`
    return addTime(state, { time: timeOfDay(hour, minute, second) })
  }
  return addTime(state, { time: timeOfDay((hour % 12) + (isPm ? 12 : 0), minute, second) })
}

/** In the 24-hour clock, an hour before 10 has a leading zero and an afternoon hour is above 12. */
const isTwelveHourClock = (hour: string): boolean => /^(?:[1-9]|1[0-2])$/.test(hour)

const addHourAndMinute = (state: ReadingState, hour: string, minute: string | undefined, second?: string) =>
  addWrittenTime(state, {
    hour,
    minute,
    second,
    missingMeridiem: isTwelveHourClock(hour) ? 'with-minutes' : undefined,
  })

/** "half past 4", "quarter to six", "20 minutes past 3pm" */
export const spokenTime: Phrase = {
  pattern: new RegExp(
    `\\b(?:at |around |about )?(?:(half)|(?:a )?(quarter)|(\\d{1,2})(?: minutes?| min)?) (past|after|to|until|before|of) (\\d{1,2}|noon|midnight|\\uE001)(?: ?${MERIDIEM})?(?: o'?clock)?(?![\\d:])`,
  ),
  read: ([, half, quarter, minutes, direction = '', hourWord = '', meridiem], state) => {
    const distance = half ? 30 : quarter ? 15 : Number(minutes)
    if (hourWord === TIME_MARK || distance > 59 || (half && direction !== 'past')) return undefined
    if (/after|before|of/.test(direction) && !quarter && !half) return undefined // "5 minutes after 12" is unclear.
    const fullHour = hourWord === 'noon' ? 12 : hourWord === 'midnight' ? 0 : Number(hourWord)
    if (fullHour > 24) return NO_SUCH_TIME
    const isBefore = /to|until|before|of/.test(direction)
    return addWrittenTime(state, {
      hour: isBefore ? (fullHour + 23) % 24 : fullHour,
      minute: isBefore ? 60 - distance : distance,
      meridiem,
      missingMeridiem: !meridiem && /\d/.test(hourWord) && fullHour <= 12 ? 'hour-only' : undefined,
    })
  },
}

export const noonOrMidnight: Phrase = {
  pattern: new RegExp(
    `\\b(?:at )?(?:(?<!${MONTH} |the )12(?::00)? )?(?:((?:high )?noon|noon(ish))|midnight)\\b`,
  ),
  read: ([, noon, ish], state) => {
    if (ish) state.confirmation = 'At exactly noon?'
    return addTime(state, noon ? { time: timeOfDay(12) } : { time: timeOfDay(0), isMidnight: true })
  },
}

/** "9am", "9.30 p.m.", "8p", "1120pm", "10h am" */
export const timeWithMeridiem: Phrase = {
  pattern: new RegExp(
    `(?:\\b(?:at|around|about|@) ?)?(?<![\\d.:/-])(\\d{1,2})(?:(?:[:.h]?|(?= )(?<=\\b(?:0?[1-9]|1[0-2]))(?<!${MONTH} (?:the )?\\d{1,2}) )(\\d{2})(?:[:.](\\d{2})(?:\\.\\d+)?)?|h)? ?(?:o'?clock )?(?:in the )?${MERIDIEM}(?!\\w)`,
    'g',
  ),
  read: ([, hour, minute, second, meridiem], state) =>
    addWrittenTime(state, { hour, minute, second, meridiem }),
}

/** "14:30", "9:30:15", "6:00 hours" */
export const timeWithColon: Phrase = {
  pattern:
    /(?:\b(?:at|around|about) |@ ?|(?<=\uE000 ?)t)?(?<![\d.:/-])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?! ?[ap]\.?m)(?![\d:])(?: ?(?:h|hours?|o'?clock)\b)?/g,
  read: ([, hour = '', minute, second], state) => addHourAndMinute(state, hour, minute, second),
}

/** "19h30", "15h". Up to 6 hours may also be in the afternoon. */
export const timeWithH: Phrase = {
  pattern: /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(\d{1,2})h(\d{2})?m?(?![\w:/-]|\.\d)/g,
  read: ([, hour = '', minute], state) => {
    const isOpen = /^[1-6]$/.test(hour) || (state.partOfDay && isTwelveHourClock(hour))
    return addWrittenTime(state, { hour, minute, missingMeridiem: isOpen ? 'with-minutes' : undefined })
  },
}

/** "0600h", "1430", "at 730". Four digits may also be a year. */
export const timeInDigits: Phrase = {
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(?:(?<hourBeforeH>\d{2}(?=\d{2} ?h))(\d{2}) ?(?:h|hours?)|(?<hour>[01]\d|2[0-4])([0-5]\d)|(?<shortHour>(?<=^|\bat )\d)([0-5]\d)(?=$| ))(?![\w:/-]|\.\d)/g,
  read: ({ index, groups = {}, 0: words, 2: minuteBeforeH, 4: minuteOfFour, 6: minuteOfThree }, state) => {
    const { hourBeforeH, hour, shortHour } = groups
    const time = {
      hour: hourBeforeH ?? hour ?? shortHour,
      minute: minuteBeforeH ?? minuteOfFour ?? minuteOfThree,
    }
    if (shortHour) state.confirmation = `Do you mean ${time.hour}:${time.minute}?`
    const likelihood = hour ? likelihoodOfYear(state, Number(words), index) : 'none'
    if (likelihood === 'certain' || (likelihood === 'possible' && state.times.length)) return undefined
    if (likelihood === 'possible') {
      state.confirmation = `Do you mean ${time.hour}:${time.minute}, or the year ${words.trim()}?`
      state.isWeakMatch = true
    }
    return addWrittenTime(state, time)
  },
}

/** Beside a month, a year in the near future is certain. Other years are possible, and 0710 is never a year. */
function likelihoodOfYear(state: ReadingState, year: number, index: number): 'certain' | 'possible' | 'none' {
  const thisYear = state.now.at.year
  if (!AFTER_MONTH.test(state.text.slice(0, index)))
    return year > thisYear - 17 && year < thisYear + 4 ? 'possible' : 'none'
  if (year >= thisYear && year < thisYear + 8) return 'certain'
  return year >= 1900 && year < 2100 ? 'possible' : 'none'
}

const AFTER_MONTH = new RegExp(
  `${MONTH},? (?:(?:the )?\\d{1,2}(?:st|nd|rd|th)?,? )?$|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? $`,
)

/** "16.40", unless it was a date */
export const timeWithPeriod: Phrase = {
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(\d{1,2})\.(\d{2})(?![\d:]|\.\d)(?: ?(?:h|hours?|o'?clock)\b)?/,
  read: ([, hour = '', minute], state) => addHourAndMinute(state, hour, minute),
}

/** "at thirteen thirty", whose words are digits by now */
export const timeWithSpace: Phrase = {
  pattern: /(?:\bat |(?<=\uE000 )|^)(\d{1,2}) ([1-5]\d)(?=\s*$| \uE000)/,
  read: ([, hour = '', minute], state) => addHourAndMinute(state, hour, minute),
}

function addBareHour(state: ReadingState, hour: number): string | Refusal | undefined {
  if (state.times.length) return undefined
  if (hour > 24) return NO_SUCH_TIME
  return addWrittenTime(state, { hour, missingMeridiem: hour <= 12 && hour > 0 ? 'hour-only' : undefined })
}

/** "9 in the morning" */
export const hourBeforePartOfDay: Phrase = {
  pattern: new RegExp(
    `(?=\\d)(?<!${MONTH} (?:the )?)\\b(\\d{1,2})(?= (?:in the|at) (?:morning|afternoon|evening|night)\\b)`,
  ),
  read: ([, hour], state) => addBareHour(state, Number(hour)),
}

/** "april 3 10", "3 april 9 30". Two digits after a date with a month name are an hour, unless they are a year. */
export const hourAfterMonthName: Phrase = {
  pattern: new RegExp(
    `(?=\\d)(?<=${MONTH} (?:the )?\\d{1,2}(?:st|nd|rd|th)?,? |\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? )(\\d|1\\d|2[0-4])(?: ([0-5]\\d))?\\s*$`,
  ),
  read: ([, hour = '', minute], state) => {
    if (state.times.length) return undefined
    if (minute) return addHourAndMinute(state, hour, minute)
    if (Number(hour) > 9) state.confirmation = `Do you mean ${hour}:00, or the year 20${hour}?`
    return addBareHour(state, Number(hour))
  },
}

/** "at 8", "9 o'clock", "10ish" */
export const explicitHour: Phrase = {
  pattern:
    /(?:\b(?:at|around|about) (?:about |around )?|@ ?)(\d{1,2})(?:ish)?(?: o'?clock)?(?![\d:/.-]|\w)|\b(\d{1,2}) ?(?:ish|o'?clock)\b/,
  read: ([words, hourAfterAt, hourBeforeClock], state) => {
    if (words.includes('ish')) state.confirmation = 'What time exactly?'
    return addBareHour(state, Number(hourAfterAt ?? hourBeforeClock))
  },
}

/** "tomorrow 9", "9 tomorrow". A number above 12 may be something else. */
export const hourBesideDay: Phrase = {
  pattern: /(?<=\uE000,?\s*)\b(\d{1,2})(?=\s*$| [^\d])|^(\d{1,2})(?=,?\s+(?:on\s+)?\uE000)|^\s*(\d{1,2})\s*$/,
  read: ([, hourAfterDay, hourBeforeDay, onlyHour], state) => {
    if (onlyHour && !state.partOfDay) return undefined
    const hour = Number(hourAfterDay ?? hourBeforeDay ?? onlyHour)
    if (hour > 12) state.confirmation = `Do you mean ${hour}:00?`
    return addBareHour(state, hour)
  },
}
