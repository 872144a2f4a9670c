import { weekdayOf } from '../time/calendar.ts'
import type { Chart, Meaning } from '../time/chart.ts'
import { ARROW, EMOJI_OR_MENTION } from '../time/markup.ts'
import { isRangeOfHours, isTimeOnly, mergePoints, type Point } from '../time/point.ts'
import type { Token } from '../time/tokens.ts'
import type { CommandTime } from './command-words.ts'

/** A command with the meanings of its words. */
export type CommandText = { text: string; tokens: Token[]; chart: Chart }

export type FoundTime = {
  /** The position of the words in the text. */
  start: number
  end: number
  words: string
  /** Why no post can have this time. */
  problem: CommandTime['problem']
  strength: Strength
  isNow: boolean
  /** "In 20 minutes" */
  isFromNow: boolean
  /** Whether the words can be removed from the text without asking the user. */
  isCertain: boolean
}

/** Stands in place of a link that was taken out of the text. */
export const LINK_PLACEHOLDER = '\u2028'

/** "Tuesday to Sunday, 10-18h" and "every friday" say when something happens, rather than when to post. */
export const isPeriod = ({ problem }: FoundTime): boolean =>
  problem === 'range' || problem === 'open-ended' || problem === 'recurrence'

/** From weakest to strongest: the words name hardly anything, only a day, only a time of day, or both. */
export const STRENGTHS = ['vague', 'day', 'clock', 'whole'] as const
type Strength = (typeof STRENGTHS)[number]

/** Text that contains none of these isn't searched for a time. */
export const SIGN_OF_TIME =
  /\d|noon|midnight|midday|day\b|\b(?:mon|tue|wed|thu|fri|sat|sun)|tomorrow|tonight/i

