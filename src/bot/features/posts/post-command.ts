import type { Platform } from '../../../platforms/platform-names.ts'
import { findCover } from '../../../time/cover.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { chooseFields, type Fields } from './choose-fields.ts'
import { CONNECTORS, type EdgeFields, readCommandText } from './command-fields.ts'
import { type CommandText, type FoundTime, SIGN_OF_TIME } from './command-time.ts'
import type { PlatformList } from './command-words.ts'
import { findInMiddle, type Middle } from './fields-in-middle.ts'

/** The words after the command, sorted into the fields of a post. */
export type PostCommand = {
  content: string
  platforms: Platform[]
  media: string
  when: PostTime | undefined
  /** Another time in the text that may be meant. */
  otherWhen?: PostTime | undefined
  isDraft: boolean
  /** Notes for the user about how the command was read. */
  messages: string[]
}

/** The words that say when to post. */
export type PostTime = {
  words: string
  /** The words as they are in the content, with the separators around them. Empty if they were never in the content. */
  segment: string
  /** Where the segment begins in the content. */
  position: number
  /** Whether the content still contains the segment, because it may belong to the post. */
  isInText: boolean
}

/** "Post" and "share" count only after a request such as "please". Without one, they may be words of the post. */
const REQUEST_AT_START =
  /^(?:(?:please|pls|plz|can you|could you)(?: please)? (?:schedule|post|publish|send|queue|share)(?: this| it)?|(?:(?:hi|hey|hello)(?: there| all| team)?[!,]?\s+)?(?:can|could) (?:you|u|we)(?: please| pls)? (?:schedule|post|publish|send|queue|share|put|get) (?:this|it)(?: out| up)?)[:,]?\s+/i
const DRAFT_AT_START =
  /^(?:please )?(?:(?:save|keep) (?:(?:it|this) )?)?(?:as (?:a )?)?draft(?::|\s+[–—-](?=\s))\s*/i

/** Reads "Launch day! tomorrow 9am on LinkedIn and X", whose parts may come in any order around the text. */
export function readPostCommand(command: string, context: ReadingContext): PostCommand {
  const request = command.trim().replace(REQUEST_AT_START, '')
  const text = request.replace(DRAFT_AT_START, '').trim()
  const isRequest = request !== command.trim()
  const parts = readQuoted(text, context, isRequest) ?? readPlain(text, context)
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
/** A quotation may contain line breaks and times of its own. */
const QUOTATION = /(?<!\S)"[^"]*"(?!\w)|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/g

/** Recognizes a pasted plan: two or more lines that each name a time of their own. */
export function hasSeveralPosts(text: string, context: ReadingContext): boolean {
  if (!text.includes('\n')) return false
  const lines = text.replace(QUOTATION, '""').split('\n')
  const mayNameTime = lines.filter((line) => SIGN_OF_TIME.test(line)).slice(0, MAX_LINES)
  const first = mayNameTime.findIndex((line) => namesItsTime(line, context))
  return first >= 0 && mayNameTime.slice(first + 1).some((line) => namesItsTime(line, context))
}

/** Requires platforms, or a day with a time: a week's menu also names days, and a day's program also names times. */
function namesItsTime(line: string, context: ReadingContext): boolean {
  const { time, list } = chooseFields(readCommandText(line, context))
  return time !== undefined && (list !== undefined || time.strength === 'whole')
}

