import type { Draft, Phrase } from '../../draft.ts'
import { MONTH } from '../words.ts'
import { isOpenHour, timeOfDay } from './time-of-day.ts'

/** "19h30", "15h", "1h30" in the afternoon, at night, or from now on? */
export const withH: Phrase = {
  name: 'a time with an h between',
  pattern: /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(\d{1,2})h(\d{2})?m?(?![\w:/-]|\.\d)/g,
  read: ([, hour = '', minute], draft) => {
    const isOpen = /^[1-6]$/.test(hour) || (draft.part && isOpenHour(hour))
    return timeOfDay(draft, { hour, minute, open: isOpen ? 'minutes' : undefined })
  },
}

/** "0600h", "1430", "at 730": of four figures most are a time, and some a year. */
export const inFigures: Phrase = {
  name: 'a time in figures alone',
  pattern:
    /(?:\b(?:at|around|about) |@ ?)?(?<![\d.:/-])(?:(?<said>\d{2}(?=\d{2} ?h))(\d{2}) ?(?:h|hrs|hours)|(?<plain>[01]\d|2[0-4])([0-5]\d)|(?<short>(?<=^|\bat )\d)([0-5]\d)(?=$| ))(?![\w:/-]|\.\d)/g,
  read: ({ index, groups = {}, 0: words, 2: saidMinute, 4: plainMinute, 6: shortMinute }, draft) => {
    const { said, plain, short } = groups
    const hour = said ?? plain ?? short
    const minute = saidMinute ?? plainMinute ?? shortMinute
    if (short) draft.doubt = `Do you mean ${short}:${minute}?`
    const asYear = plain ? likenessToYear(draft, Number(words), index) : 'none'
    if (asYear === 'year' || (asYear === 'either' && draft.clocks.length)) return undefined
    if (asYear === 'either') {
      draft.doubt = `Do you mean ${hour}:${minute}, or the year ${words.trim()}?`
      draft.isWeak = true
    }
    return timeOfDay(draft, { hour, minute })
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
