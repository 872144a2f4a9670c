import { extractPlatforms, platformName } from '../../../platforms/platform-names.ts'
import { addMs } from '../../../runtime.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { nextOccurrence, recurrenceToWords } from '../../../time/recurrence.ts'
import { zoneToWords } from '../../../time/zone-names.ts'
import { parseRecurrence } from '../../forms/recurrence-field.ts'
import type { SlotRule } from './tables.ts'

/** A moment at which a project posts. A slot without platforms is for all of them. */
export type Slot = { at: Date; platforms: string[] }

const MAX_RULES = 20

/** Reads one rule per line: "weekdays at 9:00 and 17:00", "LinkedIn: tuesdays 8:30". */
export function readSlotRules(
  text: string,
  context: ReadingContext,
): { rules: SlotRule[] } | { error: string } {
  const lines = text.split('\n').filter((line) => line.trim())
  if (lines.length > MAX_RULES) return { error: `Enter up to ${MAX_RULES} lines.` }
  const rules: SlotRule[] = []
  for (const line of lines) {
    const { platforms, rest } = extractPlatforms(line)
    const words = rest.replace(/^(?:\s*and\b)?[\s,:;–—-]+|\b(?:and|on|for)?[\s,:;–—-]*$/gi, '').trim()
    const reading = parseRecurrence(words, context)
    if ('error' in reading) return { error: `"${line.trim()}": ${reading.error}` }
    rules.push({ platforms, recurrence: reading.recurrence })
  }
  const zones = new Set(rules.map(({ recurrence }) => recurrence.zone))
  return zones.size > 1 ? { error: 'Use one time zone for all slots.' } : { rules }
}

/** Writes rules in words that `readSlotRules` reads as the same rules. */
export const slotRulesToText = (rules: SlotRule[]): string =>
  rules
    .map(({ platforms, recurrence }) => {
      const names = platforms.map(platformName).join(', ')
      return `${names ? `${names}: ` : ''}${recurrenceToWords(recurrence)} ${zoneToWords(recurrence.zone)}`
    })
    .join('\n')

/**
 * The slots between two moments, by time. If several rules have a slot at the same time, the slots are merged. The
 * merged slot is for all platforms if one of the slots was.
 */
export function listSlots(rules: SlotRule[], from: Date, to: Date): Slot[] {
  const slots = new Map<number, Slot>()
  for (const { platforms, recurrence } of rules) {
    let at = nextOccurrence(recurrence, addMs(from, -1))
    while (at.toMillis() <= to.getTime()) {
      const otherSlot = slots.get(at.toMillis())
      const isForAll = !platforms.length || (otherSlot && !otherSlot.platforms.length)
      const slotPlatforms = isForAll ? [] : [...new Set([...(otherSlot?.platforms ?? []), ...platforms])]
      slots.set(at.toMillis(), { at: at.toJSDate(), platforms: slotPlatforms })
      at = nextOccurrence(recurrence, at.toJSDate())
    }
  }
  return [...slots.values()].sort((a, b) => +a.at - +b.at)
}

/** Returns a list with the first slot after a moment, or an empty list if there are no rules. */
export function findFirstSlot(rules: SlotRule[], after: Date): Slot[] {
  const times = rules.map(({ recurrence }) => nextOccurrence(recurrence, after).toMillis())
  const first = new Date(Math.min(...times))
  return rules.length ? listSlots(rules, first, first) : []
}

/** Whether a post for these platforms can take the slot. */
export const fitsSlot = (slot: Slot, platforms: string[]): boolean =>
  !slot.platforms.length || platforms.every((platform) => slot.platforms.includes(platform))

/** The platforms that have a slot at this moment. */
export function platformsWithSlot(rules: SlotRule[], at: Date, platforms: string[]): string[] {
  const [slot] = listSlots(rules, at, at)
  return slot ? platforms.filter((platform) => fitsSlot(slot, [platform])) : []
}
