import { DateTime } from 'luxon'
import { DAY_MS, type Day, dayOfMoment, formatIsoDate, weekdayOf } from './calendar.ts'
import { formatMoment, formatTime, offsetLabel, zoneLabel } from './describe.ts'
import type { ReadingState } from './phrase.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { type Choice, createRefusal, type Reading, type Refusal } from './reading.ts'
import { ENTER_DAY_AND_TIME, IN_THE_PAST } from './refusals.ts'
import { endOfGap, findMoments, secondsOfDay, type TimeOfDay } from './wall-clock.ts'
import { type NamedZone, type ZoneOption, zoneFromOffset } from './zones.ts'

/** The words of the text that name the moment, and the words that no step could read. */
type SourceWords = { source: string; unreadWords: string[] }

/** Decides whether the findings are one moment, a question, or a refusal. */
export function resolveReading(state: ReadingState, words: SourceWords): Reading {
  const { times, weekday, namedZone, exactMoment } = state
  const days = [...new Set(state.dates.map(({ day }) => day))]
  const [day] = days
  // "today in an hour" is one moment although it names the day twice.
  const contradictsExactMoment =
    exactMoment && (times.length > 0 || days.some((day) => day !== dayOfMoment(exactMoment)))
  if (days.length > 1 || times.length > 1 || contradictsExactMoment)
    return createRefusal('several', 'A post can only have one time. Enter one, such as "tuesday 10am".')
  if (!exactMoment && !days.length && !times.length && !state.partOfDay)
    return weekday ? createRefusal('vague', ENTER_DAY_AND_TIME) : createRefusal('nonsense', NO_TIME_FOUND)
  if (words.unreadWords.length && state.isWeakMatch && (!times.length || !days.length))
    return createRefusal('nonsense', NO_TIME_FOUND)
  if (weekday && day !== undefined && weekdayOf(day) !== weekday) return refuseWeekday(day)
  if (namedZone && !namedZone.options.length) return unknownZone(namedZone)
  const zones = namedZone?.options ?? [{ zone: state.now.zone }]
  if (exactMoment) {
    const choices = zones.map(({ zone }) => ({ at: exactMoment.setZone(zone), zone }))
    return concludeReading({ choices, question: askForZone(namedZone) }, state, words)
  }
  const candidates = findCandidates(state, zones, day)
  return 'kind' in candidates ? candidates : concludeReading(candidates, state, words)
}

const NO_TIME_FOUND = 'I couldn\'t find a time in that. Try "tomorrow 9am", "fri 14:30" or "24 Dec at noon".'

function refuseWeekday(day: Day): Refusal {
  const date = formatIsoDate(day)
  const name = DateTime.fromISO(date, { locale: 'en' }).weekdayLong
  return createRefusal('weekday-mismatch', `${date} is a ${name}. Enter only the weekday or only the date.`)
}

export const unknownZone = ({ words }: NamedZone): Refusal =>
  createRefusal('ambiguous-zone', `I don't know the time zone ${words}. Enter a city, such as "9am Berlin".`)

export const askForZone = (namedZone: NamedZone | undefined): string | undefined =>
  namedZone && namedZone.options.length > 1 ? `Which time zone does ${namedZone.words} mean?` : undefined

type Candidate = Omit<Choice, 'label'>

/** The moments that the words may mean, the likeliest first. */
type Candidates = { choices: Candidate[]; question?: string | undefined; assumptions?: string[] }

