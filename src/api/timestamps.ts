import { DateTime, IANAZone } from 'luxon'

/** About ten digits are seconds since 1970, about thirteen are milliseconds. .NET writes `/Date(1764000000000)/`. */
const SECONDS = /^\d{9,11}(?:\.\d+)?$/
const MILLISECONDS = /^(?:\/Date\()?(\d{12,14})(?:[+-]\d{4})?(?:\)\/)?$/

/** No date is longer than this, whatever its format. */
const MAX_LENGTH = 100

/**
 * Reads a date as services write it: ISO 8601 with or without an offset, RFC 2822, or seconds or milliseconds since 1970.
 * A date without an offset is in `zone`.
 */
export function readTimestamp(value: string, zone: string | undefined): DateTime<true> | undefined {
  if (value.length > MAX_LENGTH) return undefined
  const text = value.trim()
  const [, milliseconds] = MILLISECONDS.exec(text) ?? []
  if (milliseconds) return DateTime.fromMillis(Number(milliseconds), { zone: 'utc' }) as DateTime<true>
  if (SECONDS.test(text)) return DateTime.fromMillis(Number(text) * 1000, { zone: 'utc' }) as DateTime<true>
  const options = { zone: isZone(zone) ? zone : 'utc', setZone: true }
  const at = DateTime.fromISO(toIso(text), options)
  const parsed = at.isValid ? at : DateTime.fromRFC2822(text, options)
  return parsed.isValid ? parsed : undefined
}

/** Turns dates such as "2026-11-21 09:00:00 +0100" and "2026-11-21T09:00+01:00[Europe/Berlin]" into ISO format. */
const toIso = (text: string): string =>
  text
    .replace(/\[[\w/+-]+\]$/, '')
    .replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T')
    .replace(/ +(?=[+-]\d{2}(?::?\d{2})?$|Z$)/i, '')
    .replace(/ +(?:UTC|GMT)$/i, 'Z')

/** Returns the date in ISO format, or unchanged if it can't be read. Without an offset or a zone, no offset is added. */
export function toIsoTimestamp(text: string, zone: string | undefined): string {
  if (isDateOnly(text) || text.length > MAX_LENGTH) return text
  const isIso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)
  if (isIso && (hasOffset(text) || !isZone(zone))) return text
  const at = readTimestamp(text, zone)
  if (!at) return text
  return at.toISO({ suppressMilliseconds: true, includeOffset: hasOffset(text) || isZone(zone) })
}

/** A date without a time of day. */
export const isDateOnly = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text.trim())

/** Whether a date states its offset or counts the time since 1970, so that it needs no time zone. */
export function hasOffset(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const iso = toIso(text.trim())
  return !/^\d{4}-\d{2}-\d{2}/.test(iso) || /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(iso)
}

/** Whether Luxon can use the zone. This doesn't normalize the name, because Luxon caches every name that it normalizes. */
export const isZone = (zone: string | undefined): zone is string =>
  zone !== undefined &&
  zone.length <= MAX_ZONE_LENGTH &&
  (ZONES.has(zone) || UTC_ZONE.test(zone) || (IANA_NAME.test(zone) && IANAZone.isValidZone(zone)))

/** Returns a known zone's canonical name, because Luxon keeps a formatter for each spelling, such as "europe/BERLIN". */
export const canonicalZone = (zone: string): string =>
  ZONES.has(zone) || USUAL_SPELLING.test(zone) || UTC_ZONE.test(zone) || !isZone(zone)
    ? zone
    : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

/** Names in this spelling stay as they are, because Node.js would turn Asia/Kolkata into Asia/Calcutta. */
const USUAL_SPELLING = /^[A-Z][a-z]+(?:[/_-][A-Z][a-z]+)+$/
const MAX_ZONE_LENGTH = 64
const ZONES = new Set(Intl.supportedValuesOf('timeZone'))
const UTC_ZONE = /^utc(?:[+-]\d{1,2}(?::\d{2})?)?$/i
/** Newer versions of Node.js also accept offsets such as +05:30 as time zones. */
const IANA_NAME = /^[a-z]/i

export type DatedPost = { ScheduleDate?: string | undefined; Timezone?: string | undefined }

/** A date without an offset is in the time zone of the post. */
export function postTime({ ScheduleDate, Timezone }: DatedPost): DateTime<true> | undefined {
  return ScheduleDate ? readTimestamp(ScheduleDate, Timezone) : undefined
}

export const postZone = ({ Timezone }: DatedPost): string => (isZone(Timezone) ? Timezone : 'UTC')
