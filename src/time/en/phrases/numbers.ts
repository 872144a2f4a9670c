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

const valueOf: Record<string, number> = {
  ...Object.fromEntries(SMALL.map((word, value) => [word, value])),
  ...Object.fromEntries(TENS.map((word, index) => [word, 20 + 10 * index])),
}

const units = SMALL.slice(1, 10).join('|')

/** "twenty five" is 25, "seven" is 7. */
export const cardinals: Phrase = {
  name: 'numbers in words',
  pattern: new RegExp(`\\b(?:(${TENS.join('|')})(?:[ -](${units}))?|(${SMALL.join('|')}))\\b`, 'g'),
  read: ([, tens, unit, small]) =>
    String(small ? valueOf[small] : (valueOf[tens ?? ''] ?? 0) + (valueOf[unit ?? ''] ?? 0)),
}

/** "first monday" is "1st monday"; "second" is a unit more often than not, and has to be followed by what it counts. */
export const ordinals: Phrase = {
  name: 'ordinals in words',
  pattern: new RegExp(
    `\\b(?:(?:(twenty|thirty)[ -])?(${ORDINALS.filter((word) => word !== 'second')
      .slice(1)
      .join('|')}|thirtieth)|(second)(?= (?:${WEEKDAY}|of |day)|$)|(?<=${MONTH} )(second))\\b`,
    'g',
  ),
  read: ([, tens, word = 'second']) => {
    if (word === 'thirtieth') return '30th'
    const value = (valueOf[tens ?? ''] ?? 0) + ORDINALS.indexOf(word)
    return `${value}${value % 10 === 1 && value !== 11 ? 'st' : value % 10 === 2 && value !== 12 ? 'nd' : value % 10 === 3 && value !== 13 ? 'rd' : 'th'}`
  },
}

/** "an hour" is 1 hour, "a couple of hours" 2, "half an hour" 30 minutes, "an hour and a half" 1.5 hours. */
export const amounts: Phrase = {
  name: 'amounts in words',
  pattern: new RegExp(
    `\\b(?:(half) (?:an? )?(hour|h|hr|day|year)|(?:a )?(quarter) (?:of an |an )?hour|(?:(\\d+|an?) )(hours?|days?|weeks?|years?) and a half|(?:(\\d+) and a half) (hours?|days?|weeks?|years?)|(?:a )?(couple)(?: of)?|(?:a )?(few)|(an?)(?= ${UNIT}))`,
    'g',
  ),
  read: ([, half, of, quarter, whole, unit, count, counted, couple, few], draft) => {
    if (half) return of === 'year' ? '6 months' : of === 'day' ? '12 hours' : '30 minutes'
    if (quarter) return '15 minutes'
    if (whole) return `${/^a/.test(whole) ? 1.5 : Number(whole) + 0.5} ${unit}`
    if (count) return `${Number(count) + 0.5} ${counted}`
    if (couple) return '2'
    if (few) {
      draft.doubt = 'How many are a few?'
      return '3'
    }
    return '1'
  },
}
