import { DateTime } from 'luxon'
import { type Day, dayOfMoment, weekdayOf } from './calendar.ts'
import { readChronoDates } from './chrono-dates.ts'
import { cleanText, normalizeText, normalizeWords } from './normalize.ts'
import { refuseOtherLanguage } from './other-languages.ts'
import { FILLER_WORDS, globalPattern, POLITE_PHRASE } from './pattern-parts.ts'
import {
  applyPhrases,
  DATE_MARK,
  type Phrase,
  type ReadingState,
  type Repetition,
  TIME_MARK,
} from './phrase.ts'
import { calendarDayPhrases } from './phrases/calendar-days.ts'
import { datePhrases, yearFirstAndHyphenPhrases } from './phrases/dates.ts'
import { currentTimePhrases, dayDependentPhrases, relativeDayPhrases } from './phrases/relative-days.ts'
import { timePhrases } from './phrases/times.ts'
import { wordFormPhrases } from './phrases/word-forms.ts'
import { createRefusal, type Moment, type Question, type Reading, type ReadingContext } from './reading.ts'
import { findRefusal, findUnnamedDay, refuseLongText } from './refusals.ts'
import { resolveReading } from './resolve-reading.ts'
import { extractZone, splitZonePair } from './zones.ts'

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
  /** The words that no step could read. */
  unread: string
  hasDay: boolean
  hasTime: boolean
}

/** Reads a text that isn't too long and also returns the words that no step could read. */
export function readText(text: string, context: ReadingContext): ReadText {
  const normalized = normalizeText(text)
  const pair = splitZonePair(normalized.text)
  if (pair) return joinReadings(readText(pair[0], context), readText(pair[1], context))
  const state = startState(normalized, context)
  const refusal =
    refuseOtherLanguage(state.text, context.locale) ??
    applyPhrases(preparationPhrases, state) ??
    findRefusal(state.text) ??
    applyPhrases(momentPhrases, state) ??
    findUnnamedDay(state.text) ??
    readChronoDates(state)
  const hasDay = state.dates.length > 0 || state.exactMoment !== undefined
  const hasTime = state.times.length > 0 || state.exactMoment !== undefined
  if (refusal) return { reading: refusal, unread: '', hasDay, hasTime }
  const unread = nameUnreadWords(text, state)
  return { reading: resolveReading(state, unread), unread, hasDay, hasTime }
}

/** Two names of one moment, "9am PT" and "12pm ET", must agree. */
function joinReadings(first: ReadText, second: ReadText): ReadText {
  const { reading } = first
  if (reading.kind === 'refusal') return first
  if (second.reading.kind === 'refusal') return second
  const others = choicesOf(second.reading)
  const choices = choicesOf(reading).filter(({ at }) => others.some((other) => +other.at === +at))
  const [choice] = choices
  if (!choice) return { ...first, reading: createRefusal('several', NOT_ONE_MOMENT) }
  if (reading.kind === 'moment') return first
  const { at, zone } = choice
  return choices.length > 1
    ? { ...first, reading: { ...reading, choices } }
    : { ...first, reading: { kind: 'moment', at, zone, assumptions: [] } }
}

const NOT_ONE_MOMENT =
  'Those are two different times. Enter only one of them, such as "tomorrow 9am New York".'

const choicesOf = (reading: Moment | Question) =>
  reading.kind === 'moment' ? [{ ...reading, label: '' }] : reading.choices

export const startReading = (text: string, context: ReadingContext): ReadingState =>
  startState(normalizeText(text), context)

function startState(
  { text, hasShortWeekday }: ReturnType<typeof normalizeText>,
  { now, zone, locale }: ReadingContext,
): ReadingState {
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`The reading context has an invalid time zone: ${zone}.`)
  const time = { hour: at.hour, minute: at.minute, second: 0 }
  const { text: textWithoutZone, namedZone } = extractZone(withoutPolitePhrases(text))
  return {
    text: textWithoutZone,
    namedZone,
    now: { at, day: dayOfMoment(at), time, zone },
    locale,
    hasShortWeekday,
    dates: [],
    times: [],
    assumptions: [],
  }
}

const withoutPolitePhrases = (text: string) =>
  text.replace(POLITE_PHRASES, ' ').replace(/^[ ,]+|(?:[ ,!]|(?<!\d)\.)+$|(?<= ) +/g, '')

const POLITE_PHRASES = globalPattern`(?<![\w'])${POLITE_PHRASE}(?![\w'])`

const findUnreadWords = (text: string): string[] =>
  text
    .split(/[\s,;.!?()[\]"]+|(?<=\D)[-/:&]|[-/:&](?=\D)/)
    .filter(
      (word) => word && !FILLER_WORDS.has(word) && !word.includes(DATE_MARK) && !word.includes(TIME_MARK),
    )

/** Returns the words of a text that were not read, as the user wrote them. */
export function nameUnreadWords(text: string, state: ReadingState): string {
  const unreadWords = findUnreadWords(state.text)
  if (!unreadWords.length) return ''
  const isUnread = (normalized: string) =>
    findUnreadWords(normalized).some((word) => unreadWords.includes(word))
  const words = text
    .split(/\s+/)
    .filter((word) => {
      const clean = cleanText(word)
      return isUnread(clean) || isUnread(normalizeWords(clean).text)
    })
    .map((word) => word.replace(/^[("“]+|[.,;:!?)"”]+$/g, ''))
  return (words.length ? words : unreadWords).join(' ')
}

/** Reads words that name one day in the past or future. Returns undefined for anything else. */
export function readDay(
  text: string,
  context: ReadingContext,
): { day: Day; repeats: Repetition | undefined; isNamedDay: boolean } | undefined {
  const state = startReading(text, context)
  const isNoDay =
    state.namedZone ||
    applyPhrases([...preparationPhrases, ...dayAndTimePhrases], state) ||
    state.times.length ||
    readChronoDates(state) ||
    findUnreadWords(state.text).length
  const [date, otherDate] = state.dates
  if (isNoDay || !date || otherDate) return undefined
  if (state.weekday && weekdayOf(date.day) !== state.weekday) return undefined
  const { day, lacksYear } = date
  return { day, repeats: lacksYear === 'date' ? 'year' : date.repeats, isNamedDay: lacksYear === 'named-day' }
}
