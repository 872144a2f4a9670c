import { findCover } from './cover.ts'
import { momentGrammar } from './grammar/grammar.ts'
import { lexiconOf } from './languages.ts'
import { readWords } from './read-words.ts'
import { toLocalContext } from './reading.ts'
import { isTooLong } from './refusals.ts'
import { tokenize } from './tokens.ts'
import type { NamedZone } from './zones.ts'

/** Finds the zones that a text names. Returns none if the text contains anything else. */
export function readZones(text: string): string[] {
  if (isTooLong(text)) return []
  const tokenized = tokenize(text)
  const local = toLocalContext({ now: new Date(0), zone: 'UTC' })
  const { chart } = readWords(tokenized, local, { grammar: momentGrammar, lexicon: lexiconOf(undefined) })
  const { items, unread } = findCover(chart, tokenized.tokens, ['zone', 'place', 'weakZone'])
  const [item, other] = items
  if (!item || other || unread.length || item.value === 'own') return []
  return [...new Set((item.value as NamedZone).matches.map(({ zone }) => zone))]
}

/** Finds zones as the user types: first the zones that the text names, then every IANA name that contains the text. */
export function searchZones(text: string): string[] {
  const query = text.trim().toLowerCase().replaceAll(' ', '_')
  const named = query ? readZones(text) : []
  const matching = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().includes(query))
  return [...new Set([...named, ...matching])]
}
