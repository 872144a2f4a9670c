import { distance } from 'fastest-levenshtein'
import type { Meaning } from './chart.ts'
import type { HolidayName } from './holidays.ts'
import { type Token, tokenize } from './tokens.ts'
import type { NamedZone } from './zones.ts'

export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

/**
 * The words of a language, by the meanings that the grammar knows. Commas separate synonyms. A word that begins with
 * "+" counts only directly after a number.
 */
export type Vocabulary = {
  name: string
  /** Each weekday with its abbreviations, from Monday. */
  weekdays: [names: string, abbreviations: string][]
  weekdayPlurals: string[]
  /** From January. A slash separates the names of one month. */
  months: string
  /** From zero to nineteen. */
  numbers: string
  /** From twenty. */
  tens: string
  /** From zero. A dash stands for a missing word. */
  ordinals: string
  ordinalSuffixes: string
  /** Each unit in full and abbreviated. */
  units: Partial<Record<UnitName, [names: string, abbreviations?: string]>>
  meridiems: Record<'am' | 'pm', string>
  partsOfDay: Partial<Record<PartOfDay, string>>
  modifiers: Partial<Record<'early' | 'mid' | 'late', string>>
  /** Words such as "tomorrow", keyed by their distance from today in days. */
  days: Record<string, string>
  words: Record<string, string>
  /** Words around a time that don't change its meaning. */
  filler: string
  holidays: Partial<Record<HolidayName, string>>
  /** Holidays whose dates depend on another calendar, or are set by a government or an organizer. */
  undatedHolidays: string
  /** Whether a weekday and a part of the day are one word, and places have adjectives: "Mittwochabend", "Wiener Zeit". */
  joinsWords?: boolean
  /** Names of places that differ from their English names, keyed by zone. */
  places?: Record<string, string>
  /** Words whose typos are corrected, in addition to the weekdays and months. */
  spellChecked: string
  /** Words that look like typos of date words but aren't: "sundae", "mouth". */
  notMisspelled: string
}

export const UNITS = [
  'seconds',
  'minutes',
  'hours',
  'days',
  'weeks',
  'fortnights',
  'months',
  'years',
] as const
export type UnitName = (typeof UNITS)[number]

type WordMeaning = { type: string; value: unknown; cost: number }
type Phrase = { tokens: Token[]; mustFollowNumber: boolean; meaning: WordMeaning }

/** The phrases of one or several vocabularies by their first words. */
export type Lexicon = {
  /** All words of the phrases. */
  words: Set<string>
  phrases: Map<string, Phrase[]>
  spellChecked: string[]
  notMisspelled: Set<string>
}

/** Phrases, separated by commas, that mean the same. */
export type Synonyms = {
  words: string
  type: string
  value: unknown
  /** Whether a wrong letter in a long word is corrected. */
  isSpellChecked?: true
}

export function createLexicon(vocabularies: Vocabulary[], words: Synonyms[] = []): Lexicon {
  const lexicon: Lexicon = {
    words: new Set(),
    phrases: new Map(),
    spellChecked: [],
    notMisspelled: new Set(),
  }
  for (const { words: phrases, type, value, isSpellChecked } of words)
    for (const phrase of phrases.split(/,\s+/)) {
      addPhrase(lexicon, phrase, { type, value, cost: 0 })
      // Shorter names aren't corrected: "Thread" doesn't mean "Threads".
      if (isSpellChecked && phrase.length > 7) lexicon.spellChecked.push(phrase.toLowerCase())
    }
  for (const vocabulary of vocabularies) addVocabulary(vocabulary, lexicon)
  preferWeekdays(lexicon)
  return lexicon
}

/** In French and Spanish, "mar" means Tuesday rather than March. */
function preferWeekdays({ phrases }: Lexicon): void {
  for (const phrasesOfWord of phrases.values()) {
    const meanings = phrasesOfWord
      .filter(({ tokens: [, next, last] }) => !last && (!next || next.word === '.'))
      .map(({ meaning }) => meaning)
    if (!meanings.some(({ type }) => type === 'weekday')) continue
    for (const meaning of meanings) if (meaning.type === 'month') meaning.cost = 0.1
  }
}

