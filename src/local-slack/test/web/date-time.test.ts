import { describe, expect, it } from 'vitest'
import { formatDateTemplate, secondsToWallClock, wallClockToSeconds } from '../../web/date-time.ts'

const toSeconds = (iso: string) => Date.parse(iso) / 1000

describe('the dates and times of the page', () => {
  it.each([
    ['2026-11-27T09:00', 'Europe/Berlin', '2026-11-27T08:00:00Z'],
    ['2026-07-01T09:00', 'America/New_York', '2026-07-01T13:00:00Z'],
    ['2026-11-27T09:00', 'Asia/Kolkata', '2026-11-27T03:30:00Z'],
    ['2026-11-27T00:15', 'Pacific/Kiritimati', '2026-11-26T10:15:00Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'], // in the first hour after the clocks went forward
    ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00Z'],
  ])('converts %s in %s to %s and back', (wallClock, timeZone, iso) => {
    expect(wallClockToSeconds(wallClock, timeZone)).toBe(toSeconds(iso))
    expect(secondsToWallClock(toSeconds(iso), timeZone)).toBe(wallClock)
  })

  const now = new Date('2026-11-20T12:00:00Z')
  const timeZone = 'Europe/Berlin'
  it.each([
    ['{date_num}', '2026-11-27T08:00:00Z', '2026-11-27'],
    ['{date}', '2026-11-22T08:00:00Z', 'November 22nd, 2026'],
    ['{date_short}', '2026-11-27T08:00:00Z', 'Nov 27, 2026'],
    ['{date_slash}', '2026-11-07T08:00:00Z', '11/07/2026'],
    ['{date_long} at {time}', '2026-11-27T08:00:00Z', 'Friday, November 27th, 2026 at 09:00'],
    ['{date_pretty}', '2026-11-21T08:00:00Z', 'Tomorrow'],
    ['On {date_short_pretty}', '2026-11-20T22:59:00Z', 'On today'],
    ['{date_long_pretty}', '2026-11-19T22:59:00Z', 'Yesterday'],
    ['{date_short_pretty}', '2026-11-19T23:00:00Z', 'Today'], // in Berlin, the 20th has begun
    ['{time_secs}', '2026-11-20T08:00:05Z', '09:00:05'],
    ['{ago}', '2026-11-20T09:00:00Z', '3 hours ago'],
    ['{unknown} {time}', '2026-11-20T09:00:00Z', '{unknown} 10:00'],
  ])('fills in the template "%s" for %s as "%s"', (template, iso, text) => {
    expect(formatDateTemplate(toSeconds(iso), template, { timeZone, now })).toBe(text)
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [21, '21st'],
    [31, '31st'],
  ])('writes day %i of a month as %s', (day, ordinal) => {
    const seconds = toSeconds(`2026-12-${String(day).padStart(2, '0')}T12:00:00Z`)
    expect(formatDateTemplate(seconds, '{date}', { timeZone, now })).toBe(`December ${ordinal}, 2026`)
  })
})
