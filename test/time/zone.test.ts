import { describe, expect, it } from 'vitest'
import { readZones } from '../../src/time/zones.ts'

describe('words for a time zone', () => {
  it.each([
    ['Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['Tokyo time', 'Asia/Tokyo'],
    ['UTC', 'UTC'],
  ])('%s names one', (words, zone) => {
    expect(readZones(words)).toEqual([zone])
  })

  it.each(['CST', 'IST'])('%s may be several', (words) => {
    expect(readZones(words).length).toBeGreaterThan(1)
  })

  it.each(['', 'Atlantis', 'tomorrow in Berlin', 'Berlin or Paris', '9am Berlin'])(
    '"%s" names none',
    (words) => {
      expect(readZones(words)).toEqual([])
    },
  )
})
