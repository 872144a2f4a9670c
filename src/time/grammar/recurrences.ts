import { type Day, dayFromDate, mondayOfWeek, nextOrSameWeekday } from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import type { NamedTime } from '../point.ts'
import { createRefusal, type LocalContext } from '../reading.ts'
import { refuseDate } from '../refusals.ts'
import type { PartOfDay } from '../vocabulary.ts'
import { missingMeridiemOf } from './clocks.ts'
import type { Numeral, Values } from './values.ts'

/** The days of a recurrence. Without `from`, every other week is counted from the next occurrence. */
export type WrittenDays =
  | { every: 'week'; weekdays: number[] }
  | { every: 'two-weeks'; weekdays: number[]; from: Day | undefined }
  | { every: 'month'; weekday: number; nth: number }
  | { every: 'month'; day: number }

/** A time of day that recurs. A bare hour may be in the morning or in the afternoon. */
export type RecurringTime = {
  time?: NamedTime
  isBareHour: boolean
  partOfDay?: PartOfDay
  isApproximate?: boolean
}

export const EVERY_DAY: WrittenDays = { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] }

export type RecurrenceCount = { value: number; period: 'day' | 'week' }

type RecurrenceValues = Values & {
  some: number[]
  list: number[]
  time: RecurringTime
  days: WrittenDays
  exception: number[]
  times: RecurringTime[]
  count: RecurrenceCount
  twoWeeks: true
  dailyPart: PartOfDay
  range: never
  dayPart: PartOfDay
  dayOfMonth: number
  oneDay: true
}

/** Times that repeat, for digests. */
export const recurrenceRules: Rule[] = []
const rule = createRuleAdder<RecurrenceValues, LocalContext>(recurrenceRules)

// "mondays", "mon, wed and fri", "monday to friday", "weekdays"
rule('some', 'EVERY|ON|ALL? THE? weekday', ({ day }) => [day])
rule('some', 'EVERY|ON|ALL? THE? weekdays', (day) => [day])
rule('some', 'EVERY|ON? weekday DASH|TO weekday', ({ day: first }, { day: last }) =>
  weekdayRange(first, last),
)
rule('some', 'EVERY|ON? weekdays DASH|TO weekdays', (first, last) => weekdayRange(first, last))
rule('some', 'EVERY|ON|ALL? WEEKDAYS', () => [1, 2, 3, 4, 5])
rule('some', 'MON_WED_FRI', () => [1, 3, 5])
rule('some', 'TUE_THU', () => [2, 4])
rule('some', 'EVERY|ON? BUSINESS unit', ({ unit }) => (unit === 'days' ? [1, 2, 3, 4, 5] : undefined))
rule('some', 'EVERY|ON? THE? WEEKEND', () => [6, 7])

rule('list', 'some', (weekdays) => weekdays)
rule('list', 'some COMMA|AND|PLUS|SLASH list; some COMMA AND list', 0.01, (a, b) => sorted([...a, ...b]))
rule('list', 'some list', 0.1, (a, b) => sorted([...a, ...b]))

const sorted = (weekdays: number[]): number[] => [...new Set(weekdays)].sort((a, b) => a - b)

const weekdayRange = (first: number, last: number): number[] =>
  sorted(Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => ((first - 1 + index) % 7) + 1))

rule('days', 'list; list COMMA? WEEKLY; WEEKLY COMMA? list', (weekdays) => ({ every: 'week', weekdays }))
rule('days', 'list COMMA? EVERY unit', (weekdays, { unit }) =>
  unit === 'weeks' ? { every: 'week', weekdays } : undefined,
)
rule('days', 'EVERY unit COMMA? list', ({ unit }, weekdays) =>
  unit === 'weeks' ? { every: 'week', weekdays } : undefined,
)
rule('days', 'DAILY', () => EVERY_DAY)
rule('days', 'EVERY unit', ({ unit }) => (unit === 'days' ? EVERY_DAY : undefined))
rule('dailyPart', 'EVERY partOfDay', (part) => part)
rule('dailyPart', 'MORNINGS', () => 'morning' as const)

