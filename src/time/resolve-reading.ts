import { DateTime } from 'luxon'
import { addMonths, DAY_MS, type Day, dayOfMoment } from './calendar.ts'
import { formatMoment, formatTime, offsetLabel, zoneLabel } from './describe.ts'
import type { ReadingState } from './phrase.ts'
import { findPossibleDays, type PossibleDays } from './possible-days.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { type Choice, createRefusal, type Reading, type Refusal } from './reading.ts'
import { ENTER_DAY_AND_TIME, IN_THE_PAST } from './refusals.ts'
import { endOfGap, findMoments, findOffsets, secondsOfDay, type TimeOfDay } from './wall-clock.ts'
import { type NamedZone, type ZoneOption, zoneFromOffset } from './zones.ts'

/** Turns the findings, and the words that no step could read, into one moment, a question, or a refusal. */
export function resolveReading(state: ReadingState, unread: string): Reading {
  const { times, weekday, namedZone, exactMoment, otherMoments = [] } = state
  const days = [...new Set(state.dates.map(({ day }) => day))]
  // "today in an hour" is one moment, because both parts are on the same day.
  const contradictsExactMoment =
    exactMoment && (times.length > 0 || days.some((day) => day !== dayOfMoment(exactMoment)))
  if (days.length > 1 || times.length > 1 || contradictsExactMoment)
    return createRefusal('several', 'A post can only have one time. Enter one, such as "tuesday 10am".')
  if (!exactMoment && !days.length && !times.length && !state.partOfDay)
    return weekday ? createRefusal('vague', ENTER_DAY_AND_TIME) : refuseNonsense(unread)
  const isWeak = state.isWeakMatch && (!times.length || !days.length)
  if (unread && (isWeak || /\d/.test(unread))) return refuseNonsense(unread)
  if (namedZone && !namedZone.options.length) return unknownZone(namedZone)
  const ownZone = { zone: state.now.zone }
  const namedZones = namedZone?.options ?? []
  // "Same time tomorrow ET" may mean the user's current time or the one in that zone.
  const zones = namedZones.length && !times[0]?.isCurrentTime ? namedZones : [...namedZones, ownZone]
  if (exactMoment) {
    const choices = zones.flatMap(({ zone }) =>
      [exactMoment, ...otherMoments].map((at) => ({ at: at.setZone(zone), zone })),
    )
    return concludeReading({ choices, question: askForZone(namedZone) }, state, unread)
  }
  const candidates = findCandidates(state, zones)
  return 'kind' in candidates ? candidates : concludeReading(candidates, state, unread)
}

function refuseNonsense(unread: string): Refusal {
  const problem = unread ? `"${unread}" wasn't understood.` : 'No time was found in that.'
  return createRefusal('nonsense', `${problem} Try "tomorrow 9am", "fri 14:30" or "24 Dec at noon".`)
}

export const unknownZone = ({ words }: NamedZone): Refusal =>
  createRefusal(
    'ambiguous-zone',
    `Upnext doesn't know the time zone ${words}. Enter a city, such as "9am Berlin".`,
  )

export const askForZone = (namedZone: NamedZone | undefined): string | undefined =>
  namedZone && namedZone.options.length > 1 ? `Which time zone does ${namedZone.words} mean?` : undefined

export type Candidate = Omit<Choice, 'label'>

/** The moments that the words may mean, the likeliest first. */
type Candidates = { choices: Candidate[]; question?: string | undefined; assumptions?: string[] }

function findCandidates(state: ReadingState, zones: ZoneOption[]): Candidates | Refusal {
  const { namedZone } = state
  const [date] = state.dates
  const possibleDays = date && findPossibleDays(date, state)
  if (possibleDays && 'kind' in possibleDays) return possibleDays
  const possibleTimes = findPossibleTimes(state, date?.day)
  const candidatesByZone = zones.flatMap((zoneOption) =>
    placeInZone(findLocalTimes(state, possibleDays, possibleTimes, zoneOption.zone), zoneOption),
  )
  const refusal = candidatesByZone.find((candidates) => candidates.refusal)?.refusal
  const allChoices = candidatesByZone.flatMap((candidates) => candidates.choices)
  const choices = allChoices.filter(({ at }) => at > state.now.at)
  if (!choices.length) {
    // If it is already noon on 20 November, "20 November 9am" may mean the next year.
    const isToday = date?.lacksYear === 'date' && date.day === state.now.day
    if (!isToday || refusal) return refusal ?? createRefusal('past', IN_THE_PAST)
    return findCandidates({ ...state, dates: [{ ...date, day: addMonths(date.day, 12) }] }, zones)
  }
  // In the night when the clocks skip 2:30, "2:30" doesn't mean 14:30.
  if (refusal && choices.length === 1) return refusal
  const { isOnlyMeridiemMissing } = possibleTimes
  if (isOnlyMeridiemMissing && date === undefined) choices.sort((a, b) => +a.at - +b.at)
  const assumptions = [...(possibleDays?.assumptions ?? []), ...(possibleTimes.assumptions ?? [])]
  if (choices.length < allChoices.length)
    assumptions.push(
      isOnlyMeridiemMissing
        ? 'assuming pm, because the am time has passed'
        : 'because the other possible times have passed',
    )
  const question =
    possibleTimes.question ??
    askForZone(namedZone) ??
    candidatesByZone.find((candidates) => candidates.question)?.question ??
    possibleDays?.question
  return { choices, question, assumptions }
}

