import { readFileSync } from 'node:fs'
import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { readDateRange } from '../../src/time/date-range.ts'
import { readWhen } from '../../src/time/read-when.ts'
import type { ReadingContext } from '../../src/time/reading.ts'
import {
  nextOccurrence,
  type Recurrence,
  readRecurrence,
  recurrenceToWords,
} from '../../src/time/recurrence.ts'

// These expectations were written from the policy for reading dates, without a look at the code.

type Row = { text: string; now: string; zone: string; locale?: string }

type MomentRow = Row & {
  /** Local time in `inZone`, or else in the user's zone. */
  moment?: string
  inZone?: string
  /** Words of the assumptions. */
  assumes?: string[]
  /** Times that a question must offer. The first one is the likeliest. */
  question?: string[]
  /** Whether only the day of the first time is certain. */
  dayOnly?: boolean
  /** Words that a question must repeat. */
  names?: string[]
  refusal?: string[]
  // Other readings that are right too.
  orQuestion?: boolean
  orRefusal?: string[]
  orMoment?: string
}

type SpanRow = Row & {
  direction: 'future' | 'past'
  from?: string | null
  to?: string | null
  refusal?: boolean
}

type RecurrenceRow = Row & { next?: string[] | null; inZone?: string; question?: boolean; refusal?: boolean }

function readRows<T extends Row>(name: string): [title: string, row: T][] {
  const file = new URL(`expectations/${name}.jsonl`, import.meta.url)
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): T => JSON.parse(line))
  return rows.map((row) => [`"${row.text}" at ${row.now} in ${row.zone}`, row])
}

const contextOf = ({ now, zone, locale }: Row): ReadingContext => ({
  now: DateTime.fromISO(now, { zone }).toJSDate(),
  zone,
  locale,
})

const formatLocal = (at: DateTime | undefined) => at?.toFormat("yyyy-MM-dd'T'HH:mm") ?? null

describe.each(['moments', 'nights-and-years', 'languages'])('readWhen for %s', (name) => {
  it.each(readRows<MomentRow>(name))('reads %s as expected', (_title, row) => {
    const reading = readWhen(row.text, contextOf(row))
    const format = (at: DateTime) => formatLocal(at.setZone(row.inZone ?? row.zone))
    // A question about words that were not understood may have a single choice.
    const minChoices = reading.kind === 'question' && reading.question.includes('understood') ? 1 : 2
    if (reading.kind === 'question') expect(reading.choices.length).toBeGreaterThanOrEqual(minChoices)
    if (reading.kind === 'refusal') {
      expect(row.refusal ?? row.orRefusal).toContain(reading.reason)
      expect(reading.message).toMatch(/Enter|Try/)
    } else if (reading.kind === 'moment') {
      expect(format(reading.at)).toBe(row.moment ?? row.orMoment)
      for (const words of row.assumes ?? []) expect(reading.assumptions.join()).toContain(words)
    } else if (row.refusal) {
      expect(row.orQuestion || row.orMoment === format(reading.choices[0]?.at as DateTime)).toBe(true)
    } else {
      const choices = reading.choices.map(({ at }) => format(at))
      const expected = row.question ?? (row.orQuestion ? [row.moment] : [])
      if (row.dayOnly) expect(choices[0]?.slice(0, 10)).toBe(expected[0]?.slice(0, 10))
      else expect(choices[0]).toBe(expected[0])
      if (!row.dayOnly) expect(choices).toEqual(expect.arrayContaining(expected))
      for (const words of row.names ?? [])
        expect(reading.question.toLowerCase()).toContain(words.toLowerCase())
    }
  })
})

describe('readDateRange', () => {
  it.each(readRows<SpanRow>('spans'))('reads %s as expected', (_title, row) => {
    const range = readDateRange(row.text, contextOf(row), row.direction)
    if (range.kind === 'refusal') expect(row.refusal).toBe(true)
    else expect([formatLocal(range.from), formatLocal(range.to)]).toEqual([row.from, row.to])
  })
})

describe('readRecurrence', () => {
  it.each(readRows<RecurrenceRow>('rhythms'))('reads %s as expected', (_title, row) => {
    const context = contextOf(row)
    const reading = readRecurrence(row.text, context)
    if (reading.kind === 'refusal') return expect(row.refusal).toBe(true)
    if (reading.kind === 'question') {
      expect(row.question).toBe(true)
      expect(reading.choices.length).toBeGreaterThan(1)
      const [likeliest] = reading.choices
      if (row.next && likeliest) expect(nextFive(likeliest.recurrence, context.now)).toEqual(row.next)
      return
    }
    const { recurrence } = reading
    expect(row.question ?? row.refusal).toBeUndefined()
    expect(nextFive(recurrence, context.now)).toEqual(row.next)
    const inItsZone = { ...context, zone: recurrence.zone }
    expect(readRecurrence(recurrenceToWords(recurrence), inItsZone)).toMatchObject({ recurrence })
  })
})

function nextFive(recurrence: Recurrence, now: Date): (string | null)[] {
  const occurrences: DateTime[] = []
  for (let count = 0; count < 5; count++)
    occurrences.push(nextOccurrence(recurrence, occurrences.at(-1)?.toJSDate() ?? now))
  return occurrences.map(formatLocal)
}
