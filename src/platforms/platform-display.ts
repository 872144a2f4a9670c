import type { Platform } from './platform-names.ts'

/** How a feed shows a post. Collected on 22 November 2026 from guides that compare the platforms' apps. */
type PlatformDisplay = {
  /** Readers see about this many characters before "more". */
  foldLength?: number
  /** The feed crops images and videos to about this shape, as width by height. */
  mediaRatio?: [width: number, height: number]
}

export const PLATFORM_DISPLAY: Record<Platform, PlatformDisplay> = {
  INSTAGRAM: { foldLength: 125, mediaRatio: [4, 5] },
  FACEBOOK: { foldLength: 477, mediaRatio: [4, 5] },
  LINKEDIN: { foldLength: 210, mediaRatio: [1.91, 1] },
  X: { foldLength: 280, mediaRatio: [16, 9] },
  YOUTUBE: { foldLength: 157, mediaRatio: [16, 9] },
  TIKTOK: { foldLength: 150, mediaRatio: [9, 16] },
  PINTEREST: { foldLength: 50, mediaRatio: [2, 3] },
  REDDIT: {},
  TELEGRAM: {},
  THREADS: {},
}

/** The text that readers see first, and whether there is more. */
export function foldText(platform: Platform, text: string): { visible: string; isFolded: boolean } {
  const { foldLength = Number.POSITIVE_INFINITY } = PLATFORM_DISPLAY[platform]
  const characters = [...text]
  if (characters.length <= foldLength) return { visible: text, isFolded: false }
  return { visible: characters.slice(0, foldLength).join('').trimEnd(), isFolded: true }
}
