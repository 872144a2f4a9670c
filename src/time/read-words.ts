import { type Chart, findMeanings, type Grammar, type Meaning } from './chart.ts'
import { type Cover, findCover } from './cover.ts'
import { readDigits } from './digits.ts'
import { lexiconOf, refuseOtherLanguage } from './languages.ts'
import { type LocalContext, type ReadingContext, type Refusal, toLocalContext } from './reading.ts'
import { refuseLongText } from './refusals.ts'
import { type Token, type TokenizedText, tokenize } from './tokens.ts'
import { type Lexicon, lookUp } from './vocabulary.ts'
import { readZoneWords } from './zone-words.ts'

/** Text with the meanings of all its parts. */
type ParsedWords = { text: TokenizedText; chart: Chart }

type ParseOptions<Context> = {
  grammar: Grammar
  /** The types of meanings to look for. */
  types: string[]
  /** Completes "Enter only the …" in the refusal of long text, such as "time" or "dates". */
  subject: string
  /** Examples for a user who types another language. */
  examples?: string
  /** Context for the rules in addition to the local context. */
  extra?: Context
}

/** Text with the meanings that cover its words best. */
export type ParsedText = ParsedWords & { local: LocalContext; cover: Cover }

/** Finds the meanings that cover the typed words, or refuses the words. */
export function parseText<Context>(
  typed: string,
  context: ReadingContext,
  { grammar, types, subject, examples, extra }: ParseOptions<Context>,
): ParsedText | Refusal {
  const lengthRefusal = refuseLongText(typed, subject)
  if (lengthRefusal) return lengthRefusal
  const local = { ...toLocalContext(context), ...extra }
  const text = tokenize(typed)
  const lexicon = lexiconOf(local.locale)
  const languageRefusal = refuseOtherLanguage(text, lexicon, local.locale, examples)
  if (languageRefusal) return languageRefusal
  const parsed = readWords(text, local, { grammar, lexicon })
  return { ...parsed, local, cover: findCover(parsed.chart, text.tokens, types) }
}

const MARKS: Record<string, string> = {
  ',': 'COMMA',
  ';': 'COMMA',
  '.': 'PERIOD',
  '-': 'DASH',
  '/': 'SLASH',
  ':': 'COLON',
}

type ReadOptions = {
  grammar: Grammar
  lexicon: Lexicon
  /** If set, only this many tokens at each end of the text are read. */
  maxEdgeTokens?: number
}

export function readWords(
  text: TokenizedText,
  context: LocalContext,
  { grammar, lexicon, maxEdgeTokens }: ReadOptions,
): ParsedWords {
  const { tokens } = text
  const words = tokens.map((token, start): Meaning[] => {
    if (maxEdgeTokens && start >= maxEdgeTokens && start < tokens.length - maxEdgeTokens) return []
    const items = lookUp(lexicon, tokens, start)
    // "2day" is today, but in "in 2day" it is a number of days.
    const isPartOfWord =
      tokens[start - 1]?.word !== 'in' &&
      items.some(({ type }) => type === 'relativeDay' || type === 'TONIGHT')
    if (token.kind === 'digits') return isPartOfWord ? items : [...readDigits(text, start, context), ...items]
    items.push(...readZoneWords(text, start, (word) => lexicon.words.has(word)))
    const mark = token.kind === 'mark' ? MARKS[token.word] : undefined
    if (mark) items.push({ type: mark, value: null, start, end: start + 1, cost: 0 })
    return items
  })
  return { text, chart: findMeanings(words, grammar, context) }
}

/** Joins tokens as they were typed, with the characters between consecutive ones. */
export function joinTokens({ text, tokens }: TokenizedText, indexes: number[]): string {
  let words = ''
  let previous = -2
  for (const index of indexes) {
    const token = tokens[index] as Token
    const gap = previous === index - 1 ? text.slice(tokens[previous]?.end, token.start) : ' '
    words += (words && gap) + text.slice(token.start, token.end)
    previous = index
  }
  return words
}
