import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import type { Post } from '../api/records.ts'
import { platformName } from '../platforms/platform-names.ts'
import { describeMoment, formatMoment } from '../time/describe.ts'
import { context, escaped, plain, shortened, unmarked } from './reply.ts'

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
  if (!isEverybody) return describeMoment({ at, zone: own, viewerZone: zone, now })
  const seconds = Math.floor(at.toSeconds())
  const fallback = at.toUTC().toFormat("d LLL HH:mm 'UTC'")
  // What is said to all stays there: no "in 2 hours", and no hour that is one reader's.
  return `${formatMoment(at, own, '')} (<!date^${seconds}^{date_short_pretty} at {time}|${fallback}> for you)`
}

/** In a list; the whole of a post has room for as much as a form takes. */
export const SHORT = 600
const WHOLE = 3000

/** A post in a message: its words as they are, no markup in them, then where and when, and its picture small beside it. */
export function postBlocks(post: Post, reader: Reader, most = WHOLE): KnownBlock[] {
  const { Content, Media = '', Status, TemplateId, PromptId } = post
  const from = TemplateId
    ? '(no text of its own: from a template)'
    : PromptId
      ? '(no text of its own: from a prompt)'
      : '(no text)'
  const hasPicture = /^https?:\/\/\S+\.(png|jpe?g|gif|webp)(\?\S*)?$/i.test(Media)
  const state = Status && Status !== 'SCHEDULED' ? ` · ${escaped(Status.toLowerCase())}` : ''
  return [
    {
      type: 'section',
      text: { ...plain(shortened(Content || from, most)), emoji: false },
      ...(hasPicture && {
        accessory: { type: 'image', image_url: Media, alt_text: 'The media of this post' },
      }),
    },
    context(`*${platformsOf(post)}* · ${whenOf(post, reader)}${state}`),
  ]
}

/** A post in one line of a list. */
export const lineOf = (post: Post): string =>
  `${unmarked(shortened(post.Content || '(no text)', 80).replaceAll('\n', ' '))} · ${platformsOf(post)}`

/** Posts as lines under their days, in the reader's zone. */
export function byDay(posts: Post[], { zone }: Pick<Reader, 'zone'>): string[] {
  return underDays(posts, zone).flatMap(({ under, line }, index, all) =>
    under === all[index - 1]?.under ? [line] : [`_${under}_`, line],
  )
}

/** Each post as a line, in their order, with the day that it stands under. */
export function underDays(posts: Post[], zone: string): { under: string; line: string }[] {
  return sortedByDate(posts).map((post) => {
    const at = momentOf(post)?.setZone(zone)
    return {
      under: at ? at.toFormat('cccc d LLLL') : 'Without a day',
      line: `• ${at ? `${at.toFormat('HH:mm')} ` : ''}${lineOf(post)}`,
    }
  })
}

export function sortedByDate(posts: Post[]): Post[] {
  const at = (post: Post) => momentOf(post)?.toMillis() ?? 0
  return [...posts].sort((one, other) => at(one) - at(other))
}
