import type { KnownBlock, Overflow } from '@slack/types'
import type { PartialPost, Post } from '../../../../api/records.ts'
import { type DatedPost, isDateOnly, isZone, postTime } from '../../../../api/timestamps.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { describeMoment, formatMoment } from '../../../../time/describe.ts'
import {
  context,
  escapeFormatting,
  escapeText,
  literalSection,
  section,
  thumbnail,
  truncate,
  type Viewer,
} from '../../../slack/message-blocks.ts'
import { isOverdue } from './overdue.ts'
import {
  describeResults,
  failedResults,
  isOnlyMarkedAsPublished,
  isPublishing,
  problemResults,
} from './post-results.ts'
import { stateOf } from './post-states.ts'

const MAX_PLATFORMS_NAMED = 10

export function platformNames({ Platforms: platforms }: { Platforms?: string[] | undefined }): string {
  if (!platforms) return 'unknown platform'
  const names = platforms.slice(0, MAX_PLATFORMS_NAMED).map((platform) => escapeText(platformName(platform)))
  const moreCount = platforms.length - names.length
  return `${names.join(', ') || 'no platform'}${moreCount ? ` and ${moreCount} more` : ''}`
}

/** When a post goes out, in its own time zone and in the viewer's. */
export function formatSchedule(post: DatedPost, { zone, now, isChannel }: Viewer): string {
  const { ScheduleDate, Timezone } = post
  if (!ScheduleDate) return 'no date'
  const at = postTime(post)
  if (!at) return escapeText(ScheduleDate)
  if (isDateOnly(ScheduleDate)) return `${at.toFormat('ccc d LLL yyyy')}, at an unknown time`
  const ownZone = isZone(Timezone) ? Timezone : zone
  if (!isChannel) return describeMoment({ at, zone: ownZone, viewerZone: zone, now })
  // People may read a channel message much later, so it has no "in 2 hours". Slack adds the time in each reader's zone.
  const seconds = Math.floor(at.toSeconds())
  const fallback = at.toUTC().toFormat("d LLL HH:mm 'UTC'")
  return `${formatMoment(at, ownZone, '')} (<!date^${seconds}^{date_short_pretty} at {time}|${fallback}> for you)`
}

/** Whether a post goes out in this range of time. Upnext checks this itself, as not every service filters its lists. */
export function isScheduledBetween(post: Post, from: Date, to?: Date): boolean {
  const at = postTime(post)?.toJSDate()
  return stateOf(post).willGoOut === true && at !== undefined && at >= from && (!to || at <= to)
}

export const MAX_PREVIEW_LENGTH = 600
const MAX_CONTENT_LENGTH = 3000

export type PostOptions = {
  maxLength?: number
  /** The number of platforms whose own text is shown. */
  maxTexts?: number
  menu?: Overflow | undefined
  /** Identifies the block with the menu. */
  block_id?: string | undefined
  /** Shown after the schedule. */
  note?: string
  /** Whether the message already describes the results. */
  hidesResults?: boolean
}

/** A post with its text shown literally, its schedule, a thumbnail and a menu. */
export function postBlocks(
  post: Post,
  viewer: Viewer,
  {
    maxLength = MAX_CONTENT_LENGTH,
    maxTexts,
    menu,
    block_id,
    note = '',
    hidesResults = false,
  }: PostOptions = {},
): KnownBlock[] {
  const summary = `*${formatSchedule(post, viewer)}* · ${platformNames(post)}${statusLabel(post, viewer.now)}${note}`
  return [
    { ...literalSection(truncate(textOf(post), maxLength)), ...postThumbnail(post) },
    menu ? { ...section(summary), accessory: menu, ...(block_id && { block_id }) } : context(summary),
    ...postDetails(hidesResults ? { ...post, Results: [] } : post, maxTexts),
  ]
}

export const postThumbnail = ({ Media = '', MediaDescription }: Post) =>
  thumbnail(Media, MediaDescription || 'Image without description')

/** The titles, the text for individual platforms, and the results, if there are any. */
export function postDetails(post: Post, maxTexts = Number.POSITIVE_INFINITY): KnownBlock[] {
  const titles = Object.entries(post.Titles ?? {}).map(
    ([platform, title]) => `Title on ${platformName(platform)}: ${escapeFormatting(title)}`,
  )
  const texts = (post.Platforms ?? []).flatMap((platform) => {
    const text = truncate(post.Texts?.[platform] ?? '', MAX_QUOTE_LENGTH)
    return text ? [`Text on ${platformName(platform)}: ${escapeFormatting(text)}`] : []
  })
  const shownTexts = texts.slice(0, maxTexts)
  const hiddenCount = texts.length - shownTexts.length
  const more = hiddenCount
    ? `And text for ${hiddenCount} more ${hiddenCount === 1 ? 'platform' : 'platforms'}.`
    : ''
  const details = [...titles, ...shownTexts, more, describeResults(post)].filter(Boolean).join('\n')
  return details ? [context(details)] : []
}

