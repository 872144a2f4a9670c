import { normalizeWords } from './normalize.ts'
import { FILLER_WORDS, TIME_WORD } from './pattern-parts.ts'
import { type ReadText, readText, trimWords } from './read-when.ts'
import { createRefusal, type Question, type Reading, type ReadingContext } from './reading.ts'
import { isTooLong } from './refusals.ts'

export type FoundWhen = {
  reading: Reading
  /** The text of the post. It still contains the words of the time if they may belong to the post. */
  text: string
}

const MAX_LENGTH = 4000
/** How far from the end of the text the words of the time can begin. */
const MAX_DISTANCE_FROM_END = 120
const MAX_WORDS = 12
/** How many splits of the text are tried, because each one is read. */
const MAX_SPLITS = 12

/** Finds the time in a text that also contains the post. Remove platform names from the end of the text first. */
export function findWhen(text: string, context: ReadingContext): FoundWhen {
  if (text.length > MAX_LENGTH) return { reading: createRefusal('too-long', TOO_LONG), text }
  const found = findSeparateTime(text, context) ?? findTimeInSentence(text, context)
  return found ?? { reading: createRefusal('nonsense', NO_TIME_FOUND), text }
}

const TOO_LONG = `That's too long. Enter the post and its time in up to ${MAX_LENGTH} characters.`
const NO_TIME_FOUND = 'I couldn\'t find a time in that. Put it at the end, such as "… tomorrow 9am".'

/**
 * Finds a time that is clearly not part of the post: after punctuation, an emoji, a separator or "schedule for", or as
 * the whole text. The first split with a time wins, because "24.12. 9:00" is one time although it contains a period.
 */
function findSeparateTime(text: string, context: ReadingContext): FoundWhen | undefined {
  const trimmed = text.trimEnd()
  for (const split of findSplits(trimmed)) {
    const { words, post } = splitText(trimmed, split)
    if (!words || isTooLong(words)) continue
    const { reading, unreadWords } = readText(words, context)
    const isOnlyTime = normalizeWords(words.toLowerCase())
      .text.split(/\s+/)
      .every((word) => TIME_WORD.test(word))
    if (reading.kind === 'refusal') {
      // Only words about time were meant as a time. Other words may be the post.
      if (isOnlyTime && reading.reason !== 'nonsense') return { reading, text }
    } else if (!unreadWords.length && (post || isOnlyTime)) return { reading, text: post }
  }
  return undefined
}

const SCHEDULE_FOR =
  /(?<![\s,;–—-])[\s,;–—-]*\b(?:please )?(?:schedule(?: (?:it|this))? for|(?:schedule|post|publish|send) (?:it|this)(?: out)? (?:for|at|on))(?= )/gi
const IS_ONE_SENTENCE = /^[^.!?\n]*[.!?]?$/
const BOUNDARY =
  /(?:(?<![.!?…])[.!?…]+[)\]"'”’]*|:[a-z0-9_+-]+:|<@[^<>]*>|\p{RI}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*|(?<=\s)[-–—|•·])[ \t]+|[|•·;][ \t]+|[\n\u2028\u2029]+/giu
/** Emoji and mentions after the time belong to the post. The lookbehind reads them once, from the end. */
const MARKUP_AT_END =
  /$(?<=((?:\s*(?::[a-z0-9_+-]+:|<[@#!][^<>]*>|\p{RI}{2}|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*))+))/iu

/** Where the post ends and where the words after it begin. */
type Split = { postEnd: number; timeStart: number }

function findSplits(text: string): Split[] {
  const splits = [...text.matchAll(BOUNDARY)]
    .filter(({ index }) => index > text.length - MAX_DISTANCE_FROM_END)
    .map(({ index, 0: boundary }) => index + boundary.length)
    .map((end) => ({ postEnd: end, timeStart: end }))
    .slice(-MAX_SPLITS)
  const request = [...text.matchAll(SCHEDULE_FOR)].at(-1)
  const timeStart = request && request.index + request[0].length
  if (timeStart && IS_ONE_SENTENCE.test(text.slice(timeStart)))
    splits.unshift({ postEnd: request.index, timeStart })
  return [...splits, { postEnd: 0, timeStart: 0 }]
}

function splitText(text: string, { postEnd, timeStart }: Split) {
  const end = text.slice(timeStart)
  const markup = MARKUP_AT_END.exec(end)?.[1] ?? ''
  const post = text
    .slice(0, postEnd)
    .trimEnd()
    .replace(/[-–—|•·;]$/, '')
    .trimEnd()
  return {
    words: end.slice(0, end.length - markup.length).trim(),
    post: `${post}${markup && ' '}${markup.trim()}`.trim(),
  }
}

/** Finds a time inside a sentence. The user decides whether it belongs to the post: "Join us on 12 March at 6pm!" */
function findTimeInSentence(text: string, context: ReadingContext): FoundWhen | undefined {
  const sentence = text.trim()
  const words = [...sentence.matchAll(/\S+/g)]
  const endings = words.slice(-MAX_WORDS).map(({ index }) => sentence.slice(index))
  const beginnings = words
    .slice(0, MAX_WORDS)
    .map(({ index, 0: word }) => sentence.slice(0, index + word.length))
  for (const candidate of [...endings, ...beginnings.reverse()]) {
    if (isTooLong(candidate)) continue
    const reading = askIfTimeIsMeant(readText(candidate.replace(/(?<![:,;])[:,;]+$/, ''), context), context)
    if (reading) return { reading, text }
  }
  return undefined
}

function askIfTimeIsMeant({ reading, unreadWords }: ReadText, context: ReadingContext): Question | undefined {
  if (unreadWords.length || reading.kind === 'refusal') return undefined
  const trimmed = trimFillerWords(reading.source)
  // Trimming can change the meaning: "in 2 hours" would become "2".
  const source = isSameReading(readText(trimmed, context).reading, reading) ? trimmed : reading.source
  return {
    kind: 'question',
    question: `Is "${source}" the time to post, or part of the text?`,
    choices:
      reading.kind === 'moment' ? [{ label: source, at: reading.at, zone: reading.zone }] : reading.choices,
    source,
  }
}

const isSameReading = (a: Reading, b: Reading): boolean =>
  a.kind === b.kind && momentsOf(a).join() === momentsOf(b).join()

function momentsOf(reading: Reading): number[] {
  if (reading.kind === 'refusal') return []
  return (reading.kind === 'moment' ? [reading] : reading.choices).map(({ at }) => at.toMillis())
}

/** "it at 5pm" becomes "5pm". */
function trimFillerWords(text: string): string {
  const words = text.replace(/(?<![.!?…])[.!?…]+$/, '').split(/\s+/)
  const isFiller = (word: string) => FILLER_WORDS.has(word.toLowerCase())
  return trimWords(words, { atStart: isFiller, atEnd: isFiller }).join(' ')
}
