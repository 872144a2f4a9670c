import type { Platform } from './platform-names.ts'

/** The platforms whose posts have a title, and how many characters it may have. */
export const MAX_TITLE_LENGTHS: { [P in Platform]?: number } = { YOUTUBE: 100, PINTEREST: 100, REDDIT: 300 }
