import { normalizeText, normalizeWords } from './normalize.ts'
import { POLITE_PHRASE, TIME_WORD, UNIT } from './pattern-parts.ts'
import { type LocalContext, readText, rememberReading, toLocalContext } from './read-when.ts'
import type { ReadingContext, RefusalReason } from './reading.ts'
import { isTooLong } from './refusals.ts'

/** A time in a text that also contains a post. */
export type FoundWhen = {
  /** The words of the time, even of one that can't be used, such as "yesterday 9am". */
  words: string
  /** The text without the time. */
  rest: string
  /** False if the words may well belong to the post: "Happy friday". */
  isCertain: boolean
}

const MAX_LENGTH = 4000
const MAX_TIME_LENGTH = 120
/** Each candidate is read, so their number is limited. */
const MAX_CANDIDATES = 14

type Found = FoundWhen & {
  hasDay: boolean
  hasClock: boolean
  /** Whether the words stand apart from the post. */
  isApart: boolean
}

/** Finds the time at the end of a text, or else at its beginning. */
export function findWhen(text: string, context: ReadingContext): FoundWhen | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const trimmed = text.trim()
  const local = toLocalContext(context)
  const atEnd = findAtEnd(trimmed, local)
  const atStart = findAtStart(trimmed, local)
  // The time at the start of "tomorrow 9am, Berlin time" is a part of the time at its end.
  const isSame = atStart && atEnd && atEnd.rest.length < trimmed.length - atStart.rest.length
  const found = isSame ? atEnd : chooseBetween(atStart, atEnd)
  return found && { words: found.words, rest: found.rest, isCertain: found.isCertain }
}

function chooseBetween(atStart: Found | undefined, atEnd: Found | undefined): Found | undefined {
  if (!atStart || !atEnd) return atStart ?? atEnd
  // Only one of the two names a time of day: "Monday: soup is back! tomorrow 9am"
  if (atStart.hasClock !== atEnd.hasClock) return atStart.hasClock ? atStart : atEnd
  if (!atStart.hasClock) return atEnd.isCertain ? atEnd : atStart
  // "tomorrow 9am: Party sat 8pm" names two times, and one of them belongs to the post.
  return { ...(atEnd.isApart || !atStart.hasDay ? atEnd : atStart), isCertain: false }
}

/** Whether a text names a time and nothing else. */
export const isOnlyWhen = (text: string, context: ReadingContext): boolean =>
  examine(text, toLocalContext(context)) !== undefined

/** Whether the words name both a day and a time of day. */
export function isWholeMoment(words: string, context: ReadingContext): boolean {
  const found = examine(words, toLocalContext(context))
  return Boolean(found?.hasDay && found.hasClock)
}

type TimeWords = {
  /** Whether the words name one moment, or leave only a question about it. */
  isReadable: boolean
  /** Why they aren't one moment. */
  problem?: RefusalReason
  hasDay: boolean
  /** Whether they include a time of day, which a post seldom does by chance. */
  hasClock: boolean
  isVague: boolean
}

/** Returns undefined if the words don't name a time. */
function examine(words: string, local: LocalContext): TimeWords | undefined {
  if (!words || isTooLong(words) || NO_TIME.test(words)) return undefined
  const { text, unread, hasDay, hasTime, resolve } = readText(words, local)
  // "tomorrow at 3 Springfield time" is a time, although the place is unknown.
  const isUnknownPlace = hasTime && PLACE_NAME.test(unread) && words.endsWith(`${unread} time`)
  const hasOtherWords = unread !== '' && !isUnknownPlace
  if (hasOtherWords && !isAboutTime(words)) return undefined
  const reading = resolve()
  rememberReading(words, reading, local)
  const hasClock = CLOCK.test(text) || (hasDay && hasTime)
  if (reading.kind === 'refusal') {
    if (['nonsense', 'too-long'].includes(reading.reason) || !isAboutTime(words)) return undefined
    const isVague = reading.reason === 'vague' && !hasClock
    return { isReadable: false, problem: reading.reason, hasDay, hasClock, isVague }
  }
  if (hasOtherWords || !(hasDay || hasTime)) return undefined
  return { isReadable: true, hasDay, hasClock, isVague: !hasClock && (!hasDay || DURATION.test(text)) }
}

const PLACE_NAME = /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?$/u

