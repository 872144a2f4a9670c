import { dayInMonth, weekdayOf } from '../calendar.ts'
import type { Rule } from '../chart.ts'
import { areDayAndTime, isDayOnly, isRangeOfHours, isTimeOnly, mergePoints, type Point } from '../point.ts'
import { END_OF_DAY } from '../possible-times.ts'
import type { LocalContext } from '../reading.ts'
import type { PartOfDay } from '../vocabulary.ts'
import { timeOfDay } from '../wall-clock.ts'
import { toTimeWithoutMeridiem } from './clocks.ts'
import { comingWeekday, nextDayOfMonth } from './days.ts'
import { addAmounts, type Duration, isClockUnit, type Numeral, oneUnit, ruleAdderFor } from './values.ts'

/** Rules that join adjacent days, times and zones, in any order, into one moment. */
export const pointRules: Rule[] = []
const rule = ruleAdderFor(pointRules)

// Parts of a moment.
rule('component', 'ON? day', ({ assumptions, isShort, ...day }) => ({
  day,
  ...(isShort && { isWeak: true }),
  ...(assumptions && { assumptions }),
}))
rule('component', 'AT? clock', (time) => ({ time, ...(time.mayBeYear && { isWeak: true }) }))
rule('component', 'zone', (zone) => ({ zone }))
rule('component', 'clock offset', (time, zone) => ({ time, zone }))
rule('component', 'clock COMMA? place', 0.2, (time, zone) => ({ time, zone }))
rule('component', 'place COMMA? clock; weakZone clock', 0.3, (zone, time) => ({ time, zone }))
rule('zone', 'weakZone|wordPlace TIME; strongZone TIME?; IN|AT? place SEASONAL? TIME', (zone) => zone)
rule('zone', 'IN place', 0.2, (zone) => zone)
rule('zone', 'ON? TIME_OF place', (zone) => zone)
rule('zone', 'OWN_TIME', () => 'own' as const)

export function bareHour(hour: Numeral): Point | undefined {
  const time = toTimeWithoutMeridiem(hour)
  const { value } = hour
  return time && { time, ...(value > 12 && { assumptions: [`taking ${value} as ${value}:00`] }) }
}

// "around 9am", "9ish", "4pm or so"
rule('component', 'ABOUT AT? clock; AT? clock ISH|OR_SO|ABOUT', (time) => ({ time, isApproximate: true }))
rule('component', 'AT? ABOUT hour; AT? hour ISH|OR_SO', (hour) => {
  const point = bareHour(hour)
  return point && { ...point, isApproximate: true }
})
rule('component', 'AT? NOONISH', () => ({ time: { time: timeOfDay(12) }, isApproximate: true }))
rule('component', 'THIS_TIME ON? day', (day, { now }) => ({
  day,
  time: { time: now.time, isCurrentTime: true },
}))
rule('component', 'END OF? day', 0.2, (day) => ({ day, time: END_OF_DAY }))
// "wed 25"
rule(
  'component',
  'ON? weekday COMMA? number PERIOD?',
  0.05,
  ({ day: weekday }, { value, digits }, context) => {
    const { now } = context
    if (digits === 0 || digits > 2 || value < 1 || value > 31) return undefined
    const days = [0, 1].map((months) => dayInMonth(now.day, months, value) ?? 0)
    const fits = days.some((day) => day >= now.day && weekdayOf(day) === weekday)
    if (!fits && value < 25) return undefined
    const day = nextDayOfMonth(value, context)
    return 'kind' in day ? day : { day: { ...day, mayBeHour: true }, weekday }
  },
)

// "tomorrow morning", "this afternoon", "in the early evening", "tonight"
rule('component', 'IN_PART partOfDay', (partOfDay) => ({ partOfDay }))
// In Spanish, "mañana" is tomorrow unless other words make it the morning.
rule('component', 'partOfDay', 0.05, (partOfDay) => ({ partOfDay }))
rule('component', 'IN_PART? modifier partOfDay', 0.05, (partModifier, partOfDay) => ({
  partOfDay,
  partModifier,
}))
rule('component', 'hour IN_PART partOfDay', (hour, partOfDay) =>
  fitsPart(hour.value, partOfDay) ? hourInPart(hour, partOfDay) : undefined,
)
// The cost makes 23 a day in "lunes 23 por la mañana". Other readings of such hours are refused with the reason.
rule('component', 'hour IN_PART partOfDay', 0.3, (hour, partOfDay) =>
  hour.value < 24 ? hourInPart(hour, partOfDay) : undefined,
)
function fitsPart(hour: number, part: PartOfDay): boolean {
  const [first, last] = LATE_HOURS[part]
  return hour <= 12 || (hour >= first && hour <= last)
}
const LATE_HOURS: Record<PartOfDay, [first: number, last: number]> = {
  morning: [0, -1],
  noon: [13, 14],
  afternoon: [13, 18],
  evening: [17, 23],
  night: [18, 23],
}
function hourInPart(hour: Numeral, partOfDay: PartOfDay): Point | undefined {
  const point = bareHour(hour)
  return point && { ...point, partOfDay }
}
rule('component', 'THIS modifier? partOfDay', (partModifier, partOfDay, { now }) => ({
  partOfDay,
  ...(partModifier && { partModifier }),
  impliedDay: now.day,
}))
rule('component', 'TONIGHT', ({ now }) => ({
  partOfDay: 'night' as const,
  partModifier: 'this',
  day: { day: now.day },
}))
// "Mittwochabend"
rule('component', 'ON? weekdayPart', ({ weekday, part }, local) => ({
  day: comingWeekday(weekday, local),
  partOfDay: part,
}))
// "late saturday 1am"
rule('component', 'modifier ON? day', (modifier, day) =>
  modifier === 'late' && day.weekday ? { day, partOfDay: 'night' as const } : undefined,
)

