import {
  extractBarePlatformsAtEnd,
  extractPlatforms,
  extractPlatformsAtEnd,
  type Platform,
} from '../../platforms/platform-names.ts'
import { endsPart, findWhen, isOnlyWhen, withoutRequest } from '../../time/find-when.ts'
import type { ReadingContext } from '../../time/reading.ts'

/** What a user typed after the command, sorted into the fields of a post. */
export type PostCommand = {
  content: string
  platforms: Platform[]
  media: string
  when: PostTime | undefined
  isDraft: boolean
}

/** The words that say when to post. */
type PostTime = {
  words: string
  /** The words in the content, with the separators around them. Empty if they never were a part of it. */
  segment: string
  /** Where the segment begins in the content. */
  position: number
  /** Whether the content still contains the segment, because it may belong to the post. */
  isInText: boolean
}

/** Without "please", "post" and "share" may be words of the post. */
const REQUEST_AT_START =
  /^(?:please|pls|plz|can you|could you)(?: please)? (?:schedule|post|publish|send|queue|share)(?: this| it)?[:,]?\s+/i
const DRAFT = /^(?:(?:save|keep) (?:(?:it|this) )?as (?:a )?)?draft(?::|\s+[–—-](?=\s))\s*/i

/** Reads "Launch day! tomorrow 9am on LinkedIn and X", whose parts may stand in any order around the text. */
export function readPostCommand(command: string, context: ReadingContext): PostCommand {
  const trimmed = command.trim()
  const text = trimmed.replace(REQUEST_AT_START, '').replace(DRAFT, '')
  return {
    ...(readQuoted(text, context) ?? readPlain(text, context)),
    isDraft: DRAFT.test(trimmed.replace(REQUEST_AT_START, '')),
  }
}

type Parts = Omit<PostCommand, 'isDraft'>

const QUOTED = /^([^"“„«]*)(?:"(.+)"|“(.+)”|„(.+)[“”]|«(.+)»)([^"”“»]*)$/s
/** Words around a quoted post that only ask for it to be scheduled. */
const REQUEST = /^(?:please|schedule|post|publish|send|share|queue|this|it|as|to|on|for|at|via|[\s,:;–—-])*$/i

/** Everything inside the quotes is the post, and nothing else is. Undefined if the quotes are part of the post. */
function readQuoted(text: string, context: ReadingContext): Parts | undefined {
  const match = QUOTED.exec(text)
  if (!match) return undefined
  const before = match[1] ?? ''
  const after = match.at(-1) ?? ''
  const content = match.slice(2, -1).find(Boolean)?.trim() ?? ''
  const around = `${before.replace(/[:,–—-]\s*$/, '')} ${after.replace(/^\s*[:,–—-]\s/, '')}`.trim()
  const { content: unread, ...parts } = readPlain(around, context)
  const when = parts.when?.words ?? ''
  if (REQUEST.test(unread)) return { ...parts, content, when: outsideText(when) }
  // A post may contain a quotation, but a command that begins with one and has no other time says it after the quotes.
  if (!REQUEST.test(before) || parts.when) return undefined
  return { ...parts, content, when: outsideText(unread) }
}

const outsideText = (words: string): PostTime | undefined =>
  words ? { words, segment: '', position: 0, isInText: false } : undefined

/** Takes platforms, the time and a media link off both ends of the text, in any order. */
function readPlain(text: string, context: ReadingContext): Parts {
  const all: Parts = { content: text.trim(), platforms: [], media: '', when: undefined }
  // A media link isn't any link, and "@instagram" isn't a mention.
  const steps = [takeMedia, takePlatforms, takeMedia]
  const parts = steps.reduce((parts, take) => take(parts, context) ?? parts, all)
  // Emoji, mentions, hashtags and links after the time belong to the post.
  const tail = TAIL.exec(parts.content)?.[1] ?? ''
  const body = { ...parts, content: parts.content.slice(0, parts.content.length - tail.length) }
  const read = takeAll(body, context)
  if (read.content === body.content)
    return read.platforms.length || read.when ? { ...read, content: parts.content } : parts
  const space = read.content && /^\S/.test(tail) ? ' ' : ''
  return { ...read, content: (read.content + space + tail).trim() }
}

function takeAll(parts: Parts, context: ReadingContext): Parts {
  const rest =
    takeMedia(parts) ?? takePlatforms(parts, context) ?? takeHead(parts, context) ?? takeWhen(parts, context)
  return rest ? takeAll(rest, context) : parts
}

