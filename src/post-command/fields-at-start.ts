import type { Meaning } from '../time/chart.ts'
import { ARROW, EMOJI_OR_MENTION } from '../time/markup.ts'
import {
  ABBREVIATED_PLATFORM,
  addPath,
  CONNECTOR_COST,
  canCombineFields,
  costOf,
  type EdgeFields,
  endsWithOnly,
  FIELDS,
  type FoundFields,
  findConnectorEnds,
  isWholeTime,
  MAX_BOUNDARY_LENGTH,
  MAX_EDGE_TOKENS,
  mayBePost,
  NOT_EMOJI_END,
  namesClockTime,
  type Path,
  readFields,
} from './command-fields.ts'
import {
  CLOCK_TIME,
  type CommandText,
  type FoundTime,
  findTime,
  HAS_EMOJI_OR_MENTION,
  LINK_PLACEHOLDER,
} from './command-time.ts'
import type { PlatformList } from './command-words.ts'
import { NAMES_PLATFORMS, PLEASE } from './request-words.ts'
import { readTextStart } from './text-start.ts'

/** Finds the possible readings of the fields at the start of a command, those separated from the text first. */
export function findHeads(command: CommandText): EdgeFields[] {
  const { tokens, chart } = command
  const paths = Array.from({ length: tokens.length + 1 }, (): Path[] => [])
  paths[0] = [{ fields: [], from: 0, to: 0, cost: 0, hasWords: false }]
  const edges: EdgeFields[] = []
  let isListOfTimes = false
  for (let to = 0; to <= Math.min(tokens.length, MAX_EDGE_TOKENS); to++) {
    const ends = findConnectorEnds(command, to)
    for (const path of (paths[to] ?? []).sort((a, b) => a.cost - b.cost)) {
      const head = toHead(command, path)
      if (head) edges.push(head)
      isListOfTimes ||= head?.time !== undefined && !head.isSeparated && isFollowedByTime(command, path)
      for (const type of FIELDS)
        for (const item of chart[to]?.get(type) ?? []) {
          const fields = [...path.fields, { type, item }]
          addPath(paths[item.end] ?? [], { ...path, to: item.end, fields, cost: path.cost + costOf(item) })
        }
      for (const end of ends) {
        const hasWords = path.hasWords || mayBePost(command, to, end)
        addPath(paths[end] ?? [], { ...path, to: end, cost: path.cost + CONNECTOR_COST, hasWords })
      }
    }
  }
  const usable = isListOfTimes ? edges.filter(({ time, isSeparated }) => !time || isSeparated) : edges
  return usable.sort((a, b) => Number(b.isSeparated) - Number(a.isSeparated) || b.end - a.end)
}

