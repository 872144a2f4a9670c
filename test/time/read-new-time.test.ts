import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { readNewTime } from '../../src/time/read-new-time.ts'
import { readWhen } from '../../src/time/read-when.ts'
import type { ReadingContext } from '../../src/time/reading.ts'
import { summarizeReading } from './summarize-reading.ts'

const context = (now: string, at: string, { zone = 'Europe/Berlin', postZone = 'Europe/Berlin' } = {}) => ({
  now: DateTime.fromISO(now, { zone }).toJSDate(),
  zone,
  post: { at: DateTime.fromISO(at, { zone: postZone }).toJSDate(), zone: postZone },
})

const summarize = (text: string, given: ReadingContext) => summarizeReading(readNewTime(text, given))

/** A post for Friday at 18:00, changed on Tuesday at 6:30. */
const ON_TUESDAY = context('2026-11-24T06:30', '2026-11-27T18:00')

/** These expectations were written from the policy, before the code. */
const EXAMPLES: Record<string, [text: string, reading: string][]> = {
  'a time alone, which keeps the day of the post': [
    ['9pm', 'Fri 27 Nov 21:00 +01:00'],
    ['at 21:30', 'Fri 27 Nov 21:30 +01:00'],
    ['9', 'Fri 27 Nov 21:00 +01:00 or Fri 27 Nov 09:00 +01:00?'],
    ['730', 'Fri 27 Nov 07:30 +01:00'],
    ['9pm foo', 'Fri 27 Nov 21:00 +01:00?'],
    ['at 9', 'Fri 27 Nov 21:00 +01:00 or Fri 27 Nov 09:00 +01:00?'],
    ['at 4', 'Fri 27 Nov 16:00 +01:00 or Fri 27 Nov 04:00 +01:00?'],
    ['9:30', 'Fri 27 Nov 09:30 +01:00'],
    ['noon', 'Fri 27 Nov 12:00 +01:00'],
    ['midnight', 'Sat 28 Nov 00:00 +01:00 or Fri 27 Nov 00:00 +01:00?'],
    ['6:45 pm please', 'Fri 27 Nov 18:45 +01:00'],
    ['can we do 5pm', 'Fri 27 Nov 17:00 +01:00'],
    ['move it to 8am', 'Fri 27 Nov 08:00 +01:00'],
    ['in the morning', 'Fri 27 Nov 09:00 +01:00 or Fri 27 Nov 08:00 +01:00 or Fri 27 Nov 10:00 +01:00?'],
    ['9pm the same day', 'Fri 27 Nov 21:00 +01:00'],
    ['same day at noon', 'Fri 27 Nov 12:00 +01:00'],
    ['9am Tokyo', 'Fri 27 Nov 09:00 +09:00'],
    ['push to 9pm', 'Fri 27 Nov 21:00 +01:00'],
    ['17h', 'Fri 27 Nov 17:00 +01:00'],
    ['9pm instead', 'Fri 27 Nov 21:00 +01:00'],
    ['25:00', 'no: invalid'],
  ],
  'a day alone, which keeps the time of the post': [
    ['saturday', 'Sat 28 Nov 18:00 +01:00'],
    ['sat', 'Sat 28 Nov 18:00 +01:00'],
    ['on monday', 'Mon 30 Nov 18:00 +01:00'],
    ['move it to wednesday', 'Wed 25 Nov 18:00 +01:00'],
    ['friday', 'Fri 27 Nov 18:00 +01:00'],
    ['thursday instead', 'Thu 26 Nov 18:00 +01:00'],
    ['tuesday', 'Tue 24 Nov 18:00 +01:00 or Tue 1 Dec 18:00 +01:00?'],
    ['next saturday', 'Sat 5 Dec 18:00 +01:00 or Sat 28 Nov 18:00 +01:00?'],
    ['next monday', 'Mon 30 Nov 18:00 +01:00'],
    ['this sunday', 'Sun 29 Nov 18:00 +01:00'],
    ['monday next week', 'Mon 30 Nov 18:00 +01:00'],
    ['today', 'Tue 24 Nov 18:00 +01:00'],
    ['tomorrow', 'Wed 25 Nov 18:00 +01:00'],
    ['the day after tomorrow', 'Thu 26 Nov 18:00 +01:00'],
    ['3 Dec', 'Thu 3 Dec 18:00 +01:00'],
    ['friday 4 december', 'Fri 4 Dec 18:00 +01:00'],
    ['the 15th', 'Tue 15 Dec 18:00 +01:00'],
    ['sat 27 nov', 'no: weekday-mismatch'],
    ['in 3 days', 'Fri 27 Nov 18:00 +01:00 or Fri 27 Nov 06:30 +01:00?'],
    ['next week', 'Fri 4 Dec 18:00 +01:00'],
    ['next week at 9am', 'Fri 4 Dec 09:00 +01:00'],
    ['the following week', 'Fri 4 Dec 18:00 +01:00'],
    ['same day next week', 'Fri 4 Dec 18:00 +01:00'],
    ['delay until monday', 'Mon 30 Nov 18:00 +01:00'],
    ['next month', 'no: vague'],
  ],
  'the same time': [
    ['same time saturday', 'Sat 28 Nov 18:00 +01:00'],
    ['saturday, same time', 'Sat 28 Nov 18:00 +01:00'],
    ['same time tomorrow', 'Wed 25 Nov 18:00 +01:00'],
    ['same time next week', 'Fri 4 Dec 18:00 +01:00'],
    ['next week, same time', 'Fri 4 Dec 18:00 +01:00'],
    ['at the same time on 3 dec', 'Thu 3 Dec 18:00 +01:00'],
    ['same time in 3 days', 'Fri 27 Nov 18:00 +01:00'],
    ['same time', 'no: vague'],
    ['same day', 'no: vague'],
    ['same time at 9pm', 'no: several'],
    ['same time saturday ET', 'no: vague'],
    ['next week Tokyo same time', 'no: vague'],
    ['this time monday 9am', 'Mon 30 Nov 09:00 +01:00'],
  ],
  'later and earlier, counted from the post': [
    ['2 hours later', 'Fri 27 Nov 20:00 +01:00'],
    ['a day later', 'Sat 28 Nov 18:00 +01:00'],
    ['an hour and a half later', 'Fri 27 Nov 19:30 +01:00'],
    ['a month later', 'Sun 27 Dec 18:00 +01:00'],
    ['1 day 2 hours later', 'Sat 28 Nov 20:00 +01:00'],
    ['2 hours later than planned', 'Fri 27 Nov 20:00 +01:00'],
    ['can we make it 2 hours later?', 'Fri 27 Nov 20:00 +01:00'],
    ['an hour earlier', 'Fri 27 Nov 17:00 +01:00'],
    ['30 min earlier', 'Fri 27 Nov 17:30 +01:00'],
    ['90 minutes sooner', 'Fri 27 Nov 16:30 +01:00'],
    ['2 days earlier', 'Wed 25 Nov 18:00 +01:00'],
    ['2 hours before', 'Fri 27 Nov 16:00 +01:00'],
    ['2 days before that', 'Wed 25 Nov 18:00 +01:00'],
    ['4 days earlier', 'no: past'],
    ['100 hours earlier', 'no: past'],
    ['push it 2 hours', 'Fri 27 Nov 20:00 +01:00'],
    ['push it back by a day', 'Sat 28 Nov 18:00 +01:00'],
    ['delay by half an hour', 'Fri 27 Nov 18:30 +01:00'],
    ['please postpone it 1 week', 'Fri 4 Dec 18:00 +01:00'],
    ['+2h', 'Fri 27 Nov 20:00 +01:00'],
    ['-30 min', 'Fri 27 Nov 17:30 +01:00'],
    ['2 days later at 9am', 'Sun 29 Nov 09:00 +01:00'],
    ['a day later, same time', 'Sat 28 Nov 18:00 +01:00'],
    ['the day after', 'Sat 28 Nov 18:00 +01:00'],
    ['the day before at noon', 'Thu 26 Nov 12:00 +01:00'],
    ['the following day', 'Sat 28 Nov 18:00 +01:00'],
    ['2 hours later at 9am', 'no: several'],
    ['a day later on monday', 'no: several'],
    ['bring it forward an hour', 'Fri 27 Nov 17:00 +01:00 or Fri 27 Nov 19:00 +01:00?'],
    ['move it by 2 hours', 'Fri 27 Nov 20:00 +01:00 or Fri 27 Nov 16:00 +01:00?'],
    ['2 hours', 'Fri 27 Nov 20:00 +01:00 or Tue 24 Nov 08:30 +01:00?'],
    ['1 month and 2 hours', 'Sun 27 Dec 20:00 +01:00 or Thu 24 Dec 08:30 +01:00?'],
    ['90 min', 'Fri 27 Nov 19:30 +01:00 or Tue 24 Nov 08:00 +01:00?'],
    ['2 days', 'Sun 29 Nov 18:00 +01:00 or Thu 26 Nov 18:00 +01:00?'],
    ['the next day', 'Sat 28 Nov 18:00 +01:00 or Wed 25 Nov 18:00 +01:00?'],
    ['later', 'no: vague'],
    ['a bit earlier', 'no: vague'],
    ['100000 years 100000 years 100000 years later', 'no: vague'],
    ['99999 years earlier', 'no: past'],
    ['later by 2 hours', 'Fri 27 Nov 20:00 +01:00'],
    ['2 hours later the same day', 'Fri 27 Nov 20:00 +01:00'],
    ['2 weeks after monday', 'Mon 14 Dec 18:00 +01:00'],
    ['move it back 2 hours', 'Fri 27 Nov 20:00 +01:00 or Fri 27 Nov 16:00 +01:00?'],
    ['push it forward by 2 hours', 'Fri 27 Nov 16:00 +01:00 or Fri 27 Nov 20:00 +01:00?'],
    ['earlier by 2 hours', 'Fri 27 Nov 16:00 +01:00'],
    ['2 hours after', 'Fri 27 Nov 20:00 +01:00'],
    ['the previous day', 'Thu 26 Nov 18:00 +01:00'],
  ],
  'words that count from now': [
    ['in 2 hours', 'Tue 24 Nov 08:30 +01:00'],
    ['tonight', 'Tue 24 Nov 20:00 +01:00 or Tue 24 Nov 21:00 +01:00 or Tue 24 Nov 22:00 +01:00?'],
    ['tonight at 9', 'Tue 24 Nov 21:00 +01:00'],
    ['today 5pm', 'Tue 24 Nov 17:00 +01:00'],
    ['tomorrow 9am', 'Wed 25 Nov 09:00 +01:00'],
    ['tomorrow morning', 'Wed 25 Nov 09:00 +01:00 or Wed 25 Nov 08:00 +01:00 or Wed 25 Nov 10:00 +01:00?'],
    ['saturday 10am', 'Sat 28 Nov 10:00 +01:00'],
    ['3 dec 10am', 'Thu 3 Dec 10:00 +01:00'],
    ['Fri 27 Nov 2026, 18:00 Europe/Berlin', 'Fri 27 Nov 18:00 +01:00'],
    ['now', 'Tue 24 Nov 06:30 +01:00'],
    ['asap', 'Tue 24 Nov 06:30 +01:00'],
    ['today 5am', 'no: past'],
    ['yesterday', 'no: past'],
    ['later today', 'no: vague'],
    ['after 5pm', 'no: open-ended'],
    ['9am - 5pm', 'no: range'],
    ['sat and sun', 'no: several'],
    ['every friday', 'no: recurrence'],
    ['banana', 'no: nonsense'],
    ['morgen um 9', 'no: language'],
    [`9pm ${'x'.repeat(300)}`, 'no: too-long'],
  ],
}

