/**
 * Finds the time zone of a place or an abbreviation. Intl provides the IANA names, whose last part is a city, and the
 * zones of each country. The tables here add what Intl lacks.
 */

/** Corrects the case of an IANA name and replaces outdated names. Returns undefined for an unknown name. */
export function findZoneName(name: string): string | undefined {
  if (/^etc\/(?:utc|gmt)$/.test(name)) return name.endsWith('utc') ? 'Etc/UTC' : 'Etc/GMT'
  try {
    return currentName(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
  } catch {
    return undefined
  }
}

/** Finds the zones of a city or country, the likeliest first. */
export function zonesOfPlace(name: string): string[] | undefined {
  if (name === 'georgia') return ['America/New_York', 'Asia/Tbilisi']
  const city = cityZones().get(name)
  if (city) return [city]
  const country = countryCodes().get(name)
  return country ? zonesOfCountry(country) : undefined
}

/** Builds a table at its first use, because Intl is slow. */
function lazy<T>(build: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= build()
    return value
  }
}

const withoutAccents = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const cityZones = lazy(() => {
  const zones = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    if (/^(?:Antarctica|Etc|Indian)\/|^[^/]*$/.test(zone)) continue
    for (const name of [zone, currentName(zone)])
      zones.set(withoutAccents((name.split('/').at(-1) ?? '').replaceAll('_', ' ')), currentName(zone))
  }
  for (const name of MISLEADING_CITIES) zones.delete(name)
  for (const [zone, names] of MORE_PLACES) for (const name of names.split(', ')) zones.set(name, zone)
  return zones
})

/** Cities whose names are usually something else. */
const MISLEADING_CITIES = ['easter', 'midway', 'wake', 'male', 'center', 'troll', 'casey', 'nome']

const MORE_PLACES: [zone: string, names: string][] = [
  ['America/New_York', 'us eastern, eastern, dc, nyc, new york city, boston, washington, washington dc'],
  ['America/New_York', 'philadelphia, miami, atlanta'],
  ['America/Chicago', 'us central, central, texas, houston, dallas, austin'],
  ['America/Denver', 'us mountain, mountain'],
  ['America/Los_Angeles', 'us pacific, pacific, california, la, sf, san francisco, san diego, seattle'],
  ['America/Los_Angeles', 'portland, las vegas'],
  ['America/Phoenix', 'arizona'],
  ['America/Anchorage', 'alaska'],
  ['Pacific/Honolulu', 'hawaii, hawaiian'],
  ['America/Toronto', 'montreal, ottawa'],
  ['America/Edmonton', 'calgary'],
  ['America/Sao_Paulo', 'rio, rio de janeiro, brasilia'],
  ['America/Argentina/Buenos_Aires', 'buenos aires'],
  ['Europe/London', 'british, edinburgh, manchester'],
  ['Europe/Berlin', 'central european, german, hamburg, frankfurt, cologne, koln, munich, munchen'],
  ['Europe/Athens', 'eastern european'],
  ['Europe/Rome', 'milan'],
  ['Europe/Madrid', 'barcelona'],
  ['Europe/Zurich', 'geneva'],
  ['Europe/Kyiv', 'kyiv, kiev'],
  [
    'Asia/Kolkata',
    'indian, kolkata, mumbai, bombay, delhi, new delhi, bangalore, bengaluru, chennai, hyderabad',
  ],
  ['Asia/Tokyo', 'japanese, osaka'],
  ['Asia/Shanghai', 'chinese, beijing, shenzhen'],
  ['Asia/Dubai', 'abu dhabi'],
  ['Asia/Jerusalem', 'tel aviv'],
  ['Asia/Bangkok', 'hanoi'],
  ['Asia/Ho_Chi_Minh', 'ho chi minh city'],
  ['Australia/Sydney', 'canberra'],
  ['Pacific/Auckland', 'wellington'],
  ['Africa/Johannesburg', 'cape town'],
  ['UTC', 'universal, coordinated universal'],
]

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const countryCodes = lazy(() => {
  const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = new Map(COUNTRY_ALIASES)
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const name = englishNames.of(code)
    if (name) codes.set(withoutAccents(name), code)
  }
  return codes
})

const COUNTRY_ALIASES: [name: string, code: string][] = [
  ...(['uk', 'england', 'britain'].map((name) => [name, 'GB']) as [string, string][]),
  ['usa', 'US'],
  ['us', 'US'],
  ['uae', 'AE'],
  ['korea', 'KR'],
  ['holland', 'NL'],
  ['czechia', 'CZ'],
  ['turkey', 'TR'],
]

const MAX_ZONES_PER_COUNTRY = 5

/** Returns one zone for each set of offsets: Busingen always shows the same time as Berlin. */
function zonesOfCountry(code: string): string[] {
  // Newer engines replaced the property with a method.
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    timeZones?: string[]
    getTimeZones?(): string[]
  }
  const zones = (locale.getTimeZones?.() ?? locale.timeZones ?? [])
    .map(currentName)
    .filter((zone) => !zone.startsWith('Antarctica/'))
  const populous = POPULOUS_ZONES.filter((zone) => zones.includes(zone))
  const zoneByOffsets = new Map<string, string>()
  for (const zone of [...populous, ...zones]) {
    const offsets = offsetsInYear(zone)
    if (!zoneByOffsets.has(offsets)) zoneByOffsets.set(offsets, zone)
  }
  return [...zoneByOffsets.values()].slice(0, MAX_ZONES_PER_COUNTRY)
}

