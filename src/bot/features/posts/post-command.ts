import {
  extractBarePlatformsAtEnd,
  extractListWithUnknownNames,
  extractPlatforms,
  extractPlatformsAtEnd,
  type Platform,
} from '../../../platforms/platform-names.ts'
import {
  endsPart,
  findWhen,
  isOnlyWhen,
  isWholeMoment,
  NOT_EMOJI_END,
  withoutRequest,
} from '../../../time/find-when.ts'
import type { ReadingContext } from '../../../time/reading.ts'

/** The words after the command, sorted into the fields of a post. */
export type PostCommand = {
  content: string
  platforms: Platform[]
  media: string
  when: PostTime | undefined
  isDraft: boolean
  /** Notes for the user about how the command was read. */
  messages: string[]
}

/** The words that say when to post. */
type PostTime = {
  words: string
  /** The words as they stand in the content, with the separators around them. Empty if they were never in the content. */
  segment: string
  /** Where the segment begins in the content. */
  position: number
  /** Whether the content still contains the segment, because it may belong to the post. */
  isInText: boolean
}

/** "Post" and "share" count only after a request such as "please". Without one, they may be words of the post. */
const REQUEST_AT_START =
  /^(?:please|pls|plz|can you|could you)(?: please)? (?:schedule|post|publish|send|queue|share)(?: this| it)?[:,]?\s+/i
const DRAFT_AT_START = /^(?:(?:save|keep) (?:(?:it|this) )?as (?:a )?)?draft(?::|\s+[–—-](?=\s))\s*/i

/** Reads "Launch day! tomorrow 9am on LinkedIn and X", whose parts may stand in any order around the text. */
export function readPostCommand(command: string, context: ReadingContext): PostCommand {
  const request = command.trim().replace(REQUEST_AT_START, '')
  const text = request.replace(DRAFT_AT_START, '').trim()
  const parts = readSeveralPosts(text, context) ?? readQuoted(text, context) ?? readPlain(text, context)
  return { ...parts, isDraft: parts.isDraft || DRAFT_AT_START.test(request) }
}

const withContent = (content: string): PostCommand => ({
  content,
  platforms: [],
  media: '',
  when: undefined,
  isDraft: false,
  messages: [],
})

/** Each line is read separately, so the number of lines is limited. */
const MAX_LINES = 20
const SIGN_OF_TIME = /\d|noon|midnight|midday|day\b|\b(?:mon|tue|wed|thu|fri|sat|sun)|tomorrow|tonight/i
/** A quotation may contain line breaks and times of its own. */
const QUOTATION = /(?<!\S)"[^"]*"(?!\w)|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/g

const SEVERAL_POSTS =
  'Several lines name a time, but this form schedules one post. Keep the lines of one post, and enter its time under When.'

/** Recognizes a pasted plan, in which two or more lines each name a time of their own. */
function readSeveralPosts(text: string, context: ReadingContext): PostCommand | undefined {
  if (!text.includes('\n')) return undefined
  const lines = text.replace(QUOTATION, '""').split('\n')
  const mayNameTime = lines.filter((line) => SIGN_OF_TIME.test(line)).slice(0, MAX_LINES)
  const first = mayNameTime.findIndex((line) => namesItsTime(line, context))
  const hasSecond = first >= 0 && mayNameTime.slice(first + 1).some((line) => namesItsTime(line, context))
  return hasSecond ? { ...withContent(text), messages: [SEVERAL_POSTS] } : undefined
}

/** Requires platforms, or a day with a time: a week's menu also names days, and a day's program also names times. */
function namesItsTime(line: string, context: ReadingContext): boolean {
  const { when, platforms } = readPlain(line, context)
  return when !== undefined && (platforms.length > 0 || isWholeMoment(when.words, context))
}

const QUOTED = /^([^"“„«]*)(?:"(.+)"|“(.+)”|„(.+)[“”]|«(.+)»)([^"”“»]*)$/s
/** Words around a quoted post that only ask for it to be scheduled. */
const REQUEST = /^(?:please|schedule|post|publish|send|share|queue|this|it|as|to|on|for|at|via|[\s,:;–—-])*$/i

