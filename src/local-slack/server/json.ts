/** Parses JSON. Returns undefined for invalid JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
