import type { Platform } from './platform-names.ts'

/** The platforms whose posts have a title, and how many characters it may have. */
export const TITLE_LENGTHS = { YOUTUBE: 100, PINTEREST: 100, REDDIT: 300 } satisfies {
  [P in Platform]?: number
}

export type TitlePlatform = keyof typeof TITLE_LENGTHS

export const TITLE_PLATFORMS = Object.keys(TITLE_LENGTHS) as TitlePlatform[]
