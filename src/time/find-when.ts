import { type Language, languageOf } from './language.ts'
import { type Read, read, type WhenContext } from './read.ts'
import { type Question, type Reading, refuse } from './reading.ts'

/** What was found in a whole sentence, and the sentence without it: all of it where it may belong to the post. */
export type FoundWhen = { reading: Reading; text: string }

const LONGEST = 4000
const LONGEST_WHEN = 300
const FURTHEST_BACK = 120
const MOST_WORDS = 12

/** Finds the schedule in a sentence that also holds the post. What names a platform is to be taken off its end before. */
export function findWhen(text: string, context: WhenContext): FoundWhen {
  if (text.length > LONGEST)
    return {
      reading: refuse('too-long', `Write the post and its time in at most ${LONGEST} characters.`),
      text,
    }
  return apart(text, context) ?? joined(text, context) ?? { reading: nothingFound, text }
}

const nothingFound = refuse('nonsense', 'I cannot find a time in that. End it like "… tomorrow 9am".')

/**
 * A moment stands apart behind closing punctuation, an emoji, a separator or "schedule for", or is all there is. Of
 * several places the first counts: "24.12. 9:00" is one moment, though there is a period in it.
 */
function apart(text: string, context: WhenContext): FoundWhen | undefined {
  const language = languageOf(context.locale)
  for (const place of placesApart(text.trimEnd(), language)) {
    const { reading, leftover } = read(place.words, context)
    const isOnlyTime = place.words.split(/\s+/).every((word) => language.timeWord.test(word.toLowerCase()))
    if (reading.kind === 'refusal') {
      // Words of time alone that are no moment were meant to be one; others may well be the post.
      if (isOnlyTime && reading.reason !== 'nonsense') return { reading, text }
    } else if (!leftover.length && (place.rest || isOnlyTime)) return { reading, text: place.rest }
  }
  return undefined
}

/** Words apart, and the text without them. */
type Place = { words: string; rest: string }

const BEHIND =
  /(?:[.!?…]+[)\]"'”’]*|:[a-z0-9_+-]+:|<@[^<>]*>|\p{RI}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*|(?<=\s)[-–—|•·])[ \t]+|[|•·;][ \t]+|[\n\u2028\u2029]+/giu
const SEPARATOR = /\s*[-–—|•·;]?\s*$/u
/** Marks behind the moment belong to the post too. */
const MARKS_BEHIND =
  /(?:\s*(?::[a-z0-9_+-]+:|<[@#!][^<>]*>|\p{RI}{2}|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*))+$/iu

function* placesApart(text: string, { asksToSchedule }: Language): Generator<Place> {
  const asked = [...text.matchAll(asksToSchedule)].at(-1)
  if (asked) yield* placeAt(text, { until: asked.index, from: asked.index + asked[0].length })
  const near = [...text.matchAll(BEHIND)].filter(({ index }) => index > text.length - FURTHEST_BACK)
  for (const { index, 0: mark } of near)
    yield* placeAt(text, { until: index + mark.length, from: index + mark.length })
  yield* placeAt(text, { until: 0, from: 0 })
}

function* placeAt(text: string, { until, from }: { until: number; from: number }): Generator<Place> {
  const behind = text.slice(from)
  const marks = MARKS_BEHIND.exec(behind)?.[0] ?? ''
  const words = behind.slice(0, behind.length - marks.length).trim()
  const rest = `${text.slice(0, until).replace(SEPARATOR, '')}${marks && ' '}${marks.trim()}`.trim()
  if (words && words.length <= LONGEST_WHEN) yield { words, rest }
}

/** A moment that other words run into may be a part of the post: "Join us on 12 March at 6pm!" */
function joined(text: string, context: WhenContext): FoundWhen | undefined {
  const whole = text.trim()
  const words = [...whole.matchAll(/\S+/g)]
  const ends = words.slice(-MOST_WORDS).map(({ index }) => whole.slice(index))
  const starts = words.slice(0, MOST_WORDS).map(({ index, 0: word }) => whole.slice(0, index + word.length))
  const reading = longest(ends, context) ?? longest(starts.reverse(), context)
  return reading && { reading, text }
}

/** The first of the candidates that is nothing but a moment. */
function longest(candidates: string[], context: WhenContext): Question | undefined {
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_WHEN) continue
    const question = askAbout(read(candidate.replace(/[:,;]+$/, ''), context), context)
    if (question) return question
  }
  return undefined
}

function askAbout({ reading, leftover }: Read, context: WhenContext): Question | undefined {
  if (leftover.length || reading.kind === 'refusal') return undefined
  const short = withoutFillers(reading.source, context)
  const from = isTheSame(read(short, context).reading, reading) ? short : reading.source
  const choices =
    reading.kind === 'instant' ? [{ label: from, at: reading.at, zone: reading.zone }] : reading.choices
  return {
    kind: 'question',
    question: `Is "${from}" when to post it, or a part of the post?`,
    choices,
    source: from,
  }
}

/** "in 2 hours" is not "2". */
function isTheSame(one: Reading, other: Reading): boolean {
  const moments = (reading: Reading) =>
    reading.kind === 'instant'
      ? [reading.at.toMillis()]
      : reading.kind === 'question'
        ? reading.choices.map(({ at }) => at.toMillis())
        : []
  return one.kind === other.kind && moments(one).join() === moments(other).join()
}

/** "it at 5pm" is "5pm" */
function withoutFillers(words: string, { locale }: WhenContext): string {
  const { fillers } = languageOf(locale)
  const list = words.replace(/[.!?…]+$/, '').split(/\s+/)
  while (list.length > 1 && fillers.has((list[0] ?? '').toLowerCase())) list.shift()
  while (list.length > 1 && fillers.has((list.at(-1) ?? '').toLowerCase())) list.pop()
  return list.join(' ')
}
