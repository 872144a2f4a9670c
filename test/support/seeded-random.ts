/** Random choices that are the same for the same seed. */
export type SeededRandom = {
  /** At least 0 and less than 1. */
  next: () => number
  /** A whole number, at least 0 and less than `limit`. */
  below: (limit: number) => number
  oneOf: <T>(items: readonly T[]) => T
}

/** The Mulberry32 generator. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, oneOf: (items) => items[below(items.length)] as (typeof items)[number] }
}
