/** A zone that the words may mean. */
export type ZoneOption = {
  zone: string
  /** The offset in minutes, if the words name a fixed one. */
  offset?: number | undefined
}

export type NamedZone = {
  /** The words that name the zone. */
  words: string
  /** Empty if no zone matches the words. */
  matches: ZoneOption[]
}

/** IANA has names for whole hours only, and their signs are inverted: UTC+2 is "Etc/GMT-2". */
export function zoneFromOffset(minutes: number): string | undefined {
  const hours = minutes / 60
  if (hours === 0) return 'UTC'
  if (!Number.isInteger(hours) || hours < -12 || hours > 14) return undefined
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

export function zonesWithOffset(minutes: number): ZoneOption[] {
  const zone = zoneFromOffset(minutes)
  if (zone) return [{ zone }]
  return (ZONES_BY_OFFSET[minutes] ?? []).map((zone) => ({ zone, offset: minutes }))
}

/** Places whose clocks show an offset that has no IANA name, at least for a part of the year. */
const ZONES_BY_OFFSET: Record<number, string[]> = {
  '-570': ['Pacific/Marquesas'],
  '-210': ['America/St_Johns'],
  '-150': ['America/St_Johns'],
  210: ['Asia/Tehran'],
  270: ['Asia/Kabul'],
  330: ['Asia/Kolkata', 'Asia/Colombo'],
  345: ['Asia/Kathmandu'],
  390: ['Asia/Yangon', 'Indian/Cocos'],
  525: ['Australia/Eucla'],
  570: ['Australia/Darwin', 'Australia/Adelaide'],
  630: ['Australia/Lord_Howe', 'Australia/Adelaide'],
  765: ['Pacific/Chatham'],
  825: ['Pacific/Chatham'],
}
