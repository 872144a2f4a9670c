/**
 * Which zone a place has. The cities are those of the IANA names, which Intl ships; the countries are CLDR's, with the
 * zones that it gives them. By hand is only what neither has: big cities that give no zone its name, and names in use.
 */
export type Places = {
  /** The zones that the name of a place stands for, the likeliest first; undefined for a name of none. */
  zonesOf(name: string): string[] | undefined
  /** The zone of that IANA name, in any case of letters, as IANA writes it. */
  zoneNamed(name: string): string | undefined
}

/** What Intl knows is loaded when it is first asked for. */
export const places: Places = createPlaces()

function createPlaces(): Places {
  let cities: Map<string, string> | undefined
  let countries: Map<string, string> | undefined
  let zones: Map<string, string> | undefined
  return {
    zonesOf(name) {
      if (TWO_PLACES[name]) return TWO_PLACES[name]
      cities ??= citiesOfZones()
      const city = cities.get(name)
      if (city) return [city]
      countries ??= codesOfCountries()
      const code = countries.get(name)
      return code ? zonesOfCountry(code) : undefined
    },
    zoneNamed(name) {
      zones ??= new Map(allZones().map((zone) => [zone.toLowerCase(), zone]))
      return zones.get(name) ?? linkedZone(name)
    },
  }
}

const TWO_PLACES: Record<string, string[]> = {
  __proto__: null as never,
  georgia: ['America/New_York', 'Asia/Tbilisi'],
}

const allZones = (): string[] => [...Intl.supportedValuesOf('timeZone'), ...Object.values(RENAMED), ...FIXED]

const FIXED = [
  'UTC',
  'Etc/UTC',
  'Etc/GMT',
  ...Array.from(
    { length: 27 },
    (_, index) => `Etc/GMT${index < 13 ? '+' : '-'}${index < 13 ? index : index - 12}`,
  ),
]

/** An older name, such as US/Pacific, by the name that it is a link to. */
function linkedZone(name: string): string | undefined {
  try {
    return modern(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
  } catch {
    return undefined
  }
}

function citiesOfZones(): Map<string, string> {
  const cities = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const region = zone.split('/')[0] ?? ''
    if (/^(Antarctica|Etc|Indian)$/.test(region) || region === zone) continue
    for (const name of [zone, modern(zone)])
      cities.set(plain((name.split('/').at(-1) ?? '').replaceAll('_', ' ')), modern(zone))
  }
  for (const word of ALSO_WORDS) cities.delete(word)
  for (const [name, zone] of Object.entries(MORE)) cities.set(name, zone)
  return cities
}

/** Names of places that are more often something else. */
const ALSO_WORDS = ['easter', 'midway', 'wake', 'male', 'center', 'troll', 'casey', 'nome']

function codesOfCountries(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = new Map(Object.entries(COUNTRIES_IN_USE))
  for (const code of regionCodes()) {
    const name = names.of(code)
    if (name) codes.set(plain(name), code)
  }
  return codes
}

const COUNTRIES_IN_USE = {
  uk: 'GB',
  england: 'GB',
  britain: 'GB',
  usa: 'US',
  us: 'US',
  uae: 'AE',
  korea: 'KR',
  holland: 'NL',
  czechia: 'CZ',
  turkey: 'TR',
}

function* regionCodes(): Generator<string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const first of letters) for (const second of letters) yield first + second
}

/** One of each group that shows the same time all year: Busingen has Berlin's. Where most people live comes first. */
function zonesOfCountry(code: string): string[] {
  // Newer engines have a method in place of the property.
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    timeZones?: string[]
    getTimeZones?(): string[]
  }
  const zones = (locale.getTimeZones?.() ?? locale.timeZones ?? []).map(modern)
  const inhabited = zones.filter((zone) => !zone.startsWith('Antarctica/'))
  const known = PRINCIPAL.filter((zone) => inhabited.includes(zone))
  const seen = new Set<string>()
  const different = [...known, ...inhabited].filter((zone) => {
    const times = offsetsOf(zone)
    return !seen.has(times) && seen.add(times)
  })
  return different.slice(0, MOST_CHOICES)
}

const MOST_CHOICES = 5

