import { clean } from './clean.ts'
import { createPlaces } from './zones/places.ts'
import { takeZone } from './zones/take-zone.ts'

const places = createPlaces()

/** The zones that words alone may name: none, one, or those among which to choose. */
export function readZones(words: string): string[] {
  const { text, named } = takeZone(clean(`12:00 ${words}`), places)
  if (text !== '12:00') return []
  return [...new Set(named?.options.map(({ zone }) => zone))]
}
