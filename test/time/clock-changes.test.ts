import { describe, expect, it, vi } from 'vitest'
import { readWhen } from '../../src/time/read-when.ts'
import { nextOccurrence, type Recurrence } from '../../src/time/recurrence.ts'
import { readAndSummarize, summarizeReading } from './summarize-reading.ts'

// These tests must also pass on a slow machine.
vi.setConfig({ testTimeout: 0 })

/**
 * Zones in both hemispheres whose clocks change at different times of the night, by half an hour or an hour, and from
 * offsets with half an hour or 45 minutes.
 */
const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Santiago',
  'America/Nuuk',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
]
const FIRST_YEAR = 2027
const YEARS = 10

type ClockChange = { at: number; offsetBefore: number; offsetAfter: number }

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Takes the offset in minutes from Intl, so that the test does not rely on the code that it tests. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return (Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE) / MINUTE
}

function findClockChanges(zone: string): ClockChange[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const changes: ClockChange[] = []
  const end = Date.UTC(FIRST_YEAR + YEARS, 0, 1)
  for (let at = Date.UTC(FIRST_YEAR, 0, 1); at < end; at += 24 * HOUR) {
    const offsetBefore = offsetAt(format, at)
    const offsetAfter = offsetAt(format, at + 24 * HOUR)
    if (offsetBefore === offsetAfter) continue
    let [low, high] = [at, at + 24 * HOUR]
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
      if (offsetAt(format, middle) === offsetBefore) low = middle
      else high = middle
    }
    changes.push({ at: high, offsetBefore, offsetAfter })
  }
  return changes
}

const formatLocalTime = (at: number, offset: number) =>
  new Date(at + offset * MINUTE).toISOString().slice(0, 16).replace('T', ' ')

const formatTime = (at: number, offset: number) => formatLocalTime(at, offset).slice(11)

function everyDayAt(localTime: string, zone: string): Recurrence {
  const [hour = 0, minute = 0] = localTime.slice(11).split(':').map(Number)
  return { days: { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] }, clocks: [{ hour, minute }], zone }
}

describe.each(ZONES)('clock changes in %s', (zone) => {
  const changes = findClockChanges(zone)
  const readTwoDaysBefore = (text: string, { at }: ClockChange) =>
    readWhen(text, { now: new Date(at - 48 * HOUR), zone })

  it(`finds two clock changes a year in ${zone}`, () => {
    expect(changes).toHaveLength(2 * YEARS)
  })

  it(`reads times before and after every clock change in ${zone}`, () => {
    for (const change of changes)
      for (const [at, offset] of [
        [change.at - 3 * HOUR, change.offsetBefore],
        [change.at + 3 * HOUR, change.offsetAfter],
      ] as const) {
        const localTime = formatLocalTime(at, offset)
        const reading = readTwoDaysBefore(localTime, change)
        expect(reading.kind === 'moment' && reading.at.toMillis(), localTime).toBe(at)
      }
  })

  it(`refuses a time that the clocks in ${zone} skip, and moves a recurrence to the end of the gap`, () => {
    for (const change of changes.filter(({ offsetBefore, offsetAfter }) => offsetAfter > offsetBefore)) {
      const gap = (change.offsetAfter - change.offsetBefore) * MINUTE
      const skipped = change.at + gap / 2
      const localTime = formatLocalTime(skipped, change.offsetBefore)
      const reading = readTwoDaysBefore(localTime, change)
      expect(summarizeReading(reading), localTime).toBe('no: gap')
      const lastBefore = formatTime(change.at - MINUTE, change.offsetBefore)
      const firstAfter = formatTime(change.at, change.offsetAfter)
      expect(reading).toMatchObject({ message: expect.stringContaining(`${lastBefore} or ${firstAfter}`) })

      const recurrence = everyDayAt(localTime, zone)
      const first = nextOccurrence(recurrence, new Date(change.at - HOUR))
      expect(first.toMillis(), localTime).toBe(change.at)
      const second = nextOccurrence(recurrence, first.toJSDate())
      expect(second.toMillis()).toBe(skipped + 24 * HOUR - gap)
    }
  })

  it(`asks about a time that the clocks in ${zone} repeat, and runs a recurrence once`, () => {
    for (const change of changes.filter(({ offsetBefore, offsetAfter }) => offsetAfter < offsetBefore)) {
      const overlap = (change.offsetBefore - change.offsetAfter) * MINUTE
      const first = change.at - overlap / 2
      const localTime = formatLocalTime(first, change.offsetBefore)
      const reading = readTwoDaysBefore(localTime, change)
      const choices = reading.kind === 'question' ? reading.choices : []
      expect(
        choices.map(({ at }) => at.toMillis()),
        localTime,
      ).toEqual([first, first + overlap])
      expect(new Set(choices.map(({ label }) => label)).size).toBe(2)

      const recurrence = everyDayAt(localTime, zone)
      expect(nextOccurrence(recurrence, new Date(first - HOUR)).toMillis()).toBe(first)
      expect(nextOccurrence(recurrence, new Date(first)).toMillis()).toBe(first + 24 * HOUR + overlap)
    }
  })

  it(`counts hours across clock changes in ${zone}, and keeps the time of day for days`, () => {
    for (const change of changes) {
      const inHours = readTwoDaysBefore('in 72 hours', change)
      expect(inHours.kind === 'moment' && inHours.at.toMillis()).toBe(change.at + 24 * HOUR)
      const inDays = readTwoDaysBefore('in 4 days', change)
      const currentTime = formatTime(change.at - 48 * HOUR, change.offsetBefore)
      expect(inDays.kind === 'moment' && inDays.at.toFormat('HH:mm')).toBe(currentTime)
    }
  })
})

