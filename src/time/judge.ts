import { DateTime } from 'luxon'
import { DAY_MS, type Day, dayAt, isoOf, weekdayOf } from './calendar.ts'
import { clocksOf, type PossibleClocks } from './clocks.ts'
import { formatMoment, offsetLabel, zoneLabel } from './describe.ts'
import type { Draft } from './draft.ts'
import { type Clock, place } from './place.ts'
import type { ChronoReading } from './read-with-chrono.ts'
import { type Choice, type Question, type Reading, type Refusal, refuse } from './reading.ts'
import { zoneOfOffset } from './zones/offsets.ts'
import type { NamedZone, ZoneOption } from './zones/take-zone.ts'

/** All that is known once every word has been looked at. */
export type Evidence = {
  draft: Draft
  chrono: ChronoReading
  named: NamedZone | undefined
  leftover: string[]
  text: string
}

/** Decides: a moment, a question, or no. */
export function judge(evidence: Evidence): Reading {
  const { draft, chrono, leftover } = evidence
  if (chrono.isImpossible)
    return refuse('invalid', 'There is no such date. Write it as 24 Dec 2026, or 2026-12-24.')
  const dates = different([...draft.dates.map(({ day }) => day), ...chrono.dates.map(({ day }) => day)])
  const clocks = different(
    chrono.clocks.map(({ hour, minute, second }) => (hour * 60 + minute) * 60 + second),
  )
  if (
    dates.length > 1 ||
    clocks.length > 1 ||
    draft.clocks.length > 1 ||
    conflictsWithExact(draft, dates, clocks.length)
  )
    return refuse('several', 'One post has one time. Write one of them, such as "tuesday 10am".')
  if (!draft.exact && !dates.length && !draft.clocks.length && !clocks.length && !draft.part)
    return draft.weekday
      ? refuse('vague', 'When exactly? Write a day and a time, such as "tuesday 10am".')
      : refuse('nonsense', NOTHING_FOUND)
  if (leftover.length && draft.isWeak && (!draft.clocks.length || !dates.length))
    return refuse('nonsense', NOTHING_FOUND)
  const mismatch = weekdayMismatch(evidence, dates[0])
  if (mismatch) return mismatch
  const options = draft.exact ? exactly(draft.exact, evidence) : placeAll(evidence, dates[0])
  return 'kind' in options ? options : conclude(options, evidence)
}

/** "today in an hour" says the day twice. */
const conflictsWithExact = ({ exact, clocks }: Draft, dates: Day[], clocksRead: number): boolean =>
  exact !== undefined && (clocks.length + clocksRead > 0 || dates.some((day) => day !== dayAt(exact)))

const NOTHING_FOUND =
  'I cannot find a time in that. Write it like "tomorrow 9am", "fri 14:30" or "24 Dec at noon".'

const different = <T>(values: T[]): T[] => [...new Set(values)]

function weekdayMismatch({ draft, chrono }: Evidence, day: Day | undefined): Refusal | undefined {
  const weekday = draft.weekday ?? chrono.weekday
  if (!weekday || day === undefined || weekdayOf(day) === weekday) return undefined
  const name = DateTime.fromISO(isoOf(day), { locale: 'en' }).weekdayLong
  return refuse(
    'weekday-mismatch',
    `${isoOf(day)} is a ${name}. Write the day or the date that you mean, not both.`,
  )
}

/** The moments that the words may mean, the likeliest first, and what to ask where there are several. */
type Options = { choices: Choice[]; ask: string | undefined; assumed: string[] }

function exactly(at: DateTime, { draft, named }: Evidence): Options | Refusal {
  const zones = named ? named.options.map(({ zone }) => zone) : [draft.now.zone]
  if (!zones.length) return noSuchZone(named)
  const ask = zones.length > 1 ? `Which ${named?.words} do you mean?` : undefined
  return { choices: zones.map((zone) => choice(at, zone, draft)), ask, assumed: [] }
}

const noSuchZone = (named: NamedZone | undefined): Refusal =>
  refuse('ambiguous-zone', `There is no time zone ${named?.words}. Write a city, such as "9am Berlin".`)

function placeAll(evidence: Evidence, day: Day | undefined): Options | Refusal {
  const { draft, chrono, named } = evidence
  const possible = clocksOf(draft, { day, read: chrono.clocks[0] })
  const zones: ZoneOption[] = named?.options ?? [{ zone: draft.now.zone }]
  const choices: Choice[] = []
  let ask = possible.ask ?? (zones.length > 1 ? `Which ${named?.words} do you mean?` : undefined)
  let refusal: Refusal | undefined
  if (!zones.length) return noSuchZone(named)
  for (const option of zones)
    for (const { day: on, clock } of momentsOf(evidence, day, possible, option.zone)) {
      const found = placeOne({ day: on, clock, option, draft })
      if ('kind' in found) refusal ??= found
      else {
        ask ??= found.ask
        choices.push(...found.choices)
      }
    }
  const ahead = choices.filter(({ at }) => at > draft.now.at)
  if (named && draft.clocks[0]?.isNow) ask ??= `Is that your own time of day, in ${named.words}?`
  if (ahead.length === 1 && possible.isOpen && zones.length === 1 && !refusal)
    return { choices: ahead, ask: undefined, assumed: ['the other half of the day has passed'] }
  if (ahead.length) return { choices: inOrder(ahead, possible), ask, assumed: possible.assumed }
  return refusal ?? refuse('past', 'That has passed. Write a time to come, such as "tomorrow 9am".')
}

