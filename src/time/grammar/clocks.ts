import type { Rule } from '../chart.ts'
import type { NamedTime } from '../point.ts'
import { END_OF_DAY } from '../possible-times.ts'
import { createRefusal, type Refusal } from '../reading.ts'
import { type TimeOfDay, timeOfDay } from '../wall-clock.ts'
import { type DigitalTime, type Numeral, ruleAdderFor } from './values.ts'

/** Rules for times of day. */
export const clockRules: Rule[] = []
const rule = ruleAdderFor(clockRules)

const NO_SUCH_TIME = 'That time of day doesn\'t exist. Try "9:30", "2pm" or "14:30".'

function toTime(
  { hour, minute, second }: TimeOfDay,
  meridiem?: 'am' | 'pm',
  missingMeridiem?: NamedTime['missingMeridiem'],
): NamedTime | Refusal {
  const isPm = meridiem === 'pm'
  const isImpossible = minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute > 0)
  if (isImpossible || (meridiem && (hour > 23 || (hour === 0 && isPm))))
    return createRefusal('invalid', NO_SUCH_TIME)
  const hourOfDay = meridiem && hour <= 12 ? (hour % 12) + (isPm ? 12 : 0) : hour % 24
  // "20am" may be 20:00 or 8:00.
  const alternatives = meridiem && hour > 12 ? [timeOfDay(hour - 12, minute, second)] : undefined
  return {
    time: timeOfDay(hourOfDay, minute, second),
    missingMeridiem: meridiem ? undefined : missingMeridiem,
    hasMeridiem: meridiem !== undefined,
    isMidnight: hour === 24,
    ...(alternatives && { alternatives }),
  }
}

rule('hour', 'number', ({ value, digits }) => (digits < 3 ? { value, digits } : undefined))
rule('hour', 'digital', ({ hour, minute, style }) =>
  style === 'h' && minute === '00' ? { value: Number(hour), digits: 2 } : undefined,
)

// "9am", "8p", "9 o'clock", "9 in the morning"
rule('wholeHour', 'hour CLOCK? meridiem', ({ value }, meridiem) => toTime(timeOfDay(value), meridiem))
rule('wholeHour', 'hour CLOCK', toTimeWithoutMeridiem)
rule('clock', 'wholeHour', (time) => time)
// "2 in the morning" is a time of day, even next to "friday night".
rule('clock', 'hour CLOCK? IN_PART partOfDay', ({ value: hour }, part) =>
  part === 'morning' && hour > 0 && hour < 12 ? toTime(timeOfDay(hour), 'am') : undefined,
)
// "5 30 pm"
rule('clock', 'hour number meridiem', 0.4, (hour, minute, meridiem) =>
  hourAndMinute(hour, minute, 2, meridiem),
)
// "eight twenty-five am"
rule('clock', 'hour number meridiem', (hour, minute, meridiem) => hourAndMinute(hour, minute, 0, meridiem))

// "nine oh five am"
rule('clock', 'hour OH number meridiem', ({ value: hour }, { value: minute }, meridiem) =>
  hour <= 12 && minute < 10 ? toTime(timeOfDay(hour, minute), meridiem) : undefined,
)

function hourAndMinute(hour: Numeral, minute: Numeral, digits: number, meridiem: 'am' | 'pm') {
  const isMinute = minute.digits === digits && (digits > 0 || minute.value > 9)
  return isMinute && hour.value <= 12 ? toTime(timeOfDay(hour.value, minute.value), meridiem) : undefined
}
// "9 Uhr 30", "9 heures 30"
rule('clock', 'hour CLOCK number', ({ value: hour }, { value: minute }) =>
  minute < 60 && hour <= 24
    ? toTime(timeOfDay(hour, minute), undefined, hour < 13 ? 'with-minutes' : undefined)
    : undefined,
)

/** An hour from 1 to 12 may be in the morning or in the afternoon. Other hours have only one meaning. */
export function toTimeWithoutMeridiem({ value: hour }: Numeral): NamedTime | undefined {
  if (hour > 24) return undefined
  const missingMeridiem = hour > 0 && hour <= 12 ? 'hour-only' : undefined
  return { time: timeOfDay(hour % 24), missingMeridiem, isMidnight: hour === 24 }
}

// "14:30", "9.30 p.m.", "1120pm", "6:00 hours", "1430", "19h30"
rule('clock', 'digital meridiem', (digital, meridiem) => readDigital(digital, meridiem))
rule('clock', 'digital CLOCK?', (digital) => (isTimeByItself(digital) ? readDigital(digital) : undefined))
rule('clock', 'digital unit', (digital, { unit }) =>
  unit === 'hours' && digital.style !== 'three digits' ? readDigital(digital) : undefined,
)

/** Three digits are a time only next to other words. Four digits with an hour above 24 aren't a time. */
const isTimeByItself = ({ style, hour }: DigitalTime): boolean =>
  style !== 'three digits' && !(style === 'four digits' && Number(hour) > 24)

