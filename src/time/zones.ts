import { clean } from './clean.ts'
import { places } from './zones/places.ts'
import { takeZone } from './zones/take-zone.ts'

/** The zones that words alone may name: none, one, or those among which to choose. */
export function readZones(words: string): string[] {
  const { text, named } = takeZone(clean(`12:00 ${words}`), places)
  if (text !== '12:00') return []
  return [...new Set(named?.options.map(({ zone }) => zone))]
}

/** For a list that is searched as one types: what the words name, then every zone with them in its name. */
export function searchZones(words: string): string[] {
  const typed = words.trim().toLowerCase().replaceAll(' ', '_')
  const named = typed ? readZones(words) : []
  const alike = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().includes(typed))
  return [...new Set([...named, ...alike])]
}
