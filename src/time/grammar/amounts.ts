import type { Rule } from '../chart.ts'
import type { UnitName } from '../vocabulary.ts'
import { type Amount, isClockUnit, type Numeral, ruleAdderFor, type Unit } from './values.ts'

/** Rules for numbers and durations. */
export const amountRules: Rule[] = []
const rule = ruleAdderFor(amountRules)

rule('number', 'tens', (value) => ({ value, digits: 0 }))
rule('number', 'tens DASH? number', (tens, { value, digits }) =>
  digits === 0 && value > 0 && value < 10 ? { value: tens + value, digits } : undefined,
)
rule('ordinal', 'number ORDINAL', ({ value }) => value)

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

rule('amount', 'decimal unit', (amount, { unit, isShort }) => ({ amount, unit, isShort }))
rule('amount', 'A unit', ({ unit }) => ({ amount: 1, unit, isShort: false }))
rule('amount', 'COUPLE unit', ({ unit }) => ({ amount: 2, unit, isShort: false }))
rule('fraction', 'HALF', () => 1 / 2)
rule('fraction', 'QUARTER', () => 1 / 4)
rule('fraction', 'THREE_QUARTERS', () => 3 / 4)
rule('andFraction', 'AND_A_HALF', () => 1 / 2)
rule('andFraction', 'AND QUARTER', () => 1 / 4)
rule('amount', 'A? fraction OF? A? unit', (part, { unit }) => fractionOf(unit, part))
rule('amount', 'A? HALF_HOUR', () => fractionOf('hours', 1 / 2))
rule('amount', 'A? QUARTER_HOUR', () => fractionOf('hours', 1 / 4))
rule('amount', 'A? THREE_QUARTER_HOUR', () => fractionOf('hours', 3 / 4))
// "one half hour" is 30 minutes, but "2 ½ hours" is 150.
rule('amount', 'number fraction unit', ({ value, digits }, part, { unit }) =>
  digits || value === 1 ? fractionOf(unit, digits ? value + part : part) : undefined,
)
rule('amount', 'number andFraction unit', ({ value }, part, { unit }) => fractionOf(unit, value + part))
rule('amount', 'A|number unit andFraction', (number, { unit }, part) =>
  fractionOf(unit, (number?.value ?? 1) + part),
)
rule('amount', 'unit AND_A_HALF', 0.1, ({ unit }) => (unit === 'hours' ? fractionOf(unit, 1.5) : undefined))
rule('amount', 'ONE_AND_A_HALF unit', ({ unit }) => fractionOf(unit, 1.5))

/** Half a day is counted in hours, and half a year in months. Half a month has no fixed length. */
function fractionOf(unit: UnitName, amount: number): Amount | undefined {
  if (unit === 'hours') return { amount: 60 * amount, unit: 'minutes', isShort: false }
  if (unit === 'days') return { amount: 24 * amount, unit: 'hours', isShort: false }
  // "In two and a half weeks" keeps the time of day.
  if (unit === 'weeks')
    return amount < 1
      ? { amount: 7 * 24 * amount, unit: 'hours', isShort: false }
      : { amount, unit, isShort: false }
  return unit === 'years' ? { amount: 12 * amount, unit: 'months', isShort: false } : undefined
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

// "an hour and 10", "1h30"
rule('duration', 'amount AND? number', 0.5, (hours, { value, digits }) =>
  hours.unit === 'hours' && value < 60 && (digits === 2 || digits === 0)
    ? { amounts: [hours, { amount: value, unit: 'minutes', isShort: hours.isShort }] }
    : undefined,
)
rule('duration', 'ABOUT duration; duration OR_SO', (duration) => ({ ...duration, isApproximate: true }))
rule('duration', 'EXACTLY duration', (duration) => duration)
