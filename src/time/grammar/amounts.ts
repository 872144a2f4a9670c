import type { Rule } from '../chart.ts'
import { isClockUnit } from './durations.ts'
import { type Amount, type Numeral, ruleAdderFor, type Unit } from './values.ts'

/** Numbers and durations. */
export const amountRules: Rule[] = []
const rule = ruleAdderFor(amountRules)

rule('number', 'tens', (value) => ({ value, digits: 0 }))
rule('number', 'tens DASH? number', (tens, { value, digits }) =>
  digits === 0 && value > 0 && value < 10 ? { value: tens + value, digits } : undefined,
)
rule('ordinal', 'number ORDINAL', ({ value }) => value)
rule('ordinal', 'tens DASH? ordinal', (tens, value) => (value < 10 ? tens + value : undefined))

const isHalvable = (unit: string) => ['hours', 'days', 'weeks', 'years'].includes(unit)

rule('amount', 'number MORE? unit', (number, unit) =>
  isHour(number, unit) ? undefined : toAmount(number, unit),
)
// "13h", "0600h" and "1700 hours" alone are times of day.
rule('amount', 'number unit', 0.1, (number, unit) =>
  isHour(number, unit) ? toAmount(number, unit) : undefined,
)

const toAmount = ({ value: amount }: Numeral, { unit, isShort }: Unit): Amount => ({ amount, unit, isShort })

const isHour = ({ value, digits }: Numeral, { unit, isShort }: Unit): boolean =>
  unit === 'hours' && (digits === 4 || (isShort && value > 12 && value < 24))

// "one half hour" is 30 minutes, but "2 ½ hours" is 150.
rule('amount', 'number HALF unit', ({ value, digits }, { unit }) => {
  if (!digits) return value === 1 ? fractionOf(unit, 1 / 2) : undefined
  return isHalvable(unit) ? { amount: value + 0.5, unit, isShort: false } : undefined
})
rule('amount', 'decimal unit', (amount, { unit, isShort }) => ({ amount, unit, isShort }))
rule('amount', 'A unit', ({ unit }) => ({ amount: 1, unit, isShort: false }))
rule('amount', 'COUPLE unit', ({ unit }) => ({ amount: 2, unit, isShort: false }))
rule('amount', 'A|number unit AND_A_HALF', (number, { unit }) =>
  isHalvable(unit) ? { amount: (number?.value ?? 1) + 0.5, unit, isShort: false } : undefined,
)
rule('amount', 'unit AND_A_HALF', 0.1, ({ unit }) =>
  unit === 'hours' ? { amount: 1.5, unit, isShort: false } : undefined,
)
rule('amount', 'number AND_A_HALF unit', ({ value }, { unit }) =>
  isHalvable(unit) ? { amount: value + 0.5, unit, isShort: false } : undefined,
)
rule('amount', 'ONE_AND_A_HALF unit', ({ unit }) => ({ amount: 1.5, unit, isShort: false }))
rule('amount', 'A? HALF A? unit', ({ unit }) => fractionOf(unit, 1 / 2))
rule('amount', 'A? QUARTER OF? A? unit', ({ unit }) =>
  unit === 'hours' ? fractionOf(unit, 1 / 4) : undefined,
)
rule('amount', 'A? HALF_HOUR', () => fractionOf('hours', 1 / 2))
rule('amount', 'A? THREE_QUARTER_HOUR', () => fractionOf('hours', 3 / 4))
rule('amount', 'A? QUARTER_HOUR', () => fractionOf('hours', 1 / 4))
rule('amount', 'THREE_QUARTERS OF? A? unit', ({ unit }) =>
  unit === 'hours' ? fractionOf(unit, 3 / 4) : undefined,
)

function fractionOf(unit: string, fraction: number): Amount | undefined {
  if (unit === 'hours') return { amount: 60 * fraction, unit: 'minutes', isShort: false }
  if (unit === 'days') return { amount: 24 * fraction, unit: 'hours', isShort: false }
  if (unit === 'weeks') return { amount: 7 * 24 * fraction, unit: 'hours', isShort: false }
  return unit === 'years' ? { amount: 12 * fraction, unit: 'months', isShort: false } : undefined
}

rule('duration', 'amount', (amount) => ({ amounts: [amount] }))
rule('duration', 'FEW unit', ({ unit }) => ({
  amounts: [{ amount: 3, unit, isShort: false }],
  assumptions: ['taking "a few" as 3'],
}))
const MAX_AMOUNTS = 7
// In "2 days 17h", "17h" is a time of day.
rule('duration', 'duration COMMA? AND? amount', ({ amounts, ...rest }, amount) => {
  const isTime = amount.unit === 'hours' && amount.isShort && amount.amount >= 7 && amount.amount <= 24
  const isAfterDays = amounts.some(({ unit }) => !isClockUnit(unit))
  return amounts.length >= MAX_AMOUNTS || (isTime && isAfterDays)
    ? undefined
    : { ...rest, amounts: [...amounts, amount] }
})
// "huit jours" and "quinze jours" are one and two weeks for some, and 8 and 15 days for others.
rule('duration', 'EIGHT_DAYS', -0.05, () => ({ amounts: [days(7)], mayBeDayLonger: true }))
rule('duration', 'FIFTEEN_DAYS', -0.05, () => ({ amounts: [days(14)], mayBeDayLonger: true }))

const days = (amount: number): Amount => ({ amount, unit: 'days', isShort: false })

// "an hour and a quarter"
rule('duration', 'amount AND QUARTER', (hours) =>
  hours.unit === 'hours' ? { amounts: [hours, { amount: 15, unit: 'minutes', isShort: false }] } : undefined,
)
// "an hour and 10", "1h30"
rule('duration', 'amount AND? number', 0.5, (hours, { value, digits }) =>
  hours.unit === 'hours' && value < 60 && (digits === 2 || digits === 0)
    ? { amounts: [hours, { amount: value, unit: 'minutes', isShort: hours.isShort }] }
    : undefined,
)
rule('duration', 'ABOUT duration; duration OR_SO', (duration) => ({ ...duration, isApproximate: true }))
rule('duration', 'EXACTLY duration', (duration) => duration)
