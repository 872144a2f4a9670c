import { PROBLEM } from './chart.ts'
import { valuesOf } from './cover.ts'
import { momentGrammar } from './grammar/grammar.ts'
import { fromNow } from './grammar/points.ts'
import type { Duration } from './grammar/values.ts'
import { isSupportedLocale, refuseLanguage } from './languages.ts'
import { mergePoints, type Point } from './point.ts'
import { joinTokens, type ParsedText, parseText } from './read-words.ts'
import {
  choicesOf,
  createRefusal,
  type LocalContext,
  type Reading,
  type ReadingContext,
  type Refusal,
  type RefusalReason,
} from './reading.ts'
import { NO_MOMENT_MESSAGES, ONE_TIME } from './refusals.ts'
import { refuseNonsense, resolvePoint } from './resolve-point.ts'

/** Reads words that name a moment in the future. */
export function readWhen(text: string, context: ReadingContext): Reading {
  const parsed = parseText(text, context, { grammar: momentGrammar, types: MOMENT_TYPES, subject: 'time' })
  return 'kind' in parsed ? parsed : resolvePoints(findPoints(parsed), parsed.local)
}

export const MOMENT_TYPES = ['duration', 'pair', 'point', 'refused', PROBLEM]

/** The points in a text, and the words that weren't understood. Two points name one moment: "9am PT / 12pm ET". */
export type FoundPoints = { points: Point[]; unparsed: string } | Refusal

export function resolvePoints(words: FoundPoints, local: LocalContext): Reading {
  if ('kind' in words) return words
  const [first, second] = words.points.map((point) => resolvePoint(point, local, words.unparsed))
  return first && second
    ? intersectReadings(first, second)
    : (first ?? resolvePoint({}, local, words.unparsed))
}

/** Joins the meanings that cover a text into points, or refuses the text. */
export function findPoints({ text, chart, cover, local }: ParsedText): FoundPoints {
  const { unparsed } = cover
  const points = valuesOf<Point>(cover, 'point')
  // "7" and "730" alone are times.
  const [bareTime] = text.tokens.length === 1 && !points.length ? (chart[0]?.get('bareTime') ?? []) : []
  if (bareTime) return { points: [bareTime.value as Point], unparsed: '' }
  const reason = findRefusalReason(valuesOf<RefusalReason>(cover, 'refused'), points, unparsed.length > 0)
  if (reason) return createRefusal(...reason)
  const [problem] = valuesOf<Refusal>(cover, PROBLEM)
  if (problem) return problem
  const unparsedWords = joinTokens(text, unparsed)
  const durations = valuesOf<Duration>(cover, 'duration')
  const [duration] = durations
  if (duration && (durations.length > 1 || points.some((point) => point.day || point.time)))
    return refuseNonsense(text.text.trim())
  const durationPoint = duration && pointOfDuration(duration, local)
  const [pair] = valuesOf<Point[]>(cover, 'pair')
  const allPoints = durationPoint ? [...points, durationPoint] : points
  const results = (pair ? shareDay(pair) : [{}]).map((start) =>
    allPoints.reduce<Point | undefined>((joined, point) => joined && mergePoints(joined, point), start),
  )
  const joinedPoints = results.filter((point) => point !== undefined)
  if (unparsedWords && !isSupportedLocale(local.locale)) return refuseLanguage(local.locale)
  return joinedPoints.length < results.length
    ? createRefusal('several', ONE_TIME)
    : { points: joinedPoints, unparsed: unparsedWords }
}

/** Finds the reason to refuse a text, but ignores "later" next to a complete moment, and "may" among other words. */
function findRefusalReason(reasons: RefusalReason[], points: Point[], hasUnread: boolean) {
  const isComplete = points.some(({ day, time, fromNow }) => fromNow || (day && time))
  return NO_MOMENT_MESSAGES.find(
    ([reason]) =>
      reasons.includes(reason) && !(reason === 'vague' && (isComplete || (hasUnread && !points.length))),
  )
}

/** Alone, "90 min" counts from now, "5h" may also be an hour of the day, and "2 hours" may also be how long something takes. */
function pointOfDuration(duration: Duration, local: LocalContext): Point | undefined {
  const point = fromNow(duration, local)
  const [first, second] = duration.amounts
  if (!point || !first) return undefined
  const isAbbreviated = duration.amounts.every(
    ({ unit, isShort }) => isShort && (unit === 'minutes' || unit === 'hours'),
  )
  if (!isAbbreviated) return { ...point, isApproximate: true }
  const mayBeHour = !second && first.unit === 'hours' && first.amount <= 12
  return mayBeHour
    ? { ...point, otherDistances: distancesToHour(first.amount % 12, local) }
    : { ...point, assumptions: [...(point.assumptions ?? []), 'counted from now'] }
}

/** The distances to the next two times at this hour, in the morning or in the afternoon. */
function distancesToHour(hour: number, { now }: LocalContext) {
  const today = now.at.startOf('day')
  return [0, 12, 24, 36]
    .map((offset) =>
      today.plus({ days: Math.floor((hour + offset) / 24) }).set({ hour: (hour + offset) % 24 }),
    )
    .filter((at) => at > now.at)
    .slice(0, 2)
    .map((at) => ({ days: 0, seconds: (+at - +now.at) / 1000 }))
}

/** Gives both points the day that one of them names: "friday 9am PT / 12pm ET". */
function shareDay(pair: Point[]): Point[] {
  const withoutTime = pair.map(({ time: _time, zone: _zone, ...rest }): Point => rest)
  const { day, weekday } = withoutTime.reduce((joined, point) => mergePoints(joined, point) ?? joined, {})
  return pair.map((point) => ({ ...point, ...(day && { day }), ...(weekday && { weekday }) }))
}

/** Keeps only the moments that both readings share. */
function intersectReadings(first: Reading, second: Reading): Reading {
  if (first.kind === 'refusal') return first
  if (second.kind === 'refusal') return second
  const others = choicesOf(second)
  const choices = choicesOf(first).filter(({ at }) => others.some((other) => +other.at === +at))
  const [choice] = choices
  if (!choice) return createRefusal('several', NOT_ONE_MOMENT)
  if (first.kind === 'moment') return first
  if (choices.length > 1) return { ...first, choices }
  return { kind: 'moment', at: choice.at, zone: choice.zone, assumptions: [] }
}

const NOT_ONE_MOMENT =
  'Those are two different times. Enter only one of them, such as "tomorrow 9am New York".'
