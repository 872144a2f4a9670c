import { type Day, mondayOfWeek, nextOrSameWeekday } from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import type { Point } from '../point.ts'
import { createRefusal, type LocalContext } from '../reading.ts'
import type { PartOfDay } from '../vocabulary.ts'
import { bareHour } from './points.ts'
import type { Values } from './values.ts'

/** `From` is the type of `from`, which may be undefined in written days. */
export type RecurrenceDays<From = Day> =
  /** 1 for Monday to 7 for Sunday. */
  | { every: 'week'; weekdays: number[] }
  /** Every other week, counted from the week that begins with this Monday. */
  | { every: 'two-weeks'; weekdays: number[]; from: From }
  /** One occurrence of the weekday in each month: `nth` is 1 to 4, or -1 for the last. */
  | { every: 'month'; weekday: number; nth: number }
  /** A shorter month uses its last day. */
  | { every: 'month'; day: number }

/** The days as written. Without `from`, every other week is counted from the next occurrence. */
export type WrittenDays = RecurrenceDays<Day | undefined>

export const EVERY_DAY: WrittenDays = { every: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] }

export type RecurrenceCount = { value: number; period: 'day' | 'week' }

type RecurrenceValues = Values & {
  some: number[]
  list: number[]
  time: Point
  days: WrittenDays
  exception: number[]
  times: Point[]
  count: RecurrenceCount
  dayName: number
  inMonth: WrittenDays
  howOften: number
  EVERY_WEEK: null
  TWO_WEEKS: null
  EVERY_MONTH: null
  dailyPart: PartOfDay
  everyPart: true
  range: never
  dayPart: PartOfDay
  dayOfMonth: number
  oneDay: true
}

/** Rules for the recurring times of digests. */
export const recurrenceRules: Rule[] = []
const rule = createRuleAdder<RecurrenceValues, LocalContext>(recurrenceRules)

// "mondays", "mon, wed and fri", "monday to friday", "weekdays"
rule('dayName', 'weekday', ({ day }) => day)
rule('dayName', 'weekdays', (day) => day)
rule('some', 'EVERY|ON|ALL? THE? dayName', (day) => [day])
rule('some', 'EVERY|ON? dayName DASH|TO dayName', (first, last) => weekdayRange(first, last))
rule('some', 'EVERY|ON|ALL? WEEKDAYS; EVERY|ON? BUSINESS DAYS', () => [1, 2, 3, 4, 5])
rule('some', 'MON_WED_FRI', () => [1, 3, 5])
rule('some', 'TUE_THU', () => [2, 4])
rule('some', 'EVERY|ON? THE? WEEKEND', () => [6, 7])

rule('list', 'some', (weekdays) => weekdays)
rule('list', 'some COMMA|AND|PLUS|SLASH list; some COMMA AND list', 0.01, (a, b) => sorted([...a, ...b]))
rule('list', 'some list', 0.1, (a, b) => sorted([...a, ...b]))

const sorted = (weekdays: number[]): number[] => [...new Set(weekdays)].sort((a, b) => a - b)

const weekdayRange = (first: number, last: number): number[] =>
  sorted(Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => ((first - 1 + index) % 7) + 1))

rule('EVERY_WEEK', 'WEEKLY; EVERY WEEKS', () => null)
rule('days', 'list COMMA? EVERY_WEEK?; EVERY_WEEK COMMA? list', (weekdays) => ({ every: 'week', weekdays }))
rule('days', 'DAILY; EVERY DAYS', () => EVERY_DAY)
rule('dailyPart', 'EVERY partOfDay', (part) => part)
rule('dailyPart', 'NIGHTLY', () => 'night' as const)
rule('everyPart', 'DAILY_PARTS', () => true as const)

// "every other monday", "fortnightly on thursdays", "fridays every 2 weeks"
rule('TWO_WEEKS', 'EVERY OTHER WEEKS; ALTERNATE WEEKS; EVERY FORTNIGHTS; FORTNIGHTLY', () => null)
rule('TWO_WEEKS', 'EVERY number WEEKS', ({ value }) => (value === 2 ? null : undefined))
rule(
  'days',
  'EVERY OTHER list; ALTERNATE list; A? list ALTERNATE; TWO_WEEKS COMMA? list; list COMMA? TWO_WEEKS',
  (weekdays) => fortnightly(weekdays),
)
rule('days', 'days FROM day', (days, { day }) =>
  days.every === 'two-weeks' ? fortnightly(days.weekdays, day) : undefined,
)
rule('days', 'days FROM problem', (_days, refusal) => refusal)

function fortnightly(weekdays: number[], start?: Day): WrittenDays {
  if (start === undefined) return { every: 'two-weeks', weekdays, from: undefined }
  const firstDays = weekdays.map((weekday) => nextOrSameWeekday(start, weekday))
  return { every: 'two-weeks', weekdays, from: mondayOfWeek(Math.min(...firstDays)) }
}

