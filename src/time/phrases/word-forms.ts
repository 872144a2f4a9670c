import { dayInMonth, weekdayOf } from '../calendar.ts'
import {
  DAY_NUMBER,
  formatOrdinal,
  globalPattern,
  MONTH,
  MONTHS,
  NUMBER,
  pattern,
  UNIT,
  WEEKDAY,
  WEEKDAYS,
  weekdayNumber,
} from '../pattern-parts.ts'
import type { Phrase } from '../phrase.ts'

const CARDINALS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen`.split(/\s+/)
const TENS = ['twenty', 'thirty', 'forty', 'fifty']
const ORDINALS =
  `zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
   fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`.split(/\s+/)
const UNAMBIGUOUS_ORDINALS = [...ORDINALS.slice(1), 'thirtieth'].filter((word) => word !== 'second').join('|')

const tensValue = (word: string | undefined): number => (word ? 20 + 10 * TENS.indexOf(word) : 0)

/** Replaces an alternative spelling with the form that the other phrases know. */
const rewrite = (pattern: RegExp, replacement: string): Phrase => [
  pattern,
  (match) => replacement.replace(/\$(\d)/g, (_, group) => match[group] ?? ''),
]

/** Replaces a word such as "around", which allows a time nearby too. */
const approximately = (pattern: RegExp, replacement: string): Phrase => [
  pattern,
  (_match, state) => {
    state.isApproximate = true
    return replacement
  },
]

const HALVABLE_UNIT = '(?:hours?|h|days?|weeks?|years?)\\b'
const addHalf = (pattern: RegExp): Phrase => [pattern, ([, count, unit]) => `${Number(count) + 0.5} ${unit}`]

/** A time of day that can't be mistaken for a day. Used next to a number that may be a day. */
const CLEAR_TIME = String.raw`(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b|h\b)|\d{1,2}[:.]\d{2}|noon|midnight)`
const DAY_OF_MONTH = String.raw`([1-9]|[12]\d|3[01])`

/** Turn numbers in words into digits, and other spellings into the usual ones. */
export const wordFormPhrases: Phrase[] = [
  // "ten to five" is a time, but "10 to 5" may be a range.
  rewrite(/\b(five|ten|twenty|twenty[ -]five)(?= (?:to|past) )/, '$1 minutes'),
  // "first monday" becomes "1st monday". "Second" is usually a unit, so it needs a day next to it.
  [
    globalPattern`\b(?:(?<tens>twenty|thirty)[ -])?(?<ordinal>${UNAMBIGUOUS_ORDINALS})\b
      |\b(?<tensOfSecond>twenty|thirty)[ -]second\b
      |(?=second)(?:(?<!this )\bsecond(?= (?:${WEEKDAY}|of |day)|$)|(?<=${MONTH} )second\b)`,
    ({ groups = {} }) => {
      const { tens, tensOfSecond, ordinal = 'second' } = groups
      if (ordinal === 'thirtieth') return '30th'
      return formatOrdinal(tensValue(tens ?? tensOfSecond) + ORDINALS.indexOf(ordinal))
    },
  ],
  // "twenty five" becomes 25.
  [
    globalPattern`\b(?:(${TENS.join('|')})(?:[ -](${CARDINALS.slice(1, 10).join('|')}))?|(${CARDINALS.join('|')}))\b`,
    ([, tens, unit = 'zero', small]) =>
      String(small ? CARDINALS.indexOf(small) : tensValue(tens) + CARDINALS.indexOf(unit)),
  ],
  // "an hour" becomes "1 hour", "half an hour" becomes "30 minutes", "an hour and a half" becomes "1.5 hours".
  rewrite(globalPattern`\ban? (${HALVABLE_UNIT}) and a half`, '1.5 $1'),
  addHalf(globalPattern`\b(\d+) (${HALVABLE_UNIT}) and a half`),
  addHalf(globalPattern`\b(\d+) (?:and a half|1\/2) (${HALVABLE_UNIT})`),
  rewrite(/\b(?:a )?half (?:an? )?year/g, '6 months'),
  rewrite(/\b(?:a )?half (?:an? )?day/g, '12 hours'),
  rewrite(/\b(?:a )?half (?:an? )?(?:hour|h)/g, '30 minutes'),
  rewrite(/\b(?:a )?quarter (?:of |an )+hour/g, '15 minutes'),
  rewrite(/\b3[- ]quarters of an hour/g, '45 minutes'),
  [
    /\b([13])\/([24]) ?(?:an )?(?:h|hours?)\b/g,
    ([, numerator, denominator]) => `${(60 * Number(numerator)) / Number(denominator)} minutes`,
  ],
  rewrite(/\b(?:a )?couple(?: of)?/g, '2'),
  [
    /\b(?:a )?few\b/g,
    (_match, { assumptions }) => {
      assumptions.push('taking "a few" as 3')
      return '3'
    },
  ],
  rewrite(globalPattern`\ban?(?= ${UNIT})`, '1'),
  // "in about 2 hours", "in another 2 hours"
  [
    /\bin (about|around|approximately|roughly|exactly|just|another) (?=\d)/g,
    ([, adverb = ''], { assumptions }) => {
      if (/about|around|approximately|roughly/.test(adverb)) assumptions.push('assuming exactly that long')
      return 'in '
    },
  ],
  rewrite(/\bsome ?time (?=(?:around|about|at|on) )/g, ''),
  // "around 2 hours", "around 9am", "3pm approximately"
  approximately(
    pattern`\b(?:around|about|approximately|roughly) (?=${NUMBER} ?(?:min|h|hours?|days?|weeks?|months?)\b)`,
    '',
  ),
  approximately(
    /\b(?:around|about|approximately\.?|circa|ca\.?|roughly) (?:at )?(?=\d|half |quarter |noon|midnight)/,
    'at ',
  ),
  approximately(/(?<=\d ?[ap]m|\d:\d\d)(?: ?approximately| ?roughly| ?-?ish)\b/, ''),
  // "in 20"
  [
    /^in (\d{1,3})$/,
    ([words, amount], state) => {
      state.otherMoments = [state.now.at.plus({ hours: Number(amount) })]
      return `${words} minutes`
    },
  ],
  // "half nine" is half past nine for the British.
  rewrite(
    /\bhalf (?=\d{1,2}(?! ?(?:h|hours?|d|days?|w|weeks?|months?|y|years?|m|min|minutes?)\b|[\d:./-]))/g,
    'half past ',
  ),
  // "wed 25 5pm", "5pm wed 25", "fri 27": A number next to a weekday is a day of the month, unless it is an hour.
  rewrite(
    globalPattern`(?=\d)(?<=\b${WEEKDAY},? )${DAY_OF_MONTH}(?=,? (?:at \d|(?:at |@ ?)?${CLEAR_TIME}))`,
    '$1th',
  ),
  rewrite(
    globalPattern`(?=\d)(?<=${CLEAR_TIME},? (?:on )?${WEEKDAY},? )${DAY_OF_MONTH}(?=$|,| (?!${MONTH}|\d))`,
    '$1th',
  ),
  [
    globalPattern`(?=\d)(?<=\b(${WEEKDAY}),? )(1[3-9]|2\d|3[01])(?=$|,| (?!(?:of )?${MONTH}))`,
    ([, name = '', number = ''], { now }) => {
      const days = [0, 1].map((months) => dayInMonth(now.day, months, Number(number)) ?? 0)
      const fits = days.some((day) => day >= now.day && weekdayOf(day) === weekdayNumber(name))
      return Number(number) > 24 || fits ? `${number}th` : undefined
    },
  ],
  // "late saturday 1am"
  rewrite(globalPattern`\blate (?:on )?(${WEEKDAY})(?=,? (?:at )?\d)`, '$1 night'),
  // "3 december next year"
  [
    globalPattern`(?=next|this)(?<=(?:${MONTH} ${DAY_NUMBER}|${DAY_NUMBER} (?:of )?${MONTH}),? )(next|this) year\b`,
    ([, which], { now }) => String(now.at.year + (which === 'next' ? 1 : 0)),
  ],
  // "we" is an ordinary word, so two letters name a weekday only if they are the whole text.
  [/^(?:mo|tu|we|th|fr|sa|su)$/, ([letters]) => WEEKDAYS.find((name) => name.startsWith(letters))],
  rewrite(/\bin (\d{1,2})h ?(\d{2})m?\b/g, 'in $1 hours $2 minutes'),
  rewrite(/(?<!\d )\b(week|month|fortnight) from\b/g, '1 $1 from'),
  rewrite(/(?<=\bin )(\d+)'/g, '$1 minutes'),
  rewrite(globalPattern`(?<=\d )(?:more|additional) (?=${UNIT})`, ''),
  rewrite(/\bnext (hour|min(?:ute)?s?|seconds?)\b/g, 'in 1 $1'),
  // "friday - 10am" is a moment, "friday - 10am to 11am" is a range.
  rewrite(
    globalPattern`(?= - )(?<=\b(?:${WEEKDAY}|tomorrow|today|${MONTH} \d{1,2}|\d{1,2} ${MONTH})) - (?=
      (?:noon|midnight|\d{4}|\d{1,2}(?:[:.]\d{2}| ?[ap]\.?m?\b| o'?clock))(?! ?(?:-|to\b)))`,
    ' ',
  ),
  // "3. jan", "3-jan", "jan-3", "may the 4th", "january. 3"
  rewrite(globalPattern`(?=\.)(?<=\b\d{1,2})\. ?(?=${MONTH})`, ' '),
  rewrite(globalPattern`(?=-)(?:(?<=\d)-(?=${MONTH})|(?<=${MONTH})-(?=\d))`, ' '),
  rewrite(globalPattern`(?= the )(?<=${MONTH}) the (?=\d)`, ' '),
  rewrite(globalPattern`(?=\.)(?<=\b(?:${MONTHS.join('|')}))\.(?= )`, ''),
  rewrite(/\b([ap]) m\b/g, '$1m'),
  rewrite(/\b1st thing(?: in the morning)?(?: (?=\w))?/g, 'morning '),
]