// "every other monday", "fortnightly on thursdays", "fridays every 2 weeks"
rule('days', 'EVERY OTHER list; ALTERNATE list', (weekdays) => fortnightly(weekdays))
rule('twoWeeks', 'EVERY OTHER unit', ({ unit }) => unit === 'weeks' || undefined)
rule('twoWeeks', 'EVERY number unit', ({ value }, { unit }) => (value === 2 && unit === 'weeks') || undefined)
rule('twoWeeks', 'EVERY unit', ({ unit }) => unit === 'fortnights' || undefined)
rule('twoWeeks', 'FORTNIGHTLY', () => true as const)
rule('twoWeeks', 'ALTERNATE unit', ({ unit }) => unit === 'weeks' || undefined)
rule('days', 'twoWeeks COMMA? list', (_weeks, weekdays) => fortnightly(weekdays))
rule('days', 'list COMMA? twoWeeks', (weekdays) => fortnightly(weekdays))
rule('days', 'days FROM day', (days, { day }) =>
  days.every === 'two-weeks' ? fortnightly(days.weekdays, day) : undefined,
)
rule('days', 'days FROM dayNumber month year', (_days, day, month, year, local) =>
  dayFromDate({ year, month, day }) === undefined ? refuseDate(local) : undefined,
)

function fortnightly(weekdays: number[], start?: Day): WrittenDays {
  if (start === undefined) return { every: 'two-weeks', weekdays, from: undefined }
  const firstDays = weekdays.map((weekday) => nextOrSameWeekday(start, weekday))
  return { every: 'two-weeks', weekdays, from: mondayOfWeek(Math.min(...firstDays)) }
}

// "first monday of the month", "the 15th of each month", "last day of every month"
rule('days', 'EVERY? THE? nth weekday OF|IN THE|EVERY unit', (nth, { day }, { unit }) =>
  monthly(nth, day, unit),
)
// "Every second monday" may mean every two weeks.
rule('days', 'EVERY THE? nth weekday', (nth, { day }) =>
  Math.abs(nth) === 1 ? monthly(nth, day, 'months') : undefined,
)
rule('days', 'EVERY? THE? nth weekday COMMA? MONTHLY', (nth, { day }) => monthly(nth, day, 'months'))
rule('days', 'EVERY? THE? nth weekday COMMA? EVERY unit', (nth, { day }, { unit }) => monthly(nth, day, unit))
rule('days', 'MONTHLY COMMA? ON? THE? nth weekday', (nth, { day }) => monthly(nth, day, 'months'))
rule('days', 'EVERY unit COMMA? ON? THE? nth weekday', ({ unit }, nth, { day }) => monthly(nth, day, unit))
rule('days', 'MONTHLY? COMMA? ON? THE? nth unit OF|IN THE|EVERY unit', (nth, day, { unit }) =>
  nth === -1 && day.unit === 'days' ? dayOfEveryMonth(31, unit) : undefined,
)
rule(
  'days',
  'MONTHLY|EVERY? COMMA? ON? THE? ordinal OF|IN THE|EVERY unit; THE? ordinal OF unit',
  (day, { unit }) => dayOfEveryMonth(day, unit),
)
// "le 15 de chaque mois", "am 15. jedes Monats"
rule('days', 'ON|THE? THE|THE_DATE? dayNumber OF? EVERY unit', (day, { unit }) => dayOfEveryMonth(day, unit))
rule('days', 'ON|THE? nth weekday OF unit', (nth, { day }, { unit }) => monthly(nth, day, unit))
rule('days', 'THE? ordinal unit OF|IN THE|EVERY unit', (value, day, { unit }) =>
  day.unit === 'days' ? dayOfEveryMonth(value, unit) : undefined,
)
rule('days', 'THE? ordinal OF THE unit COMMA OR LAST_DAY COMMA?', (day, { unit }) =>
  dayOfEveryMonth(day, unit),
)
rule('days', 'MONTHLY COMMA? ON? THE ordinal', (day) => dayOfEveryMonth(day, 'months'))
rule('days', 'EVERY unit COMMA? ON? THE ordinal', ({ unit }, day) => dayOfEveryMonth(day, unit))
rule('days', 'EVERY ordinal', 0.2, (day) => dayOfEveryMonth(day, 'months'))
rule('days', 'THE ordinal COMMA? MONTHLY', (day) => dayOfEveryMonth(day, 'months'))
rule('days', 'THE ordinal COMMA? EVERY unit', (day, { unit }) => dayOfEveryMonth(day, unit))

// "1st and 15th of the month", "first and last friday"
rule('dayOfMonth', 'THE? ordinal', (day) => day)
rule('dayOfMonth', 'THE? nth weekday?', (nth) => nth)
rule('days', 'dayOfMonth COMMA|AND|PLUS|SLASH dayOfMonth', () => createRefusal('several', ONE_DAY_OF_MONTH))

