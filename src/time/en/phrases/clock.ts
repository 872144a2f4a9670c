import { at, CLOCK, type Draft, foundClock, type Phrase } from '../../draft.ts'
import { type Refusal, refuse } from '../../reading.ts'
import { MONTH } from '../words.ts'

const MERIDIEM = '(a\\.?m\\b\\.?|p\\.?m\\b\\.?|[ap]\\b\\.?)'

const noSuchTime = refuse('invalid', 'There is no such time of day. Write it as 9:30, 2pm or 14:30.')

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
    return withMeridiem(draft, { hour, minute, second: 0, meridiem, open: isOpen ? 'bare' : undefined })
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
    withMeridiem(draft, {
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      meridiem,
      open: undefined,
    }),
}

/** "19h30", "15h", "0600h", "1430": hours of a day of twenty-four. */
export const compact: Phrase = {
  name: 'a time without a colon',
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(?:(\d{1,2})h(\d{2})?m?|(\d{2})(\d{2}) ?(?:h|hrs|hours)|([01]\d|2[0-4])([0-5]\d)|(?<=^|\bat )(\d)([0-5]\d)(?=$| ))(?![\w:/-]|\.\d)/g,
  read: (match, draft) => {
    const [words, hour, minute, hour2, minute2, hour3, minute3, hour4, minute4] = match
    if (hour4) draft.doubt = `Do you mean ${hour4}:${minute4}?`
    const asYear = hour3 ? likenessToYear(draft, Number(words), match.index) : 'none'
    if (asYear === 'either' && draft.clocks.length) return undefined
    if (asYear === 'year') return undefined
    if (asYear === 'either') {
      draft.doubt = `Do you mean ${hour3}:${minute3}, or the year ${words.trim()}?`
      draft.isWeak = true
    }
    return withMeridiem(draft, {
      hour: Number(hour ?? hour2 ?? hour3 ?? hour4),
      minute: Number(minute ?? minute2 ?? minute3 ?? minute4 ?? 0),
      second: 0,
      meridiem: undefined,
      // "1h30" in the afternoon, at night, or from now on?
      open: /^[1-6]$/.test(hour ?? '') || (draft.part && isOpenHour(hour ?? '')) ? 'minutes' : undefined,
    })
  },
}

/** Beside a month's name four digits to come are a year; four that were a year may be a time; 0710 is none. */
function likenessToYear(draft: Draft, year: number, index: number): 'year' | 'either' | 'none' {
  const thisYear = draft.now.at.year
  if (!isBesideMonth(draft.text, index))
    return year > thisYear - 17 && year < thisYear + 4 ? 'either' : 'none'
  if (year >= thisYear && year < thisYear + 8) return 'year'
  return year >= 1900 && year < 2100 ? 'either' : 'none'
}

const BEHIND_MONTH = new RegExp(
  `${MONTH},? (?:(?:the )?\\d{1,2}(?:st|nd|rd|th)?,? )?$|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? $`,
)

const isBesideMonth = (text: string, index: number) => BEHIND_MONTH.test(text.slice(0, index))

