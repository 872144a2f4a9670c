import type { Phrase } from '../../draft.ts'
import { MONTH, UNIT, WEEKDAY } from '../words.ts'

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty'.split(' ')
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

const figureOf: Record<string, number> = {
  ...Object.fromEntries(SMALL.map((word, value) => [word, value])),
  ...Object.fromEntries(TENS.map((word, index) => [word, 20 + 10 * index])),
}

const units = SMALL.slice(1, 10).join('|')

/** "ten to five" in words is a time; in figures it may well be a range. */
export const minutesTo: Phrase = {
  name: 'minutes to an hour in words',
  pattern: /\b(five|ten|twenty|twenty[ -]five)(?= (?:to|past) )/,
  read: ([words]) => `${words} minutes`,
}

/** "twenty five" is 25, "seven" is 7. */
export const cardinals: Phrase = {
  name: 'numbers in words',
  pattern: new RegExp(`\\b(?:(${TENS.join('|')})(?:[ -](${units}))?|(${SMALL.join('|')}))\\b`, 'g'),
  read: ([, tens, unit, small]) =>
    String(small ? figureOf[small] : (figureOf[tens ?? ''] ?? 0) + (figureOf[unit ?? ''] ?? 0)),
}

const PLAIN_ORDINALS = [...ORDINALS.filter((word) => !/zeroth|second/.test(word)), 'thirtieth'].join('|')

/** "first monday" is "1st monday"; "second" is a unit more often than not, and has to be followed by what it counts. */
export const ordinals: Phrase = {
  name: 'ordinals in words',
  pattern: new RegExp(
    [
      `\\b(?:(?<tens>twenty|thirty)[ -])?(?<word>${PLAIN_ORDINALS})\\b`,
      '\\b(?<before>twenty|thirty)[ -]second\\b',
      `(?=second)(?:(?<!this )\\bsecond(?= (?:${WEEKDAY}|of |day)|$)|(?<=${MONTH} )second\\b)`,
    ].join('|'),
    'g',
  ),
  read: ({ groups = {} }) => {
    const { tens, word = 'second', before } = groups
    if (word === 'thirtieth') return '30th'
    return ordinal((figureOf[tens ?? before ?? ''] ?? 0) + ORDINALS.indexOf(word))
  },
}

function ordinal(value: number): string {
  const isTeen = value > 10 && value < 14
  return `${value}${(!isTeen && ['th', 'st', 'nd', 'rd'][value % 10]) || 'th'}`
}

/** "an hour" is 1 hour, "a couple of hours" 2, "half an hour" 30 minutes, "an hour and a half" 1.5 hours. */
export const amounts: Phrase = {
  name: 'amounts in words',
  pattern: new RegExp(
    [
      '\\b(?:(?:a )?half (?:an? )?(?<half>hour|h|hr|day|year)',
      '(?:a )?(?<quarter>quarter) (?:of |an )+hour',
      '(?<quarters>3)[- ]quarters of an hour',
      '(?<part>[13])/(?<of>[24]) ?(?:an )?(?:h|hr|hours?)\\b',
      '(?<whole>\\d+|an?) (?<unit>hours?|days?|weeks?|years?) and a half',
      '(?<count>\\d+) and a half (?<counted>hours?|days?|weeks?|years?)',
      '(?:a )?(?<couple>couple)(?: of)?',
      '(?:a )?(?<few>few)',
      `an?(?= ${UNIT}))`,
    ].join('|'),
    'g',
  ),
  read: ({ groups = {} }, draft) => {
    const { half, quarter, quarters, part, of, whole, unit, count, counted, couple, few } = groups
    if (half) return half === 'year' ? '6 months' : half === 'day' ? '12 hours' : '30 minutes'
    if (quarter) return '15 minutes'
    if (quarters) return '45 minutes'
    if (part) return `${(60 * Number(part)) / Number(of)} minutes`
    if (whole) return `${/^a/.test(whole) ? 1.5 : Number(whole) + 0.5} ${unit}`
    if (count) return `${Number(count) + 0.5} ${counted}`
    if (few) draft.doubt = 'How many are a few?'
    return few ? '3' : couple ? '2' : '1'
  },
}