describe.each(Object.entries(EXAMPLES))('%s', (_group, rows) => {
  it.each(rows)('reads "%s" as %s', (text, reading) => {
    expect(summarize(text, ON_TUESDAY)).toBe(reading)
  })
})

describe('a post of today', () => {
  const today = context('2026-11-24T06:30', '2026-11-24T18:00')

  it.each([
    ['9am', 'Tue 24 Nov 09:00 +01:00'],
    ['5am', 'no: past'],
    ['at 5', 'Tue 24 Nov 17:00 +01:00'],
    ['an hour earlier', 'Tue 24 Nov 17:00 +01:00'],
    ['13 hours earlier', 'no: past'],
    ['move it up two days', 'no: past'],
    ['next week', 'Tue 1 Dec 18:00 +01:00'],
  ])('reads "%s" as %s', (text, reading) => {
    expect(summarize(text, today)).toBe(reading)
  })
})

describe('a post of next week', () => {
  const nextWeek = context('2026-11-24T06:30', '2026-12-04T18:00')

  it.each([
    ['saturday', 'Sat 28 Nov 18:00 +01:00'],
    ['9pm', 'Fri 4 Dec 21:00 +01:00'],
    ['next week', 'Fri 11 Dec 18:00 +01:00'],
    ['a week later', 'Fri 11 Dec 18:00 +01:00'],
  ])('reads "%s" as %s', (text, reading) => {
    expect(summarize(text, nextWeek)).toBe(reading)
  })

  it('asks whether next week is the week after this one or after the post', () => {
    const later = context('2026-11-24T06:30', '2026-12-11T18:00')
    expect(summarize('next week', later)).toBe('Fri 4 Dec 18:00 +01:00 or Fri 18 Dec 18:00 +01:00?')
  })
})

