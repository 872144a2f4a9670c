// Times are in seconds since 1970. Slack writes the `ts` of a message as such a number in a string.

const toDate = (seconds: string | number) => new Date(Number(seconds) * 1000)

export const formatDay = (ts: string, timeZone: string) =>
  toDate(ts).toLocaleDateString('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long' })

export const formatTime = (ts: string | number, timeZone: string) =>
  toDate(ts).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

export const formatFullTime = (ts: string | number, timeZone: string) =>
  toDate(ts).toLocaleString('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'medium' })

/** Reads a wall clock in the time zone and returns that time in milliseconds, as if the clock showed UTC. */
function wallClockAsUtc(date: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(date)
  const partValue = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(
    partValue('year'),
    partValue('month') - 1,
    partValue('day'),
    partValue('hour'),
    partValue('minute'),
    partValue('second'),
  )
}

const zoneOffsetMs = (date: Date, timeZone: string) =>
  wallClockAsUtc(date, timeZone) - Math.floor(date.getTime() / 1000) * 1000

/** Converts the value of a datetime-local input, such as "2026-11-27T09:00", to seconds. */
export function wallClockToSeconds(wallClock: string, timeZone: string): number {
  const asUtc = Date.parse(`${wallClock}Z`)
  // The offset at this estimate is right even if the clocks change between it and `asUtc`.
  const estimate = asUtc - zoneOffsetMs(new Date(asUtc), timeZone)
  return Math.floor((asUtc - zoneOffsetMs(new Date(estimate), timeZone)) / 1000)
}

/** Converts seconds to the value of a datetime-local input. */
export const secondsToWallClock = (seconds: number, timeZone: string): string =>
  new Date(wallClockAsUtc(toDate(seconds), timeZone)).toISOString().slice(0, 16)

/** Fills in a date template such as "{date_long} at {time}".
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function formatDateTemplate(
  seconds: number,
  template: string,
  { timeZone, now }: { timeZone: string; now: Date },
): string {
  const date = toDate(seconds)
  const format = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString('en-US', { timeZone, ...options })
  // Sweden writes dates as ISO 8601 does: 2026-11-27.
  const isoDate = date.toLocaleDateString('sv-SE', { timeZone })
  const [year, month, day] = isoDate.split('-')
  const dateWithOrdinal = `${format({ month: 'long' })} ${formatOrdinal(Number(day))}, ${year}`
  const shortDate = format({ month: 'short', day: 'numeric', year: 'numeric' })
  const longDate = `${format({ weekday: 'long' })}, ${dateWithOrdinal}`
  const relativeDay = nameRelativeDay(date, now, timeZone)
  const tokens: Record<string, string> = {
    date_num: isoDate,
    date: dateWithOrdinal,
    date_short: shortDate,
    date_long: longDate,
    date_pretty: relativeDay ?? dateWithOrdinal,
    date_short_pretty: relativeDay ?? shortDate,
    date_long_pretty: relativeDay ?? longDate,
    date_slash: `${month}/${day}/${year}`,
    time: formatTime(seconds, timeZone),
    time_secs: date.toLocaleTimeString('en-GB', { timeZone }),
    ago: formatTimeAgo(date, now),
  }
  const text = template.replace(/\{(\w+)\}/g, (placeholder, token) => tokens[token] ?? placeholder)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const DAY_MS = 86_400_000

function nameRelativeDay(date: Date, now: Date, timeZone: string): string | undefined {
  const dayNumber = (time: Date) => Math.floor(wallClockAsUtc(time, timeZone) / DAY_MS)
  const names: Record<number, string> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' }
  return names[dayNumber(date) - dayNumber(now)]
}

function formatTimeAgo(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  const units = { day: 86_400, hour: 3600, minute: 60 } as const
  const format = new Intl.RelativeTimeFormat('en')
  for (const [unit, size] of Object.entries(units) as [keyof typeof units, number][])
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(Math.trunc(seconds), 'second')
}

function formatOrdinal(day: number): string {
  const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
  return day + (suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)] ?? 'th')
}
