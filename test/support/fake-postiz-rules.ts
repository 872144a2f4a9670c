import { measureText, sanitize } from './fake-postiz-text.ts'

// The checks of Postiz on a request for a post, as observed at commit 74b01ada.

type Json = Record<string, unknown>
export type Media = { id: string; path: string; alt?: string; thumbnail?: string }
export type Value = { content: string; image: Media[]; id?: string; delay?: number }
export type Entry<Channel = { identifier: string; maxLength: number }> = {
  channel: Channel
  value: Value[]
  settings: Record<string, unknown>
  group: unknown
}

export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Some ISO formats pass the check, and then break the server. */
export function parseDate(value: unknown): Date | 'invalid' | 'unreadable' {
  if (typeof value !== 'string') return 'invalid'
  if (/^\d{4}-?W\d{2}(-?\d)?$|^\d{8}(T\d{4,6}(\.\d+)?(Z|[+-]\d{4})?)?$/.test(value)) return 'unreadable'
  const pattern =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/
  const match = pattern.exec(value)
  if (!match) return 'invalid'
  const [year, month, day, hour, minute, second, , , zoneHour, zoneMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as number[] as [number, number, number, ...number[]]
  if (month < 1 || month > 12 || day < 1 || day > 31) return 'invalid'
  if (hour === undefined || minute === undefined || second === undefined) return 'invalid'
  if (hour > 23 || minute > 59 || second > 59) return 'invalid'
  const offset = (match[8] === '-' ? -1 : 1) * ((zoneHour ?? 0) * 60 + (zoneMinute ?? 0))
  const milliseconds = Number(`0.${match[7] ?? 0}`) * 1000
  return new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second, Math.floor(milliseconds)))
}

/** Returns the problem with a value, as a phrase that follows the field's name. */
type Rule = (value: unknown) => string | undefined

const textOf =
  (min = 1, max = Infinity): Rule =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max
      ? undefined
      : `must be a string of ${min} to ${max} characters`

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.some((allowed) => allowed === value)
      ? undefined
      : `must be one of the following values: ${values.join(', ')}`

const matches =
  (pattern: RegExp, problem: string): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : problem

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null ? undefined : rule(value)

const listOf =
  (rule: Rule, min = 0): Rule =>
  (value) =>
    Array.isArray(value) && value.length >= min
      ? value.map(rule).find(Boolean)
      : `must be an array of at least ${min} elements`

/** Postiz converts any other value to a boolean, so "false" becomes true. */
const flag: Rule = (value) => (value === undefined || value === null ? 'must be a boolean value' : undefined)

const labelled: Rule = (value) => textOf()(asJson(value).label)
const webAddress = matches(/^https?:\/\/\S+\.\S+$/, 'must be a URL address')

const subreddit: Rule = (item) => {
  const { subreddit, title, type, url, is_flair_required, flair } = asJson(asJson(item).value)
  return (
    textOf()(subreddit) ??
    textOf(2)(title) ??
    textOf()(type) ??
    flag(is_flair_required) ??
    (type === 'link' ? webAddress(url) : undefined) ??
    (is_flair_required ? (textOf()(asJson(flair).id) ?? textOf()(asJson(flair).name)) : undefined)
  )
}

const checkTagLength: Rule = (tags) => {
  const labels = Array.isArray(tags) ? tags.map((tag) => String(asJson(tag).label)) : []
  return labels.join('').length > 500 ? 'must have at most 500 characters in all' : undefined
}

const YES_OR_NO = oneOf('yes', 'no')
const INSTAGRAM = { post_type: oneOf('post', 'story'), collaborators: optional(listOf(labelled)) }
const TIKTOK = {
  title: optional(textOf(0, 90)),
  privacy_level: oneOf('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'),
  duet: flag,
  stitch: flag,
  comment: flag,
  brand_content_toggle: flag,
  brand_organic_toggle: flag,
  autoAddMusic: YES_OR_NO,
  content_posting_method: oneOf('DIRECT_POST', 'UPLOAD'),
}
export const SETTINGS: Record<string, Record<string, Rule>> = {
  x: {
    who_can_reply_post: oneOf('everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'),
    community: optional(matches(/^https:\/\/x\.com\/i\/communities\/\d+$/, 'must be a community URL')),
  },
  facebook: { post_type: optional(oneOf('post', 'story')), url: optional(webAddress) },
  instagram: INSTAGRAM,
  'instagram-standalone': INSTAGRAM,
  reddit: { subreddit: listOf(subreddit, 1) },
  youtube: {
    title: textOf(2, 100),
    type: oneOf('public', 'private', 'unlisted'),
    selfDeclaredMadeForKids: optional(YES_OR_NO),
    tags: optional((tags) => listOf(labelled)(tags) ?? checkTagLength(tags)),
  },
  tiktok: TIKTOK,
  'tiktok-business': TIKTOK,
  pinterest: { board: textOf(), title: optional(textOf(0, 100)), link: optional(webAddress) },
}

