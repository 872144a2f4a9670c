import { DateTime } from 'luxon'
import { DAY_MS, type Day, dayOfMoment, formatIsoDate, weekdayOf } from './calendar.ts'
import { formatMoment, formatTime, offsetLabel, zoneLabel } from './describe.ts'
import type { NamedDates } from './named-dates.ts'
import type { ReadingState } from './phrase.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { type Choice, createRefusal, type Reading, type Refusal } from './reading.ts'
import { ENTER_DAY_AND_TIME, IN_THE_PAST, NO_SUCH_DATE } from './refusals.ts'
import { endOfGap, findMoments, secondsOfDay, type TimeOfDay } from './wall-clock.ts'
import { type NamedZone, type ZoneOption, zoneFromOffset } from './zones.ts'

/** Everything that was found in a text. */
export type Findings = {
  state: ReadingState
  namedDates: NamedDates
  unreadWords: string[]
  source: string
}

/** Decides whether the findings are one moment, a question, or a refusal. */
export function resolveReading(findings: Findings): Reading {
  const { state, namedDates, unreadWords } = findings
  const { namedZone } = state
  if (namedDates.hasImpossibleDate) return NO_SUCH_DATE
  const days = uniqueValues([...state.dates, ...namedDates.dates].map(({ day }) => day))
  const namedTimes = uniqueValues(namedDates.times.map(secondsOfDay))
  const timeCount = state.times.length + namedTimes.length
  // "today in an hour" is one moment although it names the day twice.
  const contradictsExactMoment =
    state.exactMoment &&
    (timeCount > 0 || days.some((day) => day !== dayOfMoment(state.exactMoment as DateTime)))
  if (days.length > 1 || namedTimes.length > 1 || state.times.length > 1 || contradictsExactMoment)
    return createRefusal('several', 'A post can only have one time. Enter one, such as "tuesday 10am".')
  if (!state.exactMoment && !days.length && !timeCount && !state.partOfDay)
    return state.weekday ? createRefusal('vague', ENTER_DAY_AND_TIME) : NO_TIME_FOUND
  if (unreadWords.length && state.isWeakMatch && (!state.times.length || !days.length)) return NO_TIME_FOUND
  const mismatch = findWeekdayMismatch(findings, days[0])
  if (mismatch) return mismatch
  if (namedZone && !namedZone.options.length) return unknownZone(namedZone)
  const candidates = state.exactMoment
    ? candidatesFromExactMoment(state.exactMoment, findings)
    : candidatesFromLocalTimes(findings, days[0])
  return 'kind' in candidates ? candidates : concludeReading(candidates, findings)
}

const NO_TIME_FOUND = createRefusal(
  'nonsense',
  'I couldn\'t find a time in that. Try "tomorrow 9am", "fri 14:30" or "24 Dec at noon".',
)

const uniqueValues = <T>(values: T[]): T[] => [...new Set(values)]

function findWeekdayMismatch({ state, namedDates }: Findings, day: Day | undefined): Refusal | undefined {
  const weekday = state.weekday ?? namedDates.weekday
  if (!weekday || day === undefined || weekdayOf(day) === weekday) return undefined
  const date = formatIsoDate(day)
  const name = DateTime.fromISO(date, { locale: 'en' }).weekdayLong
  return createRefusal('weekday-mismatch', `${date} is a ${name}. Enter only the weekday or only the date.`)
}

/** The moments that the words may mean, the likeliest first. */
type Candidates = { choices: Choice[]; question: string | undefined; assumptions: string[] }

export const unknownZone = ({ words }: NamedZone): Refusal =>
  createRefusal('ambiguous-zone', `I don't know the time zone ${words}. Enter a city, such as "9am Berlin".`)

export const askForZone = (namedZone: NamedZone | undefined): string | undefined =>
  namedZone && namedZone.options.length > 1 ? `Which time zone does ${namedZone.words} mean?` : undefined

function candidatesFromExactMoment(at: DateTime, { state }: Findings): Candidates {
  return {
    choices: zoneOptions(state).map(({ zone }) => createChoice(at, zone, state)),
    question: askForZone(state.namedZone),
    assumptions: [],
  }
}

const zoneOptions = ({ namedZone, now }: ReadingState): ZoneOption[] =>
  namedZone?.options ?? [{ zone: now.zone }]

function candidatesFromLocalTimes(
  { state, namedDates }: Findings,
  day: Day | undefined,
): Candidates | Refusal {
  const { namedZone } = state
  const possibleTimes = findPossibleTimes(state, { day, chronoTime: namedDates.times[0] })
  const zones = zoneOptions(state)
  const choices: Choice[] = []
  let question = possibleTimes.question ?? askForZone(namedZone)
  let refusal: Refusal | undefined
  for (const zoneOption of zones)
    for (const localTime of findLocalTimes(state, day, possibleTimes, zoneOption.zone)) {
      const placed = placeInZone({ ...localTime, zoneOption, state })
      if ('kind' in placed) refusal ??= placed
      else {
        question ??= placed.question
        choices.push(...placed.choices)
      }
    }
  const { isOnlyMeridiemMissing, assumptions = [] } = possibleTimes
  const future = choices.filter(({ at }) => at > state.now.at)
  if (!future.length) return refusal ?? createRefusal('past', IN_THE_PAST)
  if (namedZone && state.times[0]?.isCurrentTime)
    question ??= `Do you mean your current time of day, in ${namedZone.words}?`
  if (future.length === 1 && isOnlyMeridiemMissing && zones.length === 1 && !refusal)
    return {
      choices: future,
      question: undefined,
      assumptions: ['assuming pm, because the time in the morning has passed'],
    }
  if (isOnlyMeridiemMissing && day === undefined) future.sort((a, b) => a.at.toMillis() - b.at.toMillis())
  return { choices: future, question, assumptions }
}