/** The zones that most people live in, for the countries with several zones. */
const POPULOUS_ZONES = `
  America/New_York America/Chicago America/Los_Angeles America/Denver
  America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Halifax
  America/Mexico_City America/Tijuana America/Sao_Paulo America/Manaus America/Santiago
  America/Argentina/Buenos_Aires America/Guayaquil Europe/Madrid Europe/Lisbon Europe/Moscow
  Asia/Yekaterinburg Asia/Novosibirsk Asia/Vladivostok Europe/Kyiv Asia/Almaty Asia/Shanghai
  Asia/Jakarta Asia/Makassar Asia/Jayapura Asia/Ulaanbaatar Africa/Kinshasa Pacific/Auckland
  Australia/Sydney Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Darwin
`
  .trim()
  .split(/\s+/)

function offsetsInYear(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return [0, 3, 6, 9].map((month) => format.format(Date.UTC(2026, month, 15))).join()
}

/** Intl returns some names that IANA has replaced. */
const currentName = (zone: string): string => RENAMED_ZONES[zone] ?? zone
const RENAMED_ZONES: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Africa/Asmera': 'Africa/Asmara',
}

/**
 * The abbreviations that people use, each with a zone and its offset in minutes. An abbreviation without an offset, such
 * as "ET", holds in summer and winter. Several zones make the abbreviation ambiguous.
 */
const ABBREVIATIONS: [abbreviation: string, zone: string, offset?: number][] = [
  ['et', 'America/New_York'],
  ['est', 'America/New_York', -300],
  ['edt', 'America/New_York', -240],
  ['ct', 'America/Chicago'],
  ['cst', 'America/Chicago', -360],
  ['cst', 'Asia/Shanghai', 480],
  ['cst', 'America/Havana', -300],
  ['cdt', 'America/Chicago', -300],
  ['mt', 'America/Denver'],
  ['mst', 'America/Denver', -420],
  ['mdt', 'America/Denver', -360],
  ['pt', 'America/Los_Angeles'],
  ['pst', 'America/Los_Angeles', -480],
  ['pdt', 'America/Los_Angeles', -420],
  ['akst', 'America/Anchorage', -540],
  ['akdt', 'America/Anchorage', -480],
  ['hst', 'Pacific/Honolulu', -600],
  ['ast', 'America/Halifax', -240],
  ['ast', 'Asia/Riyadh', 180],
  ['adt', 'America/Halifax', -180],
  ['brt', 'America/Sao_Paulo', -180],
  ['art', 'America/Argentina/Buenos_Aires', -180],
  ['utc', 'UTC', 0],
  ['gmt', 'Etc/GMT', 0],
  ['zulu', 'UTC', 0],
  ['bst', 'Europe/London', 60],
  ['wet', 'Europe/Lisbon', 0],
  ['west', 'Europe/Lisbon', 60],
  ['cet', 'Europe/Berlin', 60],
  ['cest', 'Europe/Berlin', 120],
  ['eet', 'Europe/Athens', 120],
  ['eest', 'Europe/Athens', 180],
  ['msk', 'Europe/Moscow', 180],
  ['trt', 'Europe/Istanbul', 180],
  ['sast', 'Africa/Johannesburg', 120],
  ['gst', 'Asia/Dubai', 240],
  ['pkt', 'Asia/Karachi', 300],
  ['ist', 'Asia/Kolkata', 330],
  ['ist', 'Europe/Dublin', 60],
  ['ist', 'Asia/Jerusalem', 120],
  ['ict', 'Asia/Bangkok', 420],
  ['wib', 'Asia/Jakarta', 420],
  ['sgt', 'Asia/Singapore', 480],
  ['hkt', 'Asia/Hong_Kong', 480],
  ['pht', 'Asia/Manila', 480],
  ['awst', 'Australia/Perth', 480],
  ['jst', 'Asia/Tokyo', 540],
  ['kst', 'Asia/Seoul', 540],
  ['acst', 'Australia/Adelaide', 570],
  ['acdt', 'Australia/Adelaide', 630],
  ['aest', 'Australia/Sydney', 600],
  ['aedt', 'Australia/Sydney', 660],
  ['nzst', 'Pacific/Auckland', 720],
  ['nzdt', 'Pacific/Auckland', 780],
]

export const ZONE_ABBREVIATIONS = [...new Set(ABBREVIATIONS.map(([abbreviation]) => abbreviation))]

export const zonesOfAbbreviation = (name: string): { zone: string; offset?: number }[] =>
  ABBREVIATIONS.filter(([abbreviation]) => abbreviation === name).map(([, zone, offset]) =>
    offset === undefined ? { zone } : { zone, offset },
  )