/** Of the countries with several zones those where most people live, by their number. */
const PRINCIPAL = [
  ...['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'America/Denver'],
  ...['America/Toronto', 'America/Vancouver', 'America/Edmonton', 'America/Winnipeg', 'America/Halifax'],
  ...['America/Mexico_City', 'America/Tijuana', 'America/Sao_Paulo', 'America/Manaus', 'America/Santiago'],
  ...[
    'America/Argentina/Buenos_Aires',
    'America/Guayaquil',
    'Europe/Madrid',
    'Europe/Lisbon',
    'Europe/Moscow',
  ],
  ...[
    'Asia/Yekaterinburg',
    'Asia/Novosibirsk',
    'Asia/Vladivostok',
    'Europe/Kyiv',
    'Asia/Almaty',
    'Asia/Shanghai',
  ],
  ...[
    'Asia/Jakarta',
    'Asia/Makassar',
    'Asia/Jayapura',
    'Asia/Ulaanbaatar',
    'Africa/Kinshasa',
    'Pacific/Auckland',
  ],
  ...['Australia/Sydney', 'Australia/Brisbane', 'Australia/Perth', 'Australia/Adelaide', 'Australia/Darwin'],
]

function offsetsOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return [0, 3, 6, 9].map((month) => format.format(Date.UTC(2026, month, 15))).join()
}

/** Intl keeps some names that IANA has given up. */
const modern = (zone: string): string => RENAMED[zone] ?? zone
const RENAMED: Record<string, string> = {
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

const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const MORE: Record<string, string> = {
  dc: 'America/New_York',
  'us eastern': 'America/New_York',
  'us central': 'America/Chicago',
  'us mountain': 'America/Denver',
  'us pacific': 'America/Los_Angeles',
  german: 'Europe/Berlin',
  koln: 'Europe/Berlin',
  munchen: 'Europe/Berlin',
  eastern: 'America/New_York',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  pacific: 'America/Los_Angeles',
  hawaii: 'Pacific/Honolulu',
  hawaiian: 'Pacific/Honolulu',
  alaska: 'America/Anchorage',
  arizona: 'America/Phoenix',
  california: 'America/Los_Angeles',
  texas: 'America/Chicago',
  'central european': 'Europe/Berlin',
  'eastern european': 'Europe/Athens',
  british: 'Europe/London',
  indian: 'Asia/Kolkata',
  japanese: 'Asia/Tokyo',
  chinese: 'Asia/Shanghai',
  universal: 'UTC',
  'coordinated universal': 'UTC',
  nyc: 'America/New_York',
  'new york city': 'America/New_York',
  boston: 'America/New_York',
  washington: 'America/New_York',
  'washington dc': 'America/New_York',
  philadelphia: 'America/New_York',
  miami: 'America/New_York',
  atlanta: 'America/New_York',
  houston: 'America/Chicago',
  dallas: 'America/Chicago',
  austin: 'America/Chicago',
  la: 'America/Los_Angeles',
  sf: 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  'san diego': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  portland: 'America/Los_Angeles',
  'las vegas': 'America/Los_Angeles',
  montreal: 'America/Toronto',
  ottawa: 'America/Toronto',
  calgary: 'America/Edmonton',
  rio: 'America/Sao_Paulo',
  'rio de janeiro': 'America/Sao_Paulo',
  brasilia: 'America/Sao_Paulo',
  'buenos aires': 'America/Argentina/Buenos_Aires',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  cologne: 'Europe/Berlin',
  milan: 'Europe/Rome',
  barcelona: 'Europe/Madrid',
  geneva: 'Europe/Zurich',
  edinburgh: 'Europe/London',
  manchester: 'Europe/London',
  kyiv: 'Europe/Kyiv',
  kiev: 'Europe/Kyiv',
  mumbai: 'Asia/Kolkata',
  bombay: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  bengaluru: 'Asia/Kolkata',
  kolkata: 'Asia/Kolkata',
  chennai: 'Asia/Kolkata',
  hyderabad: 'Asia/Kolkata',
  'abu dhabi': 'Asia/Dubai',
  'tel aviv': 'Asia/Jerusalem',
  beijing: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  osaka: 'Asia/Tokyo',
  hanoi: 'Asia/Bangkok',
  'ho chi minh city': 'Asia/Ho_Chi_Minh',
  canberra: 'Australia/Sydney',
  wellington: 'Pacific/Auckland',
  'cape town': 'Africa/Johannesburg',
}
