import { DateTime } from 'luxon'
import { type Day, dateFromDay, dayOfMoment } from './calendar.ts'
import { readChronoDates } from './chrono-dates.ts'
import { cleanText, normalizeText } from './normalize.ts'
import { FILLER_WORDS } from './pattern-parts.ts'
import { applyPhrases, DATE_MARK, type Phrase, type ReadingState, TIME_MARK } from './phrase.ts'
import { calendarDayPhrases } from './phrases/calendar-days.ts'
import { datePhrases, yearFirstAndHyphenPhrases } from './phrases/dates.ts'
import { currentTimePhrases, dayDependentPhrases, relativeDayPhrases } from './phrases/relative-days.ts'
import { timePhrases } from './phrases/times.ts'
import { wordFormPhrases } from './phrases/word-forms.ts'
import type { Reading, ReadingContext } from './reading.ts'
import { findRefusal, findUnnamedDay, refuseLongText } from './refusals.ts'
import { resolveReading } from './resolve-reading.ts'
import { extractZone } from './zones.ts'

// In each list, a phrase comes before any phrase that could read a part of its words.

/** These phrases run before the refusals. */
export const preparationPhrases: Phrase[] = [...wordFormPhrases, ...yearFirstAndHyphenPhrases]

const dayAndTimePhrases: Phrase[] = [
  ...calendarDayPhrases,
  ...relativeDayPhrases,
  ...datePhrases,
  ...dayDependentPhrases,
  ...timePhrases,
]

const momentPhrases: Phrase[] = [...currentTimePhrases, ...dayAndTimePhrases]

/** Reads words that name a moment in the future. */
export const readWhen = (text: string, context: ReadingContext): Reading =>
  refuseLongText(text, 'time') ?? readText(text, context).reading

export type ReadText = {
  reading: Reading
  unreadWords: string[]
  hasDay: boolean
  hasTime: boolean
}

/** Reads a text that isn't too long and also returns the words that no step could read. */
export function readText(text: string, context: ReadingContext): ReadText {
  const state = startReading(text, context)
  const refusal =
    applyPhrases(preparationPhrases, state) ??
    findRefusal(state.text) ??
    applyPhrases(momentPhrases, state) ??
    findUnnamedDay(state.text) ??
    readChronoDates(state)
  const hasDay = state.dates.length > 0 || state.exactMoment !== undefined
  const hasTime = state.times.length > 0 || state.exactMoment !== undefined
  if (refusal) return { reading: refusal, unreadWords: [], hasDay, hasTime }
  const unreadWords = findUnreadWords(state.text)
  const source = trimUnreadWords(text, unreadWords)
  return { reading: resolveReading(state, { source, unreadWords }), unreadWords, hasDay, hasTime }
}

export function startReading(text: string, { now, zone, locale }: ReadingContext): ReadingState {
  const { text: normalizedText, hasShortWeekday } = normalizeText(text)
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`The reading context has an invalid time zone: ${zone}.`)
  const time = { hour: at.hour, minute: at.minute, second: 0 }
  return {
    ...extractZone(normalizedText),
    now: { at, day: dayOfMoment(at), time, zone },
    locale,
    hasShortWeekday,
    dates: [],
    times: [],
    assumptions: [],
  }
}

export const findUnreadWords = (text: string): string[] =>
  text
    .split(/[\s,;.!?()[\]"]+|(?<=\D)[-/:&]|[-/:&](?=\D)/)
    .filter(
      (word) => word && !FILLER_WORDS.has(word) && !word.includes(DATE_MARK) && !word.includes(TIME_MARK),
    )

/** Removes unread words from both ends of the text, and the filler words that led to the words at the end. */
function trimUnreadWords(text: string, unreadWords: string[]): string {
  const words = text.trim().split(/\s+/)
  if (!unreadWords.length) return words.join(' ')
  const unread = new Set(unreadWords)
  const withoutPunctuation = (word: string) => word.replace(/(?<![.,;:!?])[.,;:!?]+$/, '')
  const isFiller = (word: string) => FILLER_WORDS.has(withoutPunctuation(cleanText(word)))
  const isUnread = (word = '') =>
    unread.has(withoutPunctuation(cleanText(word))) ||
    unread.has(withoutPunctuation(normalizeText(word).text))
  const endsUnread = isUnread(words.at(-1))
  const atEnd = (word: string) => endsUnread && (isUnread(word) || isFiller(word))
  return trimWords(words, { atStart: isUnread, atEnd }).join(' ')
}

type TrimRules = { atStart: (word: string) => boolean; atEnd: (word: string) => boolean }

/** Removes words from both ends, but always leaves one. */
export function trimWords(words: string[], { atStart, atEnd }: TrimRules): string[] {
  let [start, end] = [0, words.length]
  while (end - start > 1 && atStart(words[start] ?? '')) start++
  while (end - start > 1 && atEnd(words[end - 1] ?? '')) end--
  return words.slice(start, end)
}

/** Reads words that name one day in the past or future. Returns undefined for anything else. */
export function readDay(text: string, context: ReadingContext): { day: Day; hasYear: boolean } | undefined {
  const state = startReading(text, context)
  const isNoDay =
    state.namedZone ||
    applyPhrases([...preparationPhrases, ...dayAndTimePhrases], state) ||
    state.times.length ||
    readChronoDates(state) ||
    findUnreadWords(state.text).length
  const [date, otherDate] = state.dates
  if (isNoDay || !date || otherDate) return undefined
  return { day: date.day, hasYear: !date.lacksYear && includesYear(text, date.day) }
}

function includesYear(text: string, day: Day): boolean {
  const { year } = dateFromDay(day)
  return new RegExp(`(?:\\b|[./])${year % 100}\\b|${year}`).test(text)
}
