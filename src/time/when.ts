import { DateTime } from 'luxon'
import { clean } from './clean.ts'
import { CLOCK, DATE, type Draft, type Phrase } from './draft.ts'
import { judge } from './judge.ts'
import { type Language, languageOf } from './language.ts'
import { narrow, readWithChrono } from './read-with-chrono.ts'
import { type Reading, type Refusal, refuse } from './reading.ts'
import { correctSpelling } from './spelling.ts'
import { createPlaces } from './zones/places.ts'
import { takeZone } from './zones/take-zone.ts'

export type { Choice, Instant, Question, Reading, Reason, Refusal } from './reading.ts'

export type WhenContext = { now: Date; zone: string; locale?: string }

const LONGEST = 300

/** Reads a person's words for a moment to come. */
export function readWhen(text: string, context: WhenContext): Reading {
  if (text.length > LONGEST)
    return refuse('too-long', `Write only the time, in at most ${LONGEST} characters.`)
  const language = languageOf(context.locale)
  const cleaned = correctSpelling(clean(text), language.spelled)
  const { text: words, named } = takeZone(cleaned, places)
  const draft = newDraft(words, context, language)
  const stopped =
    apply(language.beforeRefusals, draft) ?? language.refusalIn(draft.text) ?? apply(language.phrases, draft)
  if (stopped) return stopped
  if (language.vague.test(draft.text))
    return refuse('vague', 'Which day? Write it with the time, such as "tuesday 10am".')
  const chrono = readWithChrono(draft, chronoOf(language))
  return judge({ draft, chrono, named, leftover: leftoverIn(chrono.rest, language), text: text.trim() })
}

/** What is costly to build and never changes is built once. */
const places = createPlaces()
const narrowed = new Map<Language, ReturnType<typeof narrow>>()
function chronoOf(language: Language) {
  const chrono = narrowed.get(language) ?? narrow(language.chrono)
  narrowed.set(language, chrono)
  return chrono
}

function newDraft(text: string, { now, zone, locale }: WhenContext, language: Language): Draft {
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`There is no time zone ${zone}.`)
  const day = Math.floor((now.getTime() + at.offset * 60_000) / 86_400_000)
  return {
    text,
    now: { at, day, clock: { hour: at.hour, minute: at.minute, second: 0 }, zone },
    monthFirst: locale ? language.monthFirst(locale) : undefined,
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
function apply(phrases: Phrase[], draft: Draft): Refusal | undefined {
  for (const phrase of phrases) {
    const isRepeated = phrase.pattern.global
    let from = 0
    do {
      phrase.pattern.lastIndex = 0
      const match = phrase.pattern.exec(draft.text.slice(from))
      if (!match) break
      match.index += from
      const read = phrase.read(match, draft)
      if (typeof read === 'object') return read
      const end = match.index + match[0].length
      if (read !== undefined) draft.text = draft.text.slice(0, match.index) + read + draft.text.slice(end)
      from = read === undefined ? end : match.index + read.length
    } while (isRepeated && from < draft.text.length)
  }
  return undefined
}

function leftoverIn(rest: string, { fillers }: Language): string[] {
  return rest
    .split(/[\s,;.!?()[\]"]+|(?<=\D)[-/:&]|[-/:&](?=\D)/)
    .filter((word) => word && !fillers.has(word) && !word.includes(DATE) && !word.includes(CLOCK))
}
