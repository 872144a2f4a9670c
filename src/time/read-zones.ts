import { momentGrammar } from './grammar/grammar.ts'
import { parseText } from './read-words.ts'
import type { NamedZone } from './zones.ts'

/** Finds the zones that a text names. Returns none if the text contains anything else. */
export function readZones(text: string): string[] {
  const parsed = parseText(
    text,
    { now: new Date(0), zone: 'UTC' },
    { grammar: momentGrammar, types: ['zone', 'place', 'weakZone'], subject: 'time zone' },
  )
  if ('kind' in parsed) return []
  const { items, unparsed } = parsed.cover
  const [item, other] = items
  if (!item || other || unparsed.length || item.value === 'own') return []
  return [...new Set((item.value as NamedZone).matches.map(({ zone }) => zone))]
}

/** Finds zones as the user types: first the zones that the text names, then every IANA name that contains the text. */
export function searchZones(text: string): string[] {
  const query = text.trim().toLowerCase().replaceAll(' ', '_')
  const named = query ? readZones(text) : []
  const matching = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().includes(query))
  return [...new Set([...named, ...matching])]
}
