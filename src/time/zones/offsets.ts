import type { ZoneOption } from './take-zone.ts'

/** IANA names whole hours, and turns the sign round; nothing where it has no name for the offset. */
export function zoneOfOffset(minutes: number): string | undefined {
  const hours = minutes / 60
  if (hours === 0) return 'UTC'
  if (!Number.isInteger(hours) || hours < -12 || hours > 14) return undefined
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** For an offset without a name: places that have it all year, or now and then. */
export function zonesAt(minutes: number): ZoneOption[] {
  const zone = zoneOfOffset(minutes)
  if (zone) return [{ zone }]
  return (BETWEEN_HOURS[minutes] ?? []).map((zone) => ({ zone, offset: minutes }))
}

const BETWEEN_HOURS: Record<number, string[]> = {
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
