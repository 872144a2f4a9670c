import { describe, expect, it } from 'vitest'
import {
  describeRecurrence,
  earliestNextRun,
  nextOccurrence,
  type Recurrence,
  readRecurrence,
} from '../../src/time/recurrence.ts'
import { inBerlin, now } from './summarize-reading.ts'

function recurrenceIn(text: string): Recurrence {
  const reading = readRecurrence(text, inBerlin)
  if (reading.kind !== 'recurrence') throw new Error(`"${text}" is a ${reading.kind}.`)
  return reading.recurrence
}

describe('readRecurrence', () => {
  it.each([
    ['weekdays at 9am', 'Weekdays at 09:00 Berlin', '2026-11-23T09:00'],
    ['every weekday 14:00', 'Weekdays at 14:00 Berlin', '2026-11-20T14:00'],
    ['mon-fri 9:00', 'Weekdays at 09:00 Berlin', '2026-11-23T09:00'],
    ['every mon, wed and fri 8:30 Berlin time', 'Mon, Wed and Fri at 08:30 Berlin', '2026-11-23T08:30'],
    ['mondays and thursdays at half past 8', 'Mon and Thu at 08:30 Berlin', '2026-11-23T08:30'],
    ['8am every single day', 'Every day at 08:00 Berlin', '2026-11-21T08:00'],
    ['daily at 7', 'Every day at 07:00 Berlin', '2026-11-21T07:00'],
    ['every day at midnight', 'Every day at 00:00 Berlin', '2026-11-21T00:00'],
    ['fridays at noon', 'Every Friday at 12:00 Berlin', '2026-11-27T12:00'],
    ['weekends 10am', 'Weekends at 10:00 Berlin', '2026-11-21T10:00'],
    ['9am every weekday New York time', 'Weekdays at 09:00 New York', '2026-11-20T09:00'],
    ['first monday of the month at 10', 'The first Monday of the month at 10:00 Berlin', '2026-12-07T10:00'],
    ['last friday of every month 16:00', 'The last Friday of the month at 16:00 Berlin', '2026-11-27T16:00'],
    ['on the 15th of every month at 9am', 'The 15th of the month at 09:00 Berlin', '2026-12-15T09:00'],
    ['weekly on monday 9am', 'Every Monday at 09:00 Berlin', '2026-11-23T09:00'],
    ['mon-thu 9', 'Mon, Tue, Wed and Thu at 09:00 Berlin', '2026-11-23T09:00'],
    ['every evening at 8', 'Every day at 20:00 Berlin', '2026-11-20T20:00'],
    ['monthly on the 1st 9:00', 'The 1st of the month at 09:00 Berlin', '2026-12-01T09:00'],
    [
      'every other friday 14:00',
      'Every other Friday from 20 November 2026 at 14:00 Berlin',
      '2026-11-20T14:00',
    ],
    ['m-f 7am', 'Weekdays at 07:00 Berlin', '2026-11-23T07:00'],
    ['MWF 9:30am', 'Mon, Wed and Fri at 09:30 Berlin', '2026-11-23T09:30'],
    ['Tu/Th 1pm', 'Tue and Thu at 13:00 Berlin', '2026-11-24T13:00'],
    ['all weekdays at 20:15', 'Weekdays at 20:15 Berlin', '2026-11-20T20:15'],
    ['mon-sat excl. thurs 16:30', 'Mon, Tue, Wed, Fri and Sat at 16:30 Berlin', '2026-11-20T16:30'],
    ['3x a week: mon, weds, fri 2:15pm', 'Mon, Wed and Fri at 14:15 Berlin', '2026-11-20T14:15'],
    ['Monday 9am weekly', 'Every Monday at 09:00 Berlin', '2026-11-23T09:00'],
    [
      'weekdays at 8:00 and 17:00 except fridays',
      'Mon, Tue, Wed and Thu at 08:00 and 17:00 Berlin',
      '2026-11-23T08:00',
    ],
  ])('reads "%s" as "%s"', (text, description, first) => {
    const recurrence = recurrenceIn(text)
    expect(describeRecurrence(recurrence)).toBe(description)
    expect(nextOccurrence(recurrence, now).toFormat("yyyy-MM-dd'T'HH:mm")).toBe(first)
  })

  it.each([
    ['mondays 9ish', ['Every Monday at 09:00 Berlin', 'Every Monday at 09:30 Berlin']],
    ['every day at 7pm in the morning', ['Every day at 19:00 Berlin', 'Every day at 07:00 Berlin']],
    ['every day at 3', ['Every day at 15:00 Berlin', 'Every day at 03:00 Berlin']],
    [
      'monday',
      ['Every Monday at 09:00 Berlin', 'Every Monday at 12:00 Berlin', 'Every Monday at 17:00 Berlin'],
    ],
    [
      'weekdays 8am IST',
      ['Weekdays at 08:00 Kolkata', 'Weekdays at 08:00 Dublin', 'Weekdays at 08:00 Jerusalem'],
    ],
  ])('asks what "%s" means', (text, labels) => {
    const reading = readRecurrence(text, inBerlin)
    expect(reading.kind === 'question' && reading.choices.map(({ label }) => label)).toEqual(labels)
  })

  it.each([
    'banana',
    '9am',
    'every other week at 9',
    'weekdays at 25:00',
    'daily at 1, 2, 3, 4, 5, 6 and 7',
    '3 times a day at 9am',
    'twice a week on mondays at 9',
    'weekdays at 9am and 5pm, not in august',
    'this friday 3pm',
    'fridays except fridays at 9',
    'daily at 7 when it rains',
    'fridays at 2 at night',
    '1st and 15th of the month at 10am',
    '2nd and 4th tuesday of the month at 10am',
    '',
  ])('refuses "%s" and says what to enter', (text) => {
    const reading = readRecurrence(text, inBerlin)
    expect(reading.kind === 'refusal' && reading.message).toMatch(/Enter|Try/)
  })

  it.each([
    ...['every 3 weeks on tue 9:00', 'every 3rd week on tue 9:00', 'every 2 months on the 1st 9am'],
    ...[
      'every other day 9am',
      'every third day at 9',
      'every hour',
      'hourly',
      'every 40 minutes',
      'every quarter 9am',
    ],
  ])('says which intervals "%s" can be replaced with', (text) => {
    const reading = readRecurrence(text, inBerlin)
    expect(reading.kind === 'refusal' && reading.message).toMatch(/every two weeks or every month\. Enter/)
  })
})

