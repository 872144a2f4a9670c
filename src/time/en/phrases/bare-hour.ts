import type { Draft, Phrase } from '../../draft.ts'
import type { Refusal } from '../../reading.ts'
import { MONTH } from '../words.ts'
import { isOpenHour, noSuchTime, timeOfDay } from './time-of-day.ts'

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
    return timeOfDay(draft, { hour, minute, open })
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
  return timeOfDay(draft, { hour, open })
}
