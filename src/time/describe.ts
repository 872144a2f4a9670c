import { DateTime, Info } from 'luxon'
import { type Day, dateFromDay, dayOfMoment, weekdayOf } from './calendar.ts'

type MomentToDescribe = { at: DateTime; zone: string; viewerZone: string; now: Date }

/**
 * "Fri 3 Apr, 14:30 Berlin, in 7 days; 08:30 for you". Shows the year if it isn't the current one, and the offset if the
 * clocks show this time twice.
 */
export function describeMoment({ at, zone, viewerZone, now }: MomentToDescribe): string {
  const local = inZone(at, zone)
  const forViewer = inZone(at, viewerZone)
  const today = DateTime.fromJSDate(now, { zone })
  const year = local.year === today.year ? '' : ` ${local.year}`
  const time = `${formatDate(local)}${year}, ${formatTime(local)} ${zoneLabel(zone)}${offsetIfRepeated(local)}`
  const description = `${time}, ${describeDistanceFromNow(local, today)}`
  if (forViewer.offset === local.offset) return description
  const isSameDate = forViewer.toISODate() === local.toISODate()
  return `${description}; ${isSameDate ? '' : `${formatDate(forViewer)}, `}${formatTime(forViewer)} for you`
}

/** Converts a moment to the fields of the API. */
export function toScheduleFields(at: DateTime, zone: string): { ScheduleDate: string; Timezone: string } {
  return { ScheduleDate: inZone(at, zone).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"), Timezone: zone }
}

/** "on Sat 21 Nov", "from Mon 16 to Fri 20 Nov", "on Sat 21 Nov, 09:00 to 11:00" */
export function formatDateRange(from: DateTime, to: DateTime, now: Date): string {
  const [fromYear, toYear, thisYear] = [
    from.year,
    to.year,
    DateTime.fromJSDate(now, { zone: from.zone }).year,
  ]
  const year = (value: number) => (value === thisYear && fromYear === toYear ? '' : ` ${value}`)
  if (from.hasSame(to, 'day')) {
    const isWholeDay = +from === +from.startOf('day') && +to === +to.endOf('day')
    const isOneMoment = +from === +to
    const end = +to === +to.endOf('day') ? '24:00' : formatTime(to)
    return `on ${formatDate(from)}${year(fromYear)}${isWholeDay || isOneMoment ? '' : `, ${formatTime(from)} to ${end}`}`
  }
  const start = from.hasSame(to, 'month')
    ? `${SHORT_WEEKDAY_NAMES[from.weekday - 1]} ${from.day}`
    : formatDate(from)
  const startYear = fromYear === toYear ? '' : ` ${fromYear}`
  return `from ${start}${startYear} to ${formatDate(to)}${year(toYear)}`
}

function inZone(at: DateTime, zone: string): DateTime {
  const local = at.setZone(zone)
  if (!local.isValid) throw new Error(`${local.invalidReason}: ${local.invalidExplanation}`)
  return local
}

/** Writes a moment in words that `readWhen` reads as the same moment. */
export const momentToWords = (at: Date, zone: string): string =>
  formatMoment(DateTime.fromJSDate(at, { zone }), zone, zone)

/** Writes a post's time as the form shows it, followed by the post's zone. */
export const postTimeToWords = (at: Date, zone: string): string => `${momentToWords(at, zone)} ${zone}`

/** Words that are read as the same moment again. If clocks go back and show the time twice, they name the offset. */
export function momentToLastingWords(at: Date, zone: string): string {
  const local = DateTime.fromJSDate(at, { zone })
  const isRepeated = local.getPossibleOffsets().length > 1
  return isRepeated ? `${momentToWords(at, zone)} ${offsetLabel(local.offset)}` : postTimeToWords(at, zone)
}

/** Like `momentToWords`, but with the offset if clocks go back and show that time twice. */
export const momentToUniqueWords = (at: Date, zone: string): string =>
  momentToWords(at, zone) + offsetIfRepeated(DateTime.fromJSDate(at, { zone }))

/** " (UTC+2)" if clocks go back and show the time twice. */
const offsetIfRepeated = (local: DateTime): string =>
  local.getPossibleOffsets().length > 1 ? ` (${offsetLabel(local.offset)})` : ''

/** Formats a moment as "Tue 24 Nov 2026, 09:00". The zone is shown only if it isn't the viewer's. */
export function formatMoment(at: DateTime, zone: string, viewerZone: string): string {
  const dateAndTime = formatDateAndTime(at.setZone(zone))
  return zone === viewerZone ? dateAndTime : `${dateAndTime} ${zoneLabel(zone)}`
}

/** The city of an IANA zone, or its offset: "Berlin", "UTC+2". */
export function zoneLabel(zone: string): string {
  const fixed = /^Etc\/GMT([+-])(\d+)$/.exec(zone)
  if (fixed) return `UTC${fixed[1] === '-' ? '+' : '-'}${fixed[2]}`
  if (/^(Etc\/)?(UTC|GMT)$/.test(zone)) return 'UTC'
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

export function offsetLabel(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const remainingMinutes = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${remainingMinutes ? `:${twoDigits(remainingMinutes)}` : ''}`
}

// Luxon's own formatting is slow, and each choice of a question needs a formatted date.
const SHORT_WEEKDAY_NAMES = Info.weekdays('short', { locale: 'en' })
const SHORT_MONTH_NAMES = Info.months('short', { locale: 'en' })

const MONTH_NAMES = Info.months('long', { locale: 'en' })

/** "11 August" */
export function formatDayAndMonth(date: Day): string {
  const { day, month } = dateFromDay(date)
  return `${day} ${MONTH_NAMES[month - 1]}`
}

const formatDate = (at: DateTime) =>
  `${SHORT_WEEKDAY_NAMES[weekdayOf(dayOfMoment(at)) - 1]} ${at.day} ${SHORT_MONTH_NAMES[at.month - 1]}`
const formatDateAndTime = (at: DateTime) => `${formatDate(at)} ${at.year}, ${formatTime(at)}`

/** "3rd" */
export function formatOrdinal(value: number): string {
  const isTeen = value > 10 && value < 14
  return `${value}${(!isTeen && ['th', 'st', 'nd', 'rd'][value % 10]) || 'th'}`
}

/** "08:30" */
export const formatTime = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${twoDigits(hour)}:${twoDigits(minute)}`

const twoDigits = (value: number) => String(value).padStart(2, '0')

function describeDistanceFromNow(at: DateTime, now: DateTime): string {
  const minutes = Math.round((at.toMillis() - now.toMillis()) / 60_000)
  if (minutes === 0) return 'now'
  const days = Math.abs(minutes) < 24 * 60 ? 0 : dayOfMoment(at) - dayOfMoment(now)
  if (days) return RELATIVE_TIME.format(days, 'day')
  return Math.abs(minutes) < 60
    ? RELATIVE_TIME.format(minutes, 'minute')
    : RELATIVE_TIME.format(Math.round(minutes / 60), 'hour')
}

const RELATIVE_TIME = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "Mon, Wed and Fri" */
export const listWords = (words: string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join()