describe('a post in another time zone', () => {
  const inNewYork = context('2026-11-24T06:30', '2026-11-27T18:00', { postZone: 'America/New_York' })

  it.each([
    ['9pm', 'Fri 27 Nov 21:00 -05:00 or Fri 27 Nov 21:00 +01:00?'],
    ['9pm New York', 'Fri 27 Nov 21:00 -05:00'],
    ['saturday', 'Sat 28 Nov 18:00 -05:00'],
    ['tomorrow', 'Wed 25 Nov 18:00 -05:00'],
    ['same time saturday', 'Sat 28 Nov 18:00 -05:00'],
    ['2 hours later', 'Fri 27 Nov 20:00 -05:00'],
    ['a day later', 'Sat 28 Nov 18:00 -05:00'],
    ['a day later at 9am', 'Sat 28 Nov 09:00 -05:00 or Sat 28 Nov 09:00 +01:00?'],
    ['saturday CET', 'no: vague'],
    ['tomorrow 9am', 'Wed 25 Nov 09:00 +01:00'],
    ['saturday 9pm my time', 'Sat 28 Nov 21:00 +01:00'],
    ['9pm local time', 'Fri 27 Nov 21:00 +01:00'],
  ])('reads "%s" as %s', (text, reading) => {
    expect(summarize(text, inNewYork)).toBe(reading)
  })

  it('does not ask if both zones have the same time, and keeps the zone of the post', () => {
    const inParis = context('2026-11-24T06:30', '2026-11-27T18:00', { postZone: 'Europe/Paris' })
    expect(readNewTime('9pm', inParis)).toMatchObject({ kind: 'moment', zone: 'Europe/Paris' })
  })

  it.each(['Etc/GMT-2', 'UTC', 'America/Argentina/Buenos_Aires'])('keeps the zone %s', (postZone) => {
    const given = context('2026-11-24T06:30', '2026-11-27T18:00', { postZone })
    for (const text of ['saturday', 'a day later', '2 hours later'])
      expect(readNewTime(text, given), text).toMatchObject({ kind: 'moment', zone: postZone })
  })
})

