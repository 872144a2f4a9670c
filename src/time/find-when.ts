import { languageOf } from './language.ts'
import { type Read, read, type WhenContext } from './read.ts'
import { type Question, type Reading, refuse } from './reading.ts'

/** What was found in a whole sentence, and the sentence without it: all of it where it may belong to the post. */
export type Found = { reading: Reading; text: string }

const LONGEST = 4000
const MOST_WORDS = 12

/** Finds the schedule in a sentence that also holds the post. What names a platform is to be taken off its end before. */
export function findWhen(text: string, context: WhenContext): Found {
  if (text.length > LONGEST)
    return {
      reading: refuse('too-long', `Write the post and its time in at most ${LONGEST} characters.`),
      text,
    }
  return apart(text, context) ?? joined(text, context) ?? { reading: nothingFound, text }
}

const nothingFound = refuse('nonsense', 'I cannot find a time in that. End it like "… tomorrow 9am".')

/** A moment stands apart behind closing punctuation, an emoji, a separator or "schedule for", or before a separator. */
function apart(text: string, context: WhenContext): Found | undefined {
  for (const { start, end, rest } of placesApart(text)) {
    const words = text.slice(start, end).trim()
    if (!words || words.length > 300) continue
    const { reading, leftover } = read(words, context)
    if (leftover.length || isNothing(reading)) continue
    if (reading.kind !== 'refusal') return { reading, text: rest.trim() }
    // A few words apart that are no single moment to come were meant to be one; more may well be the post.
    if (rest.trim() && words.split(/\s+/).length <= MOST_REFUSED) return { reading, text }
  }
  return undefined
}

const MOST_REFUSED = 6

type Place = { start: number; end: number; rest: string }

const ASKED =
  /[\s,;–—-]*\b(?:please )?(?:schedule|post|publish|send)(?: (?:it|this))?(?: out)? (?:for|at|on) (?=[^.!?]*$)/giu
const BEHIND =
  /(?:[.!?…][)\]"'”’]*|:[a-z0-9_+-]+:|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*|\s[-–—|•·]|[|•·;\n])\s+|\n+/giu
const BEFORE = /^([^\n]{2,80}?)(?:\s*[:|]\s+|\s+[-–—]\s+|\s*\n+)/u

function* placesApart(text: string): Generator<Place> {
  const trimmed = text.trimEnd()
  const asked = [...trimmed.matchAll(ASKED)].at(-1)
  if (asked)
    yield { start: asked.index + asked[0].length, end: trimmed.length, rest: trimmed.slice(0, asked.index) }
  const behind = [...trimmed.matchAll(BEHIND)].at(-1)
  if (behind) {
    const start = behind.index + behind[0].length
    const rest = trimmed.slice(0, start).replace(/\s[-–—|•·;]?\s*$/u, '')
    yield { start, end: trimmed.length, rest }
  }
  const before = BEFORE.exec(trimmed)
  if (before) yield { start: 0, end: before[1]?.length ?? 0, rest: trimmed.slice(before[0].length) }
  yield { start: 0, end: trimmed.length, rest: '' }
}

/** A moment that other words run into may be a part of the post: "Join us on 12 March at 6pm!" */
function joined(text: string, context: WhenContext): Found | undefined {
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
    const question = askAbout(read(candidate, context), context)
    if (question) return question
  }
  return undefined
}

function askAbout({ reading, leftover }: Read, context: WhenContext): Question | undefined {
  if (leftover.length || reading.kind === 'refusal') return undefined
  const from = withoutFillers(reading.from, context)
  const choices =
    reading.kind === 'instant' ? [{ label: from, at: reading.at, zone: reading.zone }] : reading.choices
  return { kind: 'question', ask: `Is "${from}" when to post it, or a part of the post?`, choices, from }
}

/** "it at 5pm" is "5pm" */
function withoutFillers(words: string, { locale }: WhenContext): string {
  const { fillers } = languageOf(locale)
  const list = words.replace(/[.!?…]+$/, '').split(/\s+/)
  while (list.length > 1 && fillers.has((list[0] ?? '').toLowerCase())) list.shift()
  while (list.length > 1 && fillers.has((list.at(-1) ?? '').toLowerCase())) list.pop()
  return list.join(' ')
}

const isNothing = (reading: Reading) => reading.kind === 'refusal' && reading.reason === 'nonsense'
