import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readPostCommand } from '../../src/post-command/read-post-command.ts'
import { readDateRange } from '../../src/time/date-range.ts'
import { readNewTime } from '../../src/time/read-new-time.ts'
import { readWhen } from '../../src/time/read-when.ts'
import type { Reading, ReadingContext } from '../../src/time/reading.ts'
import { readRecurrence } from '../../src/time/recurrence.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { inBerlin, inBerlinWithPost, now } from './summarize-reading.ts'

// These tests must also pass on a slow machine.
vi.setConfig({ testTimeout: 0 })

const readDays = (text: string, context: ReadingContext) => readDateRange(text, context, 'future')

const readNew = (text: string) => readNewTime(text, inBerlinWithPost)

const READERS = [readWhen, readNew, readPostCommand, readRecurrence, readDays]

/** Two tests read the same hostile texts, so their readings are kept. */
const readings = new Map<string, Reading>()
function readWhenOnce(text: string): Reading {
  const reading = readings.get(text) ?? readWhen(text, inBerlin)
  readings.set(text, reading)
  return reading
}

const DAYS_AND_TIMES = ['today', 'friday', 'next sunday', 'in 2 days', '24 dec', 'eod'].flatMap((day) =>
  ['9am', '13:05', 'midnight', 'at 3', 'CST', 'UTC+5:30', ''].map((time) => `${day} ${time}`),
)

describe('all readers', () => {
  it.each([
    ['readWhen', readWhenOnce, 1500],
    ['readNewTime', readNew, 1500],
    ['readPostCommand', readPostCommand, 300],
    ['readRecurrence', readRecurrence, 1500],
    ['readDateRange', readDays, 1500],
  ] as const)('does not throw for hostile text in %s', (_name, read, count) => {
    for (const text of hostileTexts(count)) read(text, inBerlin)
  })

  it('does not throw for long hostile text in readPostCommand', () => {
    const texts = hostileTexts(300)
    for (let start = 0; start < texts.length; start += 15)
      readPostCommand(
        texts
          .slice(start, start + 15)
          .join(' ')
          .slice(0, 4000),
        inBerlin,
      )
  })

  it('does not throw for random text', () => {
    const randomText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
    )
    const property = fc.property(randomText, (text) => {
      for (const read of READERS) read(text, inBerlin)
    })
    fc.assert(property, { numRuns: 300, seed: 20_261_120 })
  })

  it.each([
    'in 100000 years 100000 years 100000 years',
    '100000000 weeks from monday',
    'last friday of the month in 100000000 months',
  ])('does not throw for "%s", which is further away than any date', (text) => {
    for (const read of READERS) read(text, inBerlin)
    expect(readDays(text, inBerlin).kind).toBe('refusal')
  })

  it.each([
    ['readWhen', readWhenOnce, 3000],
    ['readNewTime', readNew, 1500],
  ] as const)('returns only future moments in existing time zones from %s', (_name, read, count) => {
    let momentCount = 0
    for (const text of [...hostileTexts(count), ...DAYS_AND_TIMES]) {
      const reading = read(text)
      if (reading.kind === 'refusal') continue
      const moments = reading.kind === 'moment' ? [reading] : reading.choices
      for (const { at, zone } of moments) {
        momentCount++
        expect(at.isValid && at.toMillis() > now.getTime(), text).toBe(true)
        expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), text).not.toThrow()
      }
    }
    expect(momentCount).toBeGreaterThan(100)
  })
})
