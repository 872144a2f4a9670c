const at = (ts: string | number) => new Date(Number(ts) * 1000)

export const dayOf = (ts: string, zone: string) =>
  at(ts).toLocaleDateString('en-GB', { timeZone: zone, weekday: 'long', day: 'numeric', month: 'long' })

export const timeOf = (ts: string, zone: string) =>
  at(ts).toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })

export const fullTime = (ts: string, zone: string) =>
  at(ts).toLocaleString('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'medium' })

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>

function partsOf(date: Date, zone: string): Parts {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  })
  return Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
  ) as Parts
}

const offsetAt = (date: Date, zone: string) => {
  const { year, month, day, hour, minute, second } = partsOf(date, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(date.getTime() / 1000) * 1000
}

/** From what a field for day and time holds to seconds, in the reader's zone. */
export function secondsOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`)
  const guess = asUtc - offsetAt(new Date(asUtc), zone)
  return Math.floor((asUtc - offsetAt(new Date(guess), zone)) / 1000)
}

/** And back. */
export const wallOf = (seconds: number, zone: string): string =>
  new Date(seconds * 1000 + offsetAt(at(seconds), zone)).toISOString().slice(0, 16)

/** What `<!date^…>` and rich text dates show. https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function formatDate(
  seconds: number,
  format: string,
  { zone, now }: { zone: string; now: Date },
): string {
  const date = at(seconds)
  const write = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString('en-US', { timeZone: zone, ...options })
  const { year, month, day } = partsOf(date, zone)
  const month_ = write({ month: 'long' })
  const plain = `${month_} ${ordinal(day)}, ${year}`
  const short = write({ month: 'short', day: 'numeric', year: 'numeric' })
  const long = `${write({ weekday: 'long' })}, ${plain}`
  const near = nearDay(date, now, zone)
  const tokens: Record<string, string> = {
    date_num: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
    date: plain,
    date_short: short,
    date_long: long,
    date_pretty: near ?? plain,
    date_short_pretty: near ?? short,
    date_long_pretty: near ?? long,
    date_slash: `${String(month).padStart(2, '0')}/${String(day).padStart(2, '0')}/${year}`,
    time: timeOf(String(seconds), zone),
    time_secs: date.toLocaleTimeString('en-GB', { timeZone: zone }),
    ago: agoOf(date, now),
  }
  const text = format.replace(/\{(\w+)\}/g, (whole, token) => tokens[token] ?? whole)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function nearDay(date: Date, now: Date, zone: string): string | undefined {
  const dayNumber = (moment: Date) => {
    const { year, month, day } = partsOf(moment, zone)
    return Date.UTC(year, month - 1, day) / 86_400_000
  }
  return { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(dayNumber(date) - dayNumber(now))]
}

function agoOf(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  const units = { day: 86_400, hour: 3600, minute: 60 } as const
  const words = new Intl.RelativeTimeFormat('en')
  for (const [unit, size] of Object.entries(units) as [keyof typeof units, number][])
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit)
  return words.format(Math.trunc(seconds), 'second')
}

function ordinal(day: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[
    new Intl.PluralRules('en', { type: 'ordinal' }).select(day) as string
  ]
  return `${day}${ending ?? 'th'}`
}