type LocalTime = { day: Day; time: TimeOfDay }

/** Combines the possible days with the possible times. Without a day, the next such time counts. */
function findLocalTimes(
  { now, dates, times, partOfDay }: ReadingState,
  day: Day | undefined,
  possibleTimes: PossibleTimes,
  zone: string,
): LocalTime[] {
  if (day === undefined)
    return possibleTimes.times.map(({ time }) => {
      const today = zone === now.zone ? now.day : dayOfMoment(now.at.setZone(zone))
      return { day: today + (hasPassed({ day: today, time }, zone, now.at) ? 1 : 0), time }
    })
  const { dayIfPast, alternatives = [] } = dates[0] ?? {}
  const isDayOnly = !times.length && !partOfDay
  return [day, ...alternatives].flatMap((day) =>
    possibleTimes.times.map(({ time, daysLater = 0 }) => {
      const mustMove =
        dayIfPast !== undefined && (isDayOnly || hasPassed({ day: day + daysLater, time }, zone, now.at))
      return { day: (mustMove ? dayIfPast : day) + daysLater, time }
    }),
  )
}

/** Compares local times, because the moment of a local time is not known yet. */
function hasPassed({ day, time }: LocalTime, zone: string, now: DateTime): boolean {
  const localNow = now.setZone(zone)
  const today = dayOfMoment(localNow)
  return day === today ? secondsOfDay(time) <= secondsOfDay(localNow) : day < today
}

type Placement = LocalTime & { zoneOption: ZoneOption; state: ReadingState }

function placeInZone(placement: Placement): { choices: Choice[]; question?: string } | Refusal {
  const { day, time, zoneOption, state } = placement
  const { zone, offset } = zoneOption
  const moments = findMoments(day, time, zone)
  if (!moments.length && offset === undefined) {
    const after = endOfGap(day, time, zone)
    const times = `${formatTime(after.minus({ minutes: 1 }))} or ${formatTime(after)}`
    return createRefusal('gap', `The clocks in ${zoneLabel(zone)} skip that time. Enter ${times} instead.`)
  }
  const matching = offset === undefined ? moments : moments.filter((at) => at.offset === offset)
  if (offset !== undefined && !matching.length) return askAboutOffset(placement, offset, moments[0])
  const choices = matching.map((at) => createChoice(at, zone, state))
  if (choices.length < 2) return { choices }
  return {
    choices: choices.map((choice) => ({
      ...choice,
      label: `${choice.label} (${offsetLabel(choice.at.offset)})`,
    })),
    question: 'The clocks go back then, so that time happens twice. Which one?',
  }
}

/** Some people who write "EST" in summer mean the offset, others mean the place. */
function askAboutOffset(
  { day, time, zoneOption, state }: Placement,
  offset: number,
  inZone: DateTime | undefined,
) {
  const { zone } = zoneOption
  const withOffset = DateTime.fromMillis(day * DAY_MS + secondsOfDay(time) * 1000 - offset * 60_000)
  const choices = [createChoice(withOffset, zoneFromOffset(offset) ?? zone, state)]
  if (inZone) choices.push(createChoice(inZone, zone, state))
  const place = zoneLabel(zone)
  return {
    choices,
    question: `${place} isn't on ${offsetLabel(offset)} that day. Do you mean ${offsetLabel(offset)} or ${place} time?`,
  }
}

function createChoice(at: DateTime, zone: string, { now }: ReadingState): Choice {
  const local = at.setZone(zone)
  return { label: formatMoment(local, zone, now.zone), at: local, zone }
}

function concludeReading({ choices, question, assumptions }: Candidates, findings: Findings): Reading {
  const { state, unreadWords, source } = findings
  const [likeliest] = choices
  if (!likeliest) throw new Error('A reading needs at least one choice.')
  const uniqueChoices = choices.filter(
    ({ at, zone }, index) =>
      choices.findIndex((choice) => +choice.at === +at && choice.zone === zone) === index,
  )
  const aboutUnreadWords = unreadWords.length
    ? `I didn't understand "${unreadWords.join(' ')}". Is this the right time?`
    : undefined
  const aboutDay = state.dates[0]?.alternatives && 'Which day?'
  const aboutMoment = uniqueChoices.length > 1 ? 'Which one?' : undefined
  const firstQuestion = question ?? state.confirmation ?? aboutUnreadWords ?? aboutDay ?? aboutMoment
  if (firstQuestion) return { kind: 'question', question: firstQuestion, choices: uniqueChoices, source }
  const { at, zone } = likeliest
  const zoneAssumption = state.namedZone ? [] : [`in your time zone, ${zoneLabel(zone)}`]
  return {
    kind: 'moment',
    at,
    zone,
    assumptions: [...state.assumptions, ...assumptions, ...zoneAssumption],
    source,
  }
}