function addVocabulary(vocabulary: Vocabulary, lexicon: Lexicon): void {
  const add = (words: string, type: string, value: unknown = null, cost = 0) => {
    for (const word of words.split(/,\s+/)) if (word) addPhrase(lexicon, word.trim(), { type, value, cost })
  }
  for (const [index, [names, abbreviations]] of vocabulary.weekdays.entries()) {
    add(names, 'weekday', { day: index + 1, isShort: false })
    add(abbreviations, 'weekday', { day: index + 1, isShort: true })
    for (const name of abbreviations.split(/,\s+/))
      if (/day$/.test(name)) add(`${name}s`, 'weekdays', index + 1)
  }
  for (const [index, names] of vocabulary.weekdayPlurals.entries()) add(names, 'weekdays', index + 1)
  const list = (words: string) => words.split(/\s+/).filter(Boolean)
  const forms = (words: string) => list(words).map((word) => word.replaceAll('/', ', '))
  const months = forms(vocabulary.months)
  for (const [index, names] of months.entries()) add(names, 'month', index + 1)
  for (const [value, words] of forms(vocabulary.numbers).entries()) add(words, 'number', { value, digits: 0 })
  for (const [index, words] of forms(vocabulary.tens).entries()) add(words, 'tens', 20 + 10 * index)
  for (const [value, words] of forms(vocabulary.ordinals).entries()) {
    if (words !== '-') add(words, 'ordinal', value)
    if (/[a-z]-[a-z]/.test(words)) add(words.replaceAll('-', ' '), 'ordinal', value)
  }
  add(vocabulary.ordinalSuffixes, 'ORDINAL')
  for (const [unit, [names, abbreviations = '']] of Object.entries(vocabulary.units)) {
    // Each unit is also a word without a value, whose type is in capitals.
    add(`${names}, ${abbreviations}`, unit.toUpperCase())
    add(names, 'unit', { unit, isShort: false })
    add(abbreviations, 'unit', { unit, isShort: true })
  }
  for (const [meridiem, words] of Object.entries(vocabulary.meridiems)) add(words, 'meridiem', meridiem)
  for (const [part, words] of Object.entries(vocabulary.partsOfDay)) add(words, 'partOfDay', part)
  for (const [modifier, words] of Object.entries(vocabulary.modifiers)) add(words, 'modifier', modifier)
  for (const [days, words] of Object.entries(vocabulary.days)) add(words, 'relativeDay', Number(days))
  for (const [word, words] of Object.entries(vocabulary.words)) add(words, word)
  for (const [name, words] of Object.entries(vocabulary.holidays)) add(words, 'holiday', name)
  for (const name of vocabulary.undatedHolidays.split(/,\s+/)) add(name, 'undatedHoliday', name)
  for (const [zone, names] of Object.entries(vocabulary.places ?? {}))
    for (const name of names.split(/,\s+/))
      add(name, 'place', { words: name, matches: [{ zone }] } satisfies NamedZone)
  if (vocabulary.joinsWords) addJoinedWords(vocabulary, add)
  add(vocabulary.filler, 'FILLER')
  const names = [...vocabulary.weekdays.map(([name]) => name), ...months].flatMap(
    (words) => words.split(', ')[0] ?? [],
  )
  lexicon.spellChecked.push(...names.filter((name) => name.length > 5), ...list(vocabulary.spellChecked))
  for (const word of list(vocabulary.notMisspelled)) lexicon.notMisspelled.add(word)
}

function addJoinedWords(
  { weekdays, partsOfDay, places = {} }: Vocabulary,
  add: (words: string, type: string, value: unknown) => void,
): void {
  const list = (words: string) => words.split(/,\s+/)
  for (const [index, [names]] of weekdays.entries())
    for (const [part, words] of Object.entries(partsOfDay))
      for (const name of list(names))
        for (const word of list(words)) add(name + word, 'weekdayPart', { weekday: index + 1, part })
  for (const [zone, names] of Object.entries(places))
    for (const name of list(names))
      add(`${name}er`, 'place', { words: name, matches: [{ zone }] } satisfies NamedZone)
}

function addPhrase({ phrases, words: allWords }: Lexicon, words: string, meaning: WordMeaning): void {
  const mustFollowNumber = words.length > 1 && words.startsWith('+')
  const { tokens } = tokenize(mustFollowNumber ? words.slice(1) : words)
  const [first] = tokens
  if (!first) return
  for (const { word } of tokens) allWords.add(word)
  const others = phrases.get(first.word) ?? []
  phrases.set(first.word, [...others, { tokens, mustFollowNumber, meaning }])
}

/** Finds the meanings of the words and phrases that begin at a token. */
export function lookUp(lexicon: Lexicon, tokens: Token[], start: number): Meaning[] {
  const token = tokens[start] as Token
  const phrases =
    lexicon.phrases.get(token.word) ?? lexicon.phrases.get(correctSpelling(token.word, lexicon) ?? '')
  const items: Meaning[] = []
  for (const phrase of phrases ?? []) {
    if (phrase.mustFollowNumber && !(token.isJoined && tokens[start - 1]?.kind === 'digits')) continue
    if (phrase.tokens.length > 1 && !matchesAt(phrase, tokens, start)) continue
    const { type, value, cost } = phrase.meaning
    items.push({ type, value, start, end: start + phrase.tokens.length, cost })
  }
  if (token.kind === 'word') items.push({ type: 'WORD', value: null, start, end: start + 1, cost: 0 })
  // In "9am", "am" isn't the German preposition.
  const followsDigits = token.isJoined && tokens[start - 1]?.kind === 'digits'
  const meridiems = followsDigits ? items.filter(({ type }) => type === 'meridiem') : []
  return meridiems.length ? meridiems : items
}

/** Whether the rest of a phrase follows its first word. */
function matchesAt(phrase: Phrase, tokens: Token[], start: number): boolean {
  return phrase.tokens.every((expected, index) => {
    const found = tokens[start + index]
    return index === 0 || (found?.word === expected.word && (found.isJoined || !expected.isJoined))
  })
}

/** Corrects a word that differs from a known one in one letter, but not in the first letter or a plural ending. */
function correctSpelling(word: string, { spellChecked, notMisspelled }: Lexicon): string | undefined {
  if (word.length < 5 || word.length > 11 || notMisspelled.has(word)) return undefined
  if (/^tom+or+ow$/.test(word)) return 'tomorrow'
  const findSimilar = (text: string) =>
    spellChecked.find((known) => isMisspellingOf(text, known) && text !== `${known}s`)
  const singular = word.endsWith('days') ? findSimilar(word.slice(0, -1)) : undefined
  return singular ? `${singular}s` : findSimilar(word)
}

/** Whether one letter after the first was added, left out, replaced, or swapped with another. */
const isMisspellingOf = (word: string, known: string): boolean =>
  word[0] === known[0] &&
  (distance(word, known) === 1 ||
    (distance(word, known) === 2 && [...word].sort().join() === [...known].sort().join()))
