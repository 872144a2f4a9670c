import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import type { Post } from '../api/records.ts'
import { platformName } from '../platforms/words.ts'
import { describe } from '../time/describe.ts'
import { escaped, shortened, shortenedEscaped } from './reply.ts'

/** Who reads it: one person in their zone, or all in a channel, each in their own. */
export type Reader = { zone: string; now: Date; isEverybody?: boolean }

export const platformsOf = ({ Platforms = [] }: Post): string =>
  Platforms.map((platform) => escaped(platformName(platform))).join(', ') || 'no platform'

/** When a post goes out: a date without an offset is one of the post's own zone. */
export function momentOf({ ScheduleDate, Timezone }: Post): DateTime<true> | undefined {
  const zone = isZone(Timezone) ? Timezone : 'utc'
  const at = DateTime.fromISO(ScheduleDate ?? '', { zone, setZone: true })
  return at.isValid ? at : undefined
}

const isZone = (zone: string | undefined): zone is string =>
  Boolean(zone) && DateTime.local({ zone: zone ?? '' }).isValid

/** When a post goes out, in its own zone and in the reader's. */
export function whenOf(post: Post, { zone, now, isEverybody }: Reader): string {
  const { ScheduleDate, Timezone } = post
  if (!ScheduleDate) return 'no date'
  const at = momentOf(post)
  if (!at) return escaped(ScheduleDate)
  const own = isZone(Timezone) ? Timezone : zone
  if (!isEverybody) return describe(at, own, zone, now)
  const seconds = Math.floor(at.toSeconds())
  return `${describe(at, own, own, now)} (<!date^${seconds}^{date_short_pretty} at {time}|${at.toUTC().toFormat("d LLL HH:mm 'UTC'")}> for you)`
}

const LONGEST_CONTENT = 600
const LONGEST_ESCAPED = 2000

/** A post's words, as much of them as a message can take. */
export const contentOf = ({ Content }: Post, most = LONGEST_CONTENT): string =>
  shortenedEscaped(escaped(shortened(Content ?? '(no text)', most)), LONGEST_ESCAPED)

/** A post as it stands in a message: what it says, where it goes, when, and its picture small beside it. */
export function postBlock(post: Post, reader: Reader): KnownBlock {
  const text = `${contentOf(post)}\n*${platformsOf(post)}* · ${whenOf(post, reader)}`
  const picture = post.Media && /^https?:\/\/\S+\.(png|jpe?g|gif|webp)(\?\S*)?$/i.test(post.Media)
  return {
    type: 'section',
    text: { type: 'mrkdwn', text },
    ...(picture && {
      accessory: { type: 'image', image_url: post.Media ?? '', alt_text: 'The media of this post' },
    }),
  }
}
