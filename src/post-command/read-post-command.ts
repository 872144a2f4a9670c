import { findCover } from '../time/cover.ts'
import { EMOJI_OR_MENTION } from '../time/markup.ts'
import type { ReadingContext } from '../time/reading.ts'
import { chooseFields, type Fields } from './choose-fields.ts'
import { isWholeTime, readCommandText } from './command-fields.ts'
import { type CommandText, type FoundTime, isPeriod, LINK_PLACEHOLDER, SIGN_OF_TIME } from './command-time.ts'
import { findMedia } from './find-media.ts'
import { readLabelled } from './labelled-fields.ts'
import { explainUnknownNames, type PostCommand, removeFields, timeOutsideText } from './remove-fields.ts'
import {
  DRAFT_AT_START,
  DRAFT_IN_CAPITALS,
  ONLY_REQUEST,
  REQUEST_AT_START,
  REQUEST_BEFORE_FIELDS,
  THANKS_AT_END,
  THANKS_WITH_KISS,
  VERB_BEFORE_QUOTE,
  VERB_BEFORE_TEXT,
} from './request-words.ts'

/** Reads "Launch day! tomorrow 9am on LinkedIn and X", whose parts may come in any order around the text. */
export function readPostCommand(command: string, context: ReadingContext): PostCommand {
  const request = removeRequest(command.trim(), context)
  const content = request.replace(DRAFT_AT_START, '').replace(DRAFT_IN_CAPITALS, '')
  const text = removeKiss(content.trim(), context)
  const isRequest = request !== command.trim()
  const parts =
    readLabelled(text, context) ?? readQuoted(text, context, isRequest) ?? readPlain(text, context)
  return { ...parts, isDraft: parts.isDraft || content !== request }
}

/** "On LinkedIn tuesday 9am" */
const BEGINS_WITH_PREPOSITION = /^\s*(?:on|to|via|auf|bei|sur|dans|en|no|na|em)\s/i

function removeRequest(command: string, context: ReadingContext): string {
  const rest = command.replace(REQUEST_BEFORE_FIELDS, '')
  const { head } = rest === command ? {} : chooseFields(readCommandText(rest, context))
  // "Kannst du Montag 9 Uhr helfen?" and "Thank you for sharing on LinkedIn: …" are posts.
  const isRequest = head?.time && (head.isSeparated || /[?.]\s*$/.test(rest.slice(0, head.end)))
  if (isRequest) return rest
  const textAfterVerb = command.replace(VERB_BEFORE_TEXT, '')
  const { tail } = textAfterVerb === command ? {} : chooseFields(readCommandText(textAfterVerb, context))
  const hasPreposition =
    tail?.list?.hasPreposition || BEGINS_WITH_PREPOSITION.test(textAfterVerb.slice(tail?.start))
  return tail?.time && tail.list && hasPreposition && isWholeTime(tail.time)
    ? textAfterVerb
    : command.replace(REQUEST_AT_START, '')
}

/** Removes a final "x", which is a kiss, only after a time, because "Thank you x" may be the post. */
function removeKiss(text: string, context: ReadingContext): string {
  const rest = text.replace(THANKS_WITH_KISS, '')
  return rest !== text && chooseFields(readCommandText(rest, context)).tail?.time ? rest.trim() : text
}

/** Each line is read separately, so the number of lines is limited. */
const MAX_LINES = 20
/** A quotation may contain line breaks and times of its own. */
const QUOTATION = /(?<!\S)"[^"]*"(?!\w)|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/g

/** Recognizes a pasted plan: two or more lines, each with its own time. */
export function hasSeveralPosts(text: string, context: ReadingContext): boolean {
  if (!text.includes('\n') || readLabelled(text, context)) return false
  const lines = text.replace(QUOTATION, '""').split('\n')
  const mayNameTime = lines.filter((line) => SIGN_OF_TIME.test(line)).slice(0, MAX_LINES)
  const first = mayNameTime.findIndex((line) => namesItsTime(line, context))
  return first >= 0 && mayNameTime.slice(first + 1).some((line) => namesItsTime(line, context))
}

/** Requires a time with platforms, or a day with a time: a week's menu may name only days, and a day's program only times. */
function namesItsTime(line: string, context: ReadingContext): boolean {
  const { time, list } = chooseFields(readCommandText(line, context))
  return time !== undefined && (list !== undefined || (time.strength === 'whole' && !isPeriod(time)))
}

