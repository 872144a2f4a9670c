import { describe, expect, it } from 'vitest'
import { describeDateRange, readDateRange } from '../../src/time/date-range.ts'
import type { Direction } from '../../src/time/period.ts'
import { inBerlin, now } from './summarize-reading.ts'

describe('readDateRange', () => {
  it.each<[text: string, direction: Direction, from: string, to: string]>([
    ['today', 'future', '2026-11-20', '2026-11-20'],
    ['yesterday', 'past', '2026-11-19', '2026-11-19'],
    ['from monday to friday', 'future', '2026-11-23', '2026-11-27'],
    ['from monday to friday', 'past', '2026-11-16', '2026-11-20'],
    ['friday - sunday', 'future', '2026-11-20', '2026-11-22'],
    ['friday to wednesday', 'future', '2026-11-20', '2026-11-25'],
    ['last week', 'future', '2026-11-09', '2026-11-15'],
    ['next weekend', 'future', '2026-11-28', '2026-11-29'],
    ['this month', 'future', '2026-11-01', '2026-11-30'],
    ['march', 'future', '2027-03-01', '2027-03-31'],
    ['march', 'past', '2026-03-01', '2026-03-31'],
    ['november 2025', 'past', '2025-11-01', '2025-11-30'],
    ['2027', 'future', '2027-01-01', '2027-12-31'],
    ['last 30 days', 'past', '2026-10-22', '2026-11-20'],
    ['next 3 days', 'future', '2026-11-20', '2026-11-22'],
    ['1 dec to 5 dec', 'future', '2026-12-01', '2026-12-05'],
    ['from 1 to 15 december', 'future', '2026-12-01', '2026-12-15'],
    ['from march to may', 'future', '2027-03-01', '2027-05-31'],
    ['since yesterday', 'future', '2026-11-19', ''],
    ['since monday', 'future', '2026-11-16', ''],
    ['until friday', 'future', '', '2026-11-20'],
    ['up to friday', 'future', '', '2026-11-20'],
    ['since monday until friday', 'future', '2026-11-16', '2026-11-20'],
    ['24.12.', 'future', '2026-12-24', '2026-12-24'],
    ['since the 15th', 'past', '2026-11-15', ''],
    ['since 3 dec', 'past', '2025-12-03', ''],
    ['since december', 'past', '2025-12-01', ''],
    ['since 29 feb', 'past', '2024-02-29', ''],
    ['since 24.12.24', 'past', '2024-12-24', ''],
    ['until march', 'future', '', '2027-03-31'],
    ['before friday', 'future', '', '2026-11-19'],
    ['after friday', 'future', '2026-11-21', ''],
    ['after friday', 'past', '2026-11-21', ''],
    ['thanksgiving', 'future', '2026-11-26', '2026-11-26'],
    ['since halloween', 'past', '2026-10-31', ''],
    ['since halloween', 'future', '2026-10-31', ''],
    ['until halloween', 'past', '', '2026-10-31'],
    ['2026-W49', 'future', '2026-11-30', '2026-12-06'],
    ['2026-12', 'future', '2026-12-01', '2026-12-31'],
    ['the weekend of 5 december', 'future', '2026-12-05', '2026-12-06'],
    ['everything for next week please', 'future', '2026-11-23', '2026-11-29'],
    ['last fortnight', 'past', '2026-11-07', '2026-11-20'],
    ['the month of september', 'past', '2026-09-01', '2026-09-30'],
    ['week commencing Monday 30 November', 'future', '2026-11-30', '2026-12-06'],
    ['week ending 29 Nov', 'future', '2026-11-23', '2026-11-29'],
    ['3 days ago', 'past', '2026-11-17', '2026-11-17'],
    ['in 3 days', 'future', '2026-11-23', '2026-11-23'],
    ['in the next 3 days', 'future', '2026-11-20', '2026-11-22'],
    ['3 days starting 1 dec', 'future', '2026-12-01', '2026-12-03'],
    ['2026-12-01/2026-12-05', 'future', '2026-12-01', '2026-12-05'],
    ['2026-12-01..2026-12-05', 'future', '2026-12-01', '2026-12-05'],
    ["what's going out until sunday?", 'future', '', '2026-11-22'],
    ['2026-12-01..', 'future', '2026-12-01', ''],
    ['..2026-12-05', 'future', '', '2026-12-05'],
    ["what's on friday...", 'future', '2026-11-20', '2026-11-20'],
    ['in 3 days', 'past', '2026-11-18', '2026-11-20'],
    ['show me next week', 'future', '2026-11-23', '2026-11-29'],
    ['thanksgiving', 'past', '2025-11-27', '2025-11-27'],
    ['week 49', 'future', '2026-11-30', '2026-12-06'],
    ['week 47', 'future', '2026-11-16', '2026-11-22'],
    ['week 1', 'future', '2027-01-04', '2027-01-10'],
    ['week 49', 'past', '2025-12-01', '2025-12-07'],
    ['calendar week 53 2026', 'future', '2026-12-28', '2027-01-03'],
    ['week 50 to week 51', 'future', '2026-12-07', '2026-12-20'],
    ['since week 45', 'future', '2026-11-02', ''],
    ['until week 49', 'future', '', '2026-12-06'],
    ['week 53', 'past', '2020-12-28', '2021-01-03'],
    ['w/c 30 nov', 'future', '2026-11-30', '2026-12-06'],
    ['week beginning nov 30', 'future', '2026-11-30', '2026-12-06'],
    ['first week of december', 'future', '2026-12-01', '2026-12-07'],
    ['first half of december', 'future', '2026-12-01', '2026-12-15'],
    ['first half of december', 'past', '2025-12-01', '2025-12-15'],
    ['second half of february 2028', 'future', '2028-02-16', '2028-02-29'],
    ['2nd half of next month', 'future', '2026-12-16', '2026-12-31'],
    ['first half of next year', 'future', '2027-01-01', '2027-06-30'],
    ['second half of 2026', 'past', '2026-07-01', '2026-12-31'],
    ['week after next', 'future', '2026-11-30', '2026-12-06'],
    ['the weekend after next', 'future', '2026-12-05', '2026-12-06'],
    ['month before last', 'past', '2026-09-01', '2026-09-30'],
    ['rest of november', 'future', '2026-11-20', '2026-11-30'],
    ['november so far', 'past', '2026-11-01', '2026-11-20'],
    ['ytd', 'past', '2026-01-01', '2026-11-20'],
    ['mtd', 'past', '2026-11-01', '2026-11-20'],
    ['today + tomorrow', 'future', '2026-11-20', '2026-11-21'],
    ['anything next week?', 'future', '2026-11-23', '2026-11-29'],
    ['posts from last week', 'past', '2026-11-09', '2026-11-15'],
    ['posts from last week', 'future', '2026-11-09', '2026-11-15'],
    ['everything from 1 dec', 'future', '2026-12-01', ''],
    ['everything until christmas', 'future', '', '2026-12-25'],
    ['all of next week', 'future', '2026-11-23', '2026-11-29'],
    ['15 oct - now', 'past', '2026-10-15', '2026-11-20'],
    ['up to and including wednesday', 'future', '', '2026-11-25'],
    ['h1 2026', 'past', '2026-01-01', '2026-06-30'],
    ['h2', 'future', '2026-07-01', '2026-12-31'],
    ['this q', 'past', '2026-10-01', '2026-12-31'],
    ['last week of november', 'past', '2025-11-24', '2025-11-30'],
    ['2nd week of january 2027', 'future', '2027-01-08', '2027-01-14'],
    ['today so far', 'past', '2026-11-20', '2026-11-20'],
    ['yday', 'past', '2026-11-19', '2026-11-19'],
    ['the day before yesterday', 'past', '2026-11-18', '2026-11-18'],
  ])('reads "%s" in the %s as whole days from "%s" to "%s"', (text, direction, from, to) => {
    const range = readDateRange(text, inBerlin, direction)
    if (range.kind !== 'range') throw new Error(`"${text}" was refused: ${range.reason}`)
    expect([range.from?.toISODate() ?? '', range.to?.toISODate() ?? '']).toEqual([from, to])
    expect(range.from?.toFormat('HH:mm:ss') ?? '00:00:00').toBe('00:00:00')
    expect(range.to?.toFormat('HH:mm:ss') ?? '23:59:59').toBe('23:59:59')
  })

  it.each([
    ['KW 46', 'de-DE', 'from Mon 9 to Sun 15 Nov'],
    ['semaine 46', 'fr-FR', 'from Mon 9 to Sun 15 Nov'],
    ['vorgestern', 'de-DE', 'on Wed 18 Nov'],
    ['avant-hier', 'fr-FR', 'on Wed 18 Nov'],
    ['anteayer', 'es-ES', 'on Wed 18 Nov'],
    ['anteontem', 'pt-BR', 'on Wed 18 Nov'],
  ])('reads "%s" for a user whose language is %s: "%s"', (text, locale, days) => {
    const range = readDateRange(text, { ...inBerlin, locale }, 'past')
    expect(range.kind === 'range' && describeDateRange(range, now)).toBe(days)
  })

  it.each([
    ['tomorrow', 'on Sat 21 Nov'],
    ['monday to friday', 'from Mon 23 to Fri 27 Nov'],
    ['nov 28 to dec 2', 'from Sat 28 Nov to Wed 2 Dec'],
    ['dec 30 to jan 2', 'from Wed 30 Dec 2026 to Sat 2 Jan 2027'],
    ['jan 4', 'on Mon 4 Jan 2027'],
    ['9-11am tomorrow', 'on Sat 21 Nov, 09:00 to 11:00'],
    ['tomorrow evening', 'on Sat 21 Nov, 18:00 to 24:00'],
    ['after monday', 'from Tue 24 Nov on'],
    ['until friday', 'until Fri 20 Nov'],
  ])('describes "%s" as "%s"', (text, days) => {
    const range = readDateRange(text, inBerlin, 'future')
    expect(range.kind === 'range' && describeDateRange(range, now)).toBe(days)
  })

  it.each([
    'banana',
    'week 54',
    'week 53 2027',
    '5 dec to 1 dec',
    'monday 9am',
    'monday and thursday',
    'since monday Tokyo time',
    '',
  ])('refuses "%s"', (text) => {
    expect(readDateRange(text, inBerlin, 'future').kind).toBe('refusal')
  })
})
