/** Chance that can be had again: the same seed makes the same choices. */
export type Chance = {
  next: () => number
  below: (most: number) => number
  oneOf: <T>(some: readonly T[]) => T
}

/** Mulberry32: short, and good enough to break things with. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return { next, below, oneOf: (some) => some[below(some.length)] as (typeof some)[number] }
}
