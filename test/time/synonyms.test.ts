import { describe, expect, it, vi } from 'vitest'
import { readDateRange } from '../../src/time/date-range.ts'
import { readWhen } from '../../src/time/read-when.ts'
import type { Reading } from '../../src/time/reading.ts'
import { readRecurrence } from '../../src/time/recurrence.ts'
import { findWhen, inBerlin } from './summarize-reading.ts'

// These tests must also pass on a slow machine.
vi.setConfig({ testTimeout: 0 })

type SynonymPair = [synonym: string, word: string]

const DAYS: SynonymPair[] = [
  ...['tmrw', 'tmrrw', 'tmr', 'tmw', '2morrow', '2moro', '2mrw', 'tomorow', 'tommorrow'].map(
    (synonym): SynonymPair => [synonym, 'tomorrow'],
  ),
  ['tdy', 'today'],
  ['2day', 'today'],
  ['tonite', 'tonight'],
  ['2nite', 'tonight'],
  ['yest', 'yesterday'],
  ['mon', 'monday'],
  ['tue', 'tuesday'],
  ['tues', 'tuesday'],
  ['wed', 'wednesday'],
  ['weds', 'wednesday'],
  ['wensday', 'wednesday'],
  ['thu', 'thursday'],
  ['thur', 'thursday'],
  ['thurs', 'thursday'],
  ['fri', 'friday'],
  ['sat', 'saturday'],
  ['sun', 'sunday'],
]

const DAY_PHRASES = [
  ...['DAY', 'DAY 2pm', 'DAY2pm', 'DAY14:00', '2pm DAY', '2pmDAY', '9DAY', 'at 14:00DAY', 'noon DAY'],
  ...['next DAY 9am', 'every DAY 9am', 'every DAY9am', 'since DAY', 'until DAY', 'by DAY'],
  ...['DAY to friday', '1h after DAY', '2 days after DAY 9am', 'DAY 9am or 10am', 'the day after DAY'],
]

const UNITS: SynonymPair[] = [
  ['sec', 'seconds'],
  ['secs', 'seconds'],
  ['mins', 'min'],
  ['minuets', 'minutes'],
  ['hr', 'h'],
  ['hrs', 'h'],
  ['wk', 'week'],
  ['wks', 'weeks'],
  ['mth', 'month'],
  ['mos', 'months'],
  ['yr', 'year'],
  ['yrs', 'years'],
]

const UNIT_PHRASES = [
  ...[
    'in 2 UNIT',
    'in 2UNIT',
    '2UNIT',
    '2 UNIT from now',
    '3UNIT ago',
    'a UNIT from monday 9am',
    'half an UNIT',
  ],
  ...['next UNIT', 'last UNIT', 'this UNIT 9am', 'last 2 UNIT', 'next 2UNIT', 'every UNIT', 'for 2 UNIT'],
  ...['in an UNIT and a half', '1700 UNIT', '1UNIT30', 'quarter of an UNIT', 'monday next UNIT 9am', 'UNIT'],
]

const OTHER_PHRASES: [text: string, sameText: string][] = [
  ['tomorrow midday', 'tomorrow noon'],
  ['half past mid-day', 'half past noon'],
  ['around mid day', 'around noon'],
  ['monday mid-night', 'monday midnight'],
  ['9am til 10am', '9am until 10am'],
  ['till friday', 'until friday'],
  ['quarter till 5pm', 'quarter until 5pm'],
  ['mon thru fri 9am', 'monday through friday 9am'],
  ['next week-end', 'next weekend'],
  ['this qtr', 'this quarter'],
  ['cob monday Berlin', 'eod monday Berlin'],
  ['xmas eve 6pm', 'christmas eve 6pm'],
  ['9 in the eve', '9 in the evening'],
  ['in approx 2 hours', 'in approximately 2 hours'],
  ['everyday at 9', 'every day at 9'],
  ['tmrw 9am pls', 'tomorrow 9am please'],
  ['mons and fris at 9', 'mondays and fridays at 9'],
  ['sats 9am', 'saturdays 9am'],
  ['in 3mo', 'in 3 months'],
  ['24december2027 9am', '24 december 2027 9am'],
  ['dec24 9am', 'dec 24 9am'],
]