/** At the start of the text, "Sun" and "We" are words, not days. */
const SHORT_WEEKDAY = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|mo|tu|we|th|fr|sa|su)\b\.?$/i
const SEPARATOR = new RegExp(
  String.raw`^(?:[)\]]:?(?=\s)|${NOT_EMOJI_END}::?(?=\s|$)|,?\s(?:${PLEASE.join('|')})[?.](?=\s)|\s::?(?=\s)|\s*(?://|${ARROW})(?=\s)|\s*${LINK_PLACEHOLDER}|\s+[-/](?=\s)|\s*[–—|•·](?=\s)|\s*\n)`,
  'i',
)
/** A slash, or a link that was removed, may also separate fields from each other. */
const MAY_JOIN_FIELDS = new RegExp(`^\\s*[/${LINK_PLACEHOLDER}]$`)
/** Matches the colon of "8am tomorrow:we bake", but not of "8am tomorrow :cake: is ready". */
const COLON_IN_WORDS = /^:(?=\p{L})|^\s:(?=\p{L})(?![\w+-]+:)/u
/** "On draft" is about beer. */
const ON_DRAFT = /\bon draft\b/i
/** The tab after a pasted spreadsheet cell. */
const ENDS_CELL = /^\s*\t/
/** The comma before the text in a line of CSV: "tomorrow,fb,The shop is closed" */
const ENDS_CELL_WITH_COMMA = /^,(?=\p{Lu})/u
const WEAK_SEPARATOR = /^(?:[,;!.?](?=\s)|[,;](?=\p{L}))/u
function toHead(command: CommandText, path: Path): EdgeFields | undefined {
  const { fields, to } = path
  const { text, tokens, chart } = command
  if (fields.at(-1)?.item.end !== to) return undefined
  // "Until friday 12:00 free entry" names no moment.
  if (chart.slice(0, fields[0]?.item.start).some((meanings) => meanings.has('UNTIL'))) return undefined
  const end = tokens[to - 1]?.end ?? 0
  const words = text.slice(0, end)
  const after = text.slice(end, end + MAX_BOUNDARY_LENGTH)
  if (!after.trim() || HAS_EMOJI_OR_MENTION.test(words) || chart[0]?.has('GREETING')) return undefined
  if (ON_DRAFT.test(words)) return undefined
  const last = fields.at(-1)
  if (last?.type === 'platforms' && isInsideList(command, to)) return undefined
  // "Fb only two seats left", but not "fb only: two seats left"
  if (last?.type === 'platforms' && endsWithOnly(command, last.item) && !/^\s*[,;:|–—-]/.test(after))
    return undefined
  const found = readFields(command, fields)
  if (!found) return undefined
  const { time, list, draft, types } = found
  if (time && endsWithHeading(command, fields)) return undefined
  const isLabel = isLabelBefore(command, path, found, after)
  const separator =
    SEPARATOR.exec(after)?.[0] ??
    (time && hasClockTime(time) ? COLON_IN_WORDS.exec(after)?.[0] : undefined) ??
    wordsBeforeColon(command, to) ??
    (list ? ENDS_CELL.exec(after)?.[0] : undefined) ??
    (time && list && words.includes(',') ? ENDS_CELL_WITH_COMMA.exec(after)?.[0] : undefined)
  // "Now on YouTube: our film" is the text of a post, but "now x: our film" and "asap on X: our film" name platforms.
  const isLabelOfNow =
    list &&
    (separator?.includes('|') ||
      types[0] === 'platforms' ||
      /^asap/i.test(words) ||
      /^now (?:x|fb|ig|insta|yt|tg|li)$/.test(words))
  if (time?.isNow && !isLabel && !(separator && (chart[0]?.has('request') || isLabelOfNow))) return undefined
  const weakSeparator = WEAK_SEPARATOR.exec(after)?.[0]
  // "LinkedIn: 5 lessons from 12 months", but not "Live on TikTok: Kim Possible quiz"
  const isName =
    list?.platforms.length === 1 &&
    fields[0]?.item.start === 0 &&
    after.startsWith(':') &&
    BEGINS_SENTENCE.test(after.slice(1))
  // "Live tomorrow 6pm with our chef": the first word may be part of the post.
  const mayBeInText = !separator && path.hasWords
  if (mayBeInText && !time) return undefined
  const start = separator || !time ? 'clear' : readTextStart(command, path, after)
  if (start === 'in time') return undefined
  const isHead = separator
    ? time
      ? isTimeBeforeText(time, words, list) &&
        !(fields.length === 1 && chart[0]?.has('holiday') && !hasClockTime(time))
      : list && (draft || isListBeforeText(list, words, after) || isName)
    : isLabel ||
      (list && !time && isAbbreviationBeforeText(words, after)) ||
      (time && (!draft || draft.isClear) && isTimeWithoutSeparator(time, words, after))
  if (!isHead) return undefined
  const rest = text.slice(end + (separator ?? weakSeparator ?? '').length)
  return {
    start: 0,
    end: text.length - rest.trimStart().length,
    time: time && (start === 'unclear' || mayBeInText) ? { ...time, isCertain: false } : time,
    list,
    isDraft: draft !== undefined,
    isSeparated: separator ? !MAY_JOIN_FIELDS.test(separator) : isAfterLabel(command, path, found, after),
    beginsWithTime: types[0] === 'time',
    hasWords: false,
    platformsMayBeText: !time && isName && !isListBeforeText(list, words, after),
  }
}

