/** Words that were moved from the text to another field. The user decides whether the text keeps them. */
export type MovedWords = {
  /** The field with the text. */
  field: string
  /** The label of the field that got the words. */
  target: string
  words: string
  /** The part that is taken out of the text: the words, with the spaces and separators around them. */
  segment: string
  /** Where the segment begins in the text that contains it. */
  position: number
  /** How many characters of the text follow the segment. */
  following: number
  isInText: boolean
}

/** Words that could fill in another field. The user chooses which ones do. */
export type WordsToChoose = { field: string; question: string; choices: MovedWords[] }

/** Puts the words back into the text, which may have been edited since, or takes them out. */
export function moveWords(text: string, movedWords: MovedWords): string {
  const { words, segment, position, following, isInText } = movedWords
  if (!isInText) {
    const place = position && Math.max(0, text.length - following)
    if (isInsideWord(text, place)) return `${text} ${segment.trim()}`
    return (text.slice(0, place) + segment + text.slice(place)).trim()
  }
  for (const part of [segment, words]) {
    const [start] = findWholeMatches(text, part).sort(
      (a, b) => Math.abs(a - position) - Math.abs(b - position),
    )
    if (start !== undefined) return (text.slice(0, start) + text.slice(start + part.length)).trim()
  }
  return text
}

const isInsideWord = (text: string, position: number): boolean =>
  /^[\p{L}\p{N}]{2}$/u.test(text.slice(Math.max(0, position - 1), position + 1))

/** The positions where a part is in a text and isn't inside a word. */
function findWholeMatches(text: string, part: string): number[] {
  const starts: number[] = []
  for (let start = text.indexOf(part); start >= 0 && part; start = text.indexOf(part, start + 1))
    if (!isInsideWord(text, start) && !isInsideWord(text, start + part.length)) starts.push(start)
  return starts
}
