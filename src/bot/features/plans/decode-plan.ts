/** Excel saves "Unicode text" as UTF-16. */
const ENCODINGS: [mark: number[], encoding: string][] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

export const MAX_PLAN_BYTES = 2e6

const NOT_TEXT = 'This file isn\'t plain text. Save the sheet as "CSV UTF-8", and import that file.'

/** Decodes a text file by its byte-order mark, or as UTF-8. */
export function decodePlan(bytes: Uint8Array): { text: string } | { problem: string } {
  const marked = ENCODINGS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))
  try {
    const text = new TextDecoder(marked?.[1] ?? 'utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? { problem: NOT_TEXT } : { text }
  } catch {
    return { problem: NOT_TEXT }
  }
}
