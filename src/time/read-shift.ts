import type { DateTime } from 'luxon'
import {
  ask,
  type Change,
  dayWords,
  isTimeAlone,
  readAtSameTime,
  readTimeOn,
  zoneAssumption,
} from './complete-words.ts'
import { formatMoment } from './describe.ts'
import { normalizeText } from './normalize.ts'
import { parseNumber, parseUnit, pattern } from './pattern-parts.ts'
import { AMOUNTS, DURATION } from './phrases/relative-days.ts'
import { readWhen } from './read-when.ts'
import { createRefusal, type Reading } from './reading.ts'
import { ENTER_TIME_IN_ZONE, IN_THE_PAST, ONE_NEW_TIME } from './refusals.ts'

/** "2 weeks after monday" counts from Monday instead of the post, so only a time may follow "after". */
const END = '(?: that| it)?(?=,?(?:$| at\\b| same\\b| \\d| noon\\b| midnight\\b))'
const THAN = '(?: than (?:planned|scheduled|before|now))?'
const LATER = [
  pattern`^\+ ?${DURATION}${END}`,
  pattern`\b${DURATION} (?:later${THAN}|after(?:wards)?${END})`,
  pattern`\blater by ${DURATION}`,
  pattern`\b(?:the )?following (day|week|month)${END}`,
  pattern`\b(?:the )?(day|week|month) after${END}`,
]
const EARLIER = [
  pattern`^- ?${DURATION}${END}`,
  pattern`\b${DURATION} (?:(?:earlier|sooner)${THAN}|(?:before|prior)${END})`,
  pattern`\b(?:earlier|sooner) by ${DURATION}`,
  pattern`\b(?:the )?previous (day|week|month)${END}`,
  pattern`\b(?:the )?(day|week|month) before${END}`,
]
const NEXT_DAY = /^(?:the )?next day$/
/** "13h" and "1700 hours" are times of day. */
const ONLY_DURATION = pattern`^(?!\d{4} ?h|(?:1[3-9]|2[0-3])h$)(?:(?:back|out|off|forwards?|up|down|by|for|another) )*${DURATION}$`
const ONLY_COMPARISON = /^(?:(?:a (?:bit|little)|much|slightly) )?(?:later|earlier|sooner)$/
const VERB =
  /\b(?:(push|delay|postpone|defer|snooze)|move|shift|bump|bring|pull|nudge|put)\b(?: (?:it|this|that|the post)\b)?(?: (back|out|off|forwards?|up|down)\b)?/
const SAME = /\b(?:at |on )?(?:the )?same (?:time|day)\b/
const EDGES = /^(?:[ ,]|it\b)+|[ ,.?!]+$/g

const HOW_MUCH = 'By how much? Enter "2 hours later", "30 min earlier", or a day and a time.'
const TOO_FAR = 'That is too far away. Enter a date, such as "24 Dec at noon".'

/** Reads words that move a post from its present time: "2 hours later", "push it a day", "the day before at noon". */
export function readShift(change: Change): Reading | undefined {
  const words = change.state.text.replace(VERB, '').replace(SAME, '').replace(EDGES, '')
  if (ONLY_COMPARISON.test(words)) return createRefusal('vague', HOW_MUCH)
  for (const [direction, patterns] of [[1, LATER] as const, [-1, EARLIER] as const]) {
    const match = patterns.map((pattern) => pattern.exec(words)).find(Boolean)
    const time = match ? words.replace(match[0], '').replace(EDGES, '') : ''
    if (match) return shiftPost(change, { duration: match[1] ?? '', direction, time })
  }
  if (NEXT_DAY.test(words))
    return ask('Which day?', change, [
      shiftPost(change, { duration: 'day', direction: 1 }),
      readAtSameTime('tomorrow', change),
    ])
  const [, duration] = ONLY_DURATION.exec(words) ?? []
  return duration === undefined ? undefined : readDuration(duration, change)
}

/** A duration without "later" or "earlier" may count from the post's time or from now. With a verb, it moves the post. */
function readDuration(duration: string, change: Change): Reading {
  const later = shiftPost(change, { duration, direction: 1 })
  const [verb, postponing, direction = ''] = VERB.exec(normalizeText(change.text).text) ?? []
  const isForward = /^(?:forward|up)/.test(direction)
  if (postponing && !isForward) return later
  if (verb || /\bby\b/.test(change.state.text)) {
    const earlier = shiftPost(change, { duration, direction: -1 })
    return ask('Later or earlier?', change, isForward ? [earlier, later] : [later, earlier])
  }
  const fromNow = `in ${duration}`
  const readings = [
    later,
    isInDays(duration) ? readAtSameTime(fromNow, change) : readWhen(fromNow, change.context),
  ]
  return ask('Counted from the post, or from now?', change, readings)
}

type Shift = { duration: string; direction: 1 | -1; time?: string }

/** The last year that `readWhen` reads. */
const MAX_YEAR = 9999

function shiftPost(change: Change, shift: Shift): Reading {
  const { context, at, zone, state } = change
  const { duration, direction, time = '' } = shift
  if (state.namedZone) return createRefusal('vague', ENTER_TIME_IN_ZONE)
  const moved = applyShift(at, shift)
  if (!moved.isValid || moved.year > MAX_YEAR) return createRefusal('vague', TOO_FAR)
  const counted = `counted from the post's time, ${formatMoment(at, zone, context.zone)}`
  const exactly = state.isApproximate ? ['assuming exactly that long'] : []
  const assumptions = [...state.assumptions, ...exactly, counted]
  if (isInDays(duration)) {
    if (+moved.endOf('day') <= +context.now) return createRefusal('past', IN_THE_PAST)
    // In UTC, no clock change moves the time.
    const local = applyShift(at.setZone('utc', { keepLocalTime: true }), { duration, direction })
    const day = dayWords(local)
    if (!time) return readAtSameTime(day, change, assumptions)
    if (!isTimeAlone(time, change)) return createRefusal('several', ONE_NEW_TIME)
    return readTimeOn({ day, time, assumption: "counted from the post's day" }, change)
  }
  if (time) return createRefusal('several', ONE_NEW_TIME)
  if (+moved <= +context.now) return createRefusal('past', IN_THE_PAST)
  return { kind: 'moment', at: moved, zone, assumptions: [...assumptions, ...zoneAssumption(change)] }
}

const applyShift = (at: DateTime, { duration, direction }: Shift): DateTime =>
  amountsOf(duration).reduce((moved, { unit, amount }) => moved.plus({ [unit]: direction * amount }), at)

/** Whether the duration is in whole days or longer units, which keep the time of day. Hours count across clock changes. */
const isInDays = (duration: string): boolean =>
  amountsOf(duration).every(
    ({ unit, amount }) => !['hours', 'minutes', 'seconds'].includes(unit) && Number.isInteger(amount),
  )

/** Reads the amounts of a duration. "day" without a number means one day. */
const amountsOf = (duration: string) =>
  [...(/\d/.test(duration) ? duration : `1 ${duration}`).matchAll(AMOUNTS)].map(
    ([, number = '', word = '']) => {
      const { unit, factor } = parseUnit(word)
      return { unit, amount: parseNumber(number) * factor }
    },
  )
