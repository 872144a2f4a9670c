import type { Rule } from '../chart.ts'
import { areDayAndTime, mergePoints } from '../point.ts'
import { ruleAdderFor } from './values.ts'

/** Rules for words that name something other than one moment, which are refused. */
export const refusalRules: Rule[] = []
const rule = ruleAdderFor(refusalRules)

// The past
rule('refused', 'duration AGO; AGO_FIRST duration', () => 'past')
rule('refused', 'relativeDay', (distance) => (distance < 0 ? 'past' : undefined))
rule(
  'refused',
  'THE? LAST weekday|unit|month|duration; THE? LAST partOfDay|WEEKEND|SEASON; weekday|unit LAST_AFTER',
  () => 'past',
)
// The cost makes the French "avant 11h" open-ended.
rule('refused', 'EARLIER', 0.3, () => 'past')

// Ranges
rule('refused', 'BETWEEN point|hour AND|DASH|TO point|hour', () => 'range')
rule('refused', 'FROM? point TO|DASH THE? point', (start, end) =>
  start.fromNow || areDayAndTime(start, end) ? undefined : 'range',
)
rule('refused', 'FROM point|hour TO|DASH THE? point|hour', () => 'range')
rule('refused', 'point|hour TO hour; hour TO point', 0.1, () => 'range')
rule('refused', 'point|hour DASH hour', 0.1, (_start, end) => (end.digits ? 'range' : undefined))
rule('refused', 'hour DASH point', 0.1, (start) => (start.digits ? 'range' : undefined))
rule('refused', 'dayNumber TO|DASH|AND day; day TO|DASH dayNumber', 0.1, () => 'range')
rule('refused', 'FOR ABOUT? duration; number|A PARTS_OF_DAYS; WHOLE unit|partOfDay|WEEKEND', () => 'range')
rule('refused', 'IN? THE? NEXT|COMING duration', 0.1, () => 'range')
rule('refused', 'THE? REST OF THE? THIS? unit', () => 'range')
rule('refused', 'TO point', 0.2, () => 'range')

// Open ends
rule(
  'refused',
  'LIMIT THE? point|hour|duration; point|hour|duration LIMIT; BEFORE|AFTER|FROM THE? point|hour|duration|unit',
  0.1,
  () => 'open-ended',
)
rule('refused', 'point FROM', 0.3, () => 'open-ended')
rule('refused', 'LIMIT refused', 0.2, (reason) => (reason === 'vague' ? 'open-ended' : reason))
rule('refused', 'LIMIT END OF? THE? point', () => 'open-ended')
rule('refused', 'BEFORE|AFTER refused', 0.2, () => 'open-ended')

// Several moments
rule('refused', 'point AND|OR|SLASH point', 0.1, (a, b) => (mergePoints(a, b) ? undefined : 'several'))
rule('refused', 'hour OR|AND hour; hour OR|AND point', 0.2, () => 'several')

// Recurrences
rule('refused', 'EVERY; RECURRING', () => 'recurrence')
// In Spanish, "los lunes" may also be a single Monday, but seldom is.
rule('refused', 'weekdays; weekdays COMMA? component', -0.1, () => 'recurrence')

// Neither a day nor a time
rule('refused', 'SOON; LATER', 0.2, () => 'vague')
rule('refused', 'LATER|SOON ON? THE? point|refused', (value) =>
  value === undefined || typeof value === 'string' || !value.time ? 'vague' : undefined,
)
rule(
  'refused',
  'ON|IN? THE? NEXT|THIS|COMING unit|WEEKEND|SEASON|QUARTER; unit|WEEKEND NEXT_AFTER; ON|AT? THE? WEEKEND',
  0.2,
  () => 'vague',
)
rule('refused', 'LATER|SOON IN|ON? THE? THIS? unit', () => 'vague')
rule('refused', 'modifier refused', 0.1, () => 'vague')
rule('refused', 'IN? namedMonth', 0.3, () => 'vague')
rule('refused', 'END OF? THE? refused', 0.1, () => 'vague')
rule('refused', 'nth unit OF?', 0.5, () => 'vague')

// Exceptions
rule('refused', 'NOT', 0.2, () => 'nonsense')