const QUOTED = /^([^"“„«]*)(?:"(.+)"|“(.+)”|„(.+)[“”]|«(.+)»)([^"”“»]*)$/s
/** Used only after a request or a verb such as "post", because single quotes are also apostrophes. */
const IN_SINGLE_QUOTES = /^((?:[^'‘]*\s)?)['‘](.+)['’](?!\p{L})([^'’]*)$/su
/** For each opening quote, matches the text between the first and the last quote of '"Yes" and "No"'. */
const BETWEEN_QUOTATIONS: [quotes: string, inside: RegExp][] = [
  ['"', /^[^"\n]*[^\s"]"[\s,][^"\n]*\s"[^\s"][^"\n]*$/],
  ['“', /^[^“”\n]*”[\s,][^“”\n]*\s“[^“”\n]*$/],
  ["'‘", /\S['’]\s(?:.*\s)?['‘]\S/s],
]

/** Everything inside the quotes is the post, and nothing else is. Returns undefined if the quotes are part of the post. */
function readQuoted(text: string, context: ReadingContext, isRequest: boolean): PostCommand | undefined {
  const match =
    QUOTED.exec(text) ?? (isRequest || VERB_BEFORE_QUOTE.test(text) ? IN_SINGLE_QUOTES.exec(text) : undefined)
  if (!match) return undefined
  const before = match[1] ?? ''
  const after = match.at(-1) ?? ''
  const content = match.slice(2, -1).find(Boolean)?.trim() ?? ''
  const mark = text.charAt(before.length)
  if (BETWEEN_QUOTATIONS.find(([quotes]) => quotes.includes(mark))?.[1].test(content)) return undefined
  const wordsAfter = after.replace(THANKS_AT_END, '').replace(/^\s*[:,–—-]\s/, '')
  const wordsAround = `${before.replace(/[:,–—-]\s*$/, '')} ${wordsAfter}`.trim()
  const { content: unparsed, ...parts } = readPlain(wordsAround, context)
  if (ONLY_REQUEST.test(unparsed)) return { ...parts, content, when: timeOutsideText(parts.when?.words) }
  // A quotation that begins the command may be followed by two times. Other quotations are part of the post.
  const isTime = ONLY_REQUEST.test(before) && namesOnlyTimes(unparsed, context)
  return isTime ? { ...parts, content, when: timeOutsideText(unparsed) } : undefined
}

function namesOnlyTimes(text: string, context: ReadingContext): boolean {
  const { chart, tokens } = readCommandText(text, context)
  const { items, unparsed } = findCover(chart, tokens, ['time'])
  return items.length > 0 && !unparsed.length
}

/** Also matches mentions, hashtags and links. The lookbehind reads the text only once, from its end. */
const EMOJI_AT_END = new RegExp(
  String.raw`$(?<=((?:\s*${EMOJI_OR_MENTION}|\s+(?:[#@][\p{L}\p{N}_.]+|<?https?:\/\/\S+))+))`,
  'iu',
)
/** Slack allows at most this many characters in a command. */
const MAX_COMMAND_LENGTH = 4000

/** Removes platforms, the time, a media link and "as a draft" from both ends of the text, in any order. */
function readPlain(text: string, context: ReadingContext): PostCommand {
  if (text.length > MAX_COMMAND_LENGTH)
    return { content: text, platforms: [], media: '', when: undefined, isDraft: false, messages: [] }
  const media = findMedia(text, context)
  const textWithoutMedia = media
    ? `${text.slice(0, media.start)}${LINK_PLACEHOLDER}${text.slice(media.end)}`.trim()
    : text.trim()
  const command = readEnds(textWithoutMedia, context)
  const middle = command.when ? undefined : findFieldsInMiddle(textWithoutMedia, context)
  const parts = middle ? addMiddleFields(command, middle) : command
  const { content, when } = parts
  return {
    ...parts,
    content: content.replaceAll(LINK_PLACEHOLDER, ''),
    when: when && { ...when, segment: when.segment.replaceAll(LINK_PLACEHOLDER, '') },
    media: media?.link ?? '',
  }
}

function readEnds(text: string, context: ReadingContext): PostCommand {
  // "@instagram" at the end isn't a mention.
  const endsWithPlatform = /@\w+$/.test(text) && Boolean(chooseFields(readCommandText(text, context)).list)
  // Emoji, mentions, hashtags and links after the time belong to the post.
  const ornaments = endsWithPlatform ? '' : (EMOJI_AT_END.exec(text)?.[1] ?? '')
  const body = readCommandText(text.slice(0, text.length - ornaments.length), context)
  return { ...removeFields(body, chooseFields(body), ornaments), media: '' }
}

/** A time with platforms is taken out of the text. A time alone may belong to the post, so it stays there. */
function addMiddleFields(parts: PostCommand, { segment, command, fields }: Middle): PostCommand {
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

/** Words in brackets or between dashes, with the space before them. */
const SET_APART =
  /(?<!\s)\s*(?:\(([^()]{3,100})\)(?![\p{L}\p{N}])|\[([^[\]]{3,100})\](?![\p{L}\p{N}(]))|(?<!\s)\s+[–—-]\s([^–—\n]{3,100}?)(?=\s[–—-]\s)/gu
const MAX_GROUPS = 5

type Middle = { segment: string; command: CommandText; fields: Fields & { time: FoundTime } }

/**
 * Finds a time in brackets or between dashes, if it's the only one there: "We're back (tomorrow 9am, Facebook) after the
 * storm"
 */
function findFieldsInMiddle(text: string, context: ReadingContext): Middle | undefined {
  const groups = [...text.matchAll(SET_APART)].filter(([words]) => SIGN_OF_TIME.test(words))
  const found = groups.slice(0, MAX_GROUPS).flatMap(([segment, ...parts]) => {
    const command = readCommandText(parts.find(Boolean) ?? '', context)
    const { time, ...fields } = chooseFields(command)
    return time && isWholeTime(time) ? [{ segment, command, fields: { ...fields, time } }] : []
  })
  const [middle] = found
  return found.length === 1 && middle?.fields.hasNoText ? middle : undefined
}
