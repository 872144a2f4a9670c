/** What people write about dates, and what breaks parsers if it is repeated. */
const FRAGMENTS = [
  ...[
    'monday',
    'mon ',
    'tomorrow',
    'today ',
    'next ',
    'last ',
    'this ',
    'march',
    'may ',
    '2026',
    'christmas ',
  ],
  ...['31st', '1st ', 'first ', 'second ', 'twenty ', 'five', '0', '9', '12', '1.', '24.12.', '10-10-', '2 '],
  ...[
    ' to ',
    ' and ',
    ' or ',
    ' - ',
    '31st - ',
    'from ',
    'between ',
    'until ',
    'since ',
    'of ',
    'the ',
    'at ',
  ],
  ...[
    'in ',
    'on ',
    'a ',
    'an',
    'after ',
    'before ',
    'ago ',
    'every ',
    'weekdays ',
    'same time ',
    'day ',
    'week ',
  ],
  ...[
    '2 hours ',
    '1 day ',
    'h',
    '2h',
    '9am ',
    '9:30',
    '14:30 ',
    'half ',
    'past ',
    'quarter ',
    'noon ',
    'eod ',
  ],
  ...['end of ', 'midnight ', 'evening ', 'mo ', 'eve ', 'time', 'berlin ', 'utc+2 ', '+02:00 ', 'europe/'],
  ...[
    'est ',
    'schedule for ',
    'post it at ',
    'on x',
    'linkedin ',
    ',',
    ',  ',
    '.',
    '. ',
    '!',
    ';',
    ': ',
    '/',
    '(',
  ],
  ...[
    ')',
    '<@',
    '>',
    '&amp;',
    ':a',
    ':a:',
    '_',
    '~',
    '*',
    '"',
    "'",
    '-',
    ' ',
    '  ',
    '\n',
    '\u2028',
    '…',
    '...',
  ],
  ...['😀', '🇩🇪', 'ﷺ', '½', '٣', 'é', 'https://', 'america/argentina/', 'in an hour ', 'day after tomorrow '],
]

type Random = { below: (limit: number) => number; oneOf: <T>(items: readonly T[]) => T }

/** Words, digits, connectors and punctuation that a text can repeat, and what ends the text. */
export type Repetition = { unit: string; end: string }

/** Every fragment alone comes first, then mixtures. */
export function createRepetition(index: number, { below, oneOf }: Random): Repetition {
  const end = below(2) ? oneOf(FRAGMENTS) : ''
  const fragment = FRAGMENTS[index]
  if (fragment) return { unit: fragment, end }
  const separator = oneOf(['', ' '])
  return { unit: Array.from({ length: 1 + below(4) }, () => oneOf(FRAGMENTS)).join(separator), end }
}

export const repeatUpTo = (length: number, { unit, end }: Repetition): string =>
  unit.repeat(Math.max(1, Math.floor((length - end.length) / unit.length))) + end
