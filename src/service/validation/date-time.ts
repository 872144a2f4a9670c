import { DateTime } from 'luxon'

/** A valid date and time. Without an offset it is a local time, which needs a time zone. */
export type ParsedDateTime = { text: string; iso: string; hasOffset: boolean }

const DATE_TIME =
  /^((?!0000)\d{4}-\d\d-\d\d)(?:[Tt _]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)([Zz]|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?)?$/

export function parseDateTime(text: string): ParsedDateTime | undefined {
  const [, date, time = '00:00', offset, hours, minutes] = DATE_TIME.exec(text) ?? []
  if (!date || !DateTime.fromISO(date).isValid) return undefined
  const local = `${date}T${time.replace(',', '.')}`
  if (!offset) return { text, iso: local, hasOffset: false }
  return { text, iso: hours ? `${local}${hours}:${minutes}` : `${local}Z`, hasOffset: true }
}

/** Luxon caches each spelling of a zone. Lower case keeps the cache small, and zone names are case-insensitive. */
export const toLuxonZone = (timezone: string): string => timezone.toLowerCase()

/** Returns undefined for a local time that the zone's clocks skip, and the earlier moment for one that they repeat. */
export function resolveDateTime({ iso, hasOffset }: ParsedDateTime, timezone: string): Date | undefined {
  if (hasOffset) return new Date(iso)
  const local = DateTime.fromMillis(Date.parse(`${iso}Z`), { zone: 'utc' })
  const date = local.setZone(toLuxonZone(timezone), { keepLocalTime: true })
  // Luxon moves a skipped time forward.
  if (date.hour !== local.hour || date.minute !== local.minute || date.day !== local.day) return undefined
  // Of two possible times, Luxon itself takes the earlier one in some zones and the later one in others.
  return DateTime.min(...date.getPossibleOffsets())?.toJSDate()
}