const QUOTED = /^([^"“„«]*)(?:"(.+)"|“(.+)”|„(.+)[“”]|«(.+)»)([^"”“»]*)$/s
/** Only after a request, because single quotes are also apostrophes. */
const IN_SINGLE_QUOTES = /^((?:[^'‘]*\s)?)['‘](.+)['’](?!\p{L})([^'’]*)$/su
/** The inside of '"Yes" and "No"', which is two quotations. */
const BETWEEN_QUOTATIONS = /^[^"\n]*[^\s"]"[\s,][^"\n]*\s"[^\s"][^"\n]*$/
/** Words around a quoted post that only ask for it to be scheduled. */
const REQUEST = /^(?:please|schedule|post|publish|send|share|queue|this|it|as|to|on|for|at|via|[\s,:;–—-])*$/i

/** Everything inside the quotes is the post, and nothing else is. Returns undefined if the quotes are part of the post. */
function readQuoted(text: string, context: ReadingContext, isRequest: boolean): PostCommand | undefined {
  const match = QUOTED.exec(text) ?? (isRequest ? IN_SINGLE_QUOTES.exec(text) : undefined)
  if (!match) return undefined
  const before = match[1] ?? ''
  const after = match.at(-1) ?? ''
  const content = match.slice(2, -1).find(Boolean)?.trim() ?? ''
  if (BETWEEN_QUOTATIONS.test(content)) return undefined
  const around = `${before.replace(/[:,–—-]\s*$/, '')} ${after.replace(/^\s*[:,–—-]\s/, '')}`.trim()
  const { content: unread, ...parts } = readPlain(around, context)
  if (REQUEST.test(unread)) return { ...parts, content, when: outsideText(parts.when?.words) }
  // After a quotation that begins the command may be two times. Other quotations are a part of the post.
  const isTime = REQUEST.test(before) && namesOnlyTimes(unread, context)
  return isTime ? { ...parts, content, when: outsideText(unread) } : undefined
}

const outsideText = (words = ''): PostTime | undefined =>
  words ? { words, segment: '', position: 0, isInText: false } : undefined

function namesOnlyTimes(text: string, context: ReadingContext): boolean {
  const { chart, tokens } = readCommandText(text, context)
  return !findCover(chart, tokens, ['time']).unread.length
}

/** An emoji or a mention. */
const ORNAMENT = String.raw`(?:(?<![\w:]):[a-z][a-z0-9_+'-]*:|<[@#!][^<>]*>|\p{RI}{2}|[\d#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}[\u{200d}\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*)`
const ORNAMENTS = new RegExp(`${ORNAMENT}+`, 'giu')
/** Also matches hashtags and links. The lookbehind reads them only once, from the end. */
const ORNAMENTS_AT_END = new RegExp(
  String.raw`$(?<=((?:\s*${ORNAMENT}|\s+(?:[#@][\p{L}\p{N}_.]+|<?https?:\/\/\S+))+))`,
  'iu',
)
/** Slack allows no more in a command. */
const MAX_LENGTH = 4000

/** Stands in place of a link that was taken out of the text. */
const GAP = '\u2028'

/** Takes platforms, the time, a media link and "as a draft" off both ends of the text, in any order. */
function readPlain(text: string, context: ReadingContext): PostCommand {
  if (text.length > MAX_LENGTH) return withContent(text)
  const media = findMedia(text, context)
  const whole = media ? `${text.slice(0, media.start)}${GAP}${text.slice(media.end)}`.trim() : text.trim()
  const command = readEnds(whole, context)
  const middle = command.when ? undefined : findInMiddle(whole, context)
  const parts = middle ? addMiddle(command, middle) : command
  const { content, when } = parts
  return {
    ...parts,
    content: content.replaceAll(GAP, ''),
    when: when && { ...when, segment: when.segment.replaceAll(GAP, '') },
    media: media?.link ?? '',
  }
}

function readEnds(text: string, context: ReadingContext): PostCommand {
  // "@instagram" at the end isn't a mention.
  const isPlatform = /@\w+$/.test(text) && chooseFields(readCommandText(text, context)).list
  // Emoji, mentions, hashtags and links after the time belong to the post.
  const ornaments = isPlatform ? '' : (ORNAMENTS_AT_END.exec(text)?.[1] ?? '')
  const body = readCommandText(text.slice(0, text.length - ornaments.length), context)
  return takeOut(body, chooseFields(body), ornaments)
}

/** A time with platforms is taken out of the text. A time alone may belong to the post, so it stays there. */
function addMiddle(parts: PostCommand, { segment, command, fields }: Middle): PostCommand {
  const { time, list, tail } = fields
  const position = parts.content.indexOf(segment)
  if (position < 0) return parts
  const rest = parts.content.slice(0, position) + parts.content.slice(position + segment.length)
  return {
    content: list ? rest.trim() : parts.content,
    platforms: [...new Set([...parts.platforms, ...(list?.platforms ?? [])])],
    media: parts.media,
    when: { words: time.words, segment, position, isInText: !list },
    isDraft: parts.isDraft || (tail?.isDraft ?? false),
    messages: [...parts.messages, ...explainUnknownNames(command, list)],
  }
}

const MEDIA =
  /(?:^|\s)<?(https?:\/\/[^\s<>|]+\.(?:jpe?g|png|gif|webp|heic|mp4|mov|webm|m4v|avi)(?:\?[^\s<>|]*)?)(?:\|[^<>]*)?>?/gi
/** Long enough for all fields behind a link. */
const MAX_FIELDS_LENGTH = 120

/** Finds a link to media at the end of the text, or before the fields at its end. */
function findMedia(text: string, context: ReadingContext) {
  const match = [...text.matchAll(MEDIA)].at(-1)
  if (!match) return undefined
  const end = match.index + match[0].length
  const after = text.slice(end).trim()
  if (match.index > 0 && after.length > MAX_FIELDS_LENGTH) return undefined
  const isNextToFields =
    !after || match.index === 0 || chooseFields(readCommandText(after, context)).isEverything
  return isNextToFields ? { link: match[1] ?? '', start: match.index, end } : undefined
}

/** Removes the fields from the text. A time that may belong to the post stays there. */
function takeOut(command: CommandText, fields: Fields, ornaments: string): PostCommand {
  const { text } = command
  const { head, tail, time, otherTime, list, isEverything } = fields
  const keepsTime = (edge: EdgeFields | undefined) =>
    edge?.time && !isEverything && (otherTime !== undefined || !edge.time.isCertain) ? edge.time : undefined
  const [keptAtStart, keptAtEnd] = [keepsTime(head), keepsTime(tail)]
  const from = keptAtStart ? (head?.beginsWithTime ? 0 : keptAtStart.start) : (head?.end ?? 0)
  const to = keptAtEnd ? endWithPunctuation(text, keptAtEnd.end) : (tail?.start ?? text.length)
  const inner = text.slice(from, to).trim()
  const innerStart = to - text.slice(from, to).trimStart().length
  // The exclamation mark in "Join us tomorrow 9am!" belongs to the post.
  const isOpen = tail && !keptAtEnd && inner && !/[.!?]$/.test(inner)
  const after = isOpen ? text.slice(tail.time?.end ?? tail.start) : ''
  const marks = tail?.time ? (tail.beginsWithTime ? /^\s?[!?]+/ : undefined) : /\s?[!?]+$/
  const punctuation = marks?.exec(after)?.[0] ?? ''
  // "Launch day tomorrow 9am 🚀 on LinkedIn"
  const betweenFields = tail ? (text.slice(to).match(ORNAMENTS) ?? []) : []
  const base = [inner + punctuation, ...betweenFields].join(' ')
  const content = (base + (base && /^\S/.test(ornaments) ? ' ' : '') + ornaments).trim()
  const toPostTime = (found: FoundTime): PostTime => {
    const isAtStart = found === head?.time
    const isInText = found === keptAtStart || found === keptAtEnd
    const beginning = tail?.beginsWithTime ? tail.start : found.start - 1
    const start = !isAtStart ? beginning : isInText ? found.start : 0
    const segment = text.slice(start, isAtStart ? head?.end : endOfSegment(text, start, found.end))
    const position = isInText ? Math.max(0, start - innerStart) : isAtStart ? 0 : inner.length
    return { words: found.words, segment: content ? segment : '', position, isInText }
  }
  return {
    ...withContent(content),
    platforms: list?.platforms ?? [],
    when: time && toPostTime(time),
    ...(otherTime && { otherWhen: toPostTime(otherTime) }),
    isDraft: Boolean(head?.isDraft || tail?.isDraft),
    messages: explainUnknownNames(command, list),
  }
}

/** After an opening bracket, the closing one belongs to the segment. */
const endOfSegment = (text: string, start: number, end: number): number =>
  /[([]/.test(text.slice(start, end)) && /[)\]]/.test(text.charAt(end)) ? end + 1 : end

const endWithPunctuation = (text: string, end: number): number =>
  end + (/^\s?[.!?…)]+/.exec(text.slice(end))?.[0].length ?? 0)

