import type { Phrase } from '../phrase.ts'
import { MONTH, MONTHS, UNIT, WEEKDAY, WEEKDAYS } from '../vocabulary.ts'

const CARDINALS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen`.split(/\s+/)
const TENS = ['twenty', 'thirty', 'forty', 'fifty']
const ORDINALS =
  `zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
   fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`.split(/\s+/)

const tensValue = (word: string | undefined): number => (word ? 20 + 10 * TENS.indexOf(word) : 0)

/** "ten to five" is a time, but "10 to 5" may be a range. */
const minutesToHour: Phrase = {
  pattern: /\b(five|ten|twenty|twenty[ -]five)(?= (?:to|past) )/,
  read: ([minutes]) => `${minutes} minutes`,
}

/** "twenty five" becomes 25. */
const cardinals: Phrase = {
  pattern: new RegExp(
    `\\b(?:(${TENS.join('|')})(?:[ -](${CARDINALS.slice(1, 10).join('|')}))?|(${CARDINALS.join('|')}))\\b`,
    'g',
  ),
  read: ([, tens, unit = 'zero', small]) =>
    String(small ? CARDINALS.indexOf(small) : tensValue(tens) + CARDINALS.indexOf(unit)),
}

const UNAMBIGUOUS_ORDINALS = [...ORDINALS.slice(1), 'thirtieth'].filter((word) => word !== 'second').join('|')

/** "first monday" becomes "1st monday". "Second" is usually a unit, so it needs a day beside it. */
const ordinals: Phrase = {
  pattern: new RegExp(
    [
      `\\b(?:(?<tens>twenty|thirty)[ -])?(?<ordinal>${UNAMBIGUOUS_ORDINALS})\\b`,
      '\\b(?<tensOfSecond>twenty|thirty)[ -]second\\b',
      `(?=second)(?:(?<!this )\\bsecond(?= (?:${WEEKDAY}|of |day)|$)|(?<=${MONTH} )second\\b)`,
    ].join('|'),
    'g',
  ),
  read: ({ groups = {} }) => {
    const { tens, tensOfSecond, ordinal = 'second' } = groups
    if (ordinal === 'thirtieth') return '30th'
    return formatOrdinal(tensValue(tens ?? tensOfSecond) + ORDINALS.indexOf(ordinal))
  },
}

function formatOrdinal(value: number): string {
  const isTeen = value > 10 && value < 14
  return `${value}${(!isTeen && ['th', 'st', 'nd', 'rd'][value % 10]) || 'th'}`
}

/** "an hour" becomes "1 hour", "half an hour" becomes "30 minutes", "an hour and a half" becomes "1.5 hours". */
const amounts: Phrase = {
  pattern: new RegExp(
    [
      '\\b(?:(?:a )?half (?:an? )?(?<half>hour|h|day|year)',
      '(?:a )?(?<quarter>quarter) (?:of |an )+hour',
      '(?<threeQuarters>3)[- ]quarters of an hour',
      '(?<numerator>[13])/(?<denominator>[24]) ?(?:an )?(?:h|hours?)\\b',
      '(?<whole>\\d+|an?) (?<unit>hours?|days?|weeks?|years?) and a half',
      '(?<wholeBeforeUnit>\\d+) and a half (?<unitAfter>hours?|days?|weeks?|years?)',
      '(?:a )?(?<couple>couple)(?: of)?',
      '(?:a )?(?<few>few)',
      `an?(?= ${UNIT}))`,
    ].join('|'),
    'g',
  ),
  read: ({ groups = {} }, state) => {
    const { half, quarter, threeQuarters, numerator, denominator, whole, unit } = groups
    const { wholeBeforeUnit, unitAfter, couple, few } = groups
    if (half) return { year: '6 months', day: '12 hours' }[half] ?? '30 minutes'
    if (quarter) return '15 minutes'
    if (threeQuarters) return '45 minutes'
    if (numerator) return `${(60 * Number(numerator)) / Number(denominator)} minutes`
    if (whole) return `${/^a/.test(whole) ? 1.5 : Number(whole) + 0.5} ${unit}`
    if (wholeBeforeUnit) return `${Number(wholeBeforeUnit) + 0.5} ${unitAfter}`
    if (couple) return '2'
    if (!few) return '1'
    state.confirmation = 'How many is "a few"?'
    return '3'
  },
}

/** "in about 2 hours", "in another 2 hours" */
const looseDuration: Phrase = {
  pattern: /\bin (about|around|approximately|roughly|exactly|just|another) (?=\d)/g,
  read: ([, adverb = ''], { assumptions }) => {
    if (/about|around|approximately|roughly/.test(adverb)) assumptions.push('assuming the exact time')
    return 'in '
  },
}

/** "around 9am" */
const aroundTime: Phrase = {
  pattern: /\b(?:around|about|approximately\.?|circa|ca\.?|roughly) (?=at |\d|noon|midnight)/g,
  read: (_match, state) => {
    state.confirmation = 'At exactly that time?'
    return ''
  },
}

/** "in 20" */
const bareMinutes: Phrase = {
  pattern: /^in (\d{1,3})$/,
  read: ([, minutes], state) => {
    state.confirmation = `Do you mean ${minutes} minutes from now?`
    return `in ${minutes} minutes`
  },
}

/** "3 december next year" */
const relativeYear: Phrase = {
  pattern: new RegExp(
    `(?=next|this)(?<=(?:${MONTH} \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}),? )(next|this) year\\b`,
    'g',
  ),
  read: ([, which], { now }) => String(now.at.year + (which === 'next' ? 1 : 0)),
}

/** "we" and "so" are ordinary words, so two letters name a weekday only if they are the whole text. */
const twoLetterWeekday: Phrase = {
  pattern: /^(?:mo|tu|we|th|fr|sa|su)$/,
  read: ([letters]) => WEEKDAYS.find((name) => name.startsWith(letters)),
}

/** Replaces another way to write something by the form that the other phrases know. */
const createRewrite = (pattern: string, replacement: string): Phrase => ({
  pattern: new RegExp(pattern, 'g'),
  read: (match) => replacement.replace(/\$(\d)/g, (_reference, group) => match[Number(group)] ?? ''),
})

const REWRITES: Phrase[] = [
  createRewrite('\\bin (\\d{1,2})h ?(\\d{2})m?\\b', 'in $1 hours $2 minutes'),
  createRewrite('(?<!\\d )\\b(week|month|fortnight) from\\b', '1 $1 from'),
  createRewrite("(?<=\\bin )(\\d+)'", '$1 minutes'),
  createRewrite(`(?<=\\d )(?:more|additional) (?=${UNIT})`, ''),
  createRewrite('\\bnext (hour|min(?:ute)?s?|seconds?)\\b', 'in 1 $1'),
  // "friday - 10am" is a moment, "friday - 10am to 11am" is a range.
  createRewrite(
    `(?= - )(?<=\\b(?:${WEEKDAY}|tomorrow|today|${MONTH} \\d{1,2}|\\d{1,2} ${MONTH})) - (?=(?:noon|midnight|\\d{4}|\\d{1,2}(?:[:.]\\d{2}| ?[ap]\\.?m?\\b| o'?clock))(?! ?(?:-|to\\b)))`,
    ' ',
  ),
  // "3. jan", "3-jan", "jan-3", "may the 4th", "january. 3"
  createRewrite(`(?=\\.)(?<=\\b\\d{1,2})\\. ?(?=${MONTH})`, ' '),
  createRewrite(`(?=-)(?:(?<=\\d)-(?=${MONTH})|(?<=${MONTH})-(?=\\d))`, ' '),
  createRewrite(`(?= the )(?<=${MONTH}) the (?=\\d)`, ' '),
  createRewrite(`(?=\\.)(?<=\\b(?:${MONTHS.join('|')}))\\.(?= )`, ''),
  createRewrite('\\b([ap]) m\\b', '$1m'),
  createRewrite('\\b1st thing(?: in the morning)?(?: (?=\\w))?', 'morning '),
]

/** Turn numbers in words into digits, and other spellings into the usual ones. */
export const wordFormPhrases: Phrase[] = [
  minutesToHour,
  ordinals,
  cardinals,
  amounts,
  looseDuration,
  aroundTime,
  bareMinutes,
  relativeYear,
  twoLetterWeekday,
  ...REWRITES,
]