/** Finds words and a colon after the fields: "please:" in "On X at 9am please:", but none in "9am New York time:". */
function wordsBeforeColon({ text, tokens, chart }: CommandText, to: number): string | undefined {
  const from = chart[to]?.has('COMMA') ? to + 1 : to
  if (chart[from]?.has('TIME')) return undefined
  const ends = WORDS_BEFORE_COLON.flatMap((type) => chart[from]?.get(type) ?? []).map(({ end }) => end)
  const last = Math.max(to, ...ends)
  const typed = text.slice(tokens[from]?.start, tokens[last - 1]?.end)
  if (typed !== typed.toLowerCase()) return undefined
  const colon = /^\s?:(?=\s|$)/.exec(text.slice(tokens[last - 1]?.end))?.[0]
  return colon && text.slice(tokens[to - 1]?.end, (tokens[last - 1]?.end ?? 0) + colon.length)
}

const WORDS_BEFORE_COLON = ['FILLER', 'THANKS', 'PLEASE', 'REQUEST']

/** Whether a holiday after a whole time begins the text: "27.11. 7:00 BLACK FRIDAY: half off" */
const endsWithHeading = (command: CommandText, fields: Path['fields']): boolean =>
  fields.some(({ type, item }) => {
    if (type !== 'time') return false
    const isHoliday = ({ end, type: name }: Meaning) => name === 'holiday' && end === item.end
    return command.chart[item.start]?.get('time')?.some((time) => {
      const found = time.end < item.end && findTime(command, [time])
      const next = command.chart.slice(time.end, time.end + 2)
      return found && isWholeTime(found) && next.some((meanings) => meanings.get('holiday')?.some(isHoliday))
    })
  })

/** "tomorrow 3pm 4pm …", "friday 9am, saturday 10am …", "tomorrow 9am, LinkedIn friday 10am …" */
function isFollowedByTime(command: CommandText, { fields, to }: Path): boolean {
  const { chart, tokens } = command
  const joins = (token: number) =>
    ['COMMA', 'AND', 'OR', 'SLASH', 'AT'].some((type) => chart[token]?.has(type))
  let next = to
  while (joins(next)) next++
  const ends = [next, ...(chart[next]?.get('platforms') ?? []).map(({ end }) => end)]
  const hasWordsAfter = ({ end }: Meaning) => tokens.slice(end).some(({ kind }) => kind !== 'mark')
  const hasClockAfter = ({ end }: Meaning) =>
    chart.slice(end).some((meanings) => meanings.get('time')?.some((item) => namesClockTime(command, item)))
  // "friday / ig / 8am / Scarves are in", but not "friday / 9am yoga / 11am pilates"
  const isSameTime = (item: Meaning) =>
    canCombineFields([...fields, { type: 'time', item }]) && !hasClockAfter(item)
  return ends.some((start) =>
    chart[start]
      ?.get('time')
      ?.some((item) => hasWordsAfter(item) && namesClockTime(command, item) && !isSameTime(item)),
  )
}

function isTimeWithoutSeparator(time: FoundTime, words: string, after: string): boolean {
  // "Last Tuesday, at 7 in the morning, we opened", "Every sunday at 12, we serve lunch"
  if (after.startsWith(',') && (time.problem === 'past' || time.problem === 'recurrence')) return false
  if (WEAK_SEPARATOR.test(after)) return isWholeTime(time) || (hasClockTime(time) && /\d/.test(words))
  return isWholeTime(time) && namesClearTime(time) && /^\s/.test(after)
}