describe('calendar rules', () => {
  it.each([
    // The date line: the same moment is on different days.
    ['tomorrow 9am', 'Pacific/Kiritimati', '2026-12-31T09:59:00Z', 'Fri 1 Jan 2027 09:00 +14:00'],
    ['tomorrow 9am', 'Pacific/Kiritimati', '2026-12-31T10:00:00Z', 'Sat 2 Jan 2027 09:00 +14:00'],
    ['tomorrow 9am', 'Pacific/Pago_Pago', '2026-12-31T10:00:00Z', 'Thu 31 Dec 09:00 -11:00'],
    ['tomorrow 9am', 'Pacific/Pago_Pago', '2026-12-31T11:00:00Z', 'Fri 1 Jan 2027 09:00 -11:00'],
    ['noon Kiritimati time', 'Pacific/Pago_Pago', '2026-12-30T12:00:00Z', 'Thu 31 Dec 12:00 +14:00'],
    // Offsets with half an hour and 45 minutes.
    ['tomorrow 9am', 'Asia/Kolkata', '2026-11-20T18:31:00Z', 'Sun 22 Nov 09:00 +05:30'],
    ['tomorrow 9am', 'Asia/Kolkata', '2026-11-20T18:29:00Z', 'Sat 21 Nov 09:00 +05:30'],
    ['tomorrow 9am', 'Asia/Kathmandu', '2026-11-20T18:16:00Z', 'Sun 22 Nov 09:00 +05:45'],
    ['tomorrow 9am', 'Australia/Eucla', '2026-11-20T15:14:00Z', 'Sat 21 Nov 09:00 +08:45'],
    // 29 February and the ends of months.
    ['tomorrow 9am', 'UTC', '2028-02-28T12:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    ['tomorrow 9am', 'UTC', '2027-02-28T12:00:00Z', 'Mon 1 Mar 2027 09:00 +00:00'],
    ['29 feb 9am', 'UTC', '2028-02-29T08:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    [
      '29 feb 9am',
      'UTC',
      '2028-03-01T08:00:00Z',
      'Sun 29 Feb 2032 09:00 +00:00 or Wed 28 Feb 2029 09:00 +00:00 or Thu 1 Mar 2029 09:00 +00:00?',
    ],
    ['in a year at 9am', 'UTC', '2028-02-29T08:00:00Z', 'Wed 28 Feb 2029 09:00 +00:00'],
    ['in a month at 9am', 'UTC', '2027-01-31T08:00:00Z', 'Sun 28 Feb 2027 09:00 +00:00'],
    ['the 31st at 9am', 'UTC', '2027-02-10T08:00:00Z', 'Wed 31 Mar 2027 09:00 +00:00'],
    ['last day of february 9am', 'UTC', '2028-01-10T08:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    ['last day of february 9am', 'UTC', '2027-01-10T08:00:00Z', 'Sun 28 Feb 2027 09:00 +00:00'],
    ['31 dec 23:59', 'UTC', '2026-12-31T23:58:00Z', 'Thu 31 Dec 23:59 +00:00'],
    ['1 jan 0:00', 'UTC', '2026-12-31T23:58:00Z', 'Fri 1 Jan 2027 00:00 +00:00'],
  ])('reads "%s" in %s at %s as %s', (text, zone, at, reading) => {
    expect(readAndSummarize(text, { now: new Date(at), zone })).toBe(reading)
  })
})
