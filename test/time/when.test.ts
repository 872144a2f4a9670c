import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { readDateRange } from '../../src/time/date-range.ts'
import { describeMoment as inWords, toScheduleFields } from '../../src/time/describe.ts'
import { findWhen } from '../../src/time/find-when.ts'
import { readRecurrence } from '../../src/time/recurrence.ts'
import { readWhen } from '../../src/time/read-when.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { berlin, inShort, now, readShort } from './reading.ts'

describe('a reading', () => {
  it('says what it took for granted', () => {
    const assumedIn = (text: string) => {
      const reading = readWhen(text, berlin)
      return reading.kind === 'instant' ? reading.assumptions : reading
    }
    expect(assumedIn('tomorrow at 9')).toEqual([
      'no am or pm: took 9:00 in the morning',
      'your time zone, Berlin',
    ])
    expect(assumedIn('tomorrow 9am Tokyo time')).toEqual([])
    expect(assumedIn('15m')).toEqual(['counted from now', 'your time zone, Berlin'])
  })

  it('keeps the zone that the words name, under its IANA name', () => {
    const zoneIn = (text: string) => {
      const reading = readWhen(text, berlin)
      return reading.kind === 'instant' ? reading.zone : reading
    }
    expect(zoneIn('tomorrow 9am')).toBe('Europe/Berlin')
    expect(zoneIn('tomorrow 9am New York time')).toBe('America/New_York')
    expect(zoneIn('tomorrow 9am Mumbai')).toBe('Asia/Kolkata')
    expect(zoneIn('tomorrow 9:00 UTC-3')).toBe('Etc/GMT+3')
    expect(zoneIn('tomorrow 9:00 asia/ho_chi_minh')).toBe('Asia/Ho_Chi_Minh')
  })

  it('takes 4/5 as the locale has it, and asks where it has none', () => {
    expect(readShort('4/5 9am', { ...berlin, locale: 'en-US' })).toBe('Mon 5 Apr 2027 09:00 +02:00')
    expect(readShort('4/5 9am', { ...berlin, locale: 'en-GB' })).toBe('Tue 4 May 2027 09:00 +02:00')
    expect(readShort('4/5 9am', { ...berlin, locale: 'de-DE' })).toBe('Tue 4 May 2027 09:00 +02:00')
    expect(readShort('4/5 9am', { ...berlin, locale: 'en' })).toContain('?')
    expect(readShort('4/5 9am', { ...berlin, locale: 'no such locale' })).toContain('?')
  })

  it("of tomorrow is the person's tomorrow, wherever the time is", () => {
    const context = { now: new Date('2026-11-20T23:30:00Z'), zone: 'America/Los_Angeles' } // 15:30 there, the 21st in Tokyo
    expect(readShort('tomorrow 9am Tokyo time', context)).toBe('Sat 21 Nov 09:00 +09:00')
  })

  it('asks which zone is meant where letters or countries have several', () => {
    const reading = readWhen('tomorrow 9am CST', berlin)
    expect(reading.kind === 'question' && reading.choices.map(({ zone }) => zone)).toEqual([
      'America/Chicago',
      'Asia/Shanghai',
      'America/Havana',
    ])
    const australia = readWhen('tomorrow 9am Australia time', berlin)
    expect(australia.kind === 'question' && australia.choices.map(({ zone }) => zone)).toContain(
      'Australia/Sydney',
    )
  })

  it('tells which part of the text it came from', () => {
    const fromIn = (text: string) => {
      const reading = readWhen(text, berlin)
      return reading.kind === 'refusal' ? reading : reading.source
    }
    expect(fromIn('  tomorrow at 9am ')).toBe('tomorrow at 9am')
    expect(fromIn('Remind me tomorrow at 9am to buy milk')).toBe('tomorrow at 9am')
  })

  it('says what to write where it refuses', () => {
    for (const text of [
      'banana',
      'next week',
      '9am or 10am tomorrow',
      'by friday',
      'tomorrow 25:00',
      'sat 27 nov 9am',
    ]) {
      const reading = readWhen(text, berlin)
      expect(reading.kind === 'refusal' && reading.message, text).toMatch(/[Ww]rite/)
    }
  })

  it('throws for a zone that there is not: that is no fault of the words', () => {
    expect(() => readWhen('tomorrow 9am', { now, zone: 'Europe/Atlantis' })).toThrow('Europe/Atlantis')
  })
})

