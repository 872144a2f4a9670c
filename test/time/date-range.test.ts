import { describe, expect, it } from 'vitest'
import { readDateRange } from '../../src/time/date-range.ts'
import { inBerlin } from './summarize-reading.ts'

describe('readDateRange', () => {
  it.each([
    ['today', '2026-11-20', '2026-11-20'],
    ['yesterday', '2026-11-19', '2026-11-19'],
    ['from monday to friday', '2026-11-16', '2026-11-20'],
    ['friday - sunday', '2026-11-20', '2026-11-22'],
    ['last week', '2026-11-09', '2026-11-15'],
    ['next weekend', '2026-11-28', '2026-11-29'],
    ['this month', '2026-11-01', '2026-11-30'],
    ['march', '2026-03-01', '2026-03-31'],
    ['november 2025', '2025-11-01', '2025-11-30'],
    ['2027', '2027-01-01', '2027-12-31'],
    ['last 30 days', '2026-10-22', '2026-11-20'],
    ['next 3 days', '2026-11-20', '2026-11-22'],
    ['1 dec to 5 dec', '2026-12-01', '2026-12-05'],
    ['from 1 to 15 december', '2026-12-01', '2026-12-15'],
    ['from march to may', '2026-03-01', '2026-05-31'],
    ['since yesterday', '2026-11-19', ''],
    ['since monday', '2026-11-16', ''],
    ['until friday', '', '2026-11-20'],
    ['up to friday', '', '2026-11-20'],
    ['since monday until friday', '2026-11-16', '2026-11-20'],
    ['24.12.', '2026-12-24', '2026-12-24'],
    ['since the 15th', '2026-11-15', ''],
    ['since 3 dec', '2025-12-03', ''],
    ['since december', '2025-12-01', ''],
    ['since 29 feb', '2024-02-29', ''],
    ['since 24.12.24', '2024-12-24', ''],
    ['until march', '', '2027-03-31'],
    ['before friday', '', '2026-11-19'],
    ['after friday', '2026-11-21', ''],
  ])('readDateRange reads "%s" as whole days from "%s" to "%s"', (text, from, to) => {
    const range = readDateRange(text, inBerlin)
    if (range.kind !== 'range') throw new Error(`"${text}" was refused: ${range.reason}`)
    expect([range.from?.toISODate() ?? '', range.to?.toISODate() ?? '']).toEqual([from, to])
    expect(range.from?.toFormat('HH:mm:ss') ?? '00:00:00').toBe('00:00:00')
    expect(range.to?.toFormat('HH:mm:ss') ?? '23:59:59').toBe('23:59:59')
  })

  it.each(['banana', '5 dec to 1 dec', 'monday 9am', 'since monday Tokyo time', ''])(
    'readDateRange refuses "%s"',
    (text) => {
      expect(readDateRange(text, inBerlin).kind).toBe('refusal')
    },
  )
})