const momentsOf = (reading: Reading) => {
  if (reading.kind === 'refusal') return reading.reason
  const moments = reading.kind === 'moment' ? [reading] : reading.choices
  return [reading.kind, ...moments.map(({ at, zone }) => `${at.toISO()} ${zone}`)]
}

const PREFIXES = ['', 'Launch day!', 'Join us']

/** What each reader makes of a text, without messages that quote the text. */
function readAll(text: string) {
  const found = PREFIXES.map((prefix) => findWhen(`${prefix} ${text}`))
  const recurrence = readRecurrence(text, inBerlin)
  const range = readDateRange(text, inBerlin, 'future')
  return {
    readWhen: momentsOf(readWhen(text, inBerlin)),
    findWhen: found.map((when) => when && momentsOf(readWhen(when.words, inBerlin))),
    posts: found.map((when) => (when && PREFIXES.includes(when.rest) ? when.rest : 'with the time')),
    readRecurrence: recurrence.kind === 'refusal' ? recurrence.reason : recurrence,
    readDateRange: range.kind === 'refusal' ? range.reason : [range.from?.toISO(), range.to?.toISO()],
  }
}

/** Several synonyms are compared with the same words, which are read only once. */
const readingsOfWords = new Map<string, ReturnType<typeof readAll>>()
function readWords(text: string) {
  const readings = readingsOfWords.get(text) ?? readAll(text)
  readingsOfWords.set(text, readings)
  return readings
}

describe('synonyms in all readers', () => {
  it.each(DAYS)('treats the day "%s" like "%s" in every phrase', (synonym, word) => {
    // Nobody can separate "92morrow".
    const phrases = DAY_PHRASES.filter((phrase) => !/^2/.test(synonym) || !/\dDAY/.test(phrase))
    for (const phrase of phrases)
      expect(readAll(phrase.replace('DAY', synonym)), phrase).toEqual(readWords(phrase.replace('DAY', word)))
  })

  it.each(UNITS)('treats the unit "%s" like "%s" in every phrase', (synonym, word) => {
    for (const phrase of UNIT_PHRASES)
      expect(readAll(phrase.replace('UNIT', synonym)), phrase).toEqual(
        readWords(phrase.replace('UNIT', word)),
      )
  })

  it.each(OTHER_PHRASES)('treats "%s" like "%s"', (text, sameText) => {
    expect(readAll(text)).toEqual(readAll(sameText))
  })

  it.each([
    ['2pmtmrw', '2pm tomorrow'],
    ['tmrw2pm', 'tomorrow 2pm'],
    ['2pm2morrow', '2pm tomorrow'],
    ['mon9am', 'monday 9am'],
    ['9ammon', '9am monday'],
    ['14:00mon', '14:00 monday'],
    ['tonite9pm', 'tonight 9pm'],
  ])('treats "%s" without spaces like "%s" with spaces', (glued, spaced) => {
    expect(readAll(glued)).toEqual(readAll(spaced))
    expect(readWhen(glued, inBerlin).kind).toBe('moment')
  })

  it('leaves a synonym inside another word alone', () => {
    const text = "monkey satin suntan hrsk wedding mon's 12day"
    expect(readWhen(`${text} tomorrow 9am`, inBerlin)).toMatchObject({ reason: 'nonsense' })
    expect(findWhen(`${text}! tomorrow 9am`)).toMatchObject({ rest: `${text}!` })
  })

  it('reads "in 2days" as two days, not today', () => {
    expect(momentsOf(readWhen('in 2days at 3pm', inBerlin))).toEqual(
      momentsOf(readWhen('in 2 days at 3pm', inBerlin)),
    )
  })
})
