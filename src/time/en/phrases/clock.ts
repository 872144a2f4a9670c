import { at, CLOCK, foundClock, type Phrase } from '../../draft.ts'
import { MONTH } from '../words.ts'
import { isOpenHour, noSuchTime, timeOfDay } from './time-of-day.ts'

const MERIDIEM = '(a\\.?m\\b\\.?|p\\.?m\\b\\.?|[ap]\\b\\.?)'

/** "half past 4", "quarter to six", "20 minutes past 3pm" */
export const spoken: Phrase = {
  name: 'a spoken time',
  pattern: new RegExp(
    `\\b(?:at |around |about )?(?:(half)|(?:a )?(quarter)|(\\d{1,2})(?: minutes?| mins?)?) (past|after|to|till|before|of) (\\d{1,2}|noon|midnight|\\uE001)(?: ?${MERIDIEM})?(?: o'?clock)?(?![\\d:])`,
  ),
  read: ([, half, quarter, minutes, side = '', hourText = '', meridiem], draft) => {
    const count = half ? 30 : quarter ? 15 : Number(minutes)
    if (hourText === CLOCK || count > 59 || (half && side !== 'past')) return undefined
    if (/after|before|of/.test(side) && !quarter && !half) return undefined // "5 minutes after 12" may be anything
    const named = hourText === 'noon' ? 12 : hourText === 'midnight' ? 0 : Number(hourText)
    if (named > 24) return noSuchTime
    const isBack = /to|till|before|of/.test(side)
    const hour = isBack ? (named + 23) % 24 : named
    const minute = isBack ? 60 - count : count
    const isOpen = !meridiem && /\d/.test(hourText) && named <= 12
    return timeOfDay(draft, { hour, minute, meridiem, open: isOpen ? 'bare' : undefined })
  },
}

/** "9am", "9.30 p.m.", "8p", "1120pm", "10h am" */
export const withAmPm: Phrase = {
  name: 'a time with am or pm',
  pattern: new RegExp(
    `(?:\\b(?:at|around|about|@) ?)?(?<![\\d.:/-])(\\d{1,2})(?:(?:[:.h]?|(?= )(?<=\\b(?:0?[1-9]|1[0-2]))(?<!${MONTH} (?:the )?\\d{1,2}) )(\\d{2})(?:[:.](\\d{2})(?:\\.\\d+)?)?|h)? ?(?:o'?clock )?(?:in the )?${MERIDIEM}(?!\\w)`,
    'g',
  ),
  read: ([, hour, minute = 0, second = 0, meridiem = ''], draft) =>
    timeOfDay(draft, { hour, minute, second, meridiem }),
}

/** "14:30", "9:30:15", "6:00 hours": in a day of twenty-four hours, where the hour or a zero before it says so. */
export const withColon: Phrase = {
  name: 'a time with a colon',
  pattern:
    /(?:\b(?:at|around|about) |@ ?|(?<=\uE000 ?)t)?(?<![\d.:/-])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?! ?[ap]\.?m)(?![\d:])(?: ?(?:h|hrs|hours|o'?clock)\b)?/g,
  read: ([, hour = '', minute, second = 0], draft) => {
    const open = isOpenHour(hour) ? 'minutes' : undefined
    return timeOfDay(draft, { hour, minute, second, open })
  },
}

/** "at thirteen thirty" */
export const withSpace: Phrase = {
  name: 'hours and minutes in words',
  pattern: /(?:\bat |(?<=\uE000 )|^)(\d{1,2}) ([1-5]\d)(?=\s*$| \uE000)/,
  read: ([, hour = '', minute], draft) =>
    timeOfDay(draft, { hour, minute, open: isOpenHour(hour) ? 'minutes' : undefined }),
}

/** "16.40" where it is no date. */
export const withPeriod: Phrase = {
  name: 'a time with a period',
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(\d{1,2})\.(\d{2})(?![\d:]|\.\d)(?: ?(?:h|hrs|hours|o'?clock)\b)?/,
  read: ([, hour = '', minute], draft) => {
    const open = isOpenHour(hour) ? 'minutes' : undefined
    return timeOfDay(draft, { hour, minute, open })
  },
}

/** "noon", "midday", "midnight" */
export const noonOrMidnight: Phrase = {
  name: 'noon or midnight',
  pattern: new RegExp(
    `\\b(?:at )?(?:(?<!${MONTH} |the )12(?::00)? )?(?:(high noon|noon(ish)?|mid-? ?day)|(mid-? ?night))\\b`,
  ),
  read: ([, noon, ish], draft) => {
    if (ish) draft.doubt = 'At noon exactly?'
    return foundClock(draft, noon ? { clock: at(12) } : { clock: at(0), isMidnight: true })
  },
}