/** Numbers alone may be a version, a price or a score. */
const NO_TIME =
  /^(?:[\s\d.,:;+#'"-]|\b(?:to|and|or|of)\b)*$(?<!\b\d{1,2}:\d{2})|^\W*(?:an?|the|it|is|may|march|second|now|in \d+)\W*$/i
/** A duration, which may belong to the post: "The best cake in 12 years" */
const DURATION = /\bin .*(?:\b|\d)(?:years?|y|months?|mo|weeks?|w|days?|d)$/i
/** Signs of a time of day. */
const CLOCK =
  /\d ?[ap]\.?m?\b|\d[:h]\d\d|\d ?(?:h|uhr|o'?clock)\b|\b(?:noon|midnight|midday|eod)\b|(?:\bat|@) ?\d|\bin .*(?:min|hour|\dh)|\b(?:past|to) \w+$/i

const isAboutTime = (words: string): boolean =>
  normalizeWords(words.toLowerCase())
    .text.split(/[\s,–-]+/)
    .every((word) => !word || TIME_WORD.test(word))

const EMOJI = String.raw`:[a-z0-9_+-]+:|<@[^<>]*>|\p{RI}|\u20e3|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*`
/** Rules out a colon that ends the name of an emoji, such as ":party-parrot:". */
export const NOT_EMOJI_END = String.raw`(?!(?<=(?<![\w:]):[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*):)`
/** Periods after these don't end a sentence. */
const ABBREVIATION = String.raw`\d|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|june?|july?|aug|sept?|oct|nov|dec|[ap]\.?m)`
const ENDS_SENTENCE = new RegExp(`(?:^|[!?…\\n)\\]"”’»]|(?<!${ABBREVIATION})\\.|${EMOJI})\\s*$`, 'iu')
/** Separators may also stand inside a time: "fri, 9am". */
const ENDS_PART = /(?:[,;:|•·]|(?:^|\s)[-–—])\s*$/
const MAX_BOUNDARY_LENGTH = 40

/** Whether the words after this text stand apart from it. */
export function endsPart(text: string): boolean {
  const end = text.slice(-MAX_BOUNDARY_LENGTH)
  return ENDS_SENTENCE.test(end) || ENDS_PART.test(end)
}

/** Words that connect a time with what comes before it: "please schedule it for" */
const LEAD_IN = new RegExp(
  String.raw`${NOT_EMOJI_END}[\s,;:–—|•·-]*(?<![\p{L}\p{N}])(?:(?:(?:please|pls) +)?(?:schedule|post|publish|send|queue)(?: (?:it|this))?(?: out)? +)?(?:(?:at|on|for|@) *)*$`,
  'iu',
)

function withoutLeadIn(text: string): string {
  const end = text.slice(-MAX_BOUNDARY_LENGTH)
  return text.slice(0, text.length - end.length) + end.replace(LEAD_IN, '')
}

type Candidate = TimeWords & { start: number; text: string }

/** The longest ending that is a time. */
function findAtEnd(text: string, local: LocalContext): Found | undefined {
  const punctuation = /(?<![!?])[!?]+$/.exec(text)?.[0] ?? ''
  const body = text.slice(0, text.length - punctuation.length)
  const candidates = findCandidates(body, local)
  const chosen = chooseCandidate(candidates)
  const pair = findPair(candidates, chosen)
  const found = pair ?? chosen
  if (!found) return undefined
  const before = body.slice(0, found.start)
  const isApart = endsPart(before)
  if (found.isVague && !isApart) return undefined
  const words = withoutFiller(found.text, local)
  const rest = withoutLeadIn(body.slice(0, body.length - words.length))
  const { hasClock, hasDay } = found
  // The last of several times in a sentence may belong to the post: "Doors at 6, show at 8pm"
  const isOneOfDay = !hasDay && OTHER_TIME.test(lastSentence(before))
  return {
    words: withoutPunctuation(words),
    rest: rest && rest + punctuation,
    isCertain: !rest || ((hasClock || isApart) && !pair && !isOneOfDay),
    hasDay,
    hasClock,
    isApart,
  }
}

/** If the longest candidate may be two times, as in "closed at 3. Thu 9am", returns the one that is probably meant. */
function findPair(candidates: Candidate[], chosen: Candidate | undefined): Candidate | undefined {
  const [longest] = candidates
  const whole = candidates.find(({ isReadable, hasDay, hasClock }) => isReadable && hasDay && hasClock)
  if (!longest?.problem || longest.problem === 'invalid' || !whole) return undefined
  if (BEGINS_WITH_REQUEST.test(whole.text)) return undefined
  const before = longest.text.slice(0, whole.start - longest.start)
  const hasOtherTime = OTHER_TIME.test(before)
  const isPair = hasOtherTime && TWO_TIMES.has(longest.problem)
  // In "Meet us friday, sat 9am", the post would lose both.
  const losesBoth = chosen === longest && (hasOtherTime || OTHER_DAY.test(normalizeText(before).text))
  if (!isPair && !losesBoth) return undefined
  const isRange = RANGE_WORD_AT_END.test(before) || RANGE_WORD.test(whole.text)
  if (isRange || longest.problem === 'weekday-mismatch') return longest
  return ENDS_WITH_CONNECTOR.test(before) ? undefined : whole
}

const TWO_TIMES = new Set<RefusalReason>(['several', 'range', 'open-ended'])
/** "In 2:58:11" is the result of a race, not a time of day. */
const OTHER_TIME =
  /\d ?[ap]\.?m\b|(?<![\d:])\d{1,2}[:h]\d\d(?![\d:])|\b(?:noon|midnight|midday)\b|(?:\b(?:at|by|from|until|till)|@) ?\d/i
const OTHER_DAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|weekend|next (?:week|month)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d\.\d|\d\/\d|-\d\d-/
const RANGE_WORD_AT_END = /(?:\b(?:to|until|till)\s*|(?<!\s)[-–—])$/i
const RANGE_WORD = /^(?:to|until|till)\b/i
const ENDS_WITH_CONNECTOR = /(?:\b(?:and|or)|[/&+])\s*$/i

const lastSentence = (text: string): string =>
  text
    .slice(-MAX_TIME_LENGTH)
    .split(/[!?\n]|\.\s/)
    .at(-1) ?? ''

/** Finds the endings that are times, the longest first. If some are within one line or one sentence, finds only those. */
function findCandidates(text: string, local: LocalContext): Candidate[] {
  const endings = wordStarts(text).map((start) => ({ start, text: text.slice(start) }))
  const inLastLine = endings.filter((ending) => !ending.text.includes('\n'))
  if (inLastLine.length < endings.length) {
    const candidates = examineAll(inLastLine, local)
    if (candidates.some(({ hasDay, hasClock }) => hasDay && hasClock)) return candidates
  }
  // If an ending crosses sentences, so do the longer ones before it.
  const crossing = endings.filter((ending) => CROSSES_SENTENCES.test(ending.text))
  const candidates = examineAll(endings.slice(crossing.length), local)
  return candidates.length ? candidates : examineAll(crossing, local)
}

function examineAll(endings: { start: number; text: string }[], local: LocalContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const ending of endings) {
    const found = examine(ending.text, local)
    if (found) candidates.push({ ...found, ...ending })
    // The longest one will be chosen, so the shorter ones needn't be read.
    if (candidates[0]?.isReadable) break
  }
  return candidates
}

const CROSSES_SENTENCES = /[!?…]\s|\p{Extended_Pictographic}/u

function chooseCandidate(candidates: Candidate[]): Candidate | undefined {
  const [longest] = candidates
  if (!longest || longest.isReadable) return longest
  const textBefore = ({ start }: Candidate) => longest.text.slice(0, start - longest.start)
  const readable = candidates.find(
    (candidate) => candidate.isReadable && (candidate.hasClock || endsPart(textBefore(candidate))),
  )
  if (!readable || BEGINS_WITH_REQUEST.test(readable.text)) return readable ?? longest
  const before = textBefore(readable)
  if (ENDS_SENTENCE.test(before)) return readable
  // "we won 2-0 on friday 5pm" is not the range "2-0 on friday".
  const words = normalizeText(before).text
  const isConnected = CONNECTOR.test(words) && !endsPart(before)
  // "We open at 9am every day sat 8:00" names a whole moment after a time that belongs to the post.
  const isWholeMoment = readable.hasDay && readable.hasClock && !JOINS_TIMES.test(before)
  return isConnected || (DAY_OR_TIME.test(words) && !isWholeMoment) ? longest : readable
}

const BEGINS_WITH_REQUEST = /^(?:(?:please|pls) )?(?:schedule|post|publish|send|queue)\b/i
const DAY_OR_TIME =
  /\b(?:mon|tue|wed|thu|fri|sat|sun|today|tomorrow|tonight|yesterday|every|each|daily|weekly|(?:this|next|coming) (?:week|month)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d ?[ap]m|\d:\d|\d\.\d+\.|\d\/\d|\d{4}-\d/i
const JOINS_TIMES =
  /(?:\b(?:and|or|to|until|till|from|between|by|before|after|not|plus|then|every|each|other|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*)|[-–—/,&+])\s*$/iu
const CONNECTOR = /\b(?:from|between|until|before|after|by|since|last|starting)\b/

/** Where words begin near the end of a text. */
function wordStarts(text: string): number[] {
  const from = Math.max(0, text.length - MAX_TIME_LENGTH)
  return [...text.slice(from).matchAll(/(?<![\p{L}\p{N}\p{M}.:/'’&@#+-])[\p{L}\p{N}]/gu)]
    .map(({ index }) => from + index)
    .slice(-MAX_CANDIDATES)
}

const SEPARATOR = new RegExp(
  String.raw`${NOT_EMOJI_END}:(?=\s)|\s[-–—|](?=\s)|[–—|](?=\s)|[,!.](?=\s)|\n`,
  'gi',
)
/** An emoji after the time belongs to the post. */
const EMOJI_AFTER_WORD = new RegExp(String.raw`[\p{L}\p{N}]\P{L}*?(?:${EMOJI})`, 'iu')
const MAX_SEPARATORS = 6
/** At the beginning, "Sun" and "We" are words. */
const SHORT_WEEKDAY = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|mo|tu|we|th|fr|sa|su)\b\.?$/i

/** The longest beginning that is a time, up to a separator, or else up to a space. */
function findAtStart(text: string, local: LocalContext): Found | undefined {
  const head = text.slice(0, MAX_TIME_LENGTH)
  const separators = [...head.matchAll(SEPARATOR)].slice(0, MAX_SEPARATORS).reverse()
  for (const { index, 0: separator } of separators) {
    const words = text.slice(0, index)
    const found = examineStart(words, local)
    const isSet =
      found && (found.hasClock || (!/[,!.]/.test(separator) && !found.isVague && !SHORT_WEEKDAY.test(words)))
    if (isSet) return startingWith(words, text.slice(index + separator.length), found, local)
  }
  const spaces = [...head.matchAll(/\s+(?=\S)/g)].slice(0, MAX_CANDIDATES).reverse()
  for (const { index } of spaces) {
    const words = text.slice(0, index)
    // "Hello tomorrow 9am on TV" is a post, and a preposition such as "on" belongs to the words after it.
    const found =
      GREETING.test(words) || PREPOSITION_AT_END.test(words) ? undefined : examineStart(words, local)
    if (found?.isReadable && found.hasDay && found.hasClock)
      return startingWith(words, text.slice(index), found, local)
  }
  return undefined
}

const GREETING = /^(?:hello|hiya|hi|hey)\b/i
const PREPOSITION_AT_END = /\b(?:on|to|for|via|at|in)$/i

const startingWith = (
  words: string,
  rest: string,
  { hasDay, hasClock }: TimeWords,
  local: LocalContext,
): Found => ({
  words: withoutPunctuation(withoutStart(words, REQUEST, local)),
  rest: rest.trim(),
  isCertain: true,
  hasDay,
  hasClock,
  isApart: true,
})

const examineStart = (words: string, local: LocalContext): TimeWords | undefined =>
  EMOJI_AFTER_WORD.test(words) ? undefined : examine(words, local)

const withoutPunctuation = (words: string): string =>
  words.trim().replace(/(?<!\d\.\d{1,2}|\b[ap]\.m|[.,;:])[.,;:]+$/i, '')

/** Removes words at the beginning that don't change the meaning, because they may belong to the post: "get it at 5pm". */
const withoutFiller = (words: string, local: LocalContext): string => withoutStart(words, FILLER, local)

/** Removes words at the beginning that only ask for a time: "please schedule it for tomorrow 9am". */
export const withoutRequest = (words: string, context: ReadingContext): string =>
  withoutStart(words, REQUEST, toLocalContext(context))

function withoutStart(words: string, removable: RegExp, local: LocalContext): string {
  const [start = ''] = POLITE_START.exec(words) ?? removable.exec(words) ?? []
  const shorter = words.slice(start.length)
  const isSame = start && meaningOf(shorter, local) === meaningOf(words, local)
  return isSame ? withoutStart(shorter, removable, local) : words
}

const REQUEST =
  /^(?:please|pls|(?:schedule|post|publish|send|queue|share)(?: (?:this|it))?|on|at|for|@)[.,;:!?]*\s+(?=[\p{L}\p{N}])/iu

const POLITE_START = new RegExp(`^${POLITE_PHRASE.replaceAll('^', '')}[.,;:!?]*\\s+(?=[\\p{L}\\p{N}])`, 'iu')

const FILLER = new RegExp(
  String.raw`^(?:an?(?! \w+ (?:from|ago|after|before)\b)|the(?! \d)|this(?= (?:for|on|at|to(?:day|morrow|night))\b)|at|on|for|of|it|is|go|live|out|share|post|publish|schedule|scheduled|send|queue|please|pls|thanks|date|time|my|local|ok|hey|hi|sharp|prompt(?:ly)?|${UNIT})[.,;:!?]*\s+(?=[\p{L}\p{N}])`,
  'iu',
)

function meaningOf(words: string, local: LocalContext): string {
  const reading = readText(words, local).resolve()
  if (reading.kind === 'refusal') return reading.reason
  return (reading.kind === 'moment' ? [reading] : reading.choices).map(({ at }) => at.toMillis()).join()
}
