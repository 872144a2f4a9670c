import type { Meaning } from '../time/chart.ts'
import { ARROW } from '../time/markup.ts'
import {
  ABBREVIATED_PLATFORM,
  addPath,
  CONNECTOR_COST,
  costOf,
  type EdgeFields,
  FIELDS,
  findConnectorEnds,
  followsWords,
  isWholeTime,
  MAX_BOUNDARY_LENGTH,
  MAX_EDGE_TOKENS,
  mayBePost,
  measureLeadIn,
  NOT_EMOJI_END,
  namesClockTime,
  type Path,
  readFields,
} from './command-fields.ts'
import { type CommandText, type FoundTime, isPeriod, MAX_TIME_TOKENS, timesBefore } from './command-time.ts'
import { isPlatformListForPost } from './platforms-at-end.ts'
import { NEGATED_REQUEST, REQUEST_AT_END, SHARE_OR_REQUEST_AT_END } from './request-words.ts'
import { ENDS_SENTENCE, endsSentence, isTimeOfPost } from './time-at-end.ts'

/** Finds the possible readings of the fields at the end of a command, the longest first. */
export function findTails(command: CommandText, hasWholeTimeAtStart: boolean): EdgeFields[] {
  const { tokens, chart } = command
  const count = tokens.length
  const paths: Path[][] = []
  paths[count] = [{ fields: [], from: count, to: count, cost: 0, hasWords: false }]
  const edges: EdgeFields[] = []
  for (let from = count - 1; from >= Math.max(0, count - MAX_EDGE_TOKENS); from--) {
    const newPaths: Path[] = []
    for (const type of FIELDS)
      for (const item of chart[from]?.get(type) ?? [])
        for (const path of paths[item.end] ?? [])
          addPath(newPaths, {
            ...path,
            from,
            fields: [{ type, item }, ...path.fields],
            cost: path.cost + costOf(item),
          })
    for (const end of findConnectorEnds(command, from))
      for (const path of paths[end] ?? [])
        if (path.fields.length || tokens[from]?.kind === 'mark' || isPoliteWord(command, from))
          addPath(newPaths, {
            ...path,
            from,
            cost: path.cost + CONNECTOR_COST,
            hasWords: path.hasWords || (path.fields.length > 0 && mayBePost(command, from, end)),
          })
    paths[from] = newPaths.sort((a, b) => a.cost - b.cost)
    edges.push(...newPaths.flatMap((path) => toTail(command, path, hasWholeTimeAtStart) ?? []))
  }
  // In "em 2 horas", the preposition belongs to the time.
  edges.sort((a, b) => a.start - b.start || Number(b.time?.isFromNow) - Number(a.time?.isFromNow) || 0)
  const wholeTails = edges.filter(({ time, isSeparated }) => time && isSeparated && isWholeTime(time))
  const tails = edges.filter(
    ({ time }) => !wholeTails.some((whole) => time && isFalseRange(command, time, whole)),
  )
  // If a line names a whole time, the words of the line before belong to the post.
  const isOnOneLine = ({ time }: EdgeFields) => !time?.words.includes('\n')
  const hasWholeLine = tails.some((edge) => edge.time?.strength === 'whole' && isOnOneLine(edge))
  return hasWholeLine ? tails.filter(isOnOneLine) : tails
}

/**
 * Whether the first half of a range belongs to the text, as in "Until 3pm, tomorrow 8am", "from £99 – sunday 7pm" and
 * "till 30/11 – 9am", but not in "monday 9am – tuesday 5pm".
 */
function isFalseRange(command: CommandText, { start, problem }: FoundTime, { time }: EdgeFields): boolean {
  if (problem !== 'range' && problem !== 'open-ended') return false
  const { text, tokens } = command
  const before = text.slice(start, time?.start)
  const from = tokens.findIndex((token) => token.start >= start)
  if (followsWords(command, from, ['UNTIL']) && /\s[-–—]\s+$/.test(before)) return true
  return /[,;.]\s*$/.test(before) || /^\d+\s+[-–—]\s+(?:(?:on|at|for)\s+)*$/i.test(before)
}

/** "Thx" after the fields isn't part of the post. "Thanks!" may be. */
const isPoliteWord = ({ text, tokens, chart }: CommandText, position: number): boolean =>
  chart[position]?.has('PLEASE') ||
  (chart[position]?.has('THANKS') === true && /[a-z]/.test(text.charAt(tokens[position]?.start ?? 0)))

