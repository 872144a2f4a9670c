import { type Chart, findMeanings, type Grammar, type Meaning } from './chart.ts'
import { readDigits } from './digits.ts'
import type { LocalContext } from './reading.ts'
import type { Token, TokenizedText } from './tokens.ts'
import { type Lexicon, lookUp } from './vocabulary.ts'
import { readZoneWords } from './zone-words.ts'

/** A text with the meanings of all its parts. */
export type ParsedWords = { text: TokenizedText; chart: Chart }

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
