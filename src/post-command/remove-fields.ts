import type { Platform } from '../platforms/platform-names.ts'
import { listWords } from '../time/describe.ts'
import { EMOJI_OR_MENTION } from '../time/markup.ts'
import type { Fields } from './choose-fields.ts'
import { CONNECTORS, type EdgeFields } from './command-fields.ts'
import { type CommandText, type FoundTime, isPeriod } from './command-time.ts'
import type { PlatformList } from './command-words.ts'
import { THANKS_IN_SENTENCE } from './request-words.ts'

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
  /** The words as typed, with the separators around them. Empty if they were never in the content. */
  segment: string
  /** Where the segment begins in the content, or began before it was removed. */
  position: number
  /** Whether the content still contains the segment, which may belong to the post. */
  isInText: boolean
}

/** A time whose words were never in the content. */
export const timeOutsideText = (words = ''): PostTime | undefined =>
  words ? { words, segment: '', position: 0, isInText: false } : undefined

const EMOJI_AND_MENTIONS = new RegExp(`${EMOJI_OR_MENTION}+`, 'giu')

const OPEN_BRACKET = /[([][^()[\]]*$/

/** Removes the fields and appends `ornaments`, such as emoji. A time that may belong to the post stays in the text. */
export function removeFields(
  command: CommandText,
  fields: Fields,
  ornaments: string,
): Omit<PostCommand, 'media'> {
  const { text } = command
  const { time, otherTime, list } = fields
  // "Open Tuesday to Sunday, 10-18h" and "Great to see you last Thursday, thank you!" don't say when to post.
  const isTimeOfText =
    time &&
    (isPeriod(time) || time.problem === 'past') &&
    [findKeptTime(fields.head, fields), findKeptTime(fields.tail, fields)].includes(time)
  const isOnlyText = (edge: EdgeFields | undefined) =>
    isTimeOfText && edge?.time === time && !edge.list && !edge.isDraft
  const head = isOnlyText(fields.head) ? undefined : fields.head
  const tail = isOnlyText(fields.tail) ? undefined : fields.tail
  const [keptAtStart, keptAtEnd] = [findKeptTime(head, fields), findKeptTime(tail, fields)]
  const from = keptAtStart ? (head?.beginsWithTime ? 0 : keptAtStart.start) : (head?.end ?? 0)
  const keepsThanks = keptAtEnd && THANKS_IN_SENTENCE.test(text.slice(keptAtEnd.end))
  const endOfKept =
    keptAtEnd &&
    (keepsThanks && !tail?.list && !tail?.isDraft ? text.length : endWithPunctuation(text, keptAtEnd.end))
  const to = endOfKept ?? tail?.start ?? text.length
  const kept = text.slice(from, to).trim()
  // In "Doors 19:00, start 20:00 [tomorrow 10:00, ig]", only the platform is removed.
  const closing = keptAtEnd && OPEN_BRACKET.test(kept) ? /[)\]]/.exec(text.slice(to)) : undefined
  const inner = kept + (closing?.[0] ?? '')
  const innerStart = to - text.slice(from, to).trimStart().length
  const punctuation = tail && !keptAtEnd ? punctuationOfText(text, inner, tail) : ''
  // "Launch day tomorrow 9am 🚀 on LinkedIn"
  const betweenFields = tail ? (text.slice(to).match(EMOJI_AND_MENTIONS) ?? []) : []
  const base = [inner + punctuation, ...betweenFields].join(' ')
  const content = (base + (base && /^\S/.test(ornaments) ? ' ' : '') + ornaments).trim()

  const keptSegment = (start: number, end: number) => ({
    segment: text.slice(start, end),
    position: Math.max(0, start - innerStart),
    isInText: true,
  })
  const removedSegment = (start: number, end: number, position: number) => ({
    segment: content && text.slice(start, end),
    position,
    isInText: false,
  })
  const segmentAtStart = (found: FoundTime, end: number) =>
    found === keptAtStart ? keptSegment(found.start, end) : removedSegment(0, end, 0)
  const segmentAtEnd = (found: FoundTime) => {
    // "Doors open at 7, show starts at 8 ig sat 11am": without the time, the platforms don't belong to the text either.
    const goesWithPlatforms = found === keptAtEnd && tail?.list && !tail.list.hasPreposition
    const start = tail && (tail.beginsWithTime || goesWithPlatforms) ? tail.start : found.start - 1
    const end = endOfSegment(text, start, found.end)
    return found === keptAtEnd ? keptSegment(start, end) : removedSegment(start, end, inner.length)
  }
  const toPostTime = (found: FoundTime): PostTime | undefined => {
    const { words } = found
    if (found === head?.time) return { words, ...segmentAtStart(found, head.end) }
    // A day and a time of day may be at different ends.
    return found === tail?.time ? { words, ...segmentAtEnd(found) } : timeOutsideText(words)
  }
  return {
    content,
    platforms: list?.platforms ?? [],
    when: time && !isTimeOfText ? toPostTime(time) : undefined,
    ...(otherTime && { otherWhen: toPostTime(otherTime) }),
    isDraft: Boolean(head?.isDraft || tail?.isDraft),
    messages: [
      ...new Set([head?.list, tail?.list, list].flatMap((found) => explainUnknownNames(command, found))),
    ],
  }
}

