import { DateTime } from 'luxon'

/** A valid date and time. Without an offset it is a local time, which needs a time zone. */
export type ParsedDateTime = { text: string; iso: string; hasOffset: boolean }

const TIME_PATTERN =
  /^[Tt _]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)([Zz]|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?$/

/** Returns the same error texts as Pydantic. */
export function parseDateTime(text: string): ParsedDateTime | { error: string } {
  const date = text.slice(0, 10)
  const error = findDateError(date)
  if (error) return { error }
  if (text === date) return { text, iso: `${date}T00:00`, hasOffset: false }
  const [, time, offset, hours, minutes] = TIME_PATTERN.exec(text.slice(10)) ?? []
  if (!time) return { error: 'unexpected extra characters at the end of the input' }
  const local = `${date}T${time.replace(',', '.')}`
  if (!offset) return { text, iso: local, hasOffset: false }
  return { text, iso: hours ? `${local}${hours}:${minutes}` : `${local}Z`, hasOffset: true }
}

function findDateError(text: string): string | undefined {
  if (text.length < 10) return 'input is too short'
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(5))) return 'invalid character in month'
  if (text[7] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(8))) return 'invalid character in day'
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  if (year === 0) return 'year 0 is out of range'
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  return DateTime.utc(year, month, day).isValid ? undefined : 'day value is outside expected range'
}

/** Luxon caches every spelling of a zone that it sees, and the letter case of a name doesn't matter. */
export const toLuxonZone = (timezone: string): string => timezone.toLowerCase()

/** Returns undefined for a local time that the zone's clocks skip, and the first of two that they repeat. */
export function resolveDateTime({ iso, hasOffset }: ParsedDateTime, timezone: string): Date | undefined {
  if (hasOffset) return new Date(iso)
  const local = DateTime.fromMillis(Date.parse(`${iso}Z`), { zone: 'utc' })
  const date = local.setZone(toLuxonZone(timezone), { keepLocalTime: true })
  // Luxon moves a skipped time forward.
  if (date.hour !== local.hour || date.minute !== local.minute || date.day !== local.day) return undefined
  // Luxon's own choice between two possible times depends on the season at the time of the call.
  return DateTime.min(...date.getPossibleOffsets())?.toJSDate()
}
