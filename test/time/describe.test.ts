import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { describeMoment, momentToWords, toScheduleFields } from '../../src/time/describe.ts'
import { readWhen } from '../../src/time/read-when.ts'
import { now } from './summarize-reading.ts'

describe('describeMoment', () => {
  it.each([
    [
      '2026-04-03T14:30',
      'Europe/Berlin',
      'America/New_York',
      'Fri 3 Apr, 14:30 Berlin, in 7 days; 08:30 for you',
    ],
    ['2026-04-03T14:30', 'Europe/Berlin', 'Europe/Paris', 'Fri 3 Apr, 14:30 Berlin, in 7 days'],
    [
      '2026-04-03T02:30',
      'Asia/Kolkata',
      'America/New_York',
      'Fri 3 Apr, 02:30 Kolkata, in 7 days; Thu 2 Apr, 17:00 for you',
    ],
    ['2026-03-27T10:45', 'Europe/Berlin', 'Europe/Berlin', 'Fri 27 Mar, 10:45 Berlin, in 30 minutes'],
    ['2026-03-27T13:15', 'Europe/Berlin', 'Europe/Berlin', 'Fri 27 Mar, 13:15 Berlin, in 3 hours'],
    ['2026-03-28T12:00', 'Etc/GMT-2', 'Etc/GMT-2', 'Sat 28 Mar, 12:00 UTC+2, tomorrow'],
    ['2026-03-26T09:00', 'UTC', 'UTC', 'Thu 26 Mar, 09:00 UTC, yesterday'],
    ['2027-01-04T09:00', 'UTC', 'UTC', 'Mon 4 Jan 2027, 09:00 UTC, in 283 days'],
    [
      '2026-10-25T02:30+02:00',
      'Europe/Berlin',
      'Europe/Berlin',
      'Sun 25 Oct, 02:30 Berlin (UTC+2), in 212 days',
    ],
  ])('describes %s in %s for a viewer in %s', (localTime, zone, viewerZone, description) => {
    const at = DateTime.fromISO(localTime, { zone })
    expect(describeMoment({ at, zone, viewerZone, now: new Date('2026-03-27T09:15:00Z') })).toBe(description)
  })

  it('throws for an unknown time zone, as toScheduleFields does', () => {
    const at = DateTime.fromISO('2026-07-01T07:00:00Z')
    expect(() => toScheduleFields(at, 'Europe/Atlantis')).toThrow('Europe/Atlantis')
    expect(() => describeMoment({ at, zone: 'Europe/Atlantis', viewerZone: 'UTC', now })).toThrow(
      'Europe/Atlantis',
    )
  })
})

describe('toScheduleFields', () => {
  it('contains the offset and the name of the zone', () => {
    const at = DateTime.fromISO('2026-07-01T07:00:00Z')
    expect(toScheduleFields(at, 'Europe/Berlin')).toEqual({
      ScheduleDate: '2026-07-01T09:00:00+02:00',
      Timezone: 'Europe/Berlin',
    })
  })

  it('drops milliseconds, and writes the offset even in UTC', () => {
    const at = DateTime.fromISO('2026-07-01T07:00:30.123Z')
    expect(toScheduleFields(at, 'UTC').ScheduleDate).toBe('2026-07-01T07:00:30+00:00')
  })
})

describe('momentToWords', () => {
  it.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])(
    'writes words that readWhen reads as the same moment in %s',
    (zone) => {
      const at = new Date('2027-03-05T08:30:00Z')
      const reading = readWhen(momentToWords(at, zone), { now, zone })
      expect(reading.kind === 'moment' && reading.at.toMillis()).toBe(at.getTime())
    },
  )
})
