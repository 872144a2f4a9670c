import type { Rule } from '../chart.ts'
import { daysOfHoliday, type HolidayName } from '../holidays.ts'
import type { NamedDay } from '../point.ts'
import { createRefusal, type LocalContext, type Refusal } from '../reading.ts'
import { exampleDate } from '../refusals.ts'
import { nearestBusinessDay } from './days.ts'
import { ruleAdderFor } from './values.ts'

/** Rules for holidays and business days. */
export const holidayRules: Rule[] = []
const rule = ruleAdderFor(holidayRules)

// "christmas eve", "thanksgiving 2027", "día de Navidad", "eve of easter"
rule('day', 'NEXT|COMING|THIS? holiday IN? ofYear?', holiday)
rule('day', 'THE? unit FROM THE? holiday ofYear?', ({ unit }, name, year, context) =>
  unit === 'days' ? holiday(name, year, context) : undefined,
)
rule('day', 'EVE day', ({ day }) => ({ day: day - 1 }))
rule('day', 'undatedHoliday', (name, local) =>
  createRefusal(
    'vague',
    `Upnext doesn't know the date of "${name}". Enter the date, such as "${exampleDate(local)} 9am".`,
  ),
)

function holiday(name: HolidayName, year: number | undefined, local: LocalContext): NamedDay | Refusal {
  const { now, locale } = local
  const inYear = (year: number) => daysOfHoliday(name, year, locale)
  const nextYear = inYear(now.at.year + 1)
  const [day, ...alternatives] = year
    ? inYear(year)
    : inYear(now.at.year).map((day, index) => (day < now.day ? (nextYear[index] ?? day) : day))
  const countryMessage = `The holiday's date depends on the country. Enter the date, such as "${exampleDate(local)} 9am".`
  if (day === undefined) return createRefusal('vague', countryMessage)
  return {
    day,
    ...(alternatives.length && { alternatives }),
    ...(!year && { lacksYear: 'named-day' as const, inYear: (year: number) => inYear(year)[0] }),
  }
}

// "next business day", "in 2 working days"
rule('day', 'ON? THE? NEXT BUSINESS DAYS', (context) => businessDay(1, context))
rule('day', 'IN? number BUSINESS DAYS HENCE|LATER?', ({ value }, context) => businessDay(value, context))

function businessDay(count: number, { now }: LocalContext): NamedDay | undefined {
  if (count > 1000) return undefined
  let day = now.day
  for (let left = count; left > 0; left--) day = nearestBusinessDay(day + 1, 1)
  return { day, assumptions: ['counting Monday to Friday as business days'] }
}