// "in 2 hours", "3 weeks from now", "+2h", "within two hours", "in 20"
rule('component', 'IN ABOUT? duration; duration HENCE', fromNow)
rule('component', 'WITHIN duration', (duration, context) =>
  fromNow({ ...duration, isApproximate: true }, context),
)
rule('component', 'IN digital', ({ style, hour, minute }) =>
  style === 'h' ? { fromNow: seconds(3600 * Number(hour) + 60 * Number(minute)) } : undefined,
)
rule('component', 'NEXT unit', (unit, context) =>
  isClockUnit(unit.unit) ? fromNow(oneUnit(unit), context) : undefined,
)
rule('component', 'IN number', 1, ({ value, digits }) =>
  digits > 0 && digits < 4 && value > 0
    ? { fromNow: seconds(60 * value), otherDistances: [seconds(3600 * value)] }
    : undefined,
)
rule('component', 'NOW', () => ({
  fromNow: seconds(0),
  isNow: true,
  assumptions: ['as soon as possible'],
}))
rule('component', 'NEXT WEEKS COMMA? SAME_TIME; SAME_TIME COMMA? NEXT WEEKS', ({ now }) => ({
  day: { day: now.day + 7 },
  time: { time: now.time, isCurrentTime: true },
}))

const seconds = (seconds: number) => ({ days: 0, seconds })

/** Days keep the time of day. Hours are elapsed time, even across clock changes. */
export function fromNow(duration: Duration, { now }: LocalContext): Point | undefined {
  const sum = addAmounts(duration, 1, now.day)
  if (!sum) return undefined
  const qualifiers = {
    ...(duration.isApproximate && { isApproximate: true }),
    ...(duration.assumptions && { assumptions: duration.assumptions }),
  }
  const alternatives = duration.mayBeDayLonger ? [sum.day + 1] : []
  if (!sum.seconds)
    return {
      ...qualifiers,
      day: { day: sum.day, alternatives, mustMatchWeekday: true },
      defaultTime: now.time,
    }
  return { ...qualifiers, fromNow: { days: sum.day - now.day, seconds: sum.seconds } }
}

/** Rules that count from now. New times for a post use `shiftRules` instead. */
export const fromNowRules: Rule[] = []
const fromNowRule = ruleAdderFor(fromNowRules)
fromNowRule('component', 'PLUS duration; duration LATER', fromNow)

// "9am PT / 12pm ET"
fromNowRule('pair', 'point SLASH|COMMA|OR|AND? point', (a, b) => (isPair(a, b) ? [a, b] : undefined))
fromNowRule('pair', 'point SLASH|COMMA? THAT_IS COMMA? point', (a, b) => (isPair(a, b) ? [a, b] : undefined))

const isPair = (a: Point, b: Point) => a.time && b.time && a.zone && b.zone && a.zone !== b.zone

// Moments of several parts.
rule('point', 'component', (component) => component)
rule('point', 'point COMMA? component', mergePoints)
rule('point', 'point weakZone', 0.1, (point, zone) =>
  point.time || point.fromNow ? mergePoints(point, { zone }) : undefined,
)
rule('point', 'point AND component', 0.3, (point, component) =>
  (isDayOnly(point) && isTimeOnly(component)) || component.zone ? mergePoints(point, component) : undefined,
)
rule('point', 'point OF|IN|FOR component', 0.2, mergePoints)
// "friday - 10am"
rule('point', 'point SLASH|COLON component', (point, component) =>
  areDayAndTime(point, component) ? mergePoints(point, component) : undefined,
)
rule('point', 'point DASH component', (point, component) =>
  areDayAndTime(point, component) && !isRangeOfHours(point, component)
    ? mergePoints(point, component)
    : undefined,
)
// "tomorrow 9", "9 tomorrow", "8 tonight", "9 in the morning", "april 3 9 30", "mon 330"
rule('bareTime', 'hour', bareHour)
rule('bareTime', 'hour number', (hour, { value: minute, digits }) =>
  hour.value <= 24 && digits === (hour.digits && 2) && minute > 9 && minute < 60
    ? clockPoint(hour.value, minute)
    : undefined,
)
rule('bareTime', 'digital', ({ style, hour, minute }) =>
  style === 'three digits' ? clockPoint(Number(hour), Number(minute)) : undefined,
)
rule('component', 'AT bareTime', (time) => time)
rule('point', 'point COMMA? bareTime', 0.1, (point, time) =>
  namesDay(point) ? mergePoints(point, time) : undefined,
)
rule('point', 'hour COMMA? component', 0.2, (hour, point) => {
  // "One Monday", "two Saturday mornings"
  const isCount = hour.digits === 0 && hour.value < 6 && point.day?.weekday
  const time = hour.value <= 12 && !isCount && namesDay(point) && bareHour(hour)
  return time ? mergePoints(time, point) : undefined
})

const namesDay = ({ day, partOfDay }: Point) => day !== undefined || partOfDay !== undefined

function clockPoint(hour: number, minute: number): Point {
  const missingMeridiem = hour > 0 && hour <= 12 ? ('with-minutes' as const) : undefined
  return { time: { time: timeOfDay(hour % 24, minute), missingMeridiem } }
}

// "2d 3pm"
rule('point', 'amount AT? clock', 0.2, ({ amount, unit, isShort }, time, context) => {
  if (!isShort || (unit !== 'days' && unit !== 'weeks')) return undefined
  const start = fromNow({ amounts: [{ amount, unit, isShort }], assumptions: ['counted from now'] }, context)
  return start && mergePoints(start, { time })
})