describe('readRecurrence in another language', () => {
  it('refuses "lundi 9h" with an example of a recurring time', () => {
    const reading = readRecurrence('lundi 9h', inBerlin)
    expect(reading.kind === 'refusal' && reading.message).toMatch(
      /Enter times in English, such as "weekdays at 9am"/,
    )
  })
})

describe('earliestNextRun', () => {
  it('returns the end of the day for one time a day, and the last run for several', () => {
    expect(earliestNextRun(recurrenceIn('weekdays at 9am'), now).toISOString()).toBe(
      '2026-11-20T22:59:59.999Z',
    )
    expect(earliestNextRun(recurrenceIn('weekdays at 9am and 5pm'), now)).toEqual(now)
  })
})

describe('nextOccurrence', () => {
  it('returns a moment after the given moment, never the same one', () => {
    const recurrence = recurrenceIn('weekdays at 9am')
    const first = nextOccurrence(recurrence, now)
    expect(nextOccurrence(recurrence, first.toJSDate()).diff(first, 'hours').hours).toBe(24)
    expect(nextOccurrence(recurrence, new Date(first.toMillis() - 1)).toMillis()).toBe(first.toMillis())
  })

  it('takes the last day of a month that has no 31st', () => {
    const recurrence = recurrenceIn('on the 31st of every month at 9am')
    const dates: (string | null)[] = []
    let after = new Date('2027-12-31T23:00:00Z')
    while (dates.length < 4) {
      const occurrence = nextOccurrence(recurrence, after)
      dates.push(occurrence.toISODate())
      after = occurrence.toJSDate()
    }
    expect(dates).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
    expect(describeRecurrence(recurrence)).toBe('The last day of the month at 09:00 Berlin')
  })

  it('finds every due day of two years at the right local time', () => {
    const recurrence = recurrenceIn('mon, wed and fri 8:30')
    let count = 0
    let occurrence = nextOccurrence(recurrence, new Date('2026-12-31T12:00:00Z'))
    while (occurrence.year <= 2028) {
      expect([1, 3, 5]).toContain(occurrence.weekday)
      expect(occurrence.toFormat('HH:mm')).toBe('08:30')
      count++
      occurrence = nextOccurrence(recurrence, occurrence.toJSDate())
    }
    // 104 full weeks, and one more Friday because 2027 starts on a Friday.
    expect(count).toBe(313)
  })
})
