import { DateTime } from 'luxon'
import { addMonths, DAY_MS, type Day, dayOfMoment } from './calendar.ts'
import { formatMoment, formatTime, offsetLabel, zoneLabel } from './describe.ts'
import type { Point } from './point.ts'
import { findPossibleDays, type PossibleDays } from './possible-days.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { createRefusal, type LocalContext, type Reading, type Refusal, type TimeChoice } from './reading.ts'
import { ENTER_DAY_AND_TIME, IN_THE_PAST, ONE_TIME, refusePast } from './refusals.ts'
import { endOfGap, findMoments, findOffsets, secondsOfDay, type TimeOfDay } from './wall-clock.ts'
import { type NamedZone, type ZoneOption, zoneFromOffset } from './zones.ts'

/** Decides which moment the words mean, and whether to ask. `unparsed` contains the words that weren't understood. */
export function resolvePoint(point: Point, local: LocalContext, unparsed = ''): Reading {
  const { time, weekday, fromNow, impliedDay, partOfDay } = point
  const day = point.day ?? (impliedDay === undefined ? undefined : { day: impliedDay })
  const exactMoment = fromNow && local.now.at.plus(fromNow)
  // "Today in an hour" is one moment, because both parts are on the same day.
  if (exactMoment && day && day.day !== dayOfMoment(exactMoment)) return createRefusal('several', ONE_TIME)
  if (!exactMoment && !day && !time && !partOfDay)
    return weekday ? createRefusal('vague', ENTER_DAY_AND_TIME) : refuseNonsense(unparsed)
  const isWeak = point.isWeak && (!time || !day)
  if (unparsed && (isWeak || /\d/.test(unparsed))) return refuseNonsense(unparsed)
  const namedZone = point.zone === 'own' ? undefined : point.zone
  if (namedZone && !namedZone.matches.length) return refuseZone(namedZone)
  const ownZone = { zone: local.now.zone }
  const namedZones = namedZone?.matches ?? []
  // "Same time tomorrow ET" may mean the user's current time or the one in that zone.
  const zones = namedZones.length && !time?.isCurrentTime ? namedZones : [...namedZones, ownZone]
  const input = { point: { ...point, ...(day && { day }) }, local, unparsed, zones, namedZone }
  if (exactMoment) {
    const others = (point.otherDistances ?? []).map((distance) => local.now.at.plus(distance))
    const choices = zones.flatMap(({ zone }) =>
      [exactMoment, ...others].map((at) => ({ at: at.setZone(zone), zone })),
    )
    return toReading({ choices, question: zoneQuestion(namedZone) }, input)
  }
  const candidates = findCandidates(input)
  return 'kind' in candidates ? candidates : toReading(candidates, input)
}

type PointInput = {
  point: Point
  local: LocalContext
  unparsed: string
  zones: ZoneOption[]
  namedZone: NamedZone | undefined
}

export function refuseNonsense(unparsed: string): Refusal {
  const problem = unparsed ? `"${unparsed}" wasn't understood.` : 'No time was found.'
  return createRefusal('nonsense', `${problem} Try "tomorrow 9am", "fri 14:30" or "24 Dec at noon".`)
}

export const refuseZone = ({ words }: NamedZone): Refusal =>
  createRefusal(
    'unknown-zone',
    `Upnext doesn't know the time zone ${words}. Enter a city, such as "9am Berlin".`,
  )

export const zoneQuestion = (namedZone: NamedZone | undefined): string | undefined =>
  namedZone && namedZone.matches.length > 1 ? `Which time zone does ${namedZone.words} mean?` : undefined

export type Candidate = Omit<TimeChoice, 'label'>

/** The moments that the words may mean, the likeliest first. */
type Candidates = {
  choices: Candidate[]
  question?: string | undefined
  assumptions?: string[]
  /** Whether the user must confirm even a single choice. */
  needsConfirmation?: boolean | undefined
}