/** Separators may also be inside a time: "fri, 9am". */
const ENDS_PART = new RegExp(String.raw`(?:[,;:|•·(]|//|${ARROW}|(?:^|\s)[-–—])\s*$`)
const SEPARATORS_AT_END = new RegExp(
  String.raw`(?:${NOT_EMOJI_END}[\s,;:–—|•·([-]|//|${ARROW}|\s/(?=\s))+$`,
  'i',
)
/** "Launch day! *tomorrow 9am* on LinkedIn" */
const OPENING_MARK = /(?<!\S)(?:[*_~`]{1,3}|[{<])$/
const CLOSING_MARKS: Record<string, string> = { '{': '}', '<': '>' }
/** In "Never deploy on a Friday at 5pm", the time belongs to the text. */
const ENDS_WITH_ARTICLE = /(?:\bon an?|(?<!\p{L})(?:einem|einen|une?|uma)) $/iu
/** "We built it in under 4 hours" */
const COUNTS_TIME =
  /(?<!\p{L})(?:under|over|than|almost|nearly|als|über|unter|fast|moins de|plus de|más de|menos de|mais de) $/iu
/** "#week4" contains no time. */
const ENDS_WITH_WORD = /[\p{L}\p{N}#@]$/u
function toTail(
  command: CommandText,
  { fields, from, hasWords }: Path,
  hasWholeTimeAtStart: boolean,
): EdgeFields | undefined {
  const { text, tokens } = command
  if (fields[0]?.item.start !== from) return undefined
  const found = readFields(command, fields)
  if (!found) return undefined
  const { time, list, draft, types } = found
  const [type, nextType] = types
  const start = tokens[from]?.start ?? 0
  const before = text.slice(0, start)
  const ending = before.slice(-MAX_BOUNDARY_LENGTH)
  if (tokens[from]?.isJoined && ENDS_WITH_WORD.test(ending)) return undefined
  if (type === 'time' && ENDS_WITH_ARTICLE.test(ending)) return undefined
  // In "Half price from now on | x fb", "on" belongs to the text.
  if (type === 'platforms' && list?.hasPreposition && /^\p{L}+\s*[|·•]/u.test(text.slice(start)))
    return undefined
  const isSeparated = ENDS_SENTENCE.test(ending) || ENDS_PART.test(ending)
  const requestAtEnd =
    time && type === 'platforms' && list?.hasPreposition ? SHARE_OR_REQUEST_AT_END : REQUEST_AT_END
  const requestIndex = ending.search(requestAtEnd)
  const hasRequest = requestIndex > 0 || (requestIndex === 0 && ending === before)
  if (
    type === 'platforms' &&
    !isPlatformListForPost(list, {
      ending,
      words: text.slice(start),
      afterList: text.slice(tokens[fields[0].item.end - 1]?.end),
      followsPlatform: command.chart[from - 2]?.has('platform') === true,
      isOutsideText: isSeparated || hasWholeTimeAtStart || nextType === 'time',
      mayEndSentence: nextType === 'time' && !isSeparated && !hasRequest,
      hasTime: time !== undefined,
    })
  )
    return undefined
  // "… linkedin morgen 9 Uhr Entwurf", but not "… Rathaus Entwurf morgen 9 Uhr"
  if (draft?.isNoun && !(types.length === 3 && types[2] === 'draft')) return undefined
  // "Neues Whitepaper als Entwurf", but not "Das Rathaus als Entwurf. LinkedIn dienstag 9 Uhr"
  const isClearDraft = draft?.isClear || (draft?.isClearAtEnd && types.length === 1)
  if (type === 'draft' && !isClearDraft && !isSeparated && !/\[\s*$/.test(ending)) return undefined
  const isAfterText = hasRequest || (ENDS_SENTENCE.test(ending) && !/[)\]"”’»]\s*$/.test(ending))
  if (time && (!isPlausiblePosition(time, types, isAfterText) || (types.length === 1 && isVagueWord(time))))
    return undefined
  if (time && type === 'time' && !isSeparated && !canFollowText(time, types)) return undefined
  const isAtSentenceEnd = !isSeparated && time && endsSentence(text, time.end)
  const isInSentence = !isSeparated && (types.length === 1 || isAtSentenceEnd)
  // "Live music from 8pm 🎷 fb", "in time for the weekend 🎁 ig"
  const isOpenEnded = time && (isPeriod(time) || followsWords(command, from, ['FROM']))
  if (isAtSentenceEnd && (time.strength === 'vague' || isOpenEnded)) return undefined
  if (time?.strength === 'day' && isInSentence && belongsToText(command, time, from)) return undefined
  // "Nada antes de las 11", "avant vendredi 18h"
  if (time && type === 'time' && !isSeparated && isLimited(command, from, time)) return undefined
  const mayRecur = type === 'time' && !ENDS_SENTENCE.test(ending)
  if (time && ((mayRecur && isRecurring(command, from)) || endsRange(command, from))) return undefined
  if (COUNTS_TIME.test(ending) && command.chart[from]?.has('duration')) return undefined
  if (time && (NEGATED_REQUEST.test(ending) || (time.strength === 'clock' && endsWithClock(command, from))))
    return undefined
  const isCertain =
    !before.trim() ||
    hasRequest ||
    (!isInBrackets(command, time, ending) &&
      isTimeOfPost(command, { time, list, types, from, isSeparated, before }))
  // "LinkedIn tomorrow 9am: Text / friday 10am", but not "S / M / X / friday"
  const isAfterSlash = time !== undefined && isWholeTime(time) && /\s\/\s$/.test(ending)
  const leadInLength = measureLeadIn(command, from)
  const withoutLeadIn = ending.slice(0, Math.max(0, ending.length - leadInLength))
  const withoutRequest = hasRequest ? ending.replace(requestAtEnd, '') : withoutLeadIn
  const withMark = withoutRequest.replace(SEPARATORS_AT_END, '')
  const [mark = ''] = OPENING_MARK.exec(withMark) ?? []
  const marked = text.slice(before.length - ending.length + withMark.length)
  const closing = marked.indexOf(CLOSING_MARKS[mark] ?? mark)
  const isMarked = mark && /^\S/.test(marked) && /\S/.test(marked.charAt(closing - 1))
  const textEnding = isMarked ? withMark.slice(0, -mark.length).replace(SEPARATORS_AT_END, '') : withMark
  return {
    start: before.length - ending.length + textEnding.length,
    end: text.length,
    time: time && { ...time, isCertain },
    list,
    isDraft: draft !== undefined,
    isSeparated: isSeparated || hasRequest || isAfterSlash,
    beginsWithTime: type === 'time',
    hasRequest,
    hasWords,
    platformsMayBeText:
      list &&
      !hasRequest &&
      (time
        ? type === 'platforms' && (list.hasPreposition || /\bon\s+$/i.test(ending)) && !isSeparated
        : !ABBREVIATED_PLATFORM.test(text.slice(start))),
  }
}

/** Whether the time shares brackets with words of the text: "Half off [ends tomorrow 8am] on fb" */
const isInBrackets = ({ text }: CommandText, time: FoundTime | undefined, ending: string): boolean =>
  /[([]\s*[^\s()[\]][^()[\]]*$/.test(ending) && /^\s*[)\]]/.test(text.slice(time?.end))

/** Whether a time is, or ends, one that begins after "before" or "after". */
const isLimited = (command: CommandText, from: number, { end }: FoundTime): boolean => {
  const isSameEnd = (item: Meaning) => command.tokens[item.end - 1]?.end === end
  for (let start = Math.max(0, from - MAX_TIME_TOKENS); start <= from; start++)
    if (
      command.chart[start]?.get('time')?.some(isSameEnd) &&
      followsWords(command, start, ['BEFORE', 'AFTER', 'EARLIER'])
    )
      return true
  return false
}

/** Whether the words before a token are another time of day. A sentence ends in "until 9 pm. 11am". */
const endsWithClock = (command: CommandText, before: number): boolean =>
  !/[^.]\w\.$/.test(command.text.slice(0, command.tokens[before - 1]?.end).slice(-4)) &&
  timesBefore(command.chart, before).some((item) => namesClockTime(command, item))

/** Whether a time is the end of a range: "Open 14:00 to 18:00 daily", "ignore posts between 2 and 4am." */
const endsRange = (command: CommandText, from: number): boolean =>
  (command.chart[from - 1]?.has('TO') === true && endsWithClock(command, from - 1)) ||
  followsWords(command, from, ['BETWEEN']) ||
  (command.chart[from - 1]?.has('AND') === true && command.chart[from - 3]?.has('BETWEEN') === true)

/** Whether "every" comes before the time: "Bagels every friday from 7am", "Bread every tuesday and friday" */
function isRecurring(command: CommandText, from: number): boolean {
  const { chart } = command
  const isInList = (token: number) => ['AND', 'COMMA', 'weekday'].some((type) => chart[token]?.has(type))
  let first = from
  while (first > 0 && isInList(first - 1)) first--
  return followsWords(command, first, ['EVERY'])
}

/** In a sentence, "next week" and "not tomorrow" belong to the text. */
const canFollowText = ({ strength, problem }: FoundTime, types: string[]): boolean =>
  problem !== 'nonsense' && (strength !== 'vague' || types.length > 1)

/** Whether a day is a limit or a recurrence in the text: "Sign up before friday", "open on Sundays" */
const belongsToText = (command: CommandText, { problem }: FoundTime, from: number): boolean =>
  problem === 'open-ended' || problem === 'recurrence' || followsWords(command, from, LIMITING_WORDS)

const LIMITING_WORDS = ['LIMIT', 'BEFORE', 'AFTER', 'UNTIL']

/** "Dec" and "soon" alone are words of the post. */
const isVagueWord = ({ strength, words }: FoundTime): boolean => strength === 'vague' && !/\s/.test(words)

/** "Now" says when to post only after platforms, or between the end of the text and other fields: "What a game! now on X" */
const isPlausiblePosition = ({ isNow, words }: FoundTime, types: string[], isAfterText: boolean): boolean =>
  !isNow ||
  types[types.indexOf('time') - 1] === 'platforms' ||
  (isAfterText && types.length > 1 && words === words.toLowerCase())
