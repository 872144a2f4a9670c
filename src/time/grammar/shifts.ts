import { createRuleAdder, type Rule } from '../chart.ts'
import type { Point } from '../point.ts'
import type { LocalContext } from '../reading.ts'
import { type Duration, oneUnit, type Unit, type Values } from './values.ts'

export type Shift = { duration: Duration; direction: 1 | -1 }
/** A verb such as "push". `isProbablyEarlier` is set by "forward" and "up", because these usually mean earlier. */
export type Move = { isPostponing: boolean; isProbablyEarlier: boolean }

type ShiftValues = Values & {
  shift: Shift
  move: Move
  moved: Point
  sameDay: true
  nextWeek: true
  nextDay: true
  comparison: true
  by: Duration
}

/** Rules for words that change the time of a post. */
export const shiftRules: Rule[] = []
const rule = createRuleAdder<ShiftValues, LocalContext>(shiftRules)

// "2 hours later", "+2h", "later by an hour", "the following day", "the day after"
rule(
  'shift',
  'PLUS duration; duration LATER THAN_PLANNED?; duration AFTER THAT?; LATER BY duration',
  (duration) => ({ duration, direction: 1 }),
)
rule('shift', 'THE? FOLLOWING unit', 0.1, (unit) => shiftByOne(unit, 1))
rule('shift', 'THE? unit AFTER THAT?', (unit) => shiftByOne(unit, 1))

// "2 hours earlier", "-30 min", "the day before"
rule(
  'shift',
  'DASH duration; duration EARLIER|SOONER THAN_PLANNED?; duration BEFORE THAT?; EARLIER|SOONER BY duration',
  (duration) => ({ duration, direction: -1 }),
)
rule('shift', 'THE? PREVIOUS unit', -0.05, (unit) => shiftByOne(unit, -1))
rule('shift', 'THE? unit BEFORE THAT?', (unit) => shiftByOne(unit, -1))

const shiftByOne = (unit: Unit, direction: 1 | -1): Shift | undefined =>
  ['days', 'weeks', 'months'].includes(unit.unit) ? { duration: oneUnit(unit), direction } : undefined

/** A verb such as "push" may also be filler, so reading it as a move costs less. */
const MOVE_COST = -0.7
// "push it back", "move it to friday"
rule('move', 'POSTPONE IT?; POSTPONE IT? BACK', MOVE_COST, () => ({
  isPostponing: true,
  isProbablyEarlier: false,
}))
rule('move', 'POSTPONE IT? FORWARD', MOVE_COST, () => ({ isPostponing: true, isProbablyEarlier: true }))
rule('move', 'MOVE IT? BACK?', MOVE_COST, () => ({ isPostponing: false, isProbablyEarlier: false }))
rule('move', 'MOVE IT? FORWARD', MOVE_COST, () => ({ isPostponing: false, isProbablyEarlier: true }))
rule('moved', 'move TO point', (_move, point) => point)

rule('sameDay', 'ON? SAME_DAY', () => true as const)
rule('nextDay', 'NEXT_DAY', () => true as const)
rule(
  'nextWeek',
  'THE? NEXT|FOLLOWING unit; SAME_TIME COMMA? NEXT unit; NEXT unit COMMA? SAME_TIME',
  ({ unit }) => unit === 'weeks' || undefined,
)
rule('by', 'BY duration', (duration) => duration)
rule('comparison', 'A_BIT? LATER|EARLIER|SOONER', () => true as const)
