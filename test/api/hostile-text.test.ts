import { IANAZone } from 'luxon'
import { afterEach, expect, it, vi } from 'vitest'
import { htmlToText } from '../../src/api/html-text.ts'
import { posts } from '../../src/api/records.ts'
import { hasOffset, isZone, readTimestamp, toIsoTimestamp } from '../../src/api/timestamps.ts'
import { hideEmails } from '../../src/bot/slack/hide-emails.ts'
import { countRegExpSteps } from '../support/count-regexp-steps.ts'

afterEach(() => vi.restoreAllMocks())

it('passes only canonical zone names to Luxon, which caches every name forever', () => {
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
  'accepts %s as a time zone',
  (zone) => {
    expect(isZone(zone)).toBe(true)
  },
)

it.each(['', 'Mars/Base', '+05:30', 'local', 'x'.repeat(10_000)])(
  'does not accept "%s" as a time zone',
  (zone) => {
    expect(isZone(zone)).toBe(false)
  },
)

it.each([
  ['spaces as entities', (count: number) => `<p>${'&#32;'.repeat(count)}x</p>`, htmlToText],
  ['spaces in tags', (count: number) => `<p>${'<b> </b>'.repeat(count)}x</p>`, htmlToText],
  ['letters without an @', (count: number) => 'a'.repeat(count), hideEmails],
])('does at most twice the work for twice the text of another service: %s', (_, repeat, run) => {
  const countSteps = (count: number) => countRegExpSteps(() => run(repeat(count)))
  expect(countSteps(24_000)).toBeLessThan(2.2 * countSteps(12_000))
})

it('does almost no work for a date with 24,000 spaces', () => {
  const text = `2026-11-27T09:00${' '.repeat(24_000)}x`
  const steps = countRegExpSteps(() => {
    expect(readTimestamp(text, 'UTC')).toBeUndefined()
    expect(toIsoTimestamp(text, 'UTC')).toBe(text)
    expect(hasOffset(text)).toBe(false)
  })
  expect(steps).toBeLessThan(100_000)
})