export const MAX_LENGTHS: Record<string, number> = {
  x: 280,
  linkedin: 3000,
  'linkedin-page': 3000,
  facebook: 63_206,
  instagram: 2200,
  'instagram-standalone': 2200,
  threads: 500,
  telegram: 4096,
  reddit: 10_000,
  youtube: 5000,
  tiktok: 2000,
  'tiktok-business': 2200,
  pinterest: 500,
}

export function checkTags(tags: unknown): string[] {
  if (!Array.isArray(tags)) return ['tags must be an array']
  return tags.flatMap((tag, index) => {
    const { value, label } = asJson(tag)
    const isTag = typeof value === 'string' && typeof label === 'string'
    return isTag ? [] : [`tags.${index} must have a value and a label`]
  })
}

/** Checks the fields of an entry, and converts its booleans as Postiz does. */
export function checkEntry({ channel, value, settings }: Entry, path: string, uploadDomain = ''): string[] {
  const problems = value.length ? [] : [`${path}.value must contain at least 1 elements`]
  for (const [index, { content, image }] of value.entries()) {
    const field = `${path}.value.${index}`
    if (!Array.isArray(image)) problems.push(`${field}.image must be an array`)
    if (typeof content !== 'string') problems.push(`${field}.content must be a string`)
    else if (!content.trim() && !image?.length) {
      problems.push(`${field}. If images do not exist, content must be a non-empty string.`)
    }
    for (const [position, media] of (Array.isArray(image) ? image.map(asJson) : []).entries()) {
      const { id, path, thumbnail } = media
      const item = `${field}.image.${position}`
      if (typeof id !== 'string') problems.push(`${item}.id must be a string`)
      const [file = ''] = typeof path === 'string' ? path.split('?') : []
      const isValid = /\.(png|jpe?g|gif|webp|mp4)$/.test(file) && String(path).includes(uploadDomain)
      if (!isValid) problems.push(`${item}.path must have a valid file extension and domain`)
      const problem = optional(webAddress)(thumbnail)
      if (problem) problems.push(`${item}.thumbnail ${problem}`)
    }
  }
  for (const [name, check] of Object.entries(SETTINGS[channel.identifier] ?? {})) {
    const problem = check(settings[name])
    if (problem) problems.push(`${path}.settings.${name} ${problem}`)
    else if (check === flag) settings[name] = Boolean(settings[name])
  }
  return problems
}

const isVideo = ({ path }: Media) => /\.mp4(\?|$)/.test(path)

/** Checks the media and the length, which Postiz skips for drafts. */
export function checkPlatform({ channel, value, settings }: Entry): string | undefined {
  const { identifier, maxLength } = channel
  const image = value[0]?.image ?? []
  const count = image.length
  const videos = image.filter(isVideo).length
  const platform = identifier.replace(/-(standalone|page|business)$/, '')
  if (platform === 'linkedin') {
    if (videos && count > 1) return 'a video must be the only media'
    if (settings.post_as_images_carousel && count < 2) return 'a carousel needs at least 2 images'
    if (value.slice(1).some(({ image }) => image.length)) return 'comments can only contain text'
  }
  if (platform === 'facebook' && settings.post_type === 'story' && !count) return 'a story needs media'
  if (['instagram', 'tiktok', 'pinterest'].includes(platform) && !count)
    return 'at least one media is required'
  if (identifier === 'instagram' && count > 10) return 'at most 10 media are allowed'
  if (platform === 'tiktok' && videos && count > 1) return 'a video must be the only media'
  if (identifier === 'tiktok-business' && count > 35) return 'at most 35 images are allowed'
  if (platform === 'pinterest' && count > 5) return 'at most 5 media are allowed'
  if (platform === 'pinterest' && videos && (videos > 1 || count < 2)) return 'a video needs a cover image'
  if (platform === 'youtube' && (count !== 1 || !videos)) return 'exactly one video is required'
  if (platform === 'reddit') {
    const items = settings.subreddit as { value: { type: string } }[]
    if (items.some((item) => item.value.type === 'media')) {
      if (count !== 1) return 'exactly one media is required'
      if (image.some((media) => isVideo(media) && !media.thumbnail)) return 'a video needs a thumbnail'
    }
  }
  const isLong = value.some(({ content }) => measureText(sanitize(content), identifier) > maxLength)
  return isLong ? 'post is too long, please fix it' : undefined
}
