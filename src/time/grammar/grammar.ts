import { compileRules } from '../chart.ts'
import { amountRules } from './amounts.ts'
import { clockRules } from './clocks.ts'
import { dayRules } from './days.ts'
import { filterPeriodRules } from './filter-periods.ts'
import { holidayRules } from './holidays.ts'
import { periodRules } from './periods.ts'
import { fromNowRules, pointRules } from './points.ts'
import { rangeRules } from './ranges.ts'
import { recurrenceRules } from './recurrences.ts'
import { refusalRules } from './refused.ts'
import { shiftRules } from './shifts.ts'

const commonRules = [
  ...amountRules,
  ...dayRules,
  ...holidayRules,
  ...clockRules,
  ...pointRules,
  ...periodRules,
]

export const momentRules = [...commonRules, ...fromNowRules, ...refusalRules]

export const momentGrammar = compileRules(momentRules)
export const newTimeGrammar = compileRules([...commonRules, ...refusalRules, ...shiftRules])
export const recurrenceGrammar = compileRules([...commonRules, ...recurrenceRules])
export const rangeGrammar = compileRules([
  ...commonRules,
  ...fromNowRules,
  ...filterPeriodRules,
  ...rangeRules,
])