export function readDigital(
  { hour, minute, second, style }: DigitalTime,
  meridiem?: 'am' | 'pm',
): NamedTime | Refusal | undefined {
  if (style === 'four digits' && (Number(minute) > 59 || Number(hour) > 24)) return undefined
  const isTwelveHourClock = /^(?:[1-9]|1[0-2])$/.test(hour)
  // Machines write "09:00:00" and "2026-12-24T09:00", always on a 24-hour clock.
  const isExact = second !== undefined || style === 'four digits' || style === 'ISO'
  // An hour up to 6 before "h" may also be in the afternoon.
  const mayBeAmOrPm = style === 'h' ? /^[1-6]$/.test(hour) : isTwelveHourClock && !isExact
  const mayBeYear = style === 'four digits' && /^(?:19|20)/.test(hour)
  const written = timeOfDay(Number(hour), Number(minute), Number(second ?? 0))
  const time = toTime(written, meridiem, mayBeAmOrPm ? 'with-minutes' : undefined)
  return mayBeYear && 'time' in time ? { ...time, mayBeYear } : time
}

// "half past 4", "halb drei", "quarter to six", "20 minutes past 3pm", "las nueve y media", "neuf heures moins le quart"
rule('minutes', 'QUARTER', () => 15)
rule('minutes', 'number unit', ({ value }, { unit }) =>
  unit === 'minutes' && value < 60 ? value : undefined,
)
rule('minutes', 'number', ({ value, digits }) =>
  digits === 0 && value % 5 === 0 && value < 30 ? value : undefined,
)
rule('exactMinutes', 'number', ({ value }) => (value < 60 ? value : undefined))
rule('base', 'wholeHour|noonOrMidnight', (time) => time)
rule('base', 'hour', toTimeWithoutMeridiem)
rule('clock', 'minutes|exactMinutes PAST base; minutes AFTER noonOrMidnight', after)
rule('clock', 'minutes MINUTES_TO|BEFORE|OF AT? base; exactMinutes BEFORE base', before)
rule('clock', 'exactMinutes MINUTES_TO noonOrMidnight', before)
rule('clock', 'QUARTER AFTER base; base AND_QUARTER', (base) => after(15, base))
rule('clock', 'HALF PAST base; base AND_HALF', (base) => after(30, base))
rule('clock', 'HALF base', 0.2, (base) => after(30, base))
rule('clock', 'HALF_TO base', (base) => before(30, base))
rule('clock', 'minutes BEFORE HALF_TO base', (minutes, base) => before(30 + minutes, base))
rule('clock', 'minutes PAST HALF_TO base', (minutes, base) => before(30 - minutes, base))
rule('clock', 'THREE_QUARTERS base', 0.3, (base) => before(15, base))
rule('clock', 'base LESS_QUARTER', (base) => before(15, base))
rule('clock', 'base LESS exactMinutes', (base, minutes) => before(minutes, base))
rule('clock', 'base PLUS_MINUTES exactMinutes', (base, minutes) => after(minutes, base))

// "15 minutes from 1pm", "5 hours from noon"
rule('clock', 'number MINUTES FROM clock', ({ value }, time) => afterOnSameDay(value, time))
rule('clock', 'number HOURS FROM clock', ({ value }, time) => afterOnSameDay(60 * value, time))

function afterOnSameDay(minutes: number, base: NamedTime): NamedTime | Refusal {
  const isOnNextDay = base.time.hour * 60 + base.time.minute + minutes >= 24 * 60
  return isOnNextDay ? createRefusal('invalid', ON_NEXT_DAY) : after(minutes, base)
}

const ON_NEXT_DAY =
  'That time is after midnight, so it\'s on the next day. Enter a day and a time, such as "saturday 1am".'

function after(minutes: number, { time, missingMeridiem, hasMeridiem = false }: NamedTime): NamedTime {
  const total = (time.hour * 60 + time.minute + minutes + 24 * 60) % (24 * 60)
  return { time: timeOfDay(Math.floor(total / 60), total % 60), missingMeridiem, hasMeridiem }
}

function before(minutes: number, base: NamedTime): NamedTime {
  return after(-minutes, base)
}

rule('TWELVE', 'number', ({ value }) => (value === 12 ? null : undefined))
rule('TWELVE', 'digital', ({ hour, minute }) => (hour === '12' && minute === '00' ? null : undefined))
rule('noonOrMidnight', 'TWELVE? NOON', () => ({ time: timeOfDay(12) }))
rule('noonOrMidnight', 'TWELVE? MIDNIGHT', () => ({ time: timeOfDay(0), isMidnight: true }))
rule('clock', 'noonOrMidnight', (time) => time)
rule('clock', 'SAME_TIME', ({ now }) => ({ time: now.time, isCurrentTime: true }))
rule('clock', 'DAY_END', () => END_OF_DAY)