function findCandidates(state: ReadingState, zones: ZoneOption[], day: Day | undefined) {
  const { namedZone } = state
  const possibleTimes = findPossibleTimes(state, day)
  const candidatesByZone = zones.flatMap((zoneOption) =>
    findLocalTimes(state, day, possibleTimes, zoneOption.zone).map((localTime) =>
      placeInZone(localTime, zoneOption),
    ),
  )
  const refusal = candidatesByZone.find((candidates) => candidates.refusal)?.refusal
  const choices = candidatesByZone
    .flatMap((candidates) => candidates.choices)
    .filter(({ at }) => at > state.now.at)
  if (!choices.length) return refusal ?? createRefusal('past', IN_THE_PAST)
  if (possibleTimes.isOnlyMeridiemMissing && choices.length === 1 && zones.length === 1 && !refusal)
    return { choices, assumptions: ['assuming pm, because the am time has passed'] }
  if (possibleTimes.isOnlyMeridiemMissing && day === undefined) choices.sort((a, b) => +a.at - +b.at)
  const asksForCurrentTime = namedZone && state.times[0]?.isCurrentTime
  const question =
    possibleTimes.question ??
    askForZone(namedZone) ??
    candidatesByZone.find((candidates) => candidates.question)?.question ??
    (asksForCurrentTime ? `Do you mean your current time of day, in ${namedZone.words}?` : undefined)
  return { choices, question, assumptions: possibleTimes.assumptions ?? [] }
}

type LocalTime = { day: Day; time: TimeOfDay }

/** Combines the possible days with the possible times. Without a day, uses the next occurrence of the time. */
function findLocalTimes(state: ReadingState, day: Day | undefined, { times }: PossibleTimes, zone: string) {
  const { now, dates, partOfDay } = state
  const localNow = zone === now.zone ? now.at : now.at.setZone(zone)
  const today = dayOfMoment(localNow)
  // Compares local times, because the moment of a local time is not known yet.
  const hasPassed = (day: Day, time: TimeOfDay) =>
    day === today ? secondsOfDay(time) <= secondsOfDay(localNow) : day < today
  if (day === undefined)
    return times.map(({ time }) => ({ day: today + (hasPassed(today, time) ? 1 : 0), time }))
  const { dayIfPast, alternatives = [] } = dates[0] ?? {}
  const isDayOnly = !state.times.length && !partOfDay
  return [day, ...alternatives].flatMap((day) =>
    times.map(({ time, daysLater = 0 }) => {
      const mustMove = dayIfPast !== undefined && (isDayOnly || hasPassed(day + daysLater, time))
      return { day: (mustMove ? dayIfPast : day) + daysLater, time }
    }),
  )
}

/** The moments of one local time. */
type ZoneCandidates = { choices: Candidate[]; question?: string; refusal?: Refusal }

function placeInZone({ day, time }: LocalTime, { zone, offset }: ZoneOption): ZoneCandidates {
  const moments = findMoments(day, time, zone)
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
function labelChoices(choices: Candidate[], viewerZone: string): Choice[] {
  const labels = choices.map(({ at, zone }) => formatMoment(at, zone, viewerZone))
  return choices.map(({ at, zone }, index) => {
    const label = labels[index] ?? ''
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label)
    return { label: isUnique ? label : `${label} (${offsetLabel(at.offset)})`, at, zone }
  })
}

function concludeReading(candidates: Candidates, state: ReadingState, words: SourceWords): Reading {
  const { choices, question, assumptions = [] } = candidates
  const { source } = words
  const [likeliest] = choices
  if (!likeliest) throw new Error('A reading needs at least one choice.')
  const uniqueChoices = choices.filter(
    ({ at, zone }, index) =>
      choices.findIndex((choice) => +choice.at === +at && choice.zone === zone) === index,
  )
  const unread = words.unreadWords.join(' ')
  const decision =
    question ||
    state.confirmation ||
    (state.dates[0]?.alternatives && 'Which day?') ||
    (uniqueChoices.length > 1 && 'Which one?') ||
    (unread && 'Is this the right time?')
  if (decision) {
    const labelled = labelChoices(uniqueChoices, state.now.zone)
    const notUnderstood = unread ? `I didn't understand "${unread}". ` : ''
    return { kind: 'question', question: notUnderstood + decision, choices: labelled, source }
  }
  const { at, zone } = likeliest
  const allAssumptions = [...state.assumptions, ...assumptions]
  if (!state.namedZone) allAssumptions.push(`in your time zone, ${zoneLabel(zone)}`)
  return { kind: 'moment', at, zone, assumptions: allAssumptions, source }
}
