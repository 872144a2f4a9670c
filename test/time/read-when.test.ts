import { describe, expect, it } from 'vitest'
import { readWhen } from '../../src/time/read-when.ts'
import type { Moment } from '../../src/time/reading.ts'
import { inBerlin, now, readAndSummarize } from './summarize-reading.ts'

function readMoment(text: string): Moment {
  const reading = readWhen(text, inBerlin)
  if (reading.kind !== 'moment') throw new Error(`"${text}" is a ${reading.kind}.`)
  return reading
}

function choiceZones(text: string): string[] {
  const reading = readWhen(text, inBerlin)
  return reading.kind === 'question' ? reading.choices.map(({ zone }) => zone) : []
}

describe('readWhen', () => {
  it('lists its assumptions', () => {
    expect(readMoment('tomorrow at 9').assumptions).toEqual([
      'assuming 9:00 in the morning',
      'in your time zone, Berlin',
    ])
    expect(readMoment('tomorrow 9am Tokyo time').assumptions).toEqual([])
    expect(readMoment('15m').assumptions).toEqual(['counted from now', 'in your time zone, Berlin'])
  })

  it('returns the IANA name of the zone that the text names', () => {
    expect(readMoment('tomorrow 9am').zone).toBe('Europe/Berlin')
    expect(readMoment('tomorrow 9am New York time').zone).toBe('America/New_York')
    expect(readMoment('tomorrow 9am Mumbai').zone).toBe('Asia/Kolkata')
    expect(readMoment('tomorrow 9:00 UTC-3').zone).toBe('Etc/GMT+3')
    expect(readMoment('tomorrow 9:00 asia/ho_chi_minh').zone).toBe('Asia/Ho_Chi_Minh')
  })

  it('reads 4/5 in the order of the locale, and asks if the locale has no country', () => {
    expect(readAndSummarize('4/5 9am', { ...inBerlin, locale: 'en-US' })).toBe('Mon 5 Apr 2027 09:00 +02:00')
    expect(readAndSummarize('4/5 9am', { ...inBerlin, locale: 'en-GB' })).toBe('Tue 4 May 2027 09:00 +02:00')
    expect(readAndSummarize('4/5 9am', { ...inBerlin, locale: 'de-DE' })).toBe('Tue 4 May 2027 09:00 +02:00')
    expect(readAndSummarize('4/5 9am', { ...inBerlin, locale: 'en' })).toContain('?')
    expect(readAndSummarize('4/5 9am', { ...inBerlin, locale: 'no such locale' })).toContain('?')
  })

  it("takes tomorrow from the user's calendar, even if the time is in another zone", () => {
    // At this moment it is Friday afternoon in Los Angeles and Saturday in Tokyo.
    const context = { now: new Date('2026-11-20T23:30:00Z'), zone: 'America/Los_Angeles' }
    expect(readAndSummarize('tomorrow 9am Tokyo time', context)).toBe('Sat 21 Nov 09:00 +09:00')
  })

  it('asks which zone is meant if an abbreviation or a country has several', () => {
    expect(choiceZones('tomorrow 9am CST')).toEqual(['America/Chicago', 'Asia/Shanghai', 'America/Havana'])
    expect(choiceZones('tomorrow 9am Australia time')).toContain('Australia/Sydney')
  })

  it.each([
    'banana',
    'next week',
    '9am or 10am tomorrow',
    'by friday',
    'yesterday 9am',
    'tomorrow 25:00',
    'sat 27 nov 9am',
  ])('refuses "%s" and says what to enter', (text) => {
    const reading = readWhen(text, inBerlin)
    expect(reading.kind === 'refusal' && reading.message).toMatch(/Enter|Try/)
  })

  it.each([
    ['12/08/2026 9am', 'Wed 12 Aug 2026, 09:00'],
    ['today 11am Berlin', 'Fri 20 Nov 2026, 11:00'],
    ['today 4am New York', 'Fri 20 Nov 2026, 04:00 New York'],
  ])('names the moment in the past that it read from "%s"', (text, moment) => {
    const reading = readWhen(text, { ...inBerlin, locale: 'en-GB' })
    expect(reading).toMatchObject({ message: `${moment} is in the past. Try "tomorrow 9am".` })
  })

  it('names no moment in the past if the text may mean several', () => {
    const evening = { ...inBerlin, now: new Date('2026-11-20T19:00:00Z') }
    expect(readWhen('today at 4', evening)).toMatchObject({
      message: 'That time is in the past. Try "tomorrow 9am".',
    })
  })

  it('refuses text of more than 300 characters', () => {
    expect(readAndSummarize('tomorrow 9am '.repeat(24))).toBe('no: too-long')
  })

  it('throws for an unknown time zone, because the text is not the problem', () => {
    expect(() => readWhen('tomorrow 9am', { now, zone: 'Europe/Atlantis' })).toThrow('Europe/Atlantis')
  })
})
