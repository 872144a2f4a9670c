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

/** Puts the words back into the text, or takes them out. If the text has been edited, they're put back at its end. */
export function toggleWords(text: string, { segment, position, following, isInText }: MovedWords): string {
  if (!isInText) {
    const isUnchanged = text.length === position + following
    return isUnchanged
      ? (text.slice(0, position) + segment + text.slice(position)).trim()
      : `${text} ${segment.trim()}`
  }
  const start = text.indexOf(segment, text.startsWith(segment, position) ? position : 0)
  return start < 0 ? text : (text.slice(0, start) + text.slice(start + segment.length)).trim()
}
