import { IANAZone } from 'luxon'
import { afterEach, expect, it, vi } from 'vitest'
import { posts } from '../../src/api/records.ts'
import { hasOffset, isZone, readTimestamp, toIsoTimestamp } from '../../src/api/timestamps.ts'
import { countRegExpSteps } from '../support/count-regexp-steps.ts'

afterEach(() => vi.restoreAllMocks())

it('Luxon, which keeps every zone, gets neither unknown names nor other spellings', () => {
  const create = vi.spyOn(IANAZone, 'create')
  const spell = (index: number) =>
    [...'europe/berlin']
      .map((letter, place) => ((index >> place) & 1 ? letter.toUpperCase() : letter))
      .join('')
  for (let index = 0; index < 500; index++) {
    const post = { id: index, content: 'Hi', scheduled_at: '2026-11-27T09:00' }
    posts.read({ ...post, timezone: `Mars/Base_${index}` })
    expect(posts.read({ ...post, timezone: spell(index) })).toMatchObject({
      ScheduleDate: '2026-11-27T09:00:00+01:00',
      Timezone: 'Europe/Berlin',
    })
  }
  expect([...new Set(create.mock.calls.map(([name]) => name))]).toEqual(['Europe/Berlin'])
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
