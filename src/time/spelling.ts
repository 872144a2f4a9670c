type Vocabulary = { spelled: string[]; misspelled: Record<string, string> }

/** Puts right words that are one slip away from a word of the vocabulary and begin like it. */
export function correctSpelling(text: string, { spelled: vocabulary, misspelled }: Vocabulary): string {
  return text.replace(/[a-z]{5,11}/g, (word) => {
    if (vocabulary.includes(word)) return word
    if (Object.hasOwn(misspelled, word)) return misspelled[word] ?? word
    const meant = vocabulary.find(
      (known) => known[0] === word[0] && word !== `${known}s` && isOneSlip(word, known),
    )
    return meant ?? word
  })
}

/** One letter too many, missing, wrong, or two swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
