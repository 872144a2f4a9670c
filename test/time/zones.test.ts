import { describe, expect, it } from 'vitest'
import { readZones, searchZones } from '../../src/time/read-zones.ts'

describe('readZones', () => {
  it.each([
    ['Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['Tokyo time', 'Asia/Tokyo'],
    ['UTC', 'UTC'],
  ])('finds the zone that "%s" names', (text, zone) => {
    expect(readZones(text)).toEqual([zone])
  })

  it.each(['CST', 'IST'])('finds several zones for "%s"', (text) => {
    expect(readZones(text).length).toBeGreaterThan(1)
  })

  it.each(['', 'Atlantis', 'tomorrow in Berlin', 'Berlin or Paris', '9am Berlin'])(
    'finds no zone in "%s"',
    (text) => {
      expect(readZones(text)).toEqual([])
    },
  )
})

describe('searchZones', () => {
  it('lists the zone that the text names before the zones that contain the text', () => {
    expect(searchZones('new york')).toEqual(['America/New_York'])
    expect(searchZones('mumbai')).toEqual(['Asia/Kolkata'])
    expect(searchZones('berlin')).toEqual(['Europe/Berlin'])
    expect(searchZones('europe/')).toContain('Europe/Madrid')
  })
})
