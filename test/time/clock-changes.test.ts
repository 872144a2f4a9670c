import { describe, expect, it } from 'vitest'
import { nextOccurrence, type Recurrence } from '../../src/time/recurrence.ts'
import { readWhen } from '../../src/time/read-when.ts'
import { inShort, readShort } from './reading.ts'

/** Both hemispheres; changes at night, at midnight, across it and in UTC; half an hour and 45 minutes. */
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

type Change = { at: number; before: number; after: number }

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The offset in minutes, from Intl alone: what is tested is not asked. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return (Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE) / MINUTE
}

function changesIn(zone: string): Change[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const changes: Change[] = []
  const end = Date.UTC(FIRST_YEAR + YEARS, 0, 1)
  for (let at = Date.UTC(FIRST_YEAR, 0, 1); at < end; at += 24 * HOUR) {
    const [before, after] = [offsetAt(format, at), offsetAt(format, at + 24 * HOUR)]
    if (before === after) continue
    let [low, high] = [at, at + 24 * HOUR]
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
      if (offsetAt(format, middle) === before) low = middle
      else high = middle
    }
    changes.push({ at: high, before, after })
  }
  return changes
}

const wall = (at: number, offset: number) =>
  new Date(at + offset * MINUTE).toISOString().slice(0, 16).replace('T', ' ')
const clockOf = (written: string) => {
  const [hour = 0, minute = 0] = written.slice(11).split(':').map(Number)
  return { hour, minute }
}

describe.each(ZONES)('every change of the clocks in %s for ten years', (zone) => {
  const changes = changesIn(zone)
  const context = ({ at }: Change) => ({ now: new Date(at - 48 * HOUR), zone })

  it('is found, twice a year', () => {
    expect(changes).toHaveLength(2 * YEARS)
  })

  it('leaves times before and after it where they are', () => {
    for (const change of changes)
      for (const [at, offset] of [
        [change.at - 3 * HOUR, change.before],
        [change.at + 3 * HOUR, change.after],
      ] as const) {
        const written = wall(at, offset)
        const reading = readWhen(written, context(change))
        expect([written, reading.kind === 'instant' && reading.at.toMillis()]).toEqual([written, at])
      }
  })

  it('makes a time in the gap a refusal with the nearest ones, and a rhythm in it come right after', () => {
    for (const change of changes.filter(({ before, after }) => after > before)) {
      const middle = change.at + ((change.after - change.before) * MINUTE) / 2
      const written = wall(middle, change.before)
      const reading = readWhen(written, context(change))
      expect([written, inShort(reading)]).toEqual([written, 'no: gap'])
      const nearest = [wall(change.at - MINUTE, change.before), wall(change.at, change.after)].map((time) =>
        time.slice(11),
      )
      expect(reading.kind === 'refusal' && reading.message).toContain(`${nearest[0]} or ${nearest[1]}`)

      const rhythm: Recurrence = {
        days: { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] },
        clock: clockOf(written),
        zone,
      }
      const first = nextOccurrence(rhythm, new Date(change.at - HOUR))
      expect([written, first.toMillis()]).toEqual([written, change.at])
      const second = nextOccurrence(rhythm, first.toJSDate())
      expect(second.toMillis()).toBe(middle + 24 * HOUR - (change.after - change.before) * MINUTE)
    }
  })

  it('makes a time that comes twice a question, and a rhythm at it come once', () => {
    for (const change of changes.filter(({ before, after }) => after < before)) {
      const twice = (change.before - change.after) * MINUTE
      const first = change.at - twice / 2
      const written = wall(first, change.before)
      const reading = readWhen(written, context(change))
      const choices = reading.kind === 'question' ? reading.choices : []
      expect([written, choices.map(({ at }) => at.toMillis())]).toEqual([written, [first, first + twice]])
      expect(new Set(choices.map(({ label }) => label)).size).toBe(2)

      const rhythm: Recurrence = {
        days: { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] },
        clock: clockOf(written),
        zone,
      }
      expect(nextOccurrence(rhythm, new Date(first - HOUR)).toMillis()).toBe(first)
      expect(nextOccurrence(rhythm, new Date(first)).toMillis()).toBe(first + 24 * HOUR + twice)
    }
  })

  it('is no matter for hours that are counted, nor for days that are not', () => {
    for (const change of changes) {
      const hours = readWhen('in 72 hours', context(change))
      expect(hours.kind === 'instant' && hours.at.toMillis()).toBe(change.at + 24 * HOUR)
      const days = readWhen('in 4 days', context(change))
      const clock = (at: number, offset: number) => wall(at, offset).slice(11)
      const asked = clock(change.at - 48 * HOUR, change.before)
      expect(days.kind === 'instant' && days.at.toFormat('HH:mm')).toBe(asked)
    }
  })
})