const IN_LISTS = [...CONNECTORS, 'ALL_BUT']

/** The networks in a list that Upnext doesn't know, as they were typed. */
function findUnknownNames({ text, tokens, chart }: CommandText, list: PlatformList): string[] {
  const item = chart
    .flatMap((meanings) => meanings.get('platforms') ?? [])
    .find(({ value }) => value === list)
  const names: string[] = []
  let start = item?.start ?? 0
  while (item && start < item.end) {
    const known = ['platform', 'NETWORK']
      .flatMap((type) => chart[start]?.get(type) ?? [])
      .sort((a, b) => b.end - a.end)[0]
    const connector = IN_LISTS.flatMap((type) => chart[start]?.get(type) ?? []).sort(
      (a, b) => b.end - a.end,
    )[0]
    const end = known?.end ?? connector?.end ?? start + 1
    const isName = known ? known.type === 'NETWORK' : !connector
    if (isName) names.push(text.slice(tokens[start]?.start, tokens[end - 1]?.end))
    start = end
  }
  return names
}

function explainUnknownNames(command: CommandText, list: PlatformList | undefined): string[] {
  const names = list ? findUnknownNames(command, list) : []
  if (!names.length) return []
  const [were, those] = names.length > 1 ? ['were', 'those platforms'] : ['was', 'that platform']
  const quoted = names.map((name) => `"${name}"`).join(' and ')
  return [`${quoted} ${were} left out, because Upnext doesn't know ${those}.`]
}
