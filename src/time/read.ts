import { DateTime } from 'luxon'
import { type Day, dayAt, partsOf } from './calendar.ts'
import { clean } from './clean.ts'
import { CLOCK, DATE, type Draft, type Phrase } from './draft.ts'
import { judge } from './judge.ts'
import { type Language, languageOf, monthComesFirst } from './language.ts'
import { narrow, readWithChrono } from './read-with-chrono.ts'
import { type Reading, type Refusal, refuse } from './reading.ts'
import { correctSpelling } from './spelling.ts'
import { places } from './zones/places.ts'
import { type NamedZone, takeZone } from './zones/take-zone.ts'

export type WhenContext = { now: Date; zone: string; locale?: string | undefined }

/** A reading, and the words that are no part of it. */
export type Read = { reading: Reading; leftover: string[] }

/** The pipeline: clean, take the zone out, read one class of phrase after the other, chrono, place and judge. */
export function read(text: string, context: WhenContext): Read {
  const language = languageOf(context.locale)
  const { draft, named } = prepare(text, context, language)
  const stopped =
    apply(language.beforeRefusals, draft) ??
    language.refusalIn(draft.text) ??
    apply(language.phrases, draft) ??
    vague(draft, language)
  if (stopped) return { reading: stopped, leftover: [] }
  const chrono = readWithChrono(draft, chronoOf(language))
  const leftover = leftoverIn(chrono.rest, language)
  return {
    reading: judge({ draft, chrono, named, leftover, text: partRead(text, leftover, language) }),
    leftover,
  }
}

/** The text without what was not read before and behind the moment, and without the small words that led there. */
function partRead(text: string, leftover: string[], { fillers }: Language): string {
  const words = text.trim().split(/\s+/)
  const plain = (word = '') => clean(word).replace(/[.,;:!?]+$/, '')
  const isUnread = (word: string | undefined) => leftover.includes(plain(word))
  while (words.length > 1 && isUnread(words[0])) words.shift()
  if (!isUnread(words.at(-1))) return words.join(' ')
  while (words.length > 1 && (isUnread(words.at(-1)) || fillers.has(plain(words.at(-1))))) words.pop()
  return words.join(' ')
}

export type Prepared = { draft: Draft; named: NamedZone | undefined }

export function prepare(text: string, context: WhenContext, language: Language): Prepared {
  const cleaned = correctSpelling(clean(text), language)
  const { text: words, named } = takeZone(cleaned, places)
  return { draft: newDraft(words, context), named }
}

/** The only date in the words, the past allowed; undefined where there is none or more. */
export function readDay(text: string, context: WhenContext): { day: Day; hasYear: boolean } | undefined {
  const language = languageOf(context.locale)
  const { draft, named } = prepare(text, context, language)
  if (named) return undefined
  if (apply([...language.beforeRefusals, ...language.dayPhrases, ...language.clockPhrases], draft))
    return undefined
  const chrono = readWithChrono(draft, chronoOf(language))
  const found = [...draft.dates.map(({ day }) => ({ day, hasYear: true })), ...chrono.dates]
  const [first, ...more] = found
  if (!first || more.length || leftoverIn(chrono.rest, language).length || draft.clocks.length)
    return undefined
  return { ...first, hasYear: first.hasYear && hasYearWritten(text, first.day) }
}

const hasYearWritten = (text: string, day: Day) =>
  new RegExp(`(?:\\b|[./])${partsOf(day).year % 100}\\b|${partsOf(day).year}`).test(text)

/** Caches, not state: what is costly to build and always comes out the same is built at its first use. */
const narrowed = new Map<Language, ReturnType<typeof narrow>>()
function chronoOf(language: Language) {
  const chrono = narrowed.get(language) ?? narrow(language.chrono)
  narrowed.set(language, chrono)
  return chrono
}

function newDraft(text: string, { now, zone, locale }: WhenContext): Draft {
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`There is no time zone ${zone}.`)
  return {
    text,
    now: { at, day: dayAt(at), clock: { hour: at.hour, minute: at.minute, second: 0 }, zone },
    isMonthFirst: () => monthComesFirst(locale),
    dates: [],
    clocks: [],
    sameClock: undefined,
    part: undefined,
    weekday: undefined,
    exact: undefined,
    assumed: [],
    doubt: undefined,
    isWeak: false,
  }
}

/** Each phrase in turn takes its words out of the text, or says why it cannot be read. */
export function apply(phrases: Phrase[], draft: Draft): Refusal | undefined {
  for (const { pattern, read } of phrases) {
    let from = 0
    do {
      pattern.lastIndex = from // heeded by patterns that are to be found again and again
      const match = pattern.exec(draft.text)
      if (!match) break
      const words = read(match, draft)
      if (typeof words === 'object') return words
      const end = match.index + match[0].length
      if (words !== undefined) draft.text = draft.text.slice(0, match.index) + words + draft.text.slice(end)
      from =
        words === undefined ? Math.max(end, from + 1) : match.index + Math.max(words.length, match[0] ? 0 : 1)
    } while (pattern.global && from <= draft.text.length)
  }
  return undefined
}

const vague = (draft: Draft, language: Language): Refusal | undefined =>
  language.vague.test(draft.text)
    ? refuse('vague', 'Which day? Write it with the time, such as "tuesday 10am".')
    : undefined

export function leftoverIn(rest: string, { fillers }: Language): string[] {
  return rest
    .split(/[\s,;.!?()[\]"]+|(?<=\D)[-/:&]|[-/:&](?=\D)/)
    .filter((word) => word && !fillers.has(word) && !word.includes(DATE) && !word.includes(CLOCK))
}
