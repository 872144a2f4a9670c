import { expect, it } from 'vitest'
import { createDateFormat } from '../../src/service/date-format.ts'

const formatDate = createDateFormat()

const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000
const FIRST_YEAR = Date.UTC(1850, 0, 1)

/** By the clocks of Node.js, which have every zone's offsets to the second. */
const createFormat = (timeZone: string) => {
  const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const format = new Intl.DateTimeFormat('sv', { timeZone, ...day, ...digits })
  return (date: Date): string => {
    const local = format.format(date).replace(' ', 'T').replace(',', '.')
    const minutes = Math.trunc((Date.parse(`${local}Z`) - date.getTime()) / MINUTE_MS)
    const pad = (part: number) => String(Math.trunc(Math.abs(part))).padStart(2, '0')
    return `${local.replace('.000', '')}${minutes < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
  }
}

it('writes dates with the local times and offsets of their zone, in every zone and through history', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'gmt', 'Etc/UTC', 'EUROPE/berlin']
  for (const [index, zone] of zones.entries()) {
    const format = createFormat(zone)
    for (let days = index; days < 100_000; days += 1371) {
      const date = new Date(FIRST_YEAR + days * DAY_MS + index * 123_457)
      expect(formatDate(date, zone).replace('Z', '+00:00')).toBe(format(date))
    }
  }
})

it('writes a date without a zone in UTC', () => {
  expect(formatDate(new Date(0), null)).toBe('1970-01-01T00:00:00Z')
})
