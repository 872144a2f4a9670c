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
function buildOnce<T>(build: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= build()
    return value
  }
}

const withoutAccents = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const cityZones = buildOnce(() => {
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

const countryCodes = buildOnce(() => {
  const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = new Map(Object.entries(COUNTRY_ALIASES))
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const name = englishNames.of(code)
    if (name) codes.set(withoutAccents(name), code)
  }
  return codes
})

const COUNTRY_ALIASES = {
  ...{ uk: 'GB', england: 'GB', britain: 'GB', usa: 'US', us: 'US', uae: 'AE', korea: 'KR', holland: 'NL' },
  ...{ czechia: 'CZ', turkey: 'TR' },
}

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
 * The abbreviations for each zone with their offsets in minutes. An abbreviation without an offset, such as "ET", holds in
 * summer and winter. An abbreviation of several zones is ambiguous.
 */
const ABBREVIATIONS: [zone: string, offsets: Record<string, number | undefined>][] = [
  ['America/New_York', { et: undefined, est: -300, edt: -240 }],
  ['America/Chicago', { ct: undefined, cst: -360, cdt: -300 }],
  ['America/Denver', { mt: undefined, mst: -420, mdt: -360 }],
  ['America/Los_Angeles', { pt: undefined, pst: -480, pdt: -420 }],
  ['America/Anchorage', { akst: -540, akdt: -480 }],
  ['Pacific/Honolulu', { hst: -600 }],
  ['America/Halifax', { ast: -240, adt: -180 }],
  ['America/Sao_Paulo', { brt: -180 }],
  ['America/Argentina/Buenos_Aires', { art: -180 }],
  ['UTC', { utc: 0, zulu: 0 }],
  ['Etc/GMT', { gmt: 0 }],
  ['Europe/London', { bst: 60 }],
  ['Europe/Lisbon', { wet: 0, west: 60 }],
  ['Europe/Berlin', { cet: 60, cest: 120 }],
  ['Europe/Athens', { eet: 120, eest: 180 }],
  ['Europe/Moscow', { msk: 180 }],
  ['Europe/Istanbul', { trt: 180 }],
  ['Africa/Johannesburg', { sast: 120 }],
  ['Asia/Riyadh', { ast: 180 }],
  ['Asia/Dubai', { gst: 240 }],
  ['Asia/Karachi', { pkt: 300 }],
  ['Asia/Kolkata', { ist: 330 }],
  ['Europe/Dublin', { ist: 60 }],
  ['Asia/Jerusalem', { ist: 120 }],
  ['Asia/Bangkok', { ict: 420 }],
  ['Asia/Jakarta', { wib: 420 }],
  ['Asia/Shanghai', { cst: 480 }],
  ['America/Havana', { cst: -300 }],
  ['Asia/Singapore', { sgt: 480 }],
  ['Asia/Hong_Kong', { hkt: 480 }],
  ['Asia/Manila', { pht: 480 }],
  ['Australia/Perth', { awst: 480 }],
  ['Asia/Tokyo', { jst: 540 }],
  ['Asia/Seoul', { kst: 540 }],
  ['Australia/Adelaide', { acst: 570, acdt: 630 }],
  ['Australia/Sydney', { aest: 600, aedt: 660 }],
  ['Pacific/Auckland', { nzst: 720, nzdt: 780 }],
]

export const ZONE_ABBREVIATIONS = [...new Set(ABBREVIATIONS.flatMap(([, offsets]) => Object.keys(offsets)))]

export const zonesOfAbbreviation = (abbreviation: string): { zone: string; offset: number | undefined }[] =>
  ABBREVIATIONS.filter(([, offsets]) => abbreviation in offsets).map(([zone, offsets]) => ({
    zone,
    offset: offsets[abbreviation],
  }))
