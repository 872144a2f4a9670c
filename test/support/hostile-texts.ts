/** Texts that nobody types on purpose, the same ones each time: long, repetitive, and full of what trips a parser. */
export function hostileTexts(count: number): string[] {
  const random = generator(20_261_120)
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T
  return Array.from({ length: count }, () => {
    const target = Math.floor(random() * 300)
    const kind = random()
    const pieces = kind < 0.3 ? [pick(PIECES)] : kind < 0.6 ? [pick(PIECES), pick(PIECES)] : PIECES
    let text = ''
    while (text.length < target) text += pick(pieces)
    return text.slice(0, 300)
  })
}

const PIECES = [
  ...'0123456789 .,:;-/()[]{}*+?^$|\\\'"<>@#!&=_~`'.split(''),
  ...[
    '\0',
    '\t',
    '\n',
    '\u202e',
    '\u200b',
    '\ufeff',
    '\ud83d',
    '\udc00',
    '😀',
    '👩‍👩‍👧',
    'é',
    'ß',
    '東京',
    'ﬁ',
    '\ue000',
    '\ue001',
  ],
  ...[
    'monday',
    'next ',
    'tomorrow',
    'in ',
    '1 day ',
    '2 hours ',
    'and ',
    'at ',
    '9',
    '9am',
    '12:',
    ' o clock',
    'the ',
    '1st ',
    'of ',
    'march',
    'mar ',
  ],
  ...[
    '2026',
    '-01',
    '/1',
    'half ',
    'past ',
    'quarter to ',
    'a ',
    'week ',
    'from ',
    'time',
    'berlin ',
    'utc+',
    'gmt-',
    'america/',
    'eod ',
    'noon ',
    'midnight ',
    'twenty ',
    'first ',
  ],
  ...[
    '999999999999',
    '1e309',
    '-0',
    'NaN',
    'null',
    '__proto__',
    'constructor ',
    '%s',
    '$7',
    '(a+)+$',
    'aaaaaaaa',
    '        ',
  ],
]

/** Mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