describe('the calendar', () => {
  it.each([
    // The same moment is another day on either side of the date line.
    ['tomorrow 9am', 'Pacific/Kiritimati', '2026-12-31T09:59:00Z', 'Fri 1 Jan 2027 09:00 +14:00'],
    ['tomorrow 9am', 'Pacific/Kiritimati', '2026-12-31T10:00:00Z', 'Sat 2 Jan 2027 09:00 +14:00'],
    ['tomorrow 9am', 'Pacific/Pago_Pago', '2026-12-31T10:00:00Z', 'Thu 31 Dec 09:00 -11:00'],
    ['tomorrow 9am', 'Pacific/Pago_Pago', '2026-12-31T11:00:00Z', 'Fri 1 Jan 2027 09:00 -11:00'],
    ['noon Kiritimati time', 'Pacific/Pago_Pago', '2026-12-30T12:00:00Z', 'Thu 31 Dec 12:00 +14:00'],
    // Half an hour and three quarters.
    ['tomorrow 9am', 'Asia/Kolkata', '2026-11-20T18:31:00Z', 'Sun 22 Nov 09:00 +05:30'],
    ['tomorrow 9am', 'Asia/Kolkata', '2026-11-20T18:29:00Z', 'Sat 21 Nov 09:00 +05:30'],
    ['tomorrow 9am', 'Asia/Kathmandu', '2026-11-20T18:16:00Z', 'Sun 22 Nov 09:00 +05:45'],
    ['tomorrow 9am', 'Australia/Eucla', '2026-11-20T15:14:00Z', 'Sat 21 Nov 09:00 +08:45'],
    // 29 February, and the last days of months.
    ['tomorrow 9am', 'UTC', '2028-02-28T12:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    ['tomorrow 9am', 'UTC', '2027-02-28T12:00:00Z', 'Mon 1 Mar 2027 09:00 +00:00'],
    ['29 feb 9am', 'UTC', '2028-02-29T08:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    ['29 feb 9am', 'UTC', '2028-03-01T08:00:00Z', 'Sun 29 Feb 2032 09:00 +00:00'],
    ['in a year at 9am', 'UTC', '2028-02-29T08:00:00Z', 'Wed 28 Feb 2029 09:00 +00:00'],
    ['in a month at 9am', 'UTC', '2027-01-31T08:00:00Z', 'Sun 28 Feb 2027 09:00 +00:00'],
    ['the 31st at 9am', 'UTC', '2027-02-10T08:00:00Z', 'Wed 31 Mar 2027 09:00 +00:00'],
    ['last day of february 9am', 'UTC', '2028-01-10T08:00:00Z', 'Tue 29 Feb 2028 09:00 +00:00'],
    ['last day of february 9am', 'UTC', '2027-01-10T08:00:00Z', 'Sun 28 Feb 2027 09:00 +00:00'],
    ['31 dec 23:59', 'UTC', '2026-12-31T23:58:00Z', 'Thu 31 Dec 23:59 +00:00'],
    ['1 jan 0:00', 'UTC', '2026-12-31T23:58:00Z', 'Fri 1 Jan 2027 00:00 +00:00'],
  ])('%s, in %s at %s', (text, zone, at, reading) => {
    expect(readShort(text, { now: new Date(at), zone })).toBe(reading)
  })
})
