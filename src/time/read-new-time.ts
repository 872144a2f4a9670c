import { DateTime } from 'luxon'
import { type Day, dayOfMoment, mondayOfWeek } from './calendar.ts'
import { PROBLEM } from './chart.ts'
import { valuesOf } from './cover.ts'
import { formatMoment, postTimeToWords, zoneLabel } from './describe.ts'
import { newTimeGrammar } from './grammar/grammar.ts'
import { fromNow } from './grammar/points.ts'
import type { Move, Shift } from './grammar/shifts.ts'
import { type Duration, isClockUnit } from './grammar/values.ts'
import { isTimeOnly, mergePoints, type Point } from './point.ts'
import { findPoints, MOMENT_TYPES, readWhen, resolvePoints } from './read-when.ts'
import { parseText } from './read-words.ts'
import { choicesOf, createRefusal, type LocalContext, type Reading, type ReadingContext } from './reading.ts'
import { ENTER_TIME_IN_ZONE, IN_THE_PAST, ONE_NEW_TIME, refusePast } from './refusals.ts'
import { labelChoices, resolvePoint } from './resolve-point.ts'
import { type TimeOfDay, timeOfDay } from './wall-clock.ts'

/** The post whose time is changed, and the context of the words that change it. */
type Change = {
  context: ReadingContext
  local: LocalContext
  /** When the post goes out, in its own zone. */
  at: DateTime
  zone: string
}

const NO_CHANGE =
  'Nothing would change. Enter a new day or a new time, such as "same time saturday" or "same day at 9pm".'
const HOW_MUCH = 'By how much? Enter "2 hours later", "30 min earlier", or a day and a time.'
const TOO_FAR = 'That\'s too far away. Enter a date, such as "24 Dec at noon".'
const ON_DAY_OF_POST = "on the post's day"

const NEW_TIME_TYPES = [
  ...['shift', 'nextWeek', 'nextDay', 'sameDay', 'move', 'moved', 'by', 'comparison', 'INSTEAD'],
  ...MOMENT_TYPES,
]

/**
 * Reads words that name a new time for a post. A time alone keeps the post's day, a day alone keeps the post's time, and
 * "2 hours later" counts from the post's time.
 */
export function readNewTime(text: string, context: ReadingContext): Reading {
  const { post } = context
  if (!post) return readWhen(text, context)
  const parsed = parseText(text, context, {
    grammar: newTimeGrammar,
    types: NEW_TIME_TYPES,
    subject: 'time',
  })
  if ('kind' in parsed) return parsed
  const at = DateTime.fromJSDate(post.at, { zone: post.zone })
  // These are the form's own words, which lack seconds and offset. The form checks whether the time has passed.
  if (text === postTimeToWords(post.at, post.zone))
    return { kind: 'moment', at, zone: post.zone, assumptions: [] }
  const { cover, local } = parsed
  const change = { context, local, zone: post.zone, at }
  const { items, unparsed } = cover
  const has = (type: string) => items.some((item) => item.type === type)
  const points = [...valuesOf<Point>(cover, 'moved'), ...valuesOf<Point>(cover, 'point')]
  const [shift] = valuesOf<Shift>(cover, 'shift')
  const [by] = valuesOf<Duration>(cover, 'by')
  const [duration = by] = valuesOf<Duration>(cover, 'duration')
  const isUnderstood = !unparsed.length && !has('refused') && !has(PROBLEM)
  const rest = points.reduce<Point | undefined>((joined, point) => joined && mergePoints(joined, point), {})
  if (!isUnderstood || !rest) {
    const words = findPoints(parsed)
    if ('kind' in words) return words
    const [point, other] = words.points
    return !point || other || isEmpty(point)
      ? resolvePoints(words, local)
      : completeWords(point, change, words.unparsed)
  }
  const [move] = valuesOf<Move>(cover, 'move')
  const { time, ...withoutTime } = rest
  const hasSameTime = time?.isCurrentTime === true
  const point: Point = hasSameTime ? withoutTime : rest
  const isInNextWeek = has('nextWeek') && !shift && !duration
  if (point.zone && !point.time && (isInNextWeek || shift || has('sameDay') || hasSameTime))
    return createRefusal('vague', ENTER_TIME_IN_ZONE)
  if (isInNextWeek) return moveToNextWeek(point, change)
  if (shift) return shiftPost(shift, point, change)
  if (has('comparison')) return createRefusal('vague', HOW_MUCH)
  if (has('nextDay') && isEmpty(rest)) return nextDay(change)
  if (duration && !points.length) return moveBy(duration, move, by !== undefined, change)
  if (has('sameDay'))
    return isTimeOnly(point)
      ? resolveTimeOnDay(dayOfMoment(at), point, ON_DAY_OF_POST, change)
      : createRefusal('vague', isEmpty(point) ? NO_CHANGE : ONE_NEW_TIME)
  if (!hasSameTime) return completeWords(rest, change)
  // "Same time saturday"
  if (point.partOfDay) return createRefusal('several', ONE_NEW_TIME)
  return point.day ? resolvePointAtPostTime(point, change) : createRefusal('vague', NO_CHANGE)
}

