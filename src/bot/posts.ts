import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import type { Post } from '../api/records.ts'
import { platformName } from '../platforms/words.ts'
import { describe } from '../time/describe.ts'
import { escaped, shortened } from './reply.ts'

export type Reader = { zone: string; now: Date }

export const platformsOf = ({ Platforms = [] }: Post): string =>
  Platforms.map((platform) => escaped(platformName(platform))).join(', ') || 'no platform'

/** When a post goes out, in its own zone and in the reader's. */
export function whenOf({ ScheduleDate, Timezone }: Post, { zone, now }: Reader): string {
  if (!ScheduleDate) return 'no date'
  const at = DateTime.fromISO(ScheduleDate, { setZone: true })
  if (!at.isValid) return escaped(ScheduleDate)
  const named = Timezone && DateTime.local({ zone: Timezone }).isValid ? Timezone : zone
  return describe(at, named, zone, now)
}

const LONGEST_CONTENT = 600

/** A post as it stands in a message: what it says, where it goes, when, and its picture small beside it. */
export function postBlock(post: Post, reader: Reader): KnownBlock {
  const content = escaped(shortened(post.Content ?? '(no text)', LONGEST_CONTENT))
  const text = `${content}\n*${platformsOf(post)}* · ${whenOf(post, reader)}`
  const picture = post.Media && /^https?:\/\/\S+\.(png|jpe?g|gif|webp)$/i.test(post.Media)
  return {
    type: 'section',
    text: { type: 'mrkdwn', text },
    ...(picture && {
      accessory: { type: 'image', image_url: post.Media ?? '', alt_text: 'The media of this post' },
    }),
  }
}
