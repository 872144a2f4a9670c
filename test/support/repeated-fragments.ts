import type { SeededRandom } from './seeded-random.ts'

/** What people write about dates, and what breaks parsers if it is repeated. */
export const FRAGMENTS = [
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

/** Words, digits, connectors and punctuation that a text repeats, and what the text starts and ends with. */
export type Repetition = { start: string; unit: string; end: string }

/** These once took quadratic to exponential time. */
const SLOW_REPETITIONS: Repetition[] = [
  { start: '', unit: '31st - ', end: '31st' },
  { start: 'on x', unit: ',  ', end: 'q' },
  { start: 'a', unit: ' ', end: 'b. 9am' },
  { start: 'a', unit: '.', end: 'b 9am' },
  { start: '', unit: '1et,', end: '' },
  { start: 'every day at ', unit: '1,', end: '' },
  { start: '', unit: 'please it ', end: '9am' },
  { start: '', unit: 'mon to ', end: '' },
]

/** The slow repetitions and every fragment alone come first, then mixtures. */
export function createRepetition(index: number, { below, oneOf }: SeededRandom): Repetition {
  const slow = SLOW_REPETITIONS[index]
  if (slow) return slow
  const start = below(3) ? '' : oneOf(FRAGMENTS)
  const end = below(2) ? oneOf(FRAGMENTS) : ''
  const fragment = FRAGMENTS[index - SLOW_REPETITIONS.length]
  if (fragment) return { start, unit: fragment, end }
  const separator = oneOf(['', ' '])
  return { start, unit: Array.from({ length: 1 + below(4) }, () => oneOf(FRAGMENTS)).join(separator), end }
}

export const repeatUpTo = (length: number, { start, unit, end }: Repetition): string =>
  start + unit.repeat(Math.max(1, Math.floor((length - start.length - end.length) / unit.length))) + end
