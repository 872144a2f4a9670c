import { zoneLabel } from './describe.ts'
import type { ZoneOption } from './zones.ts'

/**
 * This file finds the time zones of places and abbreviations. Intl provides the IANA names, whose last part is a city,
 * and the zones of each country. The tables here add the names that Intl lacks.
 */

/** Corrects the case of an IANA name and replaces outdated names. Returns undefined for an unknown name. */
export function findZoneName(name: string): string | undefined {
  if (/^etc\/(?:utc|gmt)$/.test(name)) return name.endsWith('utc') ? 'Etc/UTC' : 'Etc/GMT'
  try {
    return currentZoneName(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
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

/** Whether a word begins the name of a place, or of someone who lives there. */
export const mayBeginPlace = (word: string): boolean =>
  firstWordsOfPlaces().has(word) || firstWordsOfPlaces().has(word.replace(/er$/, ''))

/** Names a zone in words that are read as that zone: its city or its IANA name. */
export function zoneToWords(zone: string): string {
  const label = zoneLabel(zone)
  const isReadable = label.startsWith('UTC') || zonesOfPlace(withoutAccents(label))?.join() === zone
  return isReadable ? label : zone
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
    for (const name of [zone, currentZoneName(zone)])
      zones.set(withoutAccents((name.split('/').at(-1) ?? '').replaceAll('_', ' ')), currentZoneName(zone))
  }
  // These names of cities usually mean something else.
  for (const name of ['easter', 'midway', 'wake', 'male', 'center', 'troll', 'casey', 'nome'])
    zones.delete(name)
  for (const [zone, , names] of EXTRA_ZONE_NAMES)
    for (const name of names?.split(', ') ?? []) zones.set(name, zone)
  return zones
})

/**
 * Abbreviations and places that Intl lacks, with their zones. An abbreviation with an offset in hours always means that
 * offset. One without, such as "ET", follows clock changes. An abbreviation that several zones have is ambiguous.
 */
const EXTRA_ZONE_NAMES: [zone: string, abbreviations: string, places?: string][] = [
  ['America/New_York', 'et, est -5, edt -4', 'us eastern, eastern, dc, nyc, new york city, boston'],
  ['America/New_York', '', 'washington, washington dc, philadelphia, miami, atlanta'],
  ['America/Chicago', 'ct, cst -6, cdt -5', 'us central, central, texas, houston, dallas, austin'],
  ['America/Denver', 'mt, mst -7, mdt -6', 'us mountain, mountain'],
  ['America/Los_Angeles', 'pt, pst -8, pdt -7', 'us pacific, pacific, california, la, sf, san francisco'],
  ['America/Los_Angeles', '', 'san diego, seattle, portland, las vegas'],
  ['America/Anchorage', 'akst -9, akdt -8', 'alaska'],
  ['Pacific/Honolulu', 'hst -10', 'hawaii, hawaiian'],
  ['America/Halifax', 'ast -4, adt -3'],
  ['America/Sao_Paulo', 'brt -3', 'rio, rio de janeiro, brasilia'],
  ['America/Argentina/Buenos_Aires', 'art -3'],
  ['America/Bogota', 'cot -5'],
  ['America/Lima', 'pet -5'],
  ['America/Montevideo', 'uyt -3'],
  ['America/Santiago', 'clt -4, clst -3'],
  ['America/El_Salvador', '', 'san salvador'],
  ['UTC', 'utc 0, zulu 0', 'universal, coordinated universal'],
  ['Etc/GMT', 'gmt 0'],
  ['Europe/London', 'bst 1', 'british, edinburgh, manchester'],
  ['Europe/Lisbon', 'wet 0, west 1'],
  [
    'Europe/Berlin',
    'cet 1, cest 2, mez 1, mesz 2',
    'central european, german, hamburg, frankfurt, cologne, koln, munich',
  ],
  ['Europe/Berlin', '', 'munchen'],
  ['Europe/Athens', 'eet 2, eest 3', 'eastern european'],
  ['Europe/Moscow', 'msk 3'],
  ['Europe/Istanbul', 'trt 3'],
  ['Africa/Johannesburg', 'sast 2', 'cape town'],
  ['Africa/Lagos', 'wat 1', 'abuja, nigerian'],
  ['Africa/Maputo', 'cat 2'],
  ['Africa/Nairobi', 'eat 3'],
  ['Asia/Riyadh', 'ast 3'],
  ['Asia/Dubai', 'gst 4', 'abu dhabi'],
  ['Asia/Karachi', 'pkt 5'],
  ['Asia/Kolkata', 'ist 5.5', 'indian, mumbai, bombay, delhi, new delhi, bangalore, bengaluru'],
  ['Asia/Kolkata', '', 'chennai, hyderabad'],
  ['Europe/Dublin', 'ist 1'],
  ['Asia/Jerusalem', 'ist 2', 'tel aviv'],
  ['Asia/Bangkok', 'ict 7', 'hanoi'],
  ['Asia/Jakarta', 'wib 7'],
  ['Asia/Shanghai', 'cst 8', 'chinese, beijing, shenzhen'],
  ['America/Havana', 'cst -5'],
  ['Asia/Singapore', 'sgt 8', 'sg'],
  ['Asia/Hong_Kong', 'hkt 8', 'hk'],
  ['Asia/Kuala_Lumpur', 'myt 8', 'kl'],
  ['Asia/Makassar', 'wita 8', 'bali'],
  ['Asia/Jayapura', 'wit 9'],
  ['Asia/Kathmandu', 'npt 5.75'],
  ['Asia/Yangon', 'mmt 6.5'],
  ['Asia/Tehran', 'irst 3.5'],
  ['Asia/Manila', 'pht 8'],
  ['Australia/Perth', 'awst 8'],
  ['Asia/Tokyo', 'jst 9', 'japanese, osaka'],
  ['Asia/Seoul', 'kst 9'],
  ['Australia/Adelaide', 'acst 9.5, acdt 10.5'],
  ['Australia/Sydney', 'aet, aest 10, aedt 11', 'canberra'],
  ['Pacific/Auckland', 'nzt, nzst 12, nzdt 13', 'wellington'],
  ['America/Phoenix', '', 'arizona'],
  ['America/Toronto', '', 'montreal, ottawa'],
  ['America/Edmonton', '', 'calgary'],
  ['Europe/Rome', '', 'milan'],
  ['Europe/Madrid', '', 'barcelona'],
  ['Europe/Zurich', '', 'geneva'],
  ['Asia/Ho_Chi_Minh', '', 'ho chi minh city'],
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

const firstWordsOfPlaces = buildOnce(() => {
  const names = [...cityZones().keys(), ...countryCodes().keys()]
  return new Set(names.flatMap((name) => name.match(/^[\p{L}']+/u) ?? []))
})

const COUNTRY_ALIASES = {
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

const MAX_ZONES_PER_COUNTRY = 5
const zonesByCountry = new Map<string, string[]>()

/** Returns one zone for each set of offsets. Busingen, for example, always has the same time as Berlin and is left out. */
function zonesOfCountry(code: string): string[] {
  const known = zonesByCountry.get(code)
  if (known) return known
  // Newer engines replaced the property `timeZones` with the method `getTimeZones`.
  const locale = new Intl.Locale(`und-${code}`) as { timeZones?: string[]; getTimeZones?(): string[] }
  const zones = (locale.getTimeZones?.() ?? locale.timeZones ?? [])
    .map(currentZoneName)
    .filter((zone) => !zone.startsWith('Antarctica/'))
  const populous = POPULOUS_ZONES.filter((zone) => zones.includes(zone))
  const zoneByOffsets = new Map<string, string>()
  for (const zone of [...populous, ...zones]) {
    const offsets = offsetsInYear(zone)
    if (!zoneByOffsets.has(offsets)) zoneByOffsets.set(offsets, zone)
  }
  const found = [...zoneByOffsets.values()].slice(0, MAX_ZONES_PER_COUNTRY)
  zonesByCountry.set(code, found)
  return found
}

/** The zones that most people live in, for the countries with several zones. */
const POPULOUS_ZONES = `America/New_York America/Chicago America/Los_Angeles America/Denver
  America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Halifax
  America/Mexico_City America/Tijuana America/Sao_Paulo America/Manaus America/Santiago
  America/Argentina/Buenos_Aires America/Guayaquil Europe/Madrid Europe/Lisbon Europe/Moscow
  Asia/Yekaterinburg Asia/Novosibirsk Asia/Vladivostok Europe/Kyiv Asia/Almaty Asia/Shanghai
  Asia/Jakarta Asia/Makassar Asia/Jayapura Asia/Ulaanbaatar Africa/Kinshasa Pacific/Auckland
  Australia/Sydney Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Darwin`.split(/\s+/)

function offsetsInYear(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
  return [0, 3, 6, 9].map((month) => format.format(Date.UTC(2026, month, 15))).join()
}

/** Intl returns some names that IANA has replaced. */
const currentZoneName = (zone: string): string => RENAMED_ZONES[zone] ?? zone
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

/** The zones of each abbreviation. */
export const ZONE_ABBREVIATIONS = new Map<string, ZoneOption[]>()
for (const [zone, abbreviations] of EXTRA_ZONE_NAMES)
  for (const words of abbreviations.split(', ').filter(Boolean)) {
    const [abbreviation = '', hours] = words.split(' ')
    const option = { zone, offset: hours === undefined ? undefined : Number(hours) * 60 }
    ZONE_ABBREVIATIONS.set(abbreviation, [...(ZONE_ABBREVIATIONS.get(abbreviation) ?? []), option])
  }
