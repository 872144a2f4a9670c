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
  isInText: boolean
}

/** Words of the text of which only some fill in another field. The user chooses. */
export type WordsToChoose = { field: string; question: string; choices: MovedWords[] }

/** Puts the words back into the text, which may have been edited since, or takes them out. */
export function moveWords(text: string, { words, segment, position, isInText }: MovedWords): string {
  if (!isInText) return (text.slice(0, position) + segment + text.slice(position)).trim()
  return text.replace(text.includes(segment) ? segment : words, '').trim()
}