const isEmpty = (point: Point): boolean => Object.keys(point).length === 0

/** "Next day" may be the day after today, or the day after the post's. */
const nextDay = (change: Change): Reading =>
  ask('Which day?', change, [
    resolveDayAtPostTime(dayOfMoment(change.at) + 1, change, countingAssumption(change)),
    resolveDayAtPostTime(change.local.now.day + 1, change),
  ])

/** "Next week" may mean the post's weekday in the week after this one, or the day one week after the post. */
function moveToNextWeek(time: Point, change: Change): Reading {
  const { local, at } = change
  const monday = mondayOfWeek(local.now.day) + 7
  const days = [...new Set([monday + at.weekday - 1, dayOfMoment(at) + 7])].filter(
    (day) => day !== dayOfMoment(at),
  )
  if (!isEmpty(time) && !isTimeOnly(time)) return createRefusal('several', ONE_NEW_TIME)
  const readings = days.map((day) =>
    isEmpty(time)
      ? resolveDayAtPostTime(day, change)
      : resolveTimeOnDay(day, time, "on the post's weekday", change),
  )
  return ask('Which week?', change, readings)
}

/** Completes words that name only a time or only a day. */
function completeWords(point: Point, change: Change, unparsed = ''): Reading {
  const reading = completePoint(point, change)
  if (!unparsed || reading.kind === 'refusal') return reading
  const readingWithoutPost = resolvePoint(point, change.local, unparsed)
  if (readingWithoutPost.kind === 'refusal') return readingWithoutPost
  const choices = labelChoices(choicesOf(reading), change.context.zone)
  const question = reading.kind === 'question' ? reading.question : 'Is this the right time?'
  return { kind: 'question', question: `"${unparsed}" wasn't understood. ${question}`, choices }
}

function completePoint(point: Point, change: Change): Reading {
  const { local, at } = change
  if (isTimeOnly(point)) {
    const { impliedDay, ...time } = point
    return impliedDay === undefined
      ? resolveTimeOnDay(dayOfMoment(at), time, ON_DAY_OF_POST, change)
      : resolvePoint(point, local)
  }
  const reading = resolvePoint(point, local)
  if (!point.day || point.time || point.partOfDay) return reading
  if (point.zone) return createRefusal('vague', ENTER_TIME_IN_ZONE)
  const completed = resolvePointAtPostTime(point, change)
  if (completed.kind !== 'moment' || reading.kind === 'refusal') return completed
  // "In 3 days" may also mean the current time of day.
  if (reading.kind === 'moment') return ask('What time?', change, [completed, reading])
  // "Friday", entered on a Friday, may also mean the next one.
  const days = [...new Set(reading.choices.map((choice) => dayOfMoment(choice.at)))]
  if (days.includes(dayOfMoment(completed.at))) return completed
  return ask('Which day?', change, [completed, ...days.map((day) => resolveDayAtPostTime(day, change))])
}

/** A duration without "later" or "earlier" may count from the post's time or from now. With a verb, it moves the post. */
function moveBy(duration: Duration, move: Move | undefined, hasBy: boolean, change: Change): Reading {
  const later = shiftPost({ duration, direction: 1 }, {}, change)
  if (later.kind === 'refusal') return later
  if (move?.isPostponing && !move.isProbablyEarlier) return later
  if (move || hasBy) {
    const earlier = shiftPost({ duration, direction: -1 }, {}, change)
    // "Move it up" seldom means later.
    if (move?.isProbablyEarlier && earlier.kind === 'refusal') return earlier
    return ask('Later or earlier?', change, move?.isProbablyEarlier ? [earlier, later] : [later, earlier])
  }
  const { local } = change
  const countedFromNow = isInDays(duration)
    ? resolveDayAtPostTime(dayOfMoment(plus(local.now.at, { duration, direction: 1 })), change)
    : countFromNow(duration, local)
  return ask("Counted from the post's time, or from now?", change, [later, countedFromNow])
}

/** The last year that `readWhen` reads. */
const MAX_YEAR = 9999

function shiftPost(shift: Shift, point: Point, change: Change): Reading {
  const { context, at, zone } = change
  const { duration } = shift
  const moved = plus(at, shift)
  if (!moved.isValid || moved.year > MAX_YEAR) return createRefusal('vague', TOO_FAR)
  const lengthAssumption = duration.isApproximate ? ['assuming an exact duration'] : []
  const assumptions = [...(duration.assumptions ?? []), ...lengthAssumption, ...countingAssumption(change)]
  if (isInDays(duration)) {
    if (+moved.endOf('day') <= +context.now)
      return isEmpty(point) ? refusePast(moved, zone, context.zone) : createRefusal('past', IN_THE_PAST)
    // In UTC, no clock change can move the result to another day.
    const day = dayOfMoment(plus(at.setZone('utc', { keepLocalTime: true }), shift))
    if (isEmpty(point)) return resolveDayAtPostTime(day, change, assumptions)
    return isTimeOnly(point)
      ? resolveTimeOnDay(day, point, "counted from the post's day", change)
      : createRefusal('several', ONE_NEW_TIME)
  }
  if (!isEmpty(point)) return createRefusal('several', ONE_NEW_TIME)
  if (+moved <= +context.now) return refusePast(moved, zone, context.zone)
  return { kind: 'moment', at: moved, zone, assumptions: [...assumptions, ...zoneAssumption(change)] }
}