describe('a description', () => {
  const reference = new Date('2026-03-27T09:15:00Z')
  it.each([
    [
      '2026-04-03T14:30',
      'Europe/Berlin',
      'America/New_York',
      'Fri 3 Apr 2026, 14:30 Berlin (UTC+2), in 7 days; 08:30 for you',
    ],
    ['2026-04-03T14:30', 'Europe/Berlin', 'Europe/Paris', 'Fri 3 Apr 2026, 14:30 Berlin (UTC+2), in 7 days'],
    [
      '2026-04-03T02:30',
      'Asia/Kolkata',
      'America/New_York',
      'Fri 3 Apr 2026, 02:30 Kolkata (UTC+5:30), in 7 days; Thu 2 Apr, 17:00 for you',
    ],
    [
      '2026-03-27T10:45',
      'Europe/Berlin',
      'Europe/Berlin',
      'Fri 27 Mar 2026, 10:45 Berlin (UTC+1), in 30 minutes',
    ],
    [
      '2026-03-27T13:15',
      'Europe/Berlin',
      'Europe/Berlin',
      'Fri 27 Mar 2026, 13:15 Berlin (UTC+1), in 3 hours',
    ],
    ['2026-03-28T12:00', 'Etc/GMT-2', 'Etc/GMT-2', 'Sat 28 Mar 2026, 12:00 UTC+2, in 1 day'],
    ['2026-03-26T09:00', 'UTC', 'UTC', 'Thu 26 Mar 2026, 09:00 UTC, 1 day ago'],
  ])('of %s in %s, for somebody in %s', (wall, zone, viewer, words) => {
    expect(inWords(DateTime.fromISO(wall, { zone }), zone, viewer, reference)).toBe(words)
  })

  it("for the API has the zone's offset and its name", () => {
    const at = DateTime.fromISO('2026-07-01T07:00:00Z')
    expect(toScheduleFields(at, 'Europe/Berlin')).toEqual({
      ScheduleDate: '2026-07-01T09:00:00+02:00',
      Timezone: 'Europe/Berlin',
    })
  })

  it('for the API has no more than seconds, and an offset in UTC too', () => {
    const at = DateTime.fromISO('2026-07-01T07:00:30.123Z')
    expect(toScheduleFields(at, 'UTC').ScheduleDate).toBe('2026-07-01T07:00:30+00:00')
  })

  it('throws for a zone that there is not', () => {
    const at = DateTime.fromISO('2026-07-01T07:00:00Z')
    expect(() => toScheduleFields(at, 'Europe/Atlantis')).toThrow('Europe/Atlantis')
    expect(() => inWords(at, 'Europe/Atlantis', 'UTC', now)).toThrow('Europe/Atlantis')
  })
})

describe('a sentence with a post in it', () => {
  const find = (text: string) => {
    const { reading, text: rest } = findWhen(text, berlin)
    return [inShort(reading), rest]
  }
  const tomorrow = 'Sat 21 Nov 09:00 +01:00'

  it.each([
    ['Launch day! We are live :rocket: tomorrow 9am', 'Launch day! We are live :rocket:'],
    ['Launch day! tomorrow 9am', 'Launch day!'],
    ['We are hiring 🎉 tomorrow 9am', 'We are hiring 🎉'],
    ['New episode — tomorrow 9am', 'New episode'],
    ['New episode | tomorrow 9am', 'New episode'],
    ['New episode\ntomorrow 9am', 'New episode'],
    ['New episode 🇩🇪 tomorrow 9am', 'New episode 🇩🇪'],
    ['Launch! tomorrow at 9 a.m.', 'Launch!'],
    ['Launch!\ntomorrow\n9am', 'Launch!'],
    ['Launch! tomorrow | 9am', 'Launch!'],
    ['Launch! tomorrow 9am <@U123> 🎉', 'Launch! <@U123> 🎉'],
    ['Sale every day! tomorrow 9am', 'Sale every day!'],
    ['We ship today! schedule for tomorrow 9am', 'We ship today!'],
    ['Doors open at 6pm, schedule it for tomorrow 9am', 'Doors open at 6pm'],
    ['tomorrow 9am', ''],
  ])('gives up the moment that stands apart: %s', (text, rest) => {
    expect(find(text)).toEqual([tomorrow, rest])
  })

  it.each([
    ['Join us on 12 March at 6pm!', 'Fri 12 Mar 2027 18:00 +01:00?'],
    ['Launch day tomorrow 9am', `${tomorrow}?`],
    ['Go live tomorrow 9am', `${tomorrow}?`],
    ['tomorrow 9am: live with Bob', `${tomorrow}?`],
    ['Learn how to post at 9am', `${tomorrow}?`],
    ['Our team will post on Saturday at 9am', `${tomorrow}?`],
    ['Sale ends today! Get it at 5pm', 'Fri 20 Nov 17:00 +01:00?'],
    ['Meeting notes, tomorrow 9am', `${tomorrow}?`],
  ])('keeps the moment that other words run into, and asks: %s', (text, reading) => {
    expect(find(text)).toEqual([reading, text])
  })

  it.each([
    ['Hello world', 'no: nonsense'],
    ['Top 10 tips for may', 'no: nonsense'],
    ['That was great. yesterday 9am', 'no: past'],
    ['Launch! monday and tuesday 9am', 'no: several'],
    ['Launch! 9am ET | 6am PT', 'no: several'],
    ['Launch! from 9am - 5pm', 'no: range'],
    ['every monday 9am', 'no: recurrence'],
    ['next week', 'no: vague'],
  ])('loses nothing where there is no moment: %s', (text, reading) => {
    expect(find(text)).toEqual([reading, text])
  })
})