// "first monday of the month", "the 15th of each month", "last day of every month", "monthly on the 1st"
rule('EVERY_MONTH', 'MONTHLY; EVERY MONTHS; OF|IN THE|EVERY? MONTHS', () => null)
rule('inMonth', 'nth weekday', (nth, { day: weekday }) =>
  nth !== 0 && nth < 5 && nth > -2 ? { every: 'month', weekday, nth } : undefined,
)
rule('inMonth', 'ordinal DAYS?', (day) => dayOfEveryMonth(day))
rule('inMonth', 'nth DAYS', (nth) => (nth === -1 ? dayOfEveryMonth(31) : undefined))
// "The 30th of the month, or the last day of shorter months, at 09:00" is how such a recurrence is shown.
rule(
  'days',
  'EVERY|ON? THE? inMonth COMMA? EVERY_MONTH; EVERY_MONTH COMMA? ON? THE? inMonth EVERY_MONTH?; THE? inMonth EVERY_MONTH COMMA OR LAST_DAY COMMA?',
  (days) => days,
)
rule('days', 'AT|ON? THE? END EVERY_MONTH', () => dayOfEveryMonth(31))
// "le 15 de chaque mois", "am 15. des Monats", "todo dia 15"
rule('days', 'EVERY|ON|THE? THE|THE_DATE? dayNumber EVERY_MONTH; EVERY THE_DATE dayNumber', (day) =>
  dayOfEveryMonth(day),
)
// Only "first" and "last" are clear: "every second monday" may mean every two weeks.
rule('days', 'EVERY THE? nth weekday', (nth, { day: weekday }) =>
  Math.abs(nth) === 1 ? { every: 'month', weekday, nth } : undefined,
)
rule('days', 'EVERY ordinal', 0.2, (day) => dayOfEveryMonth(day))

// "1st and 15th of the month", "first and last friday"
rule('dayOfMonth', 'THE? ordinal', (day) => day)
rule('dayOfMonth', 'THE? nth weekday?', (nth) => nth)
rule('days', 'dayOfMonth COMMA|AND|PLUS|SLASH dayOfMonth', () => createRefusal('several', ONE_DAY_OF_MONTH))

const ONE_DAY_OF_MONTH =
  'Only one day of the month can be chosen. Enter one, such as "the 15th of every month at 9am".'

const dayOfEveryMonth = (day: number): WrittenDays | undefined =>
  day >= 1 && day <= 31 ? { every: 'month', day } : undefined

// "every 3 weeks", "every other day", "every hour"
rule('days', 'EVERY number|ordinal unit', (count, { unit }) => {
  const value = typeof count === 'number' ? count : count.value
  return value > (unit === 'weeks' ? 2 : 1) ? refuseInterval() : undefined
})
rule('days', 'EVERY OTHER? MINUTES|HOURS|YEARS; EVERY OTHER DAYS|MONTHS|FORTNIGHTS; OTHER_INTERVAL', () =>
  refuseInterval(),
)
const refuseInterval = () =>
  createRefusal(
    'vague',
    'Times can repeat every day, every week, every two weeks or every month. Enter the days and the time, such as "every other tuesday at 9:00" or "the 1st of every month at 9am".',
  )

// "except fridays"
rule('exception', 'COMMA? EXCEPT FOR|ON? list', (weekdays) => weekdays)

// "twice a day", "3 times a week"
rule('howOften', 'TWICE', () => 2)
rule('howOften', 'number TIMES', ({ value }) => value)
rule('count', 'howOften DAILY; howOften A|EVERY? DAYS', (value) => ({ value, period: 'day' }))
rule('count', 'howOften A|EVERY? WEEKS', (value) => ({ value, period: 'week' }))

// "at 9 and 17:00", "8 and 10pm", "9 in the morning"
rule('time', 'AT? clock', (time) => ({ time }))
rule('time', 'AT? hour', 0.2, bareHour)
rule('time', 'time IN_PART? partOfDay', (time, partOfDay) => ({ ...time, partOfDay }))
rule('time', 'IN_PART? partOfDay COMMA? time', (partOfDay, time) => ({ ...time, partOfDay }))
rule('time', 'AT? ABOUT time; time ISH|OR_SO', (time) => ({ ...time, isApproximate: true }))
// "9-17"
rule('range', 'time TO|DASH time', () => createRefusal('range', NO_RANGES))
rule('times', 'time', (time) => [time])
rule('times', 'time COMMA|AND|PLUS times; time COMMA AND times', 0.01, (first, rest) => [first, ...rest])

const NO_RANGES = 'That\'s a range. Enter each time, such as "daily at 9 and 17:00".'

rule('dayPart', 'IN_PART? partOfDay', (part) => part)
rule('zone', 'place|weakZone|offset', 0.3, (zone) => zone)

// "this friday" is a single day.
rule('oneDay', 'THIS|NEXT|COMING|LAST weekday; relativeDay', () => true as const)
