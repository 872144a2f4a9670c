import { addMs } from '../runtime.ts'

/** ISO 8601 with the zone's offset, so that the date shows the local time that the author chose. */
export type FormatDate = (date: Date, timezone: string | null) => string

/** Keeps one format for each zone, because creating it takes a hundred times as long as using it. */
export function createDateFormat(): FormatDate {
  const formats = new Map<string, Intl.DateTimeFormat>()
  function findFormat(timeZone: string): Intl.DateTimeFormat {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, ...FORMAT_OPTIONS })
    formats.set(timeZone, format)
    return format
  }
  return (date, timezone) => {
    // The names of zones are case-insensitive.
    const zone = timezone?.toLowerCase() ?? 'utc'
    if (zone === 'utc' || zone === 'gmt') return toIso(date, 'Z')
    const [, sign = '+', hours = '00', minutes = '00', seconds = '00'] =
      OFFSET.exec(findFormat(zone).format(date)) ?? []
    const offsetMs = 1000 * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
    return toIso(addMs(date, sign === '+' ? offsetMs : -offsetMs), `${sign}${hours}:${minutes}`)
  }
}

/** Without `hour`, the format would show the date, which takes longer. */
const FORMAT_OPTIONS = { hour: 'numeric', timeZoneName: 'longOffset' } as const

/** "GMT", "GMT+01:00", or "GMT+00:53:28" before there were time zones. */
const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/

const toIso = (local: Date, offset: string): string =>
  local.toISOString().replace('.000', '').replace('Z', offset)
