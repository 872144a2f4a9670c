import { DateTime } from 'luxon'

/** A date and time as written: a point in time where it has an offset, wall clock where it has none. */
export type Moment = { text: string; wall: Wall; offsetMinutes: number | undefined }

type Wall = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/

/** Pydantic, failing to read a moment, tells what is wrong with its date: so do we. */
export function readMoment(text: string): Moment | { error: string } {
  const date = readDate(text.slice(0, 10))
  if ('error' in date) return date
  if (text.length === 10) return { text, wall: { ...date, ...MIDNIGHT }, offsetMinutes: undefined }
  const time = /^[Tt _]/.test(text.slice(10)) ? readTime(text.slice(11)) : undefined
  if (!time) return { error: 'unexpected extra characters at the end of the input' }
  return { text, wall: { ...date, ...time.clock }, offsetMinutes: time.offsetMinutes }
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0, millisecond: 0 }

function readDate(text: string): { year: number; month: number; day: number } | { error: string } {
  if (text.length < 10) return { error: 'input is too short' }
  const parts = DATE.exec(text)
  if (!parts) return { error: whatIsWrong(text) }
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (year === 0) return { error: 'year 0 is out of range' }
  if (month < 1 || month > 12) return { error: 'month value is outside expected range of 1-12' }
  if (!DateTime.utc(year, month, day).isValid) return { error: 'day value is outside expected range' }
  return { year, month, day }
}

function whatIsWrong(text: string): string {
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-' || (/^\d\d/.test(text.slice(5)) && text[7] !== '-'))
    return 'invalid date separator, expected `-`'
  return /^\d\d/.test(text.slice(5)) ? 'invalid character in day' : 'invalid character in month'
}

type Clock = Pick<Wall, 'hour' | 'minute' | 'second' | 'millisecond'>

function readTime(text: string): { clock: Clock; offsetMinutes: number | undefined } | undefined {
  const parts = TIME.exec(text)
  if (!parts) return undefined
  const [, hour, minute, second = '0', fraction = '', utc, sign, offsetHours, offsetMinutes] = parts
  const clock = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  }
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) return undefined
  if (utc) return { clock, offsetMinutes: 0 }
  if (!sign) return { clock, offsetMinutes: undefined }
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes)
  if (offset >= 24 * 60 || Number(offsetMinutes) > 59) return undefined
  return { clock, offsetMinutes: sign === '-' ? -offset : offset }
}

/** Where the moment lies; nothing where the wall clock of that zone skips it. Of two, the first is taken. */
export function placeMoment({ wall, offsetMinutes }: Moment, zone: string): Date | undefined {
  if (offsetMinutes !== undefined)
    return DateTime.fromObject(wall, { zone: 'utc' }).minus({ minutes: offsetMinutes }).toJSDate()
  const placed = DateTime.fromObject(wall, { zone })
  const kept = placed.hour === wall.hour && placed.minute === wall.minute && placed.day === wall.day
  if (!kept) return undefined
  // Luxon's own choice between two depends on the season that it is asked in.
  return DateTime.min(...placed.getPossibleOffsets())?.toJSDate()
}