/** Everything inside the quotes is the post, and nothing else is. Returns undefined if the quotes are part of the post. */
function readQuoted(text: string, context: ReadingContext): PostCommand | undefined {
  const match = QUOTED.exec(text)
  if (!match) return undefined
  const before = match[1] ?? ''
  const after = match.at(-1) ?? ''
  const content = match.slice(2, -1).find(Boolean)?.trim() ?? ''
  const around = `${before.replace(/[:,–—-]\s*$/, '')} ${after.replace(/^\s*[:,–—-]\s/, '')}`.trim()
  const { content: unread, ...parts } = readPlain(around, context)
  const when = parts.when?.words ?? ''
  if (REQUEST.test(unread)) return { ...parts, content, when: outsideText(when) }
  // The words after a quotation at the start are the time, unless one was read. Other quotations are a part of the post.
  if (!REQUEST.test(before) || (parts.when && !isOnlyWhen(unread, context))) return undefined
  return { ...parts, content, when: outsideText(unread) }
}

const outsideText = (words: string): PostTime | undefined =>
  words ? { words, segment: '', position: 0, isInText: false } : undefined

/** Takes platforms, the time, a media link and "as a draft" off both ends of the text, in any order. */
function readPlain(text: string, context: ReadingContext): PostCommand {
  // These come off first, because the tail would take a media link for any other link, and "@instagram" for a mention.
  const steps = [takeMedia, takePlatforms, takeMedia]
  const parts = steps.reduce((parts, take) => take(parts, context) ?? parts, withContent(text.trim()))
  // Emoji, mentions, hashtags and links after the time belong to the post.
  const tail = TAIL.exec(parts.content)?.[1] ?? ''
  const body = { ...parts, content: parts.content.slice(0, parts.content.length - tail.length) }
  const read = takeAll(body, context)
  if (read.content === body.content)
    return read.platforms.length || read.when ? { ...read, content: parts.content } : parts
  const space = read.content && /^\S/.test(tail) ? ' ' : ''
  return { ...read, content: (read.content + space + tail).trim() }
}

function takeAll(parts: PostCommand, context: ReadingContext): PostCommand {
  const rest =
    takeMedia(parts) ??
    takeDraft(parts, context) ??
    takeNow(parts, context) ??
    takePlatforms(parts, context) ??
    takeHead(parts, context) ??
    takeWhen(parts, context)
  return rest ? takeAll(rest, context) : parts
}

