import type { Rule } from '../chart.ts'
import { isDayOnly, isTimeOnly, joinPoints, type Point } from '../point.ts'
import { ruleAdderFor } from './values.ts'

/** Words that name something other than one moment. */
export const refusalRules: Rule[] = []
const rule = ruleAdderFor(refusalRules)

// The past
rule('refused', 'duration AGO', () => 'past')
rule('refused', 'AGO_FIRST duration', () => 'past')
rule('refused', 'relativeDay', (distance) => (distance < 0 ? 'past' : undefined))
rule('refused', 'THE? LAST weekday|unit|month|duration', () => 'past')
rule('refused', 'THE? LAST partOfDay|WEEKEND|SEASON', () => 'past')
rule('refused', 'weekday|unit LAST_AFTER', () => 'past')
rule('refused', 'EARLIER', () => 'past')

// Ranges
rule('refused', 'BETWEEN point|hour AND|DASH|TO point|hour', () => 'range')
rule('refused', 'FROM? point TO|DASH THE? point', (start, end) => (isRange(start, end) ? 'range' : undefined))
rule('refused', 'FROM point|hour TO|DASH THE? point|hour', () => 'range')
rule('refused', 'point|hour TO hour', () => 'range', 0.1)
rule('refused', 'hour TO point', () => 'range', 0.1)
rule('refused', 'point|hour DASH hour', (_start, end) => (end.digits ? 'range' : undefined), 0.1)
rule('refused', 'hour DASH point', (start) => (start.digits ? 'range' : undefined), 0.1)
rule('refused', 'dayNumber TO|DASH|AND day', () => 'range', 0.1)
rule('refused', 'day TO|DASH dayNumber', () => 'range', 0.1)
rule('refused', 'FOR ABOUT? duration', () => 'range')
rule('refused', 'FOR THE? NEXT duration|unit', () => 'range')
rule('refused', 'number|A NIGHTS', () => 'range')
rule('refused', 'WHOLE unit|partOfDay|WEEKEND', () => 'range')
rule('refused', 'IN? THE? NEXT|COMING duration', () => 'range', 0.1)
rule('refused', 'THE? REST OF THE? THIS? unit', () => 'range')
rule('refused', 'TO point', () => 'range', 0.2)

const isRange = (start: Point, end: Point): boolean =>
  !start.fromNow && !((isDayOnly(start) && isTimeOnly(end)) || (isTimeOnly(start) && isDayOnly(end)))

// Open ends
rule('refused', 'LIMIT THE? point|hour|duration', () => 'open-ended', 0.1)
rule('refused', 'point|hour|duration LIMIT', () => 'open-ended', 0.1)
rule('refused', 'BEFORE|AFTER|FROM THE? point|hour|duration|unit', () => 'open-ended', 0.1)
rule('refused', 'point FROM', () => 'open-ended', 0.3)
rule('refused', 'LIMIT refused', (reason) => (reason === 'vague' ? 'open-ended' : reason), 0.2)
rule('refused', 'LIMIT END OF? THE? point', () => 'open-ended')
rule('refused', 'BEFORE|AFTER refused', () => 'open-ended', 0.2)

// Several moments
rule('refused', 'point AND|OR|SLASH point', (a, b) => (joinPoints(a, b) ? undefined : 'several'), 0.1)
rule('refused', 'hour OR|AND hour', () => 'several', 0.2)
rule('refused', 'hour OR|AND point', () => 'several', 0.2)

// Recurrences
rule('refused', 'EVERY', () => 'recurrence')
rule('refused', 'RECURRING', () => 'recurrence')
// In Spanish, "los lunes" may also be a single Monday, but seldom is.
rule('refused', 'weekdays', () => 'recurrence', -0.1)
rule('refused', 'weekdays COMMA? component', () => 'recurrence', -0.1)

// Neither a day nor a time
rule('refused', 'SOON', () => 'vague', 0.2)
rule('refused', 'LATER', () => 'vague', 0.2)
rule('refused', 'LATER|SOON ON? THE? point|refused', (value) =>
  value === undefined || typeof value === 'string' || !value.time ? 'vague' : undefined,
)
rule('refused', 'ON|IN? THE? NEXT|THIS|COMING unit|WEEKEND|SEASON|QUARTER', () => 'vague', 0.2)
rule('refused', 'unit|WEEKEND NEXT_AFTER', () => 'vague', 0.2)
rule('refused', 'ON|AT? THE? WEEKEND', () => 'vague', 0.2)
rule('refused', 'LATER|SOON IN|ON? THE? THIS? unit', () => 'vague')
rule('refused', 'modifier refused', () => 'vague', 0.1)
rule('refused', 'IN? monthName', ({ isNamed }) => (isNamed ? 'vague' : undefined), 0.3)
rule('refused', 'END OF? THE? refused', () => 'vague', 0.1)
rule('refused', 'nth unit OF?', () => 'vague', 0.5)

// Exceptions
rule('refused', 'NOT', () => 'nonsense', 0.2)
