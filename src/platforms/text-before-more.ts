import type { Platform } from './platform-names.ts'

/**
 * Readers see about this many characters before "more". Collected on 22 November 2026 from guides that compare the
 * platforms' apps.
 */
export const LENGTHS_BEFORE_MORE: Partial<Record<Platform, number>> = {
  INSTAGRAM: 125,
  FACEBOOK: 477,
  LINKEDIN: 210,
  X: 280,
  YOUTUBE: 157,
  TIKTOK: 150,
  PINTEREST: 50,
}

/** The text that readers see first, and whether there is more. */
export function textBeforeMore(platform: Platform, text: string): { visible: string; hasMore: boolean } {
  const characters = [...text]
  const { [platform]: length = characters.length } = LENGTHS_BEFORE_MORE
  if (characters.length <= length) return { visible: text, hasMore: false }
  return { visible: characters.slice(0, length).join('').trimEnd(), hasMore: true }
}
