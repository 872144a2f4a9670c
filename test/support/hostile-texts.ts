/** Generates the same texts on every run. They are long and repetitive, and contain what often breaks parsers. */
export function hostileTexts(count: number): string[] {
  const random = createRandom(20_261_120)
  const choose = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T
  return Array.from({ length: count }, () => {
    const length = Math.floor(random() * 300)
    const variety = random()
    const fragments =
      variety < 0.3 ? [choose(FRAGMENTS)] : variety < 0.6 ? [choose(FRAGMENTS), choose(FRAGMENTS)] : FRAGMENTS
    let text = ''
    while (text.length < length) text += choose(fragments)
    return text.slice(0, 300)
  })
}

const FRAGMENTS = [
  ...'0123456789 .,:;-/()[]{}*+?^$|\\\'"<>@#!&=_~`'.split(''),
  ...['\0', '\t', '\n', '\u202e', '\u200b', '\ufeff', '\ud83d', '\udc00', '\ue000', '\ue001'],
  ...['😀', '👩‍👩‍👧', 'é', 'ß', '東京', 'ﬁ', '        ', 'aaaaaaaa'],
  ...['monday', 'tmrw', 'next ', 'tomorrow', 'in ', '1 day ', '2 hours ', 'hrs ', 'and ', 'at ', 'the '],
  ...['9', '9am', '12:', ' o clock', '1st ', 'of ', 'march', 'mar ', '2026', '-01', '/1', 'a ', 'week '],
  ...['half ', 'past ', 'quarter to ', 'from ', 'time', 'eod ', 'noon ', 'midnight ', 'twenty ', 'first '],
  ...['berlin ', 'utc+', 'gmt-', 'america/'],
  ...['999999999999', '1e309', '-0', 'NaN', 'null', '__proto__', 'constructor ', '%s', '$7', '(a+)+$'],
]

/** The Mulberry32 generator, which returns the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
