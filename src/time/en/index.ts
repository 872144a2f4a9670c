import { en } from 'chrono-node'
import type { Language } from '../language.ts'
import { hourBehindName, hourBesideDay, hourOfPart, hourSaid } from './phrases/bare-hour.ts'
import { noonOrMidnight, spoken, withAmPm, withColon, withPeriod, withSpace } from './phrases/clock.ts'
import { inFigures, withH } from './phrases/compact-clock.ts'
import { dayOfMonth } from './phrases/day-of-month.ts'
import { bare, dayAfter, fromClock, fromDate, fromNow, loosely } from './phrases/duration.ts'
import { holiday } from './phrases/holiday.ts'
import { unusualDate } from './phrases/named-date.ts'
import { nthWeekdayOfMonth } from './phrases/nth-weekday.ts'
import { amounts, cardinals, minutesTo, ordinals, otherWords } from './phrases/numbers.ts'
import {
  dayMonthYear,
  dotted,
  slashed,
  yearBeforeName,
  yearFirst,
  yearFirstCompact,
} from './phrases/numeric-date.ts'
import { partOfDay } from './phrases/part-of-day.ts'
import { edgeOfMonth, edgeOfYear } from './phrases/period-edge.ts'
import { endOfDay, now, relativeDay, tonight } from './phrases/relative-day.ts'
import { sameTime, sameTimeNextWeek } from './phrases/same-time.ts'
import { weekday, weekdayOfWeek } from './phrases/weekday.ts'
import { refusalIn } from './refusals.ts'
import { rhythmDays } from './rhythm-days.ts'
import { spanIn } from './spans.ts'
import { FILLERS, MISSPELLED, SPELLED, TIME_WORD } from './words.ts'

// In this order: what is longer and says more comes before what could be a part of it.
const wholes = [now, sameTime]
const days = [
  weekdayOfWeek,
  unusualDate,
  nthWeekdayOfMonth,
  edgeOfMonth,
  edgeOfYear,
  holiday,
  relativeDay,
  tonight,
  fromNow,
  bare,
  loosely,
  slashed,
  dotted,
  weekday,
  dayOfMonth,
]
const sums = [endOfDay, fromDate, dayAfter]
const clocks = [
  spoken,
  noonOrMidnight,
  withAmPm,
  withColon,
  withH,
  inFigures,
  withPeriod,
  withSpace,
  fromClock,
  hourOfPart,
  partOfDay,
  hourBehindName,
  hourSaid,
  hourBesideDay,
]

export const english: Language = {
  spelled: SPELLED,
  misspelled: MISSPELLED,
  beforeRefusals: [
    minutesTo,
    ordinals,
    cardinals,
    amounts,
    otherWords,
    sameTimeNextWeek,
    yearFirst,
    yearFirstCompact,
    yearBeforeName,
    dayMonthYear,
  ],
  refusalIn,
  phrases: [...wholes, ...days, ...sums, ...clocks],
  dayPhrases: [...days, fromDate],
  clockPhrases: clocks,
  rhythmDays,
  spanIn,
  fillers: FILLERS,
  timeWord: TIME_WORD,
  asksToSchedule:
    /(?<![\s,;–—-])[\s,;–—-]*\b(?:please )?(?:schedule(?: (?:it|this))? for|(?:schedule|post|publish|send) (?:it|this)(?: out)? (?:for|at|on)) (?=[^.!?\n]*[.!?]?$)/gi,
  vague:
    /\b(?:next|this|coming|following) (?:week|month|quarter|year|season|weekend|spring|summer|autumn|fall|winter)\b/,
  chrono: en.strict,
}