function findCandidates(input: PointInput): Candidates | Refusal {
  const { point, local, zones, namedZone } = input
  const { day } = point
  const possibleDays = day && findPossibleDays(day, point.weekday, local)
  if (possibleDays && 'kind' in possibleDays) return possibleDays
  const possibleTimes = findPossibleTimes(point, day?.day, local)
  const localTimeCandidates = zones.flatMap((zoneOption) =>
    placeInZone(findLocalTimes(input, possibleDays, possibleTimes, zoneOption.zone), zoneOption),
  )
  const refusal = localTimeCandidates.find((candidates) => candidates.refusal)?.refusal
  const allChoices = localTimeCandidates.flatMap((candidates) => candidates.choices)
  const choices = allChoices.filter(({ at }) => at > local.now.at)
  if (!choices.length) {
    // At noon on 20 November, "20 November 9am" means next year.
    const isToday = day?.lacksYear === 'date' && day.day === local.now.day
    if (!isToday || refusal) return refusal ?? refusePastChoices(allChoices, local.now.zone)
    const nextYear = { ...point, day: { ...day, day: addMonths(day.day, 12) } }
    return findCandidates({ ...input, point: nextYear })
  }
  // On the night when the clocks skip 2:30, "2:30" doesn't mean 14:30.
  if (refusal && choices.length === 1) return refusal
  const { isOnlyMeridiemMissing } = possibleTimes
  if (isOnlyMeridiemMissing && day === undefined) choices.sort((a, b) => +a.at - +b.at)
  const assumptions = [...(possibleDays?.assumptions ?? []), ...(possibleTimes.assumptions ?? [])]
  if (choices.length < allChoices.length)
    assumptions.push(
      isOnlyMeridiemMissing
        ? 'assuming pm, because the am time has passed'
        : 'the other possible times have passed',
    )
  const question =
    possibleTimes.question ??
    zoneQuestion(namedZone) ??
    localTimeCandidates.find((candidates) => candidates.question)?.question ??
    possibleDays?.question
  return { choices, question, assumptions, needsConfirmation: possibleDays?.needsConfirmation }
}

function refusePastChoices([choice, ...others]: Candidate[], viewerZone: string): Refusal {
  if (!choice || others.length) return createRefusal('past', IN_THE_PAST)
  return refusePast(choice.at, choice.zone, viewerZone)
}

type LocalTime = { day: Day; time: TimeOfDay }

/** Combines the possible days with the possible times. Without a day, uses the next occurrence of the time. */
function findLocalTimes(
  { point, local: { now } }: PointInput,
  possibleDays: PossibleDays | undefined,
  { times }: PossibleTimes,
  zone: string,
): LocalTime[] {
  const localNow = zone === now.zone ? now.at : now.at.setZone(zone)
  const today = dayOfMoment(localNow)
  // Compares local times, because the moment of a local time is not known yet.
  const hasPassed = (day: Day, time: TimeOfDay) =>
    day === today ? secondsOfDay(time) <= secondsOfDay(localNow) : day < today
  if (!possibleDays) return times.map(({ time }) => ({ day: today + (hasPassed(today, time) ? 1 : 0), time }))
  const dayIfPast = point.day?.dayIfPast
  const isDayOnly = !point.time && !point.partOfDay
  return possibleDays.days.flatMap((day) =>
    times.map(({ time, daysLater = 0 }) => {
      // "Fri 20" names one particular day, so the day doesn't move.
      const mustMove =
        dayIfPast !== undefined && !point.weekday && (isDayOnly || hasPassed(day + daysLater, time))
      return { day: (mustMove ? dayIfPast : day) + daysLater, time }
    }),
  )
}

/** The moments that one local time may mean in one zone. */
type LocalTimeCandidates = { choices: Candidate[]; question?: string; refusal?: Refusal }

