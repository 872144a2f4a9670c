import { describe, expect, it } from 'vitest'
import { formatDate, secondsOf, wallOf } from '../../web/moments.ts'

const at = (iso: string) => Date.parse(iso) / 1000

describe('a moment', () => {
  it.each([
    ['2026-11-27T09:00', 'Europe/Berlin', '2026-11-27T08:00:00Z'],
    ['2026-07-01T09:00', 'America/New_York', '2026-07-01T13:00:00Z'],
    ['2026-11-27T09:00', 'Asia/Kolkata', '2026-11-27T03:30:00Z'],
    ['2026-11-27T00:15', 'Pacific/Kiritimati', '2026-11-26T10:15:00Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'], // the hour after the clocks went forward
    ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00Z'],
  ])('picked as %s in %s is %s, and is shown so again', (wall, zone, iso) => {
    expect(secondsOf(wall, zone)).toBe(at(iso))
    expect(wallOf(at(iso), zone)).toBe(wall)
  })

  const now = new Date('2026-11-20T12:00:00Z')
  const zone = 'Europe/Berlin'
  it.each([
    ['{date_num}', '2026-11-27T08:00:00Z', '2026-11-27'],
    ['{date}', '2026-11-22T08:00:00Z', 'November 22nd, 2026'],
    ['{date_short}', '2026-11-27T08:00:00Z', 'Nov 27, 2026'],
    ['{date_long} at {time}', '2026-11-27T08:00:00Z', 'Friday, November 27th, 2026 at 09:00'],
    ['{date_pretty}', '2026-11-21T08:00:00Z', 'Tomorrow'],
    ['On {date_short_pretty}', '2026-11-20T22:59:00Z', 'On today'],
    ['{date_long_pretty}', '2026-11-19T22:59:00Z', 'Yesterday'],
    ['{date_short_pretty}', '2026-11-19T23:00:00Z', 'Today'], // in Berlin it is the 20th by then
    ['{time_secs}', '2026-11-20T08:00:05Z', '09:00:05'],
    ['{ago}', '2026-11-20T09:00:00Z', '3 hours ago'],
    ['{what} {time}', '2026-11-20T09:00:00Z', '{what} 10:00'],
  ])('%s of %s reads "%s"', (format, iso, written) => {
    expect(formatDate(at(iso), format, { zone, now })).toBe(written)
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [21, '21st'],
    [31, '31st'],
  ])('on day %i is the %s', (day, ordinal) => {
    const date = at(`2026-12-${String(day).padStart(2, '0')}T12:00:00Z`)
    expect(formatDate(date, '{date}', { zone, now })).toBe(`December ${ordinal}, 2026`)
  })
})