const FULL_MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const MONTHS_SHORT = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'

/** "in about 2 more hours", "in 15'", "next hour", "2pmTuesday", "3. Jan": said or written in another way. */
export const otherWords: Phrase = {
  name: 'other ways to say and write it',
  pattern: new RegExp(
    [
      '\\bin (?<loosely>about|around|approximately|roughly|exactly|just|another|~) ?(?=\\d)',
      '(?<around>\\b(?:around|about|approximately|approx\\.?|circa|ca\\.?|roughly) (?=at |\\d|noon|midnight|midday)|~ ?(?=\\d))',
      '\\bin (?<hours>\\d{1,2})h ?(?<and>\\d{2})m?\\b',
      '(?<!\\d )\\b(?<one>week|month|fortnight) from\\b',
      `\\b(?<named>(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)(?=\\d)`,
      `(?= - )(?<=\\b(?:${WEEKDAY}|tomorrow|today|${MONTH} \\d{1,2}|\\d{1,2} ${MONTH}))(?<dash> - )(?=(?:noon|midnight|\\d{4}|\\d{1,2}(?:[:.]\\d{2}| ?[ap]\\.?m?\\b| o'?clock))(?! ?(?:-|to\\b)))`,
      "(?<=\\bin )(?<minutes>\\d+)'",
      '^in (?<bare>\\d{1,3})$',
      `(?<=\\d )(?<more>more|additional) (?=${UNIT})`,
      '\\bnext (?<next>hour|min(?:ute)?s?|sec(?:ond)?s?)\\b',
      `(?=\\.)(?<=\\b\\d{1,2})(?<dot>\\. ?)(?=${MONTH})`,
      `(?= the )(?<=${MONTH}) the(?<the>) (?=\\d)`,
      '\\b(?<half>[ap]) m\\b',
      '^(?<short>mo|tu|we|th|fr|sa|su)$',
      `(?=-)(?<hyphen>(?<=\\d)-(?=${MONTH})|(?<=${MONTH})-(?=\\d))`,
      '\\b(?<early>1st thing)(?: in the morning)?(?: (?=\\w))?',
      `\\b(?<day>\\d{1,2})(?<month>${MONTHS_SHORT})(?<year>\\d{4})?\\b`,
      `(?=\\.)(?<=\\b(?:${FULL_MONTHS}))(?<dot2>\\.)(?= )`,
      `(?=next|this)(?<=(?:${MONTH} \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}),? )(?<which>next|this) year\\b`,
      `(?<=\\d[ap]m)(?<glue>)(?=${WEEKDAY}|today|tomorrow)`,
    ].join('|'),
    'g',
  ),
  read: ({ groups = {} }, draft) => {
    const { minutes, bare, more, next, dot, glue, the, half, short, hyphen } = groups
    const { around, loosely, hours, and, one, named, dash } = groups
    if (around) {
      draft.doubt = 'At that time exactly?'
      return ''
    }
    if (loosely && /about|around|approx|rough|~/.test(loosely))
      draft.assumed.push('no more than about: took it exactly')
    if (hours) return `in ${hours} hours ${and} minutes`
    if (one) return `1 ${one} from`
    if (named) return `${named} `
    if (dash) return ' '
    if (groups.dot2) return ''
    if (groups.which) return String(draft.now.at.year + (groups.which === 'next' ? 1 : 0))
    const { early, day, month, year = '' } = groups
    if (early) return 'morning '
    if (month) return `${day} ${month} ${year}`
    if (half) return `${half}m`
    if (short) return SHORTEST[short]
    if (bare) draft.doubt = `Do you mean ${bare} minutes from now?`
    if (bare) return `in ${bare} minutes`
    if (minutes) return `${minutes} minutes`
    if (next) return `in 1 ${next}`
    if (dot || hyphen || glue !== undefined || the !== undefined) return ' '
    return more ? '' : 'in '
  },
}

/** Only where there is nothing else: "we" and "so" are words. */
const SHORTEST: Record<string, string> = {
  mo: 'monday',
  tu: 'tuesday',
  we: 'wednesday',
  th: 'thursday',
  fr: 'friday',
  sa: 'saturday',
  su: 'sunday',
}