describe('a clock change', () => {
  const beforeGap = context('2026-11-24T06:30', '2027-03-27T02:30')

  it.each([
    ['a day later', 'no: gap'],
    ['24 hours later', 'Sun 28 Mar 2027 03:30 +02:00'],
  ])('reads "%s" as %s if the clocks skip that time', (text, reading) => {
    expect(summarize(text, beforeGap)).toBe(reading)
  })

  it('asks if a time happens twice', () => {
    const beforeRepetition = context('2026-11-24T06:30', '2027-10-30T02:30')
    expect(summarize('a day later', beforeRepetition)).toBe(
      'Sun 31 Oct 2027 02:30 +02:00 or Sun 31 Oct 2027 02:30 +01:00?',
    )
  })
})

describe('assumptions', () => {
  const inNewYork = context('2026-11-24T06:30', '2026-11-27T18:00', { postZone: 'America/New_York' })

  it.each([
    ['9pm', ON_TUESDAY, "on the post's day"],
    ['saturday', ON_TUESDAY, "at the post's time, 18:00"],
    ['2 hours later', ON_TUESDAY, "counted from the post's time, Fri 27 Nov 2026, 18:00"],
    ['a few days later', ON_TUESDAY, 'taking "a few" as 3'],
    ['saturday', inNewYork, "in the post's time zone, New York"],
    ['2 hours later', inNewYork, "in the post's time zone, New York"],
  ])('spells out the assumption in "%s"', (text, given, assumption) => {
    expect(readNewTime(text, given)).toMatchObject({
      kind: 'moment',
      assumptions: expect.arrayContaining([assumption]),
    })
  })

  it('names the moment in the past that it counted to', () => {
    const past = (moment: string) => ({ message: `${moment} is in the past. Try "tomorrow 9am".` })
    expect(readNewTime('100 hours earlier', ON_TUESDAY)).toMatchObject(past('Mon 23 Nov 2026, 14:00'))
    expect(readNewTime('a week earlier', ON_TUESDAY)).toMatchObject(past('Fri 20 Nov 2026, 18:00'))
    expect(readNewTime('a week earlier at 9am', ON_TUESDAY)).toMatchObject(past('That time'))
  })

  it('refuses a time in an unknown language, even if some of its words are known', () => {
    expect(summarize('tirsdag 9:00', { ...ON_TUESDAY, locale: 'da-DK' })).toBe('no: language')
    expect(summarize('saturday 9:00', { ...ON_TUESDAY, locale: 'constructor' })).toBe(
      'Sat 28 Nov 09:00 +01:00',
    )
  })

  it('offers choices that are read as the same moments again', () => {
    for (const text of ['9pm', 'a day later at 9am', 'in 3 days', '2 hours']) {
      const reading = readNewTime(text, inNewYork)
      if (reading.kind !== 'question') throw new Error(`"${text}" is no question.`)
      for (const { label, at } of reading.choices)
        expect(readNewTime(label, inNewYork), label).toMatchObject({ kind: 'moment', at })
    }
  })
})

it('reads words for a draft without a date like words for a new post', () => {
  for (const text of ['9pm', 'saturday', '2 hours later', 'same time tomorrow'])
    expect(readNewTime(text, { ...ON_TUESDAY, post: undefined })).toEqual(
      readWhen(text, { ...ON_TUESDAY, post: undefined }),
    )
})
