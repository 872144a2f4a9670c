import { DateTime } from 'luxon'

/**
 * A date and time as a client wrote it. Without an offset it is a wall clock time, which needs a time zone.
 */
export type ParsedDateTime = { text: string; wallClock: WallClock; offsetMinutes: number | undefined }

type CalendarDate = { year: number; month: number; day: number }
type TimeOfDay = { hour: number; minute: number; second: number; millisecond: number }
type WallClock = CalendarDate & TimeOfDay

const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME_PATTERN = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/
const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 }

/** Returns the same error texts as Pydantic. */
export function parseDateTime(text: string): ParsedDateTime | { error: string } {
  const date = parseDate(text.slice(0, 10))
  if ('error' in date) return date
  if (text.length === 10) return { text, wallClock: { ...date, ...MIDNIGHT }, offsetMinutes: undefined }
  const time = /^[Tt _]/.test(text.slice(10)) ? parseTime(text.slice(11)) : undefined
  if (!time) return { error: 'unexpected extra characters at the end of the input' }
  return { text, wallClock: { ...date, ...time.timeOfDay }, offsetMinutes: time.offsetMinutes }
}

function parseDate(text: string): CalendarDate | { error: string } {
  if (text.length < 10) return { error: 'input is too short' }
  const parts = DATE_PATTERN.exec(text)
  if (!parts) return { error: describeFormatError(text) }
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (year === 0) return { error: 'year 0 is out of range' }
  if (month < 1 || month > 12) return { error: 'month value is outside expected range of 1-12' }
  if (!DateTime.utc(year, month, day).isValid) return { error: 'day value is outside expected range' }
  return { year, month, day }
}

function describeFormatError(text: string): string {
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-' || (/^\d\d/.test(text.slice(5)) && text[7] !== '-'))
    return 'invalid date separator, expected `-`'
  return /^\d\d/.test(text.slice(5)) ? 'invalid character in day' : 'invalid character in month'
}

function parseTime(text: string): { timeOfDay: TimeOfDay; offsetMinutes: number | undefined } | undefined {
  const parts = TIME_PATTERN.exec(text)
  if (!parts) return undefined
  const [, hour, minute, second = '0', fraction = '', utc, sign, offsetHours, offsetMinutes] = parts
  const timeOfDay = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  }
  if (timeOfDay.hour > 23 || timeOfDay.minute > 59 || timeOfDay.second > 59) return undefined
  if (utc) return { timeOfDay, offsetMinutes: 0 }
  if (!sign) return { timeOfDay, offsetMinutes: undefined }
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes)
  if (offset >= 24 * 60 || Number(offsetMinutes) > 59) return undefined
  return { timeOfDay, offsetMinutes: sign === '-' ? -offset : offset }
}

/** Returns undefined for a local time that the zone's clocks skip, and the first of two that they repeat. */
export function resolveDateTime(
  { wallClock, offsetMinutes }: ParsedDateTime,
  zone: string,
): Date | undefined {
  if (offsetMinutes !== undefined)
    return DateTime.fromObject(wallClock, { zone: 'utc' }).minus({ minutes: offsetMinutes }).toJSDate()
  const local = DateTime.fromObject(wallClock, { zone })
  const { day, hour, minute } = wallClock
  if (local.day !== day || local.hour !== hour || local.minute !== minute) return undefined
  // Luxon's own choice between two possible times depends on the season at the time of the call.
  return DateTime.min(...local.getPossibleOffsets())?.toJSDate()
}
