import { EMOJI_OR_MENTION } from './markup.ts'

/** A word, a run of digits, or another character, with its place in the text. */
export type Token = {
  /** In lowercase, without accents. */
  word: string
  /** Where the token begins and ends in the text as it was typed. */
  start: number
  end: number
  /** Where the token begins and ends in the plain text. */
  plainStart: number
  plainEnd: number
  kind: 'word' | 'digits' | 'mark'
  /** Whether nothing separates this token from the one before it. */
  isJoined: boolean
}

export type TokenizedText = {
  /** The text as it was typed. */
  text: string
  /** The text in lowercase and in plain characters, with spaces in place of markup. */
  plain: string
  tokens: Token[]
}

/** Matches text that needs no cleaning. A colon in a time or before a space can't belong to an emoji or a link. */
const NEEDS_NO_CLEANING = /^(?:[a-z\d ,.'!?/+-]|(?<=\w):(?=\d)|:(?= |$))*$/i
const PRINTABLE_ASCII = /^[\n -~]*$/
/** Markup, emoji and mentions, which are never part of a time. */
const MARKUP = new RegExp(
  `${EMOJI_OR_MENTION}|&(?:gt|lt|amp);|(?<![\\p{L}\\p{N}])_+|_+(?![\\p{L}\\p{N}])` +
    '|[*`"“”„«»<>•|·()[\\]{}\\\\^\\p{Emoji_Modifier}\\p{RI}\\u20e3\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Cn}\\p{Z}]',
  'giu',
)
const LINK = /\bhttps?:\/\/\S+/gi
/** Splits "2pmtuesday" into three tokens. */
const TOKEN = /(?<=\d)[ap]m(?=\p{L}{2})|\p{L}+(?:'\p{L}+)*|\d+|\S/gu

/** Returns the index of the token that follows the first `length` plain characters, counted from the token at `start`. */
export function tokenAfter(tokens: Token[], start: number, length: number): number {
  const plainEnd = (tokens[start]?.plainStart ?? 0) + length
  let end = start + 1
  while ((tokens[end]?.plainStart ?? plainEnd) < plainEnd) end++
  return end
}

/** Splits text into tokens. Digits and letters are never in the same token. */
export function tokenize(text: string): TokenizedText {
  const { plain, places } = toPlainText(text)
  const tokens: Token[] = []
  let previousEnd = -1
  for (const { 0: word, index } of plain.matchAll(TOKEN)) {
    const end = index + word.length
    const first = word.charCodeAt(0)
    tokens.push({
      word,
      start: places?.[index]?.start ?? index,
      end: places?.[end - 1]?.end ?? end,
      plainStart: index,
      plainEnd: end,
      kind:
        first >= 48 && first <= 57 ? 'digits' : isAsciiLetter(first) || /\p{L}/u.test(word) ? 'word' : 'mark',
      isJoined: index === previousEnd,
    })
    previousEnd = end
  }
  return { text, plain, tokens }
}

const isAsciiLetter = (code: number): boolean => code >= 97 && code <= 122

/** Where a character of the typed text begins and ends. Some have two UTF-16 code units. */
type CharacterRange = { start: number; end: number }

/** Returns plain text, and where each of its code units was in the typed text, unless all are at the same index. */
function toPlainText(text: string): { plain: string; places?: CharacterRange[] } {
  if (NEEDS_NO_CLEANING.test(text)) return { plain: text.toLowerCase() }
  const blank = (match: string) => ' '.repeat(match.length)
  const cleared = text.replace(LINK, (link) => '§'.padEnd(link.length, ' ')).replace(MARKUP, blank)
  if (PRINTABLE_ASCII.test(cleared)) return { plain: cleared.toLowerCase() }
  let plain = ''
  const places: CharacterRange[] = []
  let start = 0
  for (const character of cleared) {
    const end = start + character.length
    const simple = simplify(character)
    plain += simple
    for (let unit = 0; unit < simple.length; unit++) places.push({ start, end })
    start = end
  }
  return { plain, places }
}

/** Removes the accents from a letter, writes it in lowercase, and replaces typographic characters with plain ones. */
function simplify(character: string): string {
  if (/[‘’ʼ´]/.test(character)) return "'"
  if (/[‐‑–—−]/.test(character)) return '-'
  return character.normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