/** The time at one end of the text, if it may belong to the post. */
function findKeptTime(edge: EdgeFields | undefined, { otherTime, hasNoText }: Fields): FoundTime | undefined {
  const isUncertain = otherTime !== undefined || !edge?.time?.isCertain
  return isUncertain && !hasNoText ? edge?.time : undefined
}

/** The exclamation mark in "Join us tomorrow 9am!" belongs to the post. */
function punctuationOfText(text: string, inner: string, { time, start, beginsWithTime }: EdgeFields): string {
  if (!inner || /[.!?]$/.test(inner)) return ''
  if (!time) return /\s?[!?]+$/.exec(text.slice(start))?.[0] ?? ''
  return beginsWithTime ? (/^\s?[!?]+/.exec(text.slice(time.end))?.[0] ?? '') : ''
}

/** After an opening bracket, the closing one belongs to the segment. */
const endOfSegment = (text: string, start: number, end: number): number =>
  /[([]/.test(text.slice(start, end)) && /[)\]]/.test(text.charAt(end)) ? end + 1 : end

const endWithPunctuation = (text: string, end: number): number =>
  end + (/^\s?[.!?…)\]]+/.exec(text.slice(end))?.[0].length ?? 0)

const IN_LISTS = [...CONNECTORS, 'ALL_BUT', 'EXACTLY']

/** The unknown networks in a list of platforms, as they were typed. */
function findUnknownNames({ text, tokens, chart }: CommandText, list: PlatformList): string[] {
  const item = chart
    .flatMap((meanings) => meanings.get('platforms') ?? [])
    .find(({ value }) => value === list)
  const names: string[] = []
  let start = item?.start ?? 0
  while (item && start < item.end) {
    const network = ['platform', 'EVERYWHERE', 'NETWORK']
      .flatMap((type) => chart[start]?.get(type) ?? [])
      .sort((a, b) => b.end - a.end)[0]
    const connector = IN_LISTS.flatMap((type) => chart[start]?.get(type) ?? []).sort(
      (a, b) => b.end - a.end,
    )[0]
    const end = network?.end ?? connector?.end ?? start + 1
    const isUnknown = network ? network.type === 'NETWORK' : !connector
    if (isUnknown) names.push(text.slice(tokens[start]?.start, tokens[end - 1]?.end))
    start = end
  }
  return names
}

export function explainUnknownNames(command: CommandText, list: PlatformList | undefined): string[] {
  const names = list ? findUnknownNames(command, list) : []
  if (!names.length) return []
  const [were, those] = names.length > 1 ? ['were', 'those platforms'] : ['was', 'that platform']
  const quoted = listWords(names.map((name) => `"${name}"`))
  return [`${quoted} ${were} left out, because Upnext doesn't know ${those}.`]
}