/** "14:30", "9:30:15", "6:00 hours": in a day of twenty-four hours, where the hour or a zero before it says so. */
export const withColon: Phrase = {
  name: 'a time with a colon',
  pattern:
    /(?:\b(?:at|around|about) |@ ?|(?<=\uE000 ?)t)?(?<![\d.:/-])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?! ?[ap]\.?m)(?![\d:])(?: ?(?:h|hrs|hours|o'?clock)\b)?/g,
  read: ([, hour = '', minute, second = 0], draft) => {
    const open = isOpenHour(hour) ? 'minutes' : undefined
    return withMeridiem(draft, {
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      meridiem: undefined,
      open,
    })
  },
}

/** "at thirteen thirty" */
export const withSpace: Phrase = {
  name: 'hours and minutes in words',
  pattern: /(?:\bat |(?<=\uE000 )|^)(\d{1,2}) ([1-5]\d)(?=\s*$| \uE000)/,
  read: ([, hour = '', minute], draft) =>
    withMeridiem(draft, {
      hour: Number(hour),
      minute: Number(minute),
      second: 0,
      meridiem: undefined,
      open: isOpenHour(hour) ? 'minutes' : undefined,
    }),
}

/** "16.40" where it is no date. */
export const withPeriod: Phrase = {
  name: 'a time with a period',
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(\d{1,2})\.(\d{2})(?![\d:]|\.\d)(?: ?(?:h|hrs|hours|o'?clock)\b)?/,
  read: ([, hour = '', minute], draft) => {
    const open = isOpenHour(hour) ? 'minutes' : undefined
    return withMeridiem(draft, {
      hour: Number(hour),
      minute: Number(minute),
      second: 0,
      meridiem: undefined,
      open,
    })
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

/** "9 in the morning": also before a date with a name, which the hour would run into. */
export const hourOfPart: Phrase = {
  name: 'an hour of a part of the day',
  pattern: new RegExp(
    `(?=\\d)(?<!${MONTH} (?:the )?)\\b(\\d{1,2})(?= (?:in the|at) (?:morning|afternoon|evening|night)\\b)`,
  ),
  read: ([, hour], draft) => bareHour(draft, Number(hour)),
}

/** "april 3 10", "3 april 9 30": behind a date with a name two figures are an hour, no year that has passed. */
export const hourBehindName: Phrase = {
  name: 'an hour behind a date with a name',
  pattern: new RegExp(
    `(?=\\d)(?<=${MONTH} (?:the )?\\d{1,2}(?:st|nd|rd|th)?,? |\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? )(\\d|1\\d|2[0-4])(?: ([0-5]\\d))?\\s*$`,
  ),
  read: ([, hour = '', minute], draft) => {
    if (draft.clocks.length) return undefined
    if (!minute && Number(hour) > 9) draft.doubt = `Do you mean ${hour}:00, or the year 20${hour}?`
    if (!minute) return bareHour(draft, Number(hour))
    const open = isOpenHour(hour) ? 'minutes' : undefined
    return withMeridiem(draft, {
      hour: Number(hour),
      minute: Number(minute),
      second: 0,
      meridiem: undefined,
      open,
    })
  },
}

/** "at 8", "9 o'clock", "10ish": an hour and nothing more. */
export const hourSaid: Phrase = {
  name: 'an hour that is said to be one',
  pattern:
    /(?:\b(?:at|around|about) (?:about |around )?|@ ?)(\d{1,2})(?:ish)?(?: o'?clock)?(?![\d:/.-]|\w)|\b(\d{1,2}) ?(?:ish|o'?clock)\b/,
  read: ([words, afterAt, withClock], draft) => {
    if (/ish/.test(words)) draft.doubt = 'At what time exactly?'
    return bareHour(draft, Number(afterAt ?? withClock))
  },
}

/** "tomorrow 9", "9 tomorrow", "9 in the morning": a number beside a day; after 12 it may be something else. */
export const hourBesideDay: Phrase = {
  name: 'an hour beside a day',
  pattern: /(?<=\uE000,?\s*)\b(\d{1,2})(?=\s*$| [^\d])|^(\d{1,2})(?=,?\s+(?:on\s+)?\uE000)|^\s*(\d{1,2})\s*$/,
  read: ([, after, before, alone], draft) => {
    if (alone && !draft.part) return undefined
    const hour = Number(after ?? before ?? alone)
    if (hour > 12) draft.doubt = `Do you mean ${hour}:00?`
    return bareHour(draft, hour)
  },
}

function bareHour(draft: Draft, hour: number): string | undefined | Refusal {
  if (draft.clocks.length) return undefined
  if (hour > 24) return noSuchTime
  const open = hour <= 12 && hour > 0 ? 'bare' : undefined
  return withMeridiem(draft, { hour, minute: 0, second: 0, meridiem: undefined, open })
}

/** Of a day of twenty-four hours it would be written with a zero, or it is past twelve. */
const isOpenHour = (hour: string) => /^(?:[1-9]|1[0-2])$/.test(hour)

type Told = {
  hour: number
  minute: number
  second: number
  meridiem: string | undefined
  open: 'bare' | 'minutes' | undefined
}

function withMeridiem(draft: Draft, { hour, minute, second, meridiem, open }: Told): string | Refusal {
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute > 0)) return noSuchTime
  if (!meridiem)
    return foundClock(draft, {
      clock: at(hour % 24, minute, second),
      ...(open && { open }),
      ...(hour === 24 && { isMidnight: true as const }),
    })
  const isPm = meridiem.startsWith('p')
  if (hour > 23) return noSuchTime
  if (hour > 12) {
    draft.doubt = `Do you mean ${hour}:${String(minute).padStart(2, '0')}?`
    return foundClock(draft, { clock: at(hour, minute, second) })
  }
  if (hour === 0 && isPm) return noSuchTime
  return foundClock(draft, { clock: at((hour % 12) + (isPm ? 12 : 0), minute, second) })
}