describe('the days of a filter', () => {
  it.each([
    ['today', '2026-11-20', '2026-11-20'],
    ['yesterday', '2026-11-19', '2026-11-19'],
    ['from monday to friday', '2026-11-16', '2026-11-20'],
    ['friday - sunday', '2026-11-20', '2026-11-22'],
    ['last week', '2026-11-09', '2026-11-15'],
    ['next weekend', '2026-11-28', '2026-11-29'],
    ['this month', '2026-11-01', '2026-11-30'],
    ['march', '2026-03-01', '2026-03-31'],
    ['november 2025', '2025-11-01', '2025-11-30'],
    ['2027', '2027-01-01', '2027-12-31'],
    ['last 30 days', '2026-10-22', '2026-11-20'],
    ['next 3 days', '2026-11-20', '2026-11-22'],
    ['1 dec to 5 dec', '2026-12-01', '2026-12-05'],
    ['from 1 to 15 december', '2026-12-01', '2026-12-15'],
    ['from march to may', '2026-03-01', '2026-05-31'],
    ['since yesterday', '2026-11-19', ''],
    ['since monday', '2026-11-16', ''],
    ['until friday', '', '2026-11-20'],
    ['24.12.', '2026-12-24', '2026-12-24'],
    ['since the 15th', '2026-11-15', ''],
    ['since 3 dec', '2025-12-03', ''],
    ['since december', '2025-12-01', ''],
    ['since 29 feb', '2024-02-29', ''],
    ['since 24.12.24', '2024-12-24', ''],
    ['until march', '', '2027-03-31'],
    ['before friday', '', '2026-11-19'],
    ['after friday', '2026-11-21', ''],
  ])('%s', (text, from, to) => {
    const span = readDateRange(text, berlin)
    if (span.kind !== 'span') throw new Error(`${text} was refused: ${span.reason}`)
    expect([span.from?.toISODate() ?? '', span.to?.toISODate() ?? '']).toEqual([from, to])
    expect(span.from?.toFormat('HH:mm:ss') ?? '00:00:00').toBe('00:00:00')
    expect(span.to?.toFormat('HH:mm:ss') ?? '23:59:59').toBe('23:59:59')
  })

  it.each([['banana'], ['5 dec to 1 dec'], ['monday 9am'], ['since monday Tokyo time'], ['']])(
    'are none in "%s"',
    (text) => {
      expect(readDateRange(text, berlin).kind).toBe('refusal')
    },
  )
})

/** Words that mean something, in every combination. */
const MOMENTS = ['today', 'friday', 'next sunday', 'in 2 days', '24 dec', 'eod'].flatMap((day) =>
  ['9am', '13:05', 'midnight', 'at 3', 'CST', 'UTC+5:30', ''].map((time) => `${day} ${time}`),
)

describe('whatever is thrown at it', () => {
  const readers = [readWhen, findWhen, readRecurrence, readDateRange]

  it('never makes it throw: hostile texts', () => {
    const texts = hostileTexts(1500)
    for (const text of texts) for (const read of readers) read(text, berlin)
    for (let at = 0; at + 15 < 300; at += 15)
      findWhen(
        texts
          .slice(at, at + 15)
          .join(' ')
          .slice(0, 4000),
        berlin,
      )
  })

  it('never makes it throw: any text at all', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
    )
    fc.assert(
      fc.property(text, (text) => {
        for (const read of readers) read(text, berlin)
      }),
      { numRuns: 500 },
    )
  })

  it('makes every instant and choice one to come, in a zone that there is', () => {
    let seen = 0
    for (const text of [...hostileTexts(3000), ...MOMENTS]) {
      const reading = readWhen(text, berlin)
      const moments =
        reading.kind === 'instant' ? [reading] : reading.kind === 'question' ? reading.choices : []
      for (const { at, zone } of moments) {
        seen++
        expect(at.isValid && at.toMillis() > now.getTime(), text).toBe(true)
        expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), text).not.toThrow()
      }
    }
    expect(seen).toBeGreaterThan(100)
  })

  it('is refused unread where it is too long', () => {
    expect(readShort('tomorrow 9am '.repeat(24))).toBe('no: too-long')
    expect(inShort(findWhen('x'.repeat(4001), berlin).reading)).toBe('no: too-long')
    expect(inShort(findWhen(`${'word '.repeat(700)}! tomorrow 9am`, berlin).reading)).toBe(
      'Sat 21 Nov 09:00 +01:00',
    )
  })
})
