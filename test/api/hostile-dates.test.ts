import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { posts } from '../../src/api/records.ts'
import { hasOffset, isZone, readTimestamp, toIsoTimestamp } from '../../src/api/timestamps.ts'
import { countRegExpSteps } from '../support/count-regexp-steps.ts'

afterEach(() => vi.restoreAllMocks())

it('Unknown time zones take no memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const measure = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = measure()
  for (let index = 0; index < 10_000; index++)
    posts.read({ id: index, content: 'Hi', scheduled_at: '2026-11-27T09:00', timezone: `Mars/Base_${index}` })
  expect(measure() - before).toBeLessThan(10e6)
})

it.each(['UTC', 'utc', 'UTC+3', 'Europe/Berlin', 'europe/berlin', 'US/Pacific', 'Asia/Calcutta'])(
  '%s is a time zone',
  (zone) => {
    expect(isZone(zone)).toBe(true)
  },
)

it.each(['', 'Mars/Base', '+05:30', 'local', 'x'.repeat(10_000)])('"%s" is no time zone', (zone) => {
  expect(isZone(zone)).toBe(false)
})

it('A date of 24,000 spaces takes no work', () => {
  const text = `2026-11-27T09:00${' '.repeat(24_000)}x`
  const steps = countRegExpSteps(() => {
    expect(readTimestamp(text, 'UTC')).toBeUndefined()
    expect(toIsoTimestamp(text, 'UTC')).toBe(text)
    expect(hasOffset(text)).toBe(false)
  })
  expect(steps).toBeLessThan(100_000)
})