/** Whether a label precedes the text: "10:00 youtube Our film is online", "7am instagram 5 ways to wear a scarf" */
function isLabelBefore(
  { text, tokens, chart }: CommandText,
  { fields, to }: Path,
  { time }: FoundFields,
  after: string,
): boolean {
  const list = fields.find(({ type }) => type === 'platforms')?.item
  const words = list && text.slice(tokens[list.start]?.start, tokens[list.end - 1]?.end)
  if (!time || !words || words !== words.toLowerCase()) return false
  // "x 20:00 UTC v2 is live"
  if (chart[to]?.has('zone')) return false
  if (BEGINS_WITH_CAPITAL.test(after)) return time.strength !== 'vague' || time.isNow || /\d/.test(time.words)
  return hasClockTime(time) && /^\s+\d/.test(after) && !chart[to]?.has('time')
}

/** Whether a time follows its label: "linkedin: mon 9am Our new office", but not "linkedin: mon 9am we open" */
const isAfterLabel = (
  { text, tokens }: CommandText,
  { fields: [platforms] }: Path,
  { time, types }: FoundFields,
  after: string,
): boolean =>
  types.join() === 'platforms,time' &&
  time !== undefined &&
  isWholeTime(time) &&
  /:\s*$/.test(text.slice(tokens[(platforms?.item.end ?? 0) - 1]?.end, time.start)) &&
  BEGINS_WITH_CAPITAL.test(after)

const LABEL_END = new RegExp(`^(?::|\\s[–—-](?=\\s+\\p{Lu})|\\s*${LINK_PLACEHOLDER})`, 'u')
/** Whether platforms precede the text: "fb, ig: New menu", "linkedin: We're hiring", but not "Instagram: our home" */
const isListBeforeText = ({ platforms }: PlatformList, words: string, after: string): boolean =>
  NAMES_PLATFORMS.test(words) ||
  platforms.length > 1 ||
  ABBREVIATED_PLATFORM.test(words.toLowerCase()) ||
  (words === words.toLowerCase() && (BEGINS_SENTENCE.test(after) || LABEL_END.test(after)))

/** Whether an abbreviation precedes the text: "ig Meet our coach", "fb, Our choir", but not "ig Stories are back" */
const isAbbreviationBeforeText = (words: string, after: string): boolean =>
  ABBREVIATED_PLATFORM.test(words) &&
  BEGINS_WITH_CAPITAL.test(after.replace(/^,/, '')) &&
  !CONTINUES_NAME.test(after)

const CONTINUES_NAME =
  /^\s+(?:Reels?|Stor(?:y|ies)|Lives?|Ads|Shorts|Music|Premium|Marketplace|Messenger|Groups?|Is|Has)\b/

const BEGINS_WITH_CAPITAL = new RegExp(`^\\s+(?:["“*(#]|${EMOJI_OR_MENTION}\\s*)*(?=\\p{Lu})`, 'u')

const BEGINS_SENTENCE = new RegExp(`${BEGINS_WITH_CAPITAL.source}|^\\s+\\d`, 'u')

/** Whether platforms before a token are only the start of a list. */
const isInsideList = ({ chart }: CommandText, to: number): boolean =>
  ['AND', 'COMMA', 'PLUS', 'SLASH'].some((type) => chart[to]?.has(type)) &&
  chart[to + 1]?.has('platform') === true

/** "In 5 days 500 km" names no time of day. */
const namesClearTime = ({ words }: FoundTime): boolean => CLOCK_TIME.test(words) || !/\b\d{3}$/.test(words)

const hasClockTime = ({ strength }: FoundTime): boolean => strength === 'whole' || strength === 'clock'

/** Whether words before a colon are the time of the post: "monday: soup is back", but not "every friday: fish & chips" */
const isTimeBeforeText = (time: FoundTime, words: string, list: PlatformList | undefined): boolean =>
  hasClockTime(time) ||
  list !== undefined ||
  (time.strength !== 'vague' && time.problem !== 'recurrence' && !SHORT_WEEKDAY.test(words.trim()))
