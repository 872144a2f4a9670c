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
  refuseLongText(text, 'time') ??
  context.knownReadings?.get(readingKey(text, context.now, context.zone)) ??
  readText(text, toLocalContext(context)).resolve()

/** Words mean something else at another time or in another zone. */
const readingKey = (words: string, now: Date, zone: string): string => `${now.getTime()} ${zone} ${words}`

/** Lets `readWhen` return this reading of the same words in the same context. */
export function rememberReading(words: string, reading: Reading, { now, knownReadings }: LocalContext): void {
  knownReadings?.set(readingKey(words, now.at.toJSDate(), now.zone), reading)
}

/** The local date and time of a context, computed once for several readings. */
export type LocalContext = Pick<ReadingState, 'now' | 'locale'> & Pick<ReadingContext, 'knownReadings'>

export function toLocalContext({ now, zone, locale, knownReadings }: ReadingContext): LocalContext {
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`The reading context has an invalid time zone: ${zone}.`)
  const time = { hour: at.hour, minute: at.minute, second: 0 }
  return { now: { at, day: dayOfMoment(at), time, zone }, locale, knownReadings }
}

export type ReadText = {
  /** The normalized text. */
  text: string
  /** The words that no step could read. */
  unread: string
  hasDay: boolean
  hasTime: boolean
  /** Whether the text names a part of a day, such as "morning". */
  hasPartOfDay: boolean
  /** Decides what the words mean. This takes longer than finding the day and the time. */
  resolve: () => Reading
}

/** Reads text whose length was already checked. */
export function readText(text: string, local: LocalContext): ReadText {
  const normalized = normalizeText(text)
  const pair = splitZonePair(normalized.text)
  if (pair) {
    const [first, second] = [readText(pair[0], local), readText(pair[1], local)]
    return { ...first, text: normalized.text, resolve: () => joinReadings(first.resolve(), second.resolve()) }
  }
  const state = startState(normalized, local)
  const refusal =
    refuseOtherLanguage(state.text, local.locale) ??
    applyPhrases(preparationPhrases, state) ??
    findRefusal(state.text) ??
    applyPhrases(momentPhrases, state) ??
    findUnnamedDay(state.text) ??
    readChronoDates(state)
  const hasDay = state.dates.length > 0 || state.exactMoment !== undefined
  const hasTime = state.times.length > 0 || state.exactMoment !== undefined
  const unread = refusal ? '' : nameUnreadWords(text, state)
  return {
    text: normalized.text,
    unread,
    hasDay,
    hasTime,
    hasPartOfDay: state.partOfDay !== undefined,
    resolve: () => refusal ?? resolveReading(state, unread),
  }
}

/** Two names of one moment, "9am PT" and "12pm ET", must agree. */
function joinReadings(first: Reading, second: Reading): Reading {
  if (first.kind === 'refusal') return first
  if (second.kind === 'refusal') return second
  const others = choicesOf(second)
  const choices = choicesOf(first).filter(({ at }) => others.some((other) => +other.at === +at))
  const [choice] = choices
  if (!choice) return createRefusal('several', NOT_ONE_MOMENT)
  if (first.kind === 'moment') return first
  if (choices.length > 1) return { ...first, choices }
  return { kind: 'moment', at: choice.at, zone: choice.zone, assumptions: [] }
}

const NOT_ONE_MOMENT =
  'Those are two different times. Enter only one of them, such as "tomorrow 9am New York".'

const choicesOf = (reading: Moment | Question) =>
  reading.kind === 'moment' ? [{ ...reading, label: '' }] : reading.choices

export const startReading = (text: string, context: ReadingContext): ReadingState =>
  startState(normalizeText(text), toLocalContext(context))

function startState(
  { text, hasShortWeekday }: ReturnType<typeof normalizeText>,
  { now, locale }: LocalContext,
): ReadingState {
  const { text: textWithoutZone, namedZone } = extractZone(withoutPolitePhrases(text))
  return {
    now,
    locale,
    text: textWithoutZone,
    namedZone,
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

/** Returns the words of the text that were not read, as the user wrote them. */
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