/** Matches emoji, mentions, hashtags and links at the end. The lookbehind reads them only once, from the end. */
const TAIL =
  /$(?<=((?:\s*(?::[a-z0-9_+-]+:|<[@#!][^<>]*>|\p{RI}{2}|[\d#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}[\u{200d}\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*)|\s+(?:[#@][\p{L}\p{N}_.]+|<?https?:\/\/\S+))+))/iu
const MEDIA_AT_END =
  /(?:^|\s)<?(https?:\/\/[^\s<>|]+\.(?:jpe?g|png|gif|webp|heic|mp4|mov|webm|m4v|avi)(?:\?[^\s<>|]*)?)(?:\|[^<>]*)?>?$/i

function takeMedia(parts: PostCommand): PostCommand | undefined {
  const [match = '', media = ''] = parts.media ? [] : (MEDIA_AT_END.exec(parts.content) ?? [])
  if (!match) return undefined
  return { ...parts, media, content: parts.content.slice(0, -match.length).trimEnd() }
}

/** Long enough for the words that may end a command. A long run of separators before them would be slow to read. */
const MAX_ENDING_LENGTH = 60
const AS_DRAFT =
  /(?:[\s,;:–—-]+|^)\(?(?:(?:please |pls )?(?:save|keep) (?:(?:it|this) )?)?as (?:a )?draft\)?[.!]?$/i
/** "Draft" alone may be a word of the post, unless it stands apart. */
const DRAFT_APART = /(?:\s*[,;\n]|\s[–—|-])\s*draft[.!]?$|\s\(draft\)$/i
const DRAFT_AT_END = /\s+draft[.!]?$/i

function takeDraft(parts: PostCommand, context: ReadingContext): PostCommand | undefined {
  const { content } = parts
  const end = content.slice(-MAX_ENDING_LENGTH)
  const [words] = AS_DRAFT.exec(end) ?? DRAFT_APART.exec(end) ?? []
  if (words) return { ...parts, isDraft: true, content: content.slice(0, -words.length) }
  const [word] = DRAFT_AT_END.exec(end) ?? []
  const before = word && content.slice(0, -word.length)
  if (!before || !(extractPlatformsAtEnd(before).platforms.length || namesTime(before, context)))
    return undefined
  return { ...parts, isDraft: true, content: before }
}

/** After platforms, these words say when to post. Elsewhere they may belong to the post. */
const NOW_AT_END = /[\s,;:–—-]+((?:right |just )?now|immediately|asap|right away|straight away)[.!]*$/i

function takeNow(parts: PostCommand, context: ReadingContext): PostCommand | undefined {
  if (parts.when) return undefined
  const [segment = '', words = ''] = NOW_AT_END.exec(parts.content.slice(-MAX_ENDING_LENGTH)) ?? []
  const content = parts.content.slice(0, -segment.length)
  const taken = segment ? takePlatforms({ ...parts, content }, context) : undefined
  return taken && { ...taken, when: { words, segment, position: taken.content.length, isInText: false } }
}

/** Platform names without a preposition count only next to the time, or after the end of a sentence. */
function takePlatforms(parts: PostCommand, context: ReadingContext): PostCommand | undefined {
  if (parts.platforms.length) return undefined
  const mixed = extractListWithUnknownNames(parts.content)
  // In "On X, tomorrow 9am, LinkedIn", the part in the middle is a time, not an unknown network.
  if (mixed && !mixed.unknownNames.some((name) => isOnlyWhen(name, context))) {
    const { platforms, unknownNames, rest } = mixed
    const messages = [...parts.messages, leftOut(unknownNames)]
    return { ...parts, platforms, messages, content: rest.replace(SEPARATOR_AT_END, '') }
  }
  const { platforms, rest } = extractPlatformsAtEnd(parts.content)
  if (platforms.length) return { ...parts, platforms, content: rest.replace(SEPARATOR_AT_END, '') }
  const bare = extractBarePlatformsAtEnd(parts.content)
  if (!bare.platforms.length) return undefined
  const isAfterTime = !parts.when && namesTime(bare.rest, context)
  const isBeforeTime = parts.when && parts.when.position >= parts.content.length
  if (!endsPart(bare.rest) && !isAfterTime && !isBeforeTime) return undefined
  return { ...parts, platforms: bare.platforms, content: bare.rest.replace(SEPARATOR_AT_END, '') }
}

/** Whether the text names a time, even one that may belong to the post: "Show at 8. Sat 10am LinkedIn" */
function namesTime(text: string, context: ReadingContext): boolean {
  const found = findWhen(text, context)
  return found !== undefined && (found.isCertain || isWholeMoment(found.words, context))
}

function leftOut(names: string[]): string {
  const [were, those] = names.length > 1 ? ['were', 'those platforms'] : ['was', 'that platform']
  const quoted = names.map((name) => `"${name}"`).join(' and ')
  return `${quoted} ${were} left out, because Upnext doesn't know ${those}.`
}

const SEPARATOR_AT_END = new RegExp(String.raw`(?<!\s)\s*${NOT_EMOJI_END}[,;:–—|-]$`, 'i')

const MAX_HEAD_LENGTH = 160
const HEAD_END = new RegExp(String.raw`${NOT_EMOJI_END}:(?=\s)|\s[–—|-](?=\s)|\n`, 'gi')
const CONNECTORS = '(?:on|to|via|and|plus|at|for|[@,&+/])'
const OUTER_CONNECTORS = new RegExp(
  `^(?:\\s*${CONNECTORS}(?=\\s|$))+|(?:(?<=\\s|^)${CONNECTORS}\\s*)+$`,
  'gi',
)

/** "On LinkedIn tomorrow 9am: Launch day!" */
function takeHead(parts: PostCommand, context: ReadingContext): PostCommand | undefined {
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

function takeWhen(parts: PostCommand, context: ReadingContext): PostCommand | undefined {
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
  // A day after the platforms isn't a part of the post: "Hello on X tomorrow".
  const isInText = !isCertain && !before?.platforms.length
  const when = { words, segment, position, isInText }
  return { ...parts, when, content: isInText ? content : rest }
}

function lengthOfCommonStart(text: string, other: string): number {
  let length = 0
  while (length < other.length && text[length] === other[length]) length++
  return length
}
