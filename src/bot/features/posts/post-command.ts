import type { Platform } from '../../../platforms/platform-names.ts'
import { findCover } from '../../../time/cover.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { CONNECTORS, type EdgeFields, isWholeTime, readCommandText } from './command-fields.ts'
import { type CommandText, type FoundTime, STRENGTHS } from './command-time.ts'
import type { PlatformList } from './command-words.ts'
import { findTails } from './fields-at-end.ts'
import { findHeads } from './fields-at-start.ts'

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
  /^(?:please|pls|plz|can you|could you)(?: please)? (?:schedule|post|publish|send|queue|share)(?: this| it)?[:,]?\s+/i
const DRAFT_AT_START = /^(?:(?:save|keep) (?:(?:it|this) )?as (?:a )?)?draft(?::|\s+[–—-](?=\s))\s*/i

/** Reads "Launch day! tomorrow 9am on LinkedIn and X", whose parts may come in any order around the text. */
export function readPostCommand(command: string, context: ReadingContext): PostCommand {
  const request = command.trim().replace(REQUEST_AT_START, '')
  const text = request.replace(DRAFT_AT_START, '').trim()
  const parts = readQuoted(text, context) ?? readPlain(text, context)
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
/** The inside of '"Yes" and "No"', which is two quotations. */
const BETWEEN_QUOTATIONS = /^[^"]*[^\s"]" (?:and|or|vs\.?) "[^\s"][^"]*$/i
/** Words around a quoted post that only ask for it to be scheduled. */
const REQUEST = /^(?:please|schedule|post|publish|send|share|queue|this|it|as|to|on|for|at|via|[\s,:;–—-])*$/i

/** Everything inside the quotes is the post, and nothing else is. Returns undefined if the quotes are part of the post. */
function readQuoted(text: string, context: ReadingContext): PostCommand | undefined {
  const match = QUOTED.exec(text)
  if (!match) return undefined
  const before = match[1] ?? ''
  const after = match.at(-1) ?? ''
  const content = match.slice(2, -1).find(Boolean)?.trim() ?? ''
  if (BETWEEN_QUOTATIONS.test(content)) return undefined
  const around = `${before.replace(/[:,–—-]\s*$/, '')} ${after.replace(/^\s*[:,–—-]\s/, '')}`.trim()
  const { content: unread, ...parts } = readPlain(around, context)
  if (REQUEST.test(unread)) return { ...parts, content, when: outsideText(parts.when?.words) }
  // The words after a quotation at the start may be two times. Other quotations are a part of the post.
  const isTime = REQUEST.test(before) && namesOnlyTimes(unread, context)
  return isTime ? { ...parts, content, when: outsideText(unread) } : undefined
}

const outsideText = (words = ''): PostTime | undefined =>
  words ? { words, segment: '', position: 0, isInText: false } : undefined

function namesOnlyTimes(text: string, context: ReadingContext): boolean {
  const { chart, tokens } = readCommandText(text, context)
  return !findCover(chart, tokens, ['time']).unread.length
}

/** Matches emoji, mentions, hashtags and links at the end. The lookbehind reads them only once, from the end. */
const ORNAMENTS =
  /$(?<=((?:\s*(?::[a-z0-9_+-]+:|<[@#!][^<>]*>|\p{RI}{2}|[\d#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}[\u{200d}\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*)|\s+(?:[#@][\p{L}\p{N}_.]+|<?https?:\/\/\S+))+))/iu
/** Slack allows no more in a command. */
const MAX_LENGTH = 4000

/** Takes platforms, the time, a media link and "as a draft" off both ends of the text, in any order. */
function readPlain(text: string, context: ReadingContext): PostCommand {
  if (text.length > MAX_LENGTH) return withContent(text)
  const media = findMedia(text, context)
  const whole = media ? (text.slice(0, media.start) + text.slice(media.end)).trim() : text.trim()
  // "@instagram" at the end isn't a mention.
  const isPlatform = /@\w+$/.test(whole) && chooseFields(readCommandText(whole, context)).list
  // Emoji, mentions, hashtags and links after the time belong to the post.
  const ornaments = isPlatform ? '' : (ORNAMENTS.exec(whole)?.[1] ?? '')
  const body = readCommandText(whole.slice(0, whole.length - ornaments.length), context)
  return { ...takeOut(body, chooseFields(body), ornaments), media: media?.link ?? '' }
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

/** The fields that were found in a command. */
type Fields = {
  head?: EdgeFields | undefined
  tail?: EdgeFields | undefined
  time?: FoundTime | undefined
  /** The time at the other end, if either could be meant. */
  otherTime?: FoundTime | undefined
  list?: PlatformList | undefined
  /** Whether the command contains nothing else. */
  isEverything?: boolean
}

/** Weighs the fields at both ends of the text. */
function chooseFields(command: CommandText): Fields {
  const { text } = command
  const allHeads = findHeads(command)
  const allTails = findTails(
    command,
    allHeads.some(({ time }) => time && isWholeTime(time)),
  )
  // "LinkedIn: hello tomorrow 9am" and "tomorrow 9am hello on X" contain text to post.
  const startsAt = Math.max(0, ...allHeads.map(({ end }) => end))
  const tails = allTails.filter(({ start, hasWords }) => !hasWords || text.slice(startsAt, start).trim())
  const [tail] = tails
  const wholeTime = allHeads.find(({ time }) => time && isWholeTime(time))?.time
  // "12:30 tomorrow 9am" and "friday 9am on X tomorrow" share a word, so neither time is certain.
  if (tail?.time && wholeTime && tail.start > wholeTime.start && tail.start < wholeTime.end)
    return { list: tail.list ?? allHeads.find(({ list }) => list)?.list }
  if (tail && !text.slice(0, tail.start).trim()) return { ...fieldsOf(undefined, tail), isEverything: true }
  const endsBefore = (tail: EdgeFields | undefined) =>
    allHeads.filter(({ end }) => !tail || text.slice(0, end).trimEnd().length <= tail.start)
  const heads = endsBefore(tail)
  const [head] = heads
  if (!head?.time || !tail?.time) return fieldsOf(head, tail)
  const isSameTime = head.time.words.toLowerCase() === tail.time.words.toLowerCase()
  if (isSameTime)
    return fieldsOf(
      head,
      tails.find((edge) => !edge.time),
    )
  const [atStart, atEnd] = [rankOf(head.time), rankOf(tail.time)]
  if (atStart === atEnd && tail.time.strength === 'whole') return twoTimes(head, tail)
  // Of two days, the one at the end is meant if it is set apart.
  const isAtEnd = atStart === atEnd ? tail.time.isCertain : atEnd > atStart
  const withoutTime = (edges: EdgeFields[]) => edges.find((edge) => !edge.time)
  // "friday 9am on X 10am" has no text.
  if (!isAtEnd && !text.slice(head.end, tail.start).trim()) return twoTimes(head, tail)
  if (!isAtEnd) {
    const other = withoutTime(tails)
    return fieldsOf(endsBefore(other)[0], other)
  }
  // "9am: yoga, tomorrow 8am"
  const isCertain = tail.time.isCertain && !(head.isSeparated && head.time.strength === 'clock')
  return fieldsOf(withoutTime(heads), { ...tail, time: { ...tail.time, isCertain } })
}

const fieldsOf = (head: EdgeFields | undefined, tail: EdgeFields | undefined): Fields => ({
  head,
  tail,
  time: head?.time ?? tail?.time,
  list: (tail?.time ? tail.list : undefined) ?? head?.list ?? tail?.list,
})

/** Either of two whole times may be meant. The one that is set apart is more likely. */
const twoTimes = (head: EdgeFields, tail: EdgeFields): Fields => ({
  head,
  tail,
  time: tail.isSeparated ? tail.time : head.time,
  otherTime: tail.isSeparated ? head.time : tail.time,
  list: tail.list ?? head.list,
})

const rankOf = ({ strength, problem }: FoundTime): number =>
  STRENGTHS.indexOf(strength) - (problem && problem !== 'weekday-mismatch' ? 0.5 : 0)

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
  const base = inner + punctuation
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
  const unknownNames = list ? findUnknownNames(command, list) : []
  return {
    ...withContent(content),
    platforms: list?.platforms ?? [],
    when: time && toPostTime(time),
    ...(otherTime && { otherWhen: toPostTime(otherTime) }),
    isDraft: Boolean(head?.isDraft || tail?.isDraft),
    messages: unknownNames.length ? [leftOut(unknownNames)] : [],
  }
}

/** Behind an opening bracket, the closing one belongs to the segment. */
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
    const end = known?.end ?? start + 1
    const isName = known ? known.type === 'NETWORK' : !IN_LISTS.some((type) => chart[start]?.has(type))
    if (isName) names.push(text.slice(tokens[start]?.start, tokens[end - 1]?.end))
    start = end
  }
  return names
}

function leftOut(names: string[]): string {
  const [were, those] = names.length > 1 ? ['were', 'those platforms'] : ['was', 'that platform']
  const quoted = names.map((name) => `"${name}"`).join(' and ')
  return `${quoted} ${were} left out, because Upnext doesn't know ${those}.`
}