const countingAssumption = ({ at, context }: Change): string[] => [
  `counted from the post's time, ${formatMoment(at, at.zoneName ?? context.zone, context.zone)}`,
]

const plus = (at: DateTime, { duration, direction }: Shift): DateTime =>
  duration.amounts.reduce(
    (moved, { unit, amount }) =>
      moved.plus(unit === 'fortnights' ? { weeks: 2 * direction * amount } : { [unit]: direction * amount }),
    at,
  )

/**
 * Whether the duration is in whole days or longer units, which keep the time of day. Hours are elapsed time, even
 * across clock changes.
 */
const isInDays = ({ amounts }: Duration): boolean =>
  amounts.every(({ unit, amount }) => !isClockUnit(unit) && Number.isInteger(amount))

function countFromNow(duration: Duration, local: LocalContext): Reading {
  const point = fromNow(duration, local)
  return point ? resolvePoint(point, local) : createRefusal('vague', TOO_FAR)
}

/** Resolves a day at the post's time of day. */
const resolveDayAtPostTime = (day: Day, change: Change, assumptions?: string[]): Reading =>
  resolvePointAtPostTime({ day: { day } }, change, assumptions)

function resolvePointAtPostTime(
  { defaultTime: _now, ...point }: Point,
  change: Change,
  assumptions = [`at the post's time, ${change.at.toFormat(change.at.second ? 'HH:mm:ss' : 'HH:mm')}`],
): Reading {
  const { zone, local, at } = change
  const reading = resolvePoint(
    { ...point, time: { time: toTimeOfDay(at) }, ...(zone !== local.now.zone && { zone: namedZone(zone) }) },
    local,
  )
  return addAssumptions(reading, [...assumptions, ...zoneAssumption(change)])
}

/** Resolves a time on a day that is taken from the post. Without a zone, it may be in the post's or the user's zone. */
function resolveTimeOnDay(day: Day, time: Point, assumption: string, change: Change): Reading {
  const { zone, local, at } = change
  const readingWithoutDay = resolvePoint(time, local)
  const minutesFromPost = (time: DateTime) =>
    Math.abs(time.hour * 60 + time.minute - at.hour * 60 - at.minute)
  const readIn = (zone: string | undefined): Reading => {
    const inZone: Point = zone ? { ...time, zone: namedZone(zone) } : time
    const reading = resolvePoint({ ...inZone, day: { day } }, local)
    if (reading.kind !== 'moment' || readingWithoutDay.kind !== 'question') return reading
    // Next to a day, 9 is read as the morning. But the user entered no day here, so all readings of the hour are offered.
    const readings = readingWithoutDay.choices
      .toSorted((a, b) => minutesFromPost(a.at) - minutesFromPost(b.at))
      .map((choice) =>
        resolvePoint(
          {
            day: { day },
            time: { time: toTimeOfDay(choice.at) },
            ...(time.zone ? { zone: namedZone(choice.zone) } : zone && { zone: namedZone(zone) }),
          },
          local,
        ),
      )
    return ask(readingWithoutDay.question, change, readings)
  }
  if (time.zone || zone === local.now.zone) return addAssumptions(readIn(undefined), [assumption])
  const inZoneOfPost = addAssumptions(readIn(zone), [assumption, ...zoneAssumption(change)])
  const question = `Which time zone: ${zoneLabel(zone)} or ${zoneLabel(local.now.zone)}?`
  return ask(question, change, [inZoneOfPost, addAssumptions(readIn(undefined), [assumption])])
}

const toTimeOfDay = ({ hour, minute, second }: DateTime): TimeOfDay => timeOfDay(hour, minute, second)
const namedZone = (zone: string) => ({ words: zone, matches: [{ zone }] })

/** Asks which of the readings is meant, unless only one of them can be used. */
function ask(question: string, { context }: Change, readings: Reading[]): Reading {
  const usable = readings.filter((reading) => reading.kind !== 'refusal')
  const all = usable.flatMap(choicesOf)
  const choices = all.filter(({ at }, index) => all.findIndex((other) => +other.at === +at) === index)
  if (choices.length > 1) return { kind: 'question', question, choices: labelChoices(choices, context.zone) }
  return usable[0] ?? readings[0] ?? createRefusal('past', IN_THE_PAST)
}

const addAssumptions = (reading: Reading, assumptions: string[]): Reading =>
  reading.kind === 'moment' ? { ...reading, assumptions: [...assumptions, ...reading.assumptions] } : reading

const zoneAssumption = ({ context, zone }: Change): string[] =>
  zone === context.zone ? [] : [`in the post's time zone, ${zoneLabel(zone)}`]