/** Where nothing but the hour is open, the one that comes sooner is the likelier. */
const inOrder = (choices: Choice[], { soonestFirst }: PossibleClocks): Choice[] =>
  soonestFirst ? choices.sort((a, b) => a.at.toMillis() - b.at.toMillis()) : choices

function momentsOf(
  { draft }: Evidence,
  day: Day | undefined,
  { clocks }: PossibleClocks,
  zone: string,
): { day: Day; clock: Clock }[] {
  const { now } = draft
  const moments: { day: Day; clock: Clock }[] = []
  const found = draft.dates[0]
  const isDayOnly = !draft.clocks.length && !draft.part
  const days = day === undefined ? [undefined] : [day, ...(found?.others ?? [])]
  for (const on of days)
    for (const { clock, daysLater = 0 } of clocks) {
      if (on === undefined) {
        const today = zone === now.zone ? now.day : dayAt(now.at.setZone(zone))
        moments.push({ day: today + (hasPassed(today, clock, zone, now.at) ? 1 : 0), clock })
      } else {
        const other = found?.orElse
        const isLater = other !== undefined && (isDayOnly || hasPassed(on + daysLater, clock, zone, now.at))
        moments.push({ day: (isLater ? other : on) + daysLater, clock })
      }
    }
  return moments
}

/** Compared as wall clocks, which is all that a day and a clock are. */
function hasPassed(day: Day, clock: Clock, zone: string, now: DateTime): boolean {
  const there = now.setZone(zone)
  const seconds = (hour: number, minute: number, second: number) => (hour * 60 + minute) * 60 + second
  const today = dayAt(there)
  if (day !== today) return day < today
  return seconds(clock.hour, clock.minute, clock.second) <= seconds(there.hour, there.minute, there.second)
}

type ToPlace = { day: Day; clock: Clock; option: ZoneOption; draft: Draft }

function placeOne({ day, clock, option, draft }: ToPlace): { choices: Choice[]; ask?: string } | Refusal {
  const { zone, offset } = option
  const placed = place(day, clock, zone)
  const candidates =
    placed.kind === 'one' ? [placed.at] : placed.kind === 'two' ? [placed.first, placed.second] : []
  if (offset !== undefined) {
    const asWritten = candidates.filter((at) => at.offset === offset)
    if (asWritten.length) return { choices: asWritten.map((at) => choice(at, zone, draft)) }
    return notInForce({ day, clock, option, draft, candidates })
  }
  if (placed.kind === 'gap')
    return refuse(
      'gap',
      `The clocks in ${zoneLabel(zone)} skip that time. Write ${hourMinute(placed.before)} or ${hourMinute(placed.after)} instead.`,
    )
  const choices = candidates.map((at) => ({
    ...choice(at, zone, draft),
    ...(candidates.length > 1 && {
      label: `${formatMoment(at, zone, draft.now.zone)} (${offsetLabel(at.offset)})`,
    }),
  }))
  return { choices, ...(choices.length > 1 && { ask: 'The clocks show that time twice. Which one?' }) }
}

const hourMinute = (at: DateTime) => at.toFormat('HH:mm')

/** Winter's letters in summer: some mean the letters, some the place. */
function notInForce({ day, clock, option, draft, candidates }: ToPlace & { candidates: DateTime[] }) {
  const { zone, offset = 0 } = option
  const inPlace = candidates.slice(0, 1).map((at) => choice(at, zone, draft))
  const written = DateTime.fromMillis(
    day * DAY_MS + ((clock.hour * 60 + clock.minute) * 60 + clock.second) * 1000 - offset * 60_000,
  )
  const fixed = zoneOfOffset(offset) ?? zone
  const ask = `${zoneLabel(zone)} has another offset on that day. ${offsetLabel(offset)} as written, or its time?`
  return { choices: [choice(written.setZone(fixed), fixed, draft), ...inPlace], ask }
}

const choice = (at: DateTime, zone: string, { now }: Draft): Choice => {
  const there = at.setZone(zone)
  return { label: formatMoment(there, zone, now.zone), at: there, zone }
}

function conclude({ choices, ask, assumed }: Options, { draft, named, leftover, text }: Evidence): Reading {
  const [first] = choices
  if (!first) throw new Error('There is nothing to choose from.')
  const unread = leftover.length
    ? `I read only the time in that, not "${leftover.join(' ')}". Is it right?`
    : undefined
  const question = ask ?? draft.doubt ?? unread
  const alike = choices.filter(
    ({ at, zone }, index) => choices.findIndex((other) => +other.at === +at && other.zone === zone) === index,
  )
  const others = draft.dates[0]?.others
  if (question || alike.length > 1 || others)
    return {
      kind: 'question',
      question: question ?? (others ? 'Which day do you mean?' : 'Which one?'),
      choices: alike,
      source: text,
    } satisfies Question
  const zoneAssumed = named ? [] : [`your time zone, ${zoneLabel(first.zone)}`]
  return {
    kind: 'instant',
    at: first.at,
    zone: first.zone,
    assumptions: [...draft.assumed, ...assumed, ...zoneAssumed],
    source: text,
  }
}
