import { MAX_TITLE_LENGTHS } from '../../platforms/title-lengths.ts'
import type { Platform } from '../values.ts'

/** The values that the operator can set for an account. */
export type AccountSettings = Record<string, string>

type RequiredSetting = { example: string; oneOf?: string[] }

/** The settings that a platform requires for each post, built from the account's settings, the title and the media. */
type PlatformSettings = {
  /** The settings that an account must have. */
  required?: Record<string, RequiredSetting>
  build: (settings: AccountSettings, post: { title: string; hasMedia: boolean }) => Record<string, unknown>
}

const NO_SETTINGS: PlatformSettings = { build: () => ({}) }

export const POSTIZ_SETTINGS: Record<Platform, PlatformSettings> = {
  X: { build: () => ({ who_can_reply_post: 'everyone' }) },
  LINKEDIN: NO_SETTINGS,
  FACEBOOK: NO_SETTINGS,
  THREADS: NO_SETTINGS,
  TELEGRAM: NO_SETTINGS,
  INSTAGRAM: { build: () => ({ post_type: 'post' }) },
  PINTEREST: {
    required: { board: { example: 'the id of a board' } },
    build: ({ board }, { title }) => ({ board, title }),
  },
  REDDIT: {
    required: { subreddit: { example: '/r/acme' } },
    build: ({ subreddit }, { title, hasMedia }) => ({
      subreddit: [
        { value: { subreddit, title, type: hasMedia ? 'media' : 'self', url: '', is_flair_required: false } },
      ],
    }),
  },
  YOUTUBE: {
    required: { visibility: { example: 'public', oneOf: ['public', 'unlisted', 'private'] } },
    build: ({ visibility }, { title }) => ({ title, type: visibility }),
  },
  TIKTOK: {
    required: {
      privacy: {
        example: 'PUBLIC_TO_EVERYONE',
        oneOf: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
      },
    },
    build: ({ privacy }) => ({
      privacy_level: privacy,
      duet: false,
      stitch: false,
      comment: true,
      autoAddMusic: 'no',
      brand_content_toggle: false,
      brand_organic_toggle: false,
      content_posting_method: 'DIRECT_POST',
    }),
  },
}

/** Postiz may have several kinds of channels for a platform, such as a person and a page on LinkedIn. */
const PLATFORM_BY_IDENTIFIER: Record<string, Platform> = {
  x: 'X',
  linkedin: 'LINKEDIN',
  'linkedin-page': 'LINKEDIN',
  facebook: 'FACEBOOK',
  instagram: 'INSTAGRAM',
  'instagram-standalone': 'INSTAGRAM',
  threads: 'THREADS',
  telegram: 'TELEGRAM',
  reddit: 'REDDIT',
  youtube: 'YOUTUBE',
  tiktok: 'TIKTOK',
  'tiktok-business': 'TIKTOK',
  pinterest: 'PINTEREST',
}

export const platformOfChannel = (identifier: string): Platform | undefined =>
  PLATFORM_BY_IDENTIFIER[identifier]

/** The title of a post, or the first line of its text, cut to the platform's limit. */
export function toTitle(
  platform: Platform,
  { title, text }: { title: string | undefined; text: string },
): string {
  const { [platform]: maxLength = Number.POSITIVE_INFINITY } = MAX_TITLE_LENGTHS
  const [line = ''] = (title ?? text.trim()).split('\n')
  return line.length <= maxLength
    ? line
    : `${line
        .slice(0, maxLength - 1)
        .replace(/\p{Cs}$/u, '')
        .trimEnd()}…`
}