export function statusLabel(post: Post, now: Date): string {
  const { Status = '' } = post
  return stateNote(post, now) ?? ` · ${escapeText(Status.toLowerCase())}`
}

/** A note after a post's schedule, such as "held in Upnext". Undefined if the status has none. */
export function stateNote(post: Post, now: Date): string | undefined {
  const note = publicationNote(post, now) ?? stateOf(post).note
  return note && ` · ${escapeText(note)}`
}

function publicationNote(post: Post, now: Date): string | undefined {
  if (isPublishing(post)) return 'being published'
  if (isOverdue(post, now)) return 'overdue'
  if (post.Status === 'PUBLISHED' && problemResults(post).length)
    return failedResults(post).length ? 'failed on some platforms' : 'may not be published'
  return isOnlyMarkedAsPublished(post) ? 'marked as published, because no account is connected' : undefined
}

/** The text that represents a post: the first platform's if every platform has its own, otherwise the common text. */
export function textOf({ Content, Texts = {}, Platforms = [], TemplateId, PromptId }: PartialPost): string {
  const ownTexts = Platforms.flatMap((platform) => Texts[platform] ?? [])
  if (ownTexts[0] && ownTexts.length === Platforms.length) return ownTexts[0]
  return Content || textSourceLabel({ TemplateId, PromptId }) || '(no text)'
}

/** Shown instead of a post's text if the text comes from a template or a prompt. Otherwise empty. */
export const textSourceLabel = ({
  TemplateId,
  PromptId,
}: Pick<PartialPost, 'TemplateId' | 'PromptId'>): string =>
  TemplateId ? '(text from a template)' : PromptId ? '(text from a prompt)' : ''

/** Whether a post's text contains all of the words. Curly quotes, which phones type, count as straight ones. */
export function hasWords({ Content = '', Texts = {} }: Post, words: string[]): boolean {
  const text = toSearchText([Content, ...Object.values(Texts)].join('\n'))
  return words.every((word) => text.includes(toSearchText(word)))
}

const toSearchText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟«»]/g, '"')

/** The longest text that `postLine` shows. */
export const MAX_LINE_LENGTH = 80

export const postLine = (post: Post, platforms = platformNames(post)): string =>
  `${escapeFormatting(truncate(textOf(post), MAX_LINE_LENGTH).replaceAll('\n', ' '))} · ${platforms}`

/** A post's time and text: "Fri 27 Nov 09:00 Launch day!", in the viewer's time zone. */
export function postLabel(post: Post, { zone }: Viewer): string {
  const at = postTime(post)?.setZone(zone).toFormat('ccc d LLL HH:mm')
  return `${at ?? 'No date'} ${textOf(post).replaceAll('\n', ' ')}`
}

const MAX_QUOTE_LENGTH = 200

/** The beginning of a post's text, in quotation marks, to identify the post in a message. */
export const quotePost = (post: PartialPost): string =>
  `"${truncate(textOf(post), MAX_QUOTE_LENGTH).replaceAll('\n', ' ')}"`

const MAX_LEAD_LENGTH = 40

/** Skips the beginning that `text` shares with `other`, if `maxLength` characters wouldn't show a difference. */
export function skipToDifference(text: string, other: string, maxLength = MAX_QUOTE_LENGTH): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  const lead = start - MAX_LEAD_LENGTH
  return start < maxLength - MAX_LEAD_LENGTH ? text : `…${text.slice(lead).replace(/^\S{0,30}\s/, '')}`
}

/** The text, platforms and media of a post, not escaped. */
export const summarizePost = (post: Post): string =>
  [
    quotePost(post),
    ...(post.Platforms ?? []).map(platformName),
    ...(post.Media ? [`with ${truncate(post.Media, MAX_LINE_LENGTH)}`] : []),
  ].join(' · ')

export const formatPostCount = (count: number): string => `${count} post${count === 1 ? '' : 's'}`

export function sortBySchedule(posts: Post[]): Post[] {
  // Reading a time takes much longer than comparing two.
  const times = new Map(posts.map((post) => [post, postTime(post)?.toMillis() ?? 0]))
  return [...posts].sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0))
}

/** Upcoming posts come first, then posts without a time. Past posts that `goesLast` accepts come last, latest first. */
export function sortUpcomingFirst(posts: Post[], now: Date, goesLast = (_post: Post) => true): Post[] {
  const sorted = sortBySchedule(posts)
  const isOver = (post: Post) => (postTime(post)?.toJSDate() ?? now) < now && goesLast(post)
  const upcoming = sorted.filter((post) => postTime(post) && !isOver(post))
  const undated = sorted.filter((post) => !postTime(post))
  return [...upcoming, ...undated, ...sorted.filter(isOver).reverse()]
}
