import { DateTime } from 'luxon'
import { expect, it } from 'vitest'
import { createDateFormat } from '../../src/service/date-format.ts'

const DAY_MS = 24 * 60 * 60_000
const FIRST_YEAR = Date.UTC(1850, 0, 1)

it('dates have the same offsets and local times as those of Luxon, in every zone and through history', () => {
  const formatDate = createDateFormat()
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'gmt', 'Etc/UTC', 'EUROPE/berlin']
  for (const [index, zone] of zones.entries()) {
    for (let days = index; days < 100_000; days += 1371) {
      const date = new Date(FIRST_YEAR + days * DAY_MS + index * 123_457)
      const expected = DateTime.fromJSDate(date, { zone: zone.toLowerCase() })
      expect(formatDate(date, zone)).toBe(expected.toISO({ suppressMilliseconds: true }))
    }
  }
})

it('a date without a zone is in UTC', () => {
  expect(createDateFormat()(new Date(0), null)).toBe('1970-01-01T00:00:00Z')
})