const ONE_DAY_OF_MONTH =
  'Only one day of the month can be chosen. Enter one, such as "the 15th of every month at 9am".'

const monthly = (nth: number, weekday: number, unit: string): WrittenDays | undefined =>
  unit === 'months' && nth !== 0 && nth < 5 && nth > -2 ? { every: 'month', weekday, nth } : undefined

const dayOfEveryMonth = (day: number, unit: string): WrittenDays | undefined =>
  unit === 'months' && day >= 1 && day <= 31 ? { every: 'month', day } : undefined

// "every 3 weeks", "every other day", "every hour"
rule('days', 'EVERY number unit', ({ value }, { unit }) =>
  value > (unit === 'weeks' ? 2 : 1) ? refuseInterval() : undefined,
)
rule('days', 'EVERY OTHER unit', ({ unit }) => (unit === 'weeks' ? undefined : refuseInterval()))
rule('days', 'EVERY ordinal unit', (value, { unit }) =>
  value > (unit === 'weeks' ? 2 : 1) ? refuseInterval() : undefined,
)
rule('days', 'EVERY unit', ({ unit }) =>
  ['minutes', 'hours', 'years'].includes(unit) ? refuseInterval() : undefined,
)

rule('days', 'OTHER_INTERVAL', () => refuseInterval())

const refuseInterval = () =>
  createRefusal(
    'vague',
    'Upnext can repeat this every day, every week, every two weeks or every month. Enter the days and the time, such as "every other tuesday at 9:00" or "the 1st of every month at 9am".',
  )

// "except fridays"
rule('exception', 'COMMA? EXCEPT FOR|ON? list', (weekdays) => weekdays)

// "twice a day", "3 times a week"
rule('count', 'TWICE A|EVERY? unit', ({ unit }) => timesPer(2, unit))
rule('count', 'number TIMES A|EVERY? unit', ({ value }, { unit }) => timesPer(value, unit))
rule('count', 'TWICE DAILY', () => timesPer(2, 'days'))
rule('count', 'number TIMES DAILY', ({ value }) => timesPer(value, 'days'))

const timesPer = (value: number, unit: string) =>
  unit === 'days' || unit === 'weeks'
    ? { value, period: unit === 'days' ? ('day' as const) : ('week' as const) }
    : undefined

// "at 9 and 17:00", "8 and 10pm", "9 in the morning"
rule('time', 'AT? clock', (time) => ({ time, isBareHour: false }))
rule('time', 'AT? hour', 0.2, (hour) => bareHour(hour))
rule('time', 'AT? hour IN_PART? partOfDay', (hour, partOfDay) => bareHour(hour, { partOfDay }))
rule('time', 'AT? clock IN_PART? partOfDay', (time, partOfDay) => ({ time, isBareHour: false, partOfDay }))
rule('time', 'IN_PART? partOfDay COMMA? AT? hour', (partOfDay, hour) => bareHour(hour, { partOfDay }))
rule('time', 'IN_PART? partOfDay COMMA? AT? clock', (partOfDay, time) => ({
  time,
  isBareHour: false,
  partOfDay,
}))
rule('time', 'AT? ABOUT clock; AT? clock ISH|OR_SO', (time) => ({
  time,
  isBareHour: false,
  isApproximate: true,
}))
rule('time', 'AT? ABOUT? hour ISH|OR_SO; AT? ABOUT hour', (hour) => approximately(hour))
// "9-17"
rule('range', 'time TO|DASH time', () => createRefusal('range', NO_RANGES))
rule('times', 'time', (time) => [time])
rule('times', 'time COMMA|AND|PLUS times; time COMMA AND times', 0.01, (first, rest) => [first, ...rest])

const NO_RANGES = 'That is a range. Enter each time, such as "daily at 9 and 17:00".'

const approximately = (hour: Numeral) => bareHour(hour, { isApproximate: true })

rule('dayPart', 'IN_PART? partOfDay', (part) => part)
rule('zone', 'place|weakZone|offset', 0.3, (zone) => zone)

// "this friday" is a single day.
rule('oneDay', 'THIS|NEXT|COMING|LAST weekday; relativeDay; TONIGHT', () => true as const)

function bareHour({ value: hour }: Numeral, more: Partial<RecurringTime> = {}): RecurringTime | undefined {
  if (hour > 24) return undefined
  const time: NamedTime = {
    time: { hour: hour % 24, minute: 0, second: 0 },
    missingMeridiem: missingMeridiemOf(hour),
  }
  return { time, isBareHour: true, ...more }
}
