import { describe, expect, it } from 'vitest'
import {
  describeRecurrence,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
} from '../../src/time/recurrence.ts'
import { berlin, now } from './reading.ts'

const rhythmIn = (text: string): Recurrence => {
  const reading = readRecurrence(text, berlin)
  if (reading.kind !== 'rhythm') throw new Error(`${text} is a ${reading.kind}`)
  return reading.rhythm
}

describe('a rhythm in words', () => {
  it.each([
    ['weekdays at 9am', 'Weekdays at 09:00 Berlin', '2026-11-23T09:00'],
    ['every weekday 14:00', 'Weekdays at 14:00 Berlin', '2026-11-20T14:00'],
    ['mon-fri 9:00', 'Weekdays at 09:00 Berlin', '2026-11-23T09:00'],
    ['every mon, wed and fri 8:30 Berlin time', 'Mon, Wed and Fri at 08:30 Berlin', '2026-11-23T08:30'],
    ['mondays and thursdays at half past 8', 'Mon and Thu at 08:30 Berlin', '2026-11-23T08:30'],
    ['daily at 7', 'Every day at 07:00 Berlin', '2026-11-21T07:00'],
    ['every day at midnight', 'Every day at 00:00 Berlin', '2026-11-21T00:00'],
    ['fridays at noon', 'Every Friday at 12:00 Berlin', '2026-11-27T12:00'],
    ['weekends 10am', 'Weekends at 10:00 Berlin', '2026-11-21T10:00'],
    ['9am every weekday New York time', 'Weekdays at 09:00 New York', '2026-11-20T09:00'],
    ['first monday of the month at 10', 'The first Monday of the month at 10:00 Berlin', '2026-12-07T10:00'],
    ['last friday of every month 16:00', 'The last Friday of the month at 16:00 Berlin', '2026-11-27T16:00'],
    ['on the 15th of every month at 9am', 'Day 15 of the month at 09:00 Berlin', '2026-12-15T09:00'],
    ['weekly on monday 9am', 'Every Monday at 09:00 Berlin', '2026-11-23T09:00'],
    ['mon-thu 9', 'Mon, Tue, Wed and Thu at 09:00 Berlin', '2026-11-23T09:00'],
    ['every evening at 8', 'Every day at 20:00 Berlin', '2026-11-20T20:00'],
    ['monthly on the 1st 9:00', 'Day 1 of the month at 09:00 Berlin', '2026-12-01T09:00'],
  ])('%s', (text, words, first) => {
    const rhythm = rhythmIn(text)
    expect(describeRecurrence(rhythm)).toBe(words)
    expect(nextOccurrence(rhythm, now).toFormat("yyyy-MM-dd'T'HH:mm")).toBe(first)
  })

  it.each([
    ['mondays 9ish', ['Every Monday at 09:00 Berlin']],
    ['every day at 7pm in the morning', ['Every day at 19:00 Berlin']],
    ['every day at 3', ['Every day at 15:00 Berlin', 'Every day at 03:00 Berlin']],
    [
      'monday',
      ['Every Monday at 09:00 Berlin', 'Every Monday at 12:00 Berlin', 'Every Monday at 17:00 Berlin'],
    ],
    [
      'weekdays 8am IST',
      ['Weekdays at 08:00 Kolkata', 'Weekdays at 08:00 Dublin', 'Weekdays at 08:00 Jerusalem'],
    ],
  ])('is asked about: %s', (text, labels) => {
    const reading = readRecurrence(text, berlin)
    expect(reading.kind === 'question' && reading.choices.map(({ label }) => label)).toEqual(labels)
  })

  it.each([
    'banana',
    '9am',
    'every other week at 9',
    'weekdays at 9 and 17:00',
    'weekdays at 25:00',
    'daily at 7 when it rains',
    'fridays at 2 at night',
    '',
  ])('is refused with what to write: "%s"', (text) => {
    const reading = readRecurrence(text, berlin)
    expect(reading.kind === 'refusal' && reading.message).toMatch(/[Ww]rite/)
  })
})

describe('what comes next', () => {
  it('is after the moment, never at it', () => {
    const rhythm = rhythmIn('weekdays at 9am')
    const at = nextOccurrence(rhythm, now)
    expect(nextOccurrence(rhythm, at.toJSDate()).diff(at, 'hours').hours).toBe(24)
    expect(nextOccurrence(rhythm, new Date(at.toMillis() - 1)).toMillis()).toBe(at.toMillis())
  })

  it('is the last day of a month that is too short', () => {
    const rhythm = rhythmIn('on the 31st of every month at 9am')
    const days: string[] = []
    for (
      let at = new Date('2027-12-31T23:00:00Z');
      days.length < 4;
      at = nextOccurrence(rhythm, at).toJSDate()
    )
      days.push(nextOccurrence(rhythm, at).toISODate() ?? '')
    expect(days).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
    expect(describeRecurrence(rhythm)).toBe('The last day of the month at 09:00 Berlin')
  })

  it('comes on every due day of two years, at its time on the clock', () => {
    const rhythm = rhythmIn('mon, wed and fri 8:30')
    let at = new Date('2026-12-31T12:00:00Z')
    let count = 0
    for (;;) {
      const due = nextOccurrence(rhythm, at)
      if (due.year > 2028) break
      expect([1, 3, 5]).toContain(due.weekday)
      expect(due.toFormat('HH:mm')).toBe('08:30')
      at = due.toJSDate()
      count++
    }
    expect(count).toBe(313) // 52 weeks of three in each, and the Friday that 2027 both begins and ends with
  })
})
