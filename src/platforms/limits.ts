import type { Platform } from './words.ts'

/**
 * What a platform takes. `most` is what it says itself, `certain` what no account and no source goes beyond: only past
 * that something is certain to be refused. Gathered on 20 November 2026 from the platforms' own pages and the code and
 * documentation of other schedulers.
 */
export type Limit = {
  most: number
  certain: number
  /** Why something between the two may yet go through, or not. */
  disputed?: string
  /** What it takes for the text beside a picture or film. */
  withMedia?: number
  hashtags?: number
  /** What it takes no post without. */
  media?: string
}

const exactly = (most: number, more: Omit<Limit, 'most' | 'certain'> = {}): Limit => ({
  most,
  certain: most,
  ...more,
})

export const LIMITS: Record<Platform, Limit> = {
  INSTAGRAM: exactly(2200, { hashtags: 30, media: 'a picture or a film' }),
  FACEBOOK: exactly(63_206),
  LINKEDIN: exactly(3000),
  X: { most: 280, certain: 25_000, disputed: 'only premium accounts may write more' },
  YOUTUBE: exactly(5000, { media: 'a film' }),
  TIKTOK: exactly(2200, { media: 'a film or pictures' }),
  PINTEREST: {
    most: 500,
    certain: 800,
    disputed: 'it may be cut or refused',
    media: 'a picture or a film',
  },
  REDDIT: { most: 10_000, certain: 40_000, disputed: 'it depends on the subreddit' },
  TELEGRAM: exactly(4096, { withMedia: 1024 }),
  THREADS: exactly(500, { disputed: 'how it counts emoji is disputed' }),
}
