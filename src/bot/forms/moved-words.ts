/** Words of a text that another field got. The user decides whether the text keeps them. */
export type MovedWords = {
  /** The field with the text. */
  field: string
  /** The label of the field that got the words. */
  target: string
  words: string
  /** What is taken out of the text, with the spaces and separators around the words. */
  segment: string
  /** Where the segment begins in the text that contains it. */
  position: number
  isInText: boolean
}

/** Puts the words back into a text that may have been edited meanwhile, or takes them out. */
export function moveWords(text: string, { words, segment, position, isInText }: MovedWords): string {
  if (!isInText) return (text.slice(0, position) + segment + text.slice(position)).trim()
  return text.replace(text.includes(segment) ? segment : words, '').trim()
}