/** Looking up offsets is slow, and the times are often on the same day, so each day is looked up once. */
function placeInZone(localTimes: LocalTime[], zoneOption: ZoneOption): LocalTimeCandidates[] {
  const days = new Set(localTimes.map(({ day }) => day))
  const offsets = new Map([...days].map((day) => [day, findOffsets(day, zoneOption.zone)]))
  return localTimes.map((localTime) => placeLocalTime(localTime, zoneOption, offsets.get(localTime.day)))
}

function placeLocalTime(
  { day, time }: LocalTime,
  { zone, offset }: ZoneOption,
  offsets: number[] | undefined,
): LocalTimeCandidates {
  const moments = findMoments(day, time, zone, offsets)
  if (!moments.length && offset === undefined) {
    const after = endOfGap(day, time, zone)
    const times = `${formatTime(after.minus({ minutes: 1 }))} or ${formatTime(after)}`
    const message = `The clocks in ${zoneLabel(zone)} skip that time. Enter ${times} instead.`
    return { choices: [], refusal: createRefusal('gap', message) }
  }
  const matching = offset === undefined ? moments : moments.filter((at) => at.offset === offset)
  const choices: Candidate[] = matching.map((at) => ({ at, zone }))
  if (offset !== undefined && !choices.length) {
    // Some people who write "EST" in summer mean the offset, others mean the place.
    const withOffset = DateTime.fromMillis(day * DAY_MS + secondsOfDay(time) * 1000 - offset * 60_000)
    const zoneOfOffset = zoneFromOffset(offset) ?? zone
    choices.push({ at: withOffset.setZone(zoneOfOffset), zone: zoneOfOffset })
    if (moments[0]) choices.push({ at: moments[0], zone })
    const [place, label] = [zoneLabel(zone), offsetLabel(offset)]
    const question = `${place} doesn't use ${label} on that day. Do you mean ${label} or ${place} time?`
    return { choices, question }
  }
  if (choices.length < 2) return { choices }
  return { choices, question: 'The clocks go back then, so that time happens twice. Which one?' }
}

/** Labels the choices. Moments with the same local time, as around a clock change, also show their offsets. */
export function labelChoices(choices: Candidate[], viewerZone: string): TimeChoice[] {
  const labels = choices.map(({ at, zone }) => formatMoment(at, zone, viewerZone))
  return choices.map(({ at, zone }, index) => {
    const label = labels[index] ?? ''
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label)
    return { label: isUnique ? label : `${label} (${offsetLabel(at.offset)})`, at, zone }
  })
}

function toReading(candidates: Candidates, { point, local, unparsed, namedZone }: PointInput): Reading {
  const choices = candidates.choices.filter(
    ({ at, zone }, index, all) =>
      all.findIndex((choice) => +choice.at === +at && choice.zone === zone) === index,
  )
  const [likeliest] = choices
  if (!likeliest) throw new Error('A reading needs at least one choice.')
  const { at, zone } = likeliest
  if (choices.length === 1 && point.fromNow && point.isApproximate)
    choices.push({ at: at.plus({ minutes: 30 }), zone })
  const needsConfirmation = unparsed || candidates.needsConfirmation || (point.isWeak && !point.day)
  if (choices.length > 1 || needsConfirmation) {
    const notUnderstood = unparsed ? `"${unparsed}" wasn't understood. ` : ''
    const question =
      choices.length > 1 || candidates.needsConfirmation
        ? (candidates.question ?? (point.isApproximate ? 'What time exactly?' : 'Which one?'))
        : 'Is this the right time?'
    return {
      kind: 'question',
      question: notUnderstood + question,
      choices: labelChoices(choices, local.now.zone),
    }
  }
  const assumptions = [...(point.assumptions ?? []), ...(candidates.assumptions ?? [])]
  if (!namedZone) assumptions.push(ownZoneAssumption(zone))
  return { kind: 'moment', at, zone, assumptions, ...(point.isNow && { isNow: true }) }
}

/** The assumption that the words mean the user's own time zone. */
export const ownZoneAssumption = (zone: string): string => `in your time zone, ${zoneLabel(zone)}`
