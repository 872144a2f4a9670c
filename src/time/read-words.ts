import { type Chart, findMeanings, type Grammar, type Meaning } from './chart.ts'
import { type Cover, findCover } from './cover.ts'
import { readDigits } from './digits.ts'
import { lexiconOf, refuseOtherLanguage } from './languages.ts'
import { type LocalContext, type ReadingContext, type Refusal, toLocalContext } from './reading.ts'
import { refuseLongText } from './refusals.ts'
import { type Token, type TokenizedText, tokenize } from './tokens.ts'
import { type Lexicon, lookUp } from './vocabulary.ts'
import { readZoneWords } from './zone-words.ts'

/** A text with the meanings of all its parts. */
type ParsedWords = { text: TokenizedText; chart: Chart }

type TextReader<Context> = {
  grammar: Grammar
  /** The types of the meanings that are wanted. */
  types: string[]
  /** What the text names, and examples of it for a user who types another language. */
  subject: string
  examples?: string
  /** What the rules know besides the time and zone. */
  extra?: Context
}

/** A text with the meanings that cover its words best. */
export type ParsedText = ParsedWords & { local: LocalContext; cover: Cover }

/** Finds what the words of a text mean, or refuses the text. */
export function parseText<Context>(
  typed: string,
  context: ReadingContext,
  { grammar, types, subject, examples, extra }: TextReader<Context>,
): ParsedText | Refusal {
  const tooLong = refuseLongText(typed, subject)
  if (tooLong) return tooLong
  const local = { ...toLocalContext(context), ...extra }
  const text = tokenize(typed)
  const lexicon = lexiconOf(local.locale)
  const foreign = refuseOtherLanguage(text, lexicon, local.locale, examples)
  if (foreign) return foreign
  const read = readWords(text, local, { grammar, lexicon })
  return { ...read, local, cover: findCover(read.chart, text.tokens, types) }
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
  /** Only so many tokens at each end of the text are read. */
  maxTokens?: number
}

export function readWords(
  text: TokenizedText,
  context: LocalContext,
  { grammar, lexicon, maxTokens }: ReadOptions,
): ParsedWords {
  const { tokens } = text
  const words = tokens.map((token, start): Meaning[] => {
    if (maxTokens && start >= maxTokens && start < tokens.length - maxTokens) return []
    const items = lookUp(lexicon, tokens, start)
    // "2day" is today, but "in 2 days" means two days.
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

/** Quotes tokens as they were typed, with what stands between consecutive ones. */
export function quote({ text, tokens }: TokenizedText, indexes: number[]): string {
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