/** The lookbehind reads the words once, from the end. */
const TAIL =
  /$(?<=((?:\s*(?::[a-z0-9_+-]+:|<[@#!][^<>]*>|\p{RI}{2}|\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]*)|\s+(?:[#@][\p{L}\p{N}_.]+|<?https?:\/\/\S+))+))/iu
const MEDIA_AT_END =
  /(?:^|\s)<?(https?:\/\/[^\s<>|]+\.(?:jpe?g|png|gif|webp|heic|mp4|mov|webm|m4v|avi)(?:\?[^\s<>|]*)?)(?:\|[^<>]*)?>?$/i

function takeMedia(parts: Parts): Parts | undefined {
  const [match = '', media = ''] = parts.media ? [] : (MEDIA_AT_END.exec(parts.content) ?? [])
  if (!match) return undefined
  return { ...parts, media, content: parts.content.slice(0, -match.length).trimEnd() }
}

/** Names without a preposition only count beside the time, or after the end of a sentence. */
function takePlatforms(parts: Parts, context: ReadingContext): Parts | undefined {
  if (parts.platforms.length) return undefined
  const { platforms, rest } = extractPlatformsAtEnd(parts.content)
  if (platforms.length) return { ...parts, platforms, content: rest.replace(SEPARATOR_AT_END, '') }
  const bare = extractBarePlatformsAtEnd(parts.content)
  if (!bare.platforms.length) return undefined
  const isAfterTime = !parts.when && findWhen(bare.rest, context)?.isCertain
  const isBeforeTime = parts.when && parts.when.position >= parts.content.length
  if (!endsPart(bare.rest) && !isAfterTime && !isBeforeTime) return undefined
  return { ...parts, platforms: bare.platforms, content: bare.rest.replace(SEPARATOR_AT_END, '') }
}

const SEPARATOR_AT_END = /(?<!\s)\s*[,;:–—|-]$/

const MAX_HEAD_LENGTH = 160
const HEAD_END = /:(?=\s)|\s[–—|-](?=\s)|\n/g
const CONNECTORS = '(?:on|to|via|and|plus|at|for|[@,&+/])'
const OUTER_CONNECTORS = new RegExp(
  `^(?:\\s*${CONNECTORS}(?=\\s|$))+|(?:(?<=\\s|^)${CONNECTORS}\\s*)+$`,
  'gi',
)

/** "On LinkedIn tomorrow 9am: Launch day!" */
function takeHead(parts: Parts, context: ReadingContext): Parts | undefined {
  if (parts.platforms.length) return undefined
  for (const { index, 0: separator } of parts.content.slice(0, MAX_HEAD_LENGTH).matchAll(HEAD_END)) {
    const head = parts.content.slice(0, index)
    const { platforms, rest } = extractPlatforms(head)
    if (!platforms.length) continue
    const content = parts.content.slice(index + separator.length).trim()
    const words = rest
      .trim()
      .replace(OUTER_CONNECTORS, '')
      .replace(/^\s+|[\s,;]+$/g, '')
    if (!parts.when && isOnlyWhen(words, context))
      return {
        ...parts,
        platforms,
        content,
        when: {
          words: withoutRequest(words, context),
          segment: `${words}${separator} `,
          position: 0,
          isInText: false,
        },
      }
    // "Instagram: our new home" may be the post.
    if (!words && /^(?:on|to|via|for|@)/i.test(head)) return { ...parts, platforms, content }
  }
  return undefined
}

function takeWhen(parts: Parts, context: ReadingContext): Parts | undefined {
  const { content } = parts
  const found = parts.when ? undefined : findWhen(content, context)
  if (!found) return undefined
  const { words, rest, isCertain } = found
  // "Friday on Instagram at 8am" is one time.
  const before = parts.platforms.length ? undefined : extractPlatformsAtEnd(rest)
  if (before?.platforms.length) {
    const joined = takeWhen(
      {
        ...parts,
        platforms: before.platforms,
        content: `${before.rest} ${content.slice(rest.length).trim()}`,
      },
      context,
    )
    const day = joined?.when?.words.slice(0, -words.length).trim()
    if (day && isOnlyWhen(day, context)) return joined
  }
  const position = lengthOfCommonStart(content, rest)
  const segment = content.slice(position, position + content.length - rest.length)
  const when = { words, segment, position, isInText: !isCertain }
  return { ...parts, when, content: isCertain ? rest : content }
}

function lengthOfCommonStart(text: string, other: string): number {
  let length = 0
  while (length < other.length && text[length] === other[length]) length++
  return length
}
