import { addMonths, type Day } from '../calendar.ts'
import type { Duration, Unit } from './values.ts'

const MAX_AMOUNT = 100_000
/** About the year 9999. */
const MAX_DAY = 2_900_000

/** Adds a duration to a day. Days and longer units keep the time of day, and the rest is in seconds. */
export function addAmounts(
  { amounts }: Duration,
  direction: 1 | -1,
  from: Day,
): { day: Day; seconds: number } | undefined {
  let day = from
  let seconds = 0
  for (const { amount: written, unit } of amounts) {
    if (written > MAX_AMOUNT) return undefined
    const amount = direction * written
    if (unit === 'hours') seconds += amount * 3600
    else if (unit === 'minutes') seconds += amount * 60
    else if (unit === 'seconds') seconds += amount
    else if (unit === 'days' && !Number.isInteger(amount)) seconds += amount * 86_400
    else if (unit === 'days') day += amount
    else if (unit === 'weeks') day += Math.round(amount * 7)
    else if (unit === 'fortnights') day += Math.round(amount * 14)
    else if (unit === 'months' && !Number.isInteger(amount)) return undefined
    else day = addMonths(day, unit === 'months' ? amount : Math.round(amount * 12))
  }
  return Math.abs(day) <= MAX_DAY ? { day, seconds } : undefined
}

export const oneUnit = (unit: Unit): Duration => ({ amounts: [{ ...unit, amount: 1 }] })

/** Whether a unit measures elapsed time rather than calendar days. */
export const isClockUnit = (unit: string): boolean => ['hours', 'minutes', 'seconds'].includes(unit)