/** Words before a time that aren't part of it. */
const LEAD_IN = /^(?:(?:at|on|for|@)\s+|@(?=\d))+/i
/** Without "for": "for 30 minutes" says how long something takes, so "for" is part of the words. */
const PROBLEM_LEAD_IN = /^(?:(?:at|on|@)\s+|@(?=\d))+/i
/** Signs of a time of day. */
export const CLOCK_TIME =
  /\d ?[ap]\.?m?\b|\d[:h]\d\d|\d ?(?:h|hrs?|uhr|o'?clock)\b|\b(?:noon|midnight|midday|eod)\b|(?:\bat|@) ?\d|\bin .*(?:min|hour|\dh)|\b(?:past|to) \w+$/i

/** Numbers alone may be a version, a price or a score. */
const NOT_A_TIME =
  /^24\/7\b|^(?:[\s\d.,:;+#'"-]|\b(?:to|and|or|of)\b)*$(?<!\b\d{1,2}:\d{2})|^\W*(?:an?|the|it|is|not|don['’]?t|may|march|second|in \d+|in \w+ sec(?:ond)?s?)\W*$/i
/** "The sun" isn't Sunday. */
const THE_SUN = /^(?:\S+ )?the /i
/** Times that begin with words of the text: "Photo of the week friday 5pm", "Best of 2026 dec 31 9am", "Top 10 10am" */
const BEGINS_IN_TEXT =
  /^(?:week\s|in the (?:morning|afternoon|evening)\s|(?:19|20)\d\d,?\s+(?=.*(?:\d ?[ap]m|\d:\d|noon))|\d{1,2} (?:[1-9]|1[0-2]) ?[ap]m\b)/i
/** After a word that matches `before`, `words` belong to the text, as does "coming" in "The sale is coming friday". */
const CONTINUATIONS: [before: RegExp, words: RegExp][] = [
  [/^(?:am|is|are|was|were|be)$|'(?:s|re|m)$/, /^(?:coming|back)\s/i],
  [/^coming$/, /^soon\s/i],
  [/^(?:part|teil|chapter|kapitel|episode|folge|step|lesson)$/, /^\d+\/\d+\s/],
]
const GREETING = /^(?:merry|happy|frohe[sn]?|joyeux|joyeuse|feliz)$/
/** A code such as "FRI9AM" isn't a time. */
const CODE = /^[A-Z]{3,}\d+[A-Z]*$/
/** "2019) (tomorrow 3pm" isn't one time in "Ana (since 2019) (tomorrow 3pm)". */
const CROSSES_BRACKET = /[)\]].*[([]/
/**
 * A sentence ends in "Open until 10pm. Wed 12:00" and "Ramen 11.50. Wed 12:00", but not in "wed. 12:00": abbreviations
 * have up to four letters, or are "thurs".
 */
const CROSSES_SENTENCE = /(?:\d ?[ap]m|\d\.(?:1[3-9]|[2-9]\d)|\p{L}{5}(?<!\bthurs))\.\s/iu
export const HAS_EMOJI_OR_MENTION = new RegExp(EMOJI_OR_MENTION, 'iu')
/** "First" alone isn't a day. */
const ONLY_LETTERS = /^\p{L}+(?:[- ]\p{L}+)?$/u

/** Joins the meanings of a time, whose day and time of day may be separated: "friday on Instagram at 8am". */
export function findTime({ text, tokens, chart }: CommandText, items: Meaning[]): FoundTime | undefined {
  const [first, last] = [items[0], items.at(-1)]
  if (!first || !last) return undefined
  const times = items.map(({ value }) => value as CommandTime)
  const point = joinTimes(times)
  const typed = items.map(({ start, end }) => text.slice(tokens[start]?.start, tokens[end - 1]?.end))
  const whole = text.slice(tokens[first.start]?.start, tokens[last.end - 1]?.end)
  const leadIn = (point ? LEAD_IN : PROBLEM_LEAD_IN).exec(typed[0] ?? '')?.[0] ?? ''
  const words = typed.join(' ').slice(leadIn.length)
  const isNotATime =
    NOT_A_TIME.test(typed.join(' ')) ||
    CODE.test(words) ||
    BEGINS_IN_TEXT.test(words) ||
    continuesText({ text, tokens, chart }, first, words) ||
    (point?.isWeak && THE_SUN.test(`${tokens[first.start - 1]?.word} ${words}`)) ||
    HAS_EMOJI_OR_MENTION.test(whole) ||
    whole.includes(LINK_PLACEHOLDER) ||
    CROSSES_BRACKET.test(words) ||
    leavesBrackets(text.slice(0, tokens[first.start]?.start), whole) ||
    CROSSES_SENTENCE.test(whole) ||
    (point?.day?.dayOfMonth && ONLY_LETTERS.test(words)) ||
    !belongTogether({ text, tokens, chart }, items) ||
    startsWithPlace(first, chart) ||
    startsWithPartOfDay({ text, tokens, chart }, first, point) ||
    hasWholePart(times)
  if (isNotATime) return undefined
  const problem = times[0]?.problem ?? (point && isMismatch(point) ? 'weekday-mismatch' : undefined)
  return {
    start: (tokens[first.start]?.start ?? 0) + leadIn.length,
    end: tokens[last.end - 1]?.end ?? 0,
    words,
    problem,
    strength: point ? strengthOf(point) : strengthOfWords(words, problem),
    isNow: point?.isNow ?? false,
    isFromNow: point?.fromNow !== undefined,
    isCertain: true,
  }
}

/** Returns undefined for times that no post can have, and for several that don't belong together. */
export function joinTimes(times: CommandTime[]): Point | undefined {
  if (times.some(({ points, problem }) => problem || !points.length)) return undefined
  return times.reduce<Point | undefined>(
    (joined, { points: [point] }) => joined && point && mergePoints(joined, point),
    {},
  )
}

const isMismatch = ({ day, weekday }: Point): boolean =>
  day !== undefined &&
  weekday !== undefined &&
  !day.dayOfMonth &&
  !day.alternatives &&
  weekdayOf(day.day) !== weekday

/** Whether a time begins with a place, as in "We are hiring in Lisbon tomorrow". */
const startsWithPlace = ({ start, end }: Meaning, chart: Chart): boolean =>
  chart[start]?.get('zone')?.some((zone) => zone.end < end) ?? false

/** Whether a time begins inside brackets and ends outside them: "Show [8pm] friday" */
const leavesBrackets = (before: string, words: string): boolean =>
  /[([][^()[\]]*$/.test(before.slice(-MAX_SENTENCE_LENGTH)) && /[)\]]/.test(words)

/** Whether a time continues the text: "Winter is coming friday 5pm", "Part 1/2 monday 9am", "Merry Christmas 25 dec", "We're back tomorrow" */
function continuesText({ tokens, chart }: CommandText, { start }: Meaning, words: string): boolean {
  const before = tokens[start - 1]?.word ?? ''
  if (GREETING.test(before) && chart[start]?.has('holiday')) return true
  // In "Sale Dec 1/2 9am", "1/2" continues "Dec".
  if (chart[start - 1]?.has('month') && /^\d+\/\d+\b/.test(words)) return true
  return CONTINUATIONS.some(([wordBefore, beginning]) => wordBefore.test(before) && beginning.test(words))
}

const SEPARATES_TIMES = new RegExp(String.raw`[!?\n]|^\.\s|${ARROW}`)
/**
 * Only platforms or a separator may come between a day and its time of day. In "Happy monday! 9am", a sentence ends between
 * them.
 */
function belongTogether({ text, tokens, chart }: CommandText, [first, second]: Meaning[]): boolean {
  if (!first || !second) return true
  const between = text.slice(tokens[first.end - 1]?.end, tokens[second.start]?.start)
  const hasPlatforms = chart.slice(first.end, second.start).some((meanings) => meanings.has('platforms'))
  // In "Join us thursday at 8pm, fb, tomorrow", "8pm" belongs to "thursday".
  if (hasPlatforms && endsLongerTime({ text, tokens, chart }, first)) return false
  const [[day], [time]] = [(first.value as CommandTime).points, (second.value as CommandTime).points]
  if (/[–—-]/.test(between) && day && time && isRangeOfHours(day, time)) return false
  return hasPlatforms ? !SEPARATES_TIMES.test(between) : /^\s*(?:\/\/|[|,–—-])\s*$/.test(between)
}

/** Whether a time of day is the end of another time, such as "8pm" in "thursday at 8pm". */
const endsLongerTime = ({ chart }: CommandText, { start, end, value }: Meaning): boolean =>
  (value as CommandTime).points.some(isTimeOnly) &&
  timesBefore(chart, end).some((item) => item.start < start && namesDayAndTime(item))

const namesDayAndTime = ({ value }: Meaning): boolean =>
  (value as CommandTime).points.some(({ day, time }) => day && time)

/** Words after which "morgen" and "mañana" mean the morning. */
const BEFORE_PART_OF_DAY = /^(?:guten?|am|la)$/
/** Whether a time begins with a part of the day: "night tomorrow 8pm", "Morgen 8 Uhr" after "Guten". */
const startsWithPartOfDay = (
  { tokens, chart }: CommandText,
  { start, end }: Meaning,
  point: Point | undefined,
): boolean =>
  !(chart[start]?.has('relativeDay') && !BEFORE_PART_OF_DAY.test(tokens[start - 1]?.word ?? '')) &&
  chart[start]?.get('partOfDay')?.some((part) => part.end < end && (part.value !== 'noon' || point?.time)) ===
    true

/** Whether one of several times already names a day and a time: "25 years with us today, on Facebook today 13:00" */
const hasWholePart = (times: CommandTime[]): boolean =>
  times.length > 1 && times.some(({ points: [point] }) => point && strengthOf(point) === 'whole')

export function strengthOf({ day, time, fromNow, defaultTime, partOfDay }: Point): Strength {
  if (fromNow || (day && time)) return 'whole'
  if (time) return 'clock'
  return !defaultTime && (day || partOfDay) ? 'day' : 'vague'
}

function strengthOfWords(words: string, problem: CommandTime['problem']): Strength {
  if (problem === 'vague') return 'vague'
  return CLOCK_TIME.test(words) ? 'whole' : 'day'
}

/** Text that is clearly a time of day. "2:58:11", the result of a race, isn't. */
const EXACT_TIME =
  /\d ?[ap]\.?m\b|(?<![\d:])\d{1,2}[:h]\d\d(?![\d:])|\b(?:noon|midnight|midday)\b|\d ?uhr\b|(?:à|às|a las) \d{1,2} ?h\b/i
const ANY_TIME = new RegExp(`${EXACT_TIME.source}|(?:\\b(?:at|by|from|until|till)|@) ?\\d`, 'i')
const ANY_TIME_AT_END = new RegExp(`(?:${ANY_TIME.source})$`, 'i')
const MAX_SENTENCE_LENGTH = 120
const SENTENCE_END = new RegExp(`[!?\\n]|\\.\\s|${EMOJI_OR_MENTION}`, 'iu')
export const MAX_TIME_TOKENS = 10

/** The times whose last word comes directly before a token. */
export const timesBefore = (chart: Chart, token: number): Meaning[] =>
  chart
    .slice(Math.max(0, token - MAX_TIME_TOKENS), token)
    .flatMap((meanings) => meanings.get('time') ?? [])
    .filter(({ end }) => end === token)

/** Whether the last sentence of the text names a time of day. With `isExact`, a time such as "at 6" doesn't count. */
export function namesTimeOfDay(text: string, isExact: boolean): boolean {
  const sentence = text.slice(-MAX_SENTENCE_LENGTH).split(SENTENCE_END).at(-1)
  return (isExact ? EXACT_TIME : ANY_TIME).test(sentence ?? '')
}

const TIME_CONNECTORS = ['AT', 'ON', 'FOR', 'AND', 'OR']

/** Whether another time comes directly before a token, so that one of the two may belong to the post. */
export function followsTime(
  { text, tokens, chart }: CommandText,
  position: number,
  strength: Strength,
): boolean {
  let end = position
  const joins = (token: number) =>
    /^[,.@]$/.test(tokens[token]?.word ?? '') || TIME_CONNECTORS.some((type) => chart[token]?.has(type))
  while (end > 0 && joins(end - 1)) end--
  // Skips platforms between the times: "Launch tomorrow 9am on X, friday 10am on LinkedIn"
  end = startOfPlatforms(chart, end)
  const textBefore = text.slice(0, tokens[end - 1]?.end ?? 0)
  const between = text.slice(textBefore.length, tokens[position]?.start)
  // "Launch monday 🚀 9am", "Launch 3 december. 9am"
  const mayHaveDay = strength === 'clock' && (HAS_EMOJI_OR_MENTION.test(between) || between.includes('.'))
  if (between.includes('\n') || (HAS_EMOJI_OR_MENTION.test(between) && !mayHaveDay)) return false
  const separator = mayHaveDay ? ',' : /[,.]/.exec(between)?.[0]
  if (separator && ANY_TIME_AT_END.test(textBefore.slice(-MAX_SENTENCE_LENGTH))) return true
  return timesBefore(chart, end).some((item) =>
    countsAsSeparateTime(item, textBefore.slice(tokens[item.start]?.start), separator),
  )
}

const startOfPlatforms = (chart: Chart, end: number): number => {
  const start = chart.findIndex((meanings) => meanings.get('platforms')?.some((item) => item.end === end))
  return start < 0 ? end : start
}

/** After a comma, a day counts as well: "Meet us monday, tomorrow 9am". */
function countsAsSeparateTime({ value }: Meaning, words: string, separator: string | undefined): boolean {
  const { points } = value as CommandTime
  if (points.some(({ fromNow, defaultTime }) => fromNow || defaultTime)) return false
  if (separator) return CLOCK_TIME.test(words) || (separator === ',' && points.some(({ day }) => day))
  return points.some(({ time }) => time && !time.mayBeYear && !time.time.second)
}