type LocalTime = { day: Day; time: TimeOfDay }

/** Combines the possible days with the possible times. Without a day, uses the next occurrence of the time. */
function findLocalTimes(
  state: ReadingState,
  possibleDays: PossibleDays | undefined,
  { times }: PossibleTimes,
  zone: string,
): LocalTime[] {
  const { now, dates, partOfDay } = state
  const localNow = zone === now.zone ? now.at : now.at.setZone(zone)
  const today = dayOfMoment(localNow)
  // Compares local times, because the moment of a local time is not known yet.
  const hasPassed = (day: Day, time: TimeOfDay) =>
    day === today ? secondsOfDay(time) <= secondsOfDay(localNow) : day < today
  if (!possibleDays) return times.map(({ time }) => ({ day: today + (hasPassed(today, time) ? 1 : 0), time }))
  const dayIfPast = dates[0]?.dayIfPast
  const isDayOnly = !state.times.length && !partOfDay
  return possibleDays.days.flatMap((day) =>
    times.map(({ time, daysLater = 0 }) => {
      const mustMove = dayIfPast !== undefined && (isDayOnly || hasPassed(day + daysLater, time))
      return { day: (mustMove ? dayIfPast : day) + daysLater, time }
    }),
  )
}

/** The moments of one local time. */
type ZoneCandidates = { choices: Candidate[]; question?: string; refusal?: Refusal }

/** Looking up offsets is slow, and the times are often on the same day, so each day is looked up once. */
function placeInZone(localTimes: LocalTime[], zoneOption: ZoneOption): ZoneCandidates[] {
  const days = new Set(localTimes.map(({ day }) => day))
  const offsets = new Map([...days].map((day) => [day, findOffsets(day, zoneOption.zone)]))
  return localTimes.map((localTime) => placeLocalTime(localTime, zoneOption, offsets.get(localTime.day)))
}

function placeLocalTime(
  { day, time }: LocalTime,
  { zone, offset }: ZoneOption,
  offsets: number[] | undefined,
): ZoneCandidates {
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

/** Two moments with the same local time, around a clock change, show their offsets. */
export function labelChoices(choices: Candidate[], viewerZone: string): Choice[] {
  const labels = choices.map(({ at, zone }) => formatMoment(at, zone, viewerZone))
  return choices.map(({ at, zone }, index) => {
    const label = labels[index] ?? ''
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label)
    return { label: isUnique ? label : `${label} (${offsetLabel(at.offset)})`, at, zone }
  })
}

function concludeReading(candidates: Candidates, state: ReadingState, unread: string): Reading {
  const choices = candidates.choices.filter(
    ({ at, zone }, index, all) =>
      all.findIndex((choice) => +choice.at === +at && choice.zone === zone) === index,
  )
  const [likeliest] = choices
  if (!likeliest) throw new Error('A reading needs at least one choice.')
  const { at, zone } = likeliest
  if (choices.length === 1 && state.exactMoment && state.isApproximate)
    choices.push({ at: at.plus({ minutes: 30 }), zone })
  // The words that were not understood may name another day. "2030" may be a year.
  else if (choices.length === 1 && (unread || (state.isWeakMatch && !state.dates.length)))
    choices.push({ at: at.plus({ days: state.dates.length ? 7 : 1 }), zone })
  if (choices.length > 1) {
    const notUnderstood = unread ? `"${unread}" wasn't understood. ` : ''
    const question = notUnderstood + (candidates.question ?? 'Which one?')
    return { kind: 'question', question, choices: labelChoices(choices, state.now.zone) }
  }
  const assumptions = [...state.assumptions, ...(candidates.assumptions ?? [])]
  if (!state.namedZone) assumptions.push(`in your time zone, ${zoneLabel(zone)}`)
  return { kind: 'moment', at, zone, assumptions }
}
