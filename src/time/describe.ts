import { DateTime } from 'luxon'

/** "Fri 3 Apr 2026, 14:30 Berlin (UTC+2), in 7 days; 08:30 for you" */
export function describeMoment(at: DateTime, zone: string, viewerZone: string, now: Date): string {
  const there = inZone(at, zone)
  const here = inZone(at, viewerZone)
  const offset = zoneLabel(zone) === offsetLabel(there.offset) ? '' : ` (${offsetLabel(there.offset)})`
  const main = `${dateAndTime(there)} ${zoneLabel(zone)}${offset}, ${untilThen(there, now)}`
  if (here.offset === there.offset) return main
  const day = here.hasSame(there.setZone(viewerZone, { keepLocalTime: true }), 'day')
    ? ''
    : `${shortDate(here)}, `
  return `${main}; ${day}${time(here)} for you`
}

/** The API's two fields. */
export function toScheduleFields(at: DateTime, zone: string): { ScheduleDate: string; Timezone: string } {
  return { ScheduleDate: inZone(at, zone).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"), Timezone: zone }
}

function inZone(at: DateTime, zone: string): DateTime {
  const there = at.setZone(zone)
  if (!there.isValid) throw new Error(`${there.invalidReason}: ${there.invalidExplanation}`)
  return there
}

/** A moment, in words that are read as that moment again. */
export const momentToWords = (at: Date, zone: string): string =>
  formatMoment(DateTime.fromJSDate(at, { zone }), zone, zone)

/** For a button: the moment, and the zone where it is not the reader's own. */
export function formatMoment(at: DateTime, zone: string, viewerZone: string): string {
  const there = at.setZone(zone)
  return zone === viewerZone ? dateAndTime(there) : `${dateAndTime(there)} ${zoneLabel(zone)}`
}

/** The city of an IANA name; for a mere offset, that. */
export function zoneLabel(zone: string): string {
  const fixed = /^Etc\/GMT([+-])(\d+)$/.exec(zone)
  if (fixed) return `UTC${fixed[1] === '-' ? '+' : '-'}${fixed[2]}`
  if (/^(Etc\/)?(UTC|GMT)$/.test(zone)) return 'UTC'
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

export function offsetLabel(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const shortDate = (at: DateTime): string => `${DAYS[at.weekday - 1]} ${at.day} ${MONTHS[at.month - 1]}`
export const time = (at: DateTime): string =>
  [at.hour, at.minute].map((part) => String(part).padStart(2, '0')).join(':')
const dateAndTime = (at: DateTime): string => `${shortDate(at)} ${at.year}, ${time(at)}`

function untilThen(at: DateTime, now: Date): string {
  const minutes = Math.round((at.toMillis() - now.getTime()) / 60_000)
  const today = DateTime.fromJSDate(now, { zone: at.zone }).startOf('day')
  const days = Math.round(at.startOf('day').diff(today, 'days').days)
  if (minutes === 0) return 'now'
  const amount =
    Math.abs(minutes) < 60
      ? count(Math.abs(minutes), 'minute')
      : Math.abs(minutes) < 24 * 60
        ? count(Math.round(Math.abs(minutes) / 60), 'hour')
        : count(Math.abs(days), 'day')
  return minutes > 0 ? `in ${amount}` : `${amount} ago`
}

const count = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`
