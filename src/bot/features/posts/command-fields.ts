import type { Meaning } from '../../../time/chart.ts'
import { createLexicons } from '../../../time/languages.ts'
import type { NamedDay } from '../../../time/point.ts'
import { readWords } from '../../../time/read-words.ts'
import { type ReadingContext, toLocalContext } from '../../../time/reading.ts'
import { tokenize } from '../../../time/tokens.ts'
import {
  type CommandText,
  EMOJI,
  type FoundTime,
  findTime,
  followsTime,
  joinTimes,
  namesTimeOfDay,
} from './command-time.ts'
import { COMMAND_WORDS, type CommandTime, commandGrammar, type PlatformList } from './command-words.ts'

/** Fields at one end of a command. */
export type FieldsAtEnd = {
  start: number
  end: number
  time?: FoundTime | undefined
  list?: PlatformList | undefined
  isDraft: boolean
  /** Whether punctuation or a new line separates the fields from the text of the post. */
  isSeparated: boolean
  beginsWithTime: boolean
  /** Whether words that may be the post stand between the fields. */
  hasWords: boolean
}

/** Long enough for the fields at one end of a command. */
const MAX_TOKENS = 60

const lexiconOf = createLexicons(COMMAND_WORDS, 'WORD')

export function readCommandText(text: string, context: ReadingContext): CommandText {
  const tokens = tokenize(text)
  const lexicon = lexiconOf(context.locale)
  const { chart } = readWords(tokens, toLocalContext(context), {
    grammar: commandGrammar,
    lexicon,
    maxTokens: MAX_TOKENS,
  })
  return { text, tokens: tokens.tokens, chart }
}

const FIELDS = ['time', 'platforms', 'draft'] as const
type Field = { type: (typeof FIELDS)[number]; item: Meaning }
/** Types of words and marks that may stand between fields. */
export const CONNECTORS = [
  ...['FILLER', 'request', 'AND', 'PLUS', 'ON', 'AT', 'FOR', 'TO', 'VIA'],
  ...['COMMA', 'COLON', 'DASH', 'SLASH', 'PERIOD'],
]

/** A row of fields from one end of the text. */
type Path = {
  fields: Field[]
  from: number
  to: number
  cost: number
  /** Whether words such as "hello", which may be the post, stand between the fields. */
  hasWords: boolean
}

const NO_POST = CONNECTORS.filter((type) => type !== 'FILLER')
const CONNECTOR_COST = 0.1

/** Finds the fields at the end of a command, those with the most words first. */
export function findTails(command: CommandText, hasWholeTimeAtStart: boolean): FieldsAtEnd[] {
  const { tokens, chart } = command
  const count = tokens.length
  const paths: Path[][] = []
  paths[count] = [{ fields: [], from: count, to: count, cost: 0, hasWords: false }]
  const edges: FieldsAtEnd[] = []
  for (let from = count - 1; from >= Math.max(0, count - MAX_TOKENS); from--) {
    const found: Path[] = []
    for (const type of FIELDS)
      for (const item of chart[from]?.get(type) ?? [])
        for (const path of paths[item.end] ?? [])
          addPath(found, {
            ...path,
            from,
            fields: [{ type, item }, ...path.fields],
            cost: path.cost + item.cost + 1,
          })
    for (const end of connectorEnds(command, from))
      for (const path of paths[end] ?? [])
        if (path.fields.length || tokens[from]?.kind === 'mark' || chart[from]?.has('PLEASE'))
          addPath(found, {
            ...path,
            from,
            cost: path.cost + CONNECTOR_COST,
            hasWords: path.hasWords || (path.fields.length > 0 && mayBePost(command, from, end)),
          })
    paths[from] = found
    edges.push(...found.flatMap((path) => toTail(command, path, hasWholeTimeAtStart) ?? []))
  }
  edges.sort((a, b) => a.start - b.start)
  // If a line names a whole time, the words of the line before belong to the post.
  const isInOneLine = ({ time }: FieldsAtEnd) => !time?.words.includes('\n')
  const hasWholeLine = edges.some((edge) => edge.time?.strength === 'whole' && isInOneLine(edge))
  return hasWholeLine ? edges.filter(isInOneLine) : edges
}

/** Finds the fields at the start of a command, first the ones that are separated from the text. */
export function findHeads(command: CommandText): FieldsAtEnd[] {
  const { tokens, chart } = command
  const paths = Array.from({ length: tokens.length + 1 }, (): Path[] => [])
  paths[0] = [{ fields: [], from: 0, to: 0, cost: 0, hasWords: false }]
  const edges: FieldsAtEnd[] = []
  for (let to = 0; to <= Math.min(tokens.length, MAX_TOKENS); to++) {
    const ends = connectorEnds(command, to)
    for (const path of paths[to] ?? []) {
      const head = toHead(command, path)
      if (head) edges.push(head)
      for (const type of FIELDS)
        for (const item of chart[to]?.get(type) ?? []) {
          const fields = [...path.fields, { type, item }]
          addPath(paths[item.end] ?? [], { ...path, to: item.end, fields, cost: path.cost + item.cost + 1 })
        }
      for (const end of ends) {
        addPath(paths[end] ?? [], { ...path, to: end, cost: path.cost + CONNECTOR_COST })
      }
    }
  }
  return edges.sort((a, b) => Number(b.isSeparated) - Number(a.isSeparated) || b.end - a.end)
}

function connectorEnds({ tokens, chart }: CommandText, start: number): Set<number> {
  const ends = CONNECTORS.flatMap((type) => chart[start]?.get(type) ?? []).map(({ end }) => end)
  return new Set(/^[!?]$/.test(tokens[start]?.word ?? '') ? [...ends, start + 1] : ends)
}

/** Whether words that are filler beside a time may also be a whole post, as "hello" may. */
const mayBePost = ({ chart, tokens }: CommandText, start: number, end: number): boolean =>
  tokens[start]?.kind === 'word' &&
  !NO_POST.some((type) => chart[start]?.get(type)?.some((item) => item.end === end))

/** Keeps the cheapest path with the same kinds of fields. */
function addPath(paths: Path[], path: Path): void {
  if (!canStandTogether(path.fields)) return
  const kinds = kindsOf(path.fields)
  const same = paths.findIndex(({ fields }) => kindsOf(fields) === kinds)
  if (same < 0) paths.push(path)
  else if ((paths[same]?.cost ?? 0) > path.cost) paths[same] = path
}

const kindsOf = (fields: Field[]): string => fields.map(({ type }) => type).join(' ')

/** A post has one time. Platforms may stand between the day and the time: "friday on Instagram at 8am". */
function canStandTogether(fields: Field[]): boolean {
  const times = fields.filter(({ type }) => type === 'time').map(({ item }) => item.value as CommandTime)
  if (fields.filter(({ type }) => type === 'platforms').length > 1) return false
  if (times.length < 2) return true
  return times.length === 2 && kindsOf(fields).includes('time platforms time') && Boolean(joinTimes(times))
}

type FoundFields = Pick<FieldsAtEnd, 'time' | 'list'> & {
  types: string[]
  draft: { isClear: boolean } | undefined
}

/** Returns undefined if one of the fields only looks like a time. */
function readFields(command: CommandText, fields: Field[]): FoundFields | undefined {
  const itemsOf = (wanted: Field['type']) =>
    fields.filter(({ type }) => type === wanted).map(({ item }) => item)
  const time = findTime(command, itemsOf('time'))
  if (itemsOf('time').length && !time) return undefined
  return {
    time,
    list: itemsOf('platforms')[0]?.value as PlatformList | undefined,
    draft: itemsOf('draft')[0]?.value as { isClear: boolean } | undefined,
    types: fields.map(({ type }) => type),
  }
}

/** Rules out a colon that ends the name of an emoji, such as ":party-parrot:". */
const NOT_EMOJI_END = String.raw`(?!(?<=(?<![\w:]):[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*):)`
/** Periods after these don't end a sentence. */
const ABBREVIATION = String.raw`\d|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|june?|july?|aug|sept?|oct|nov|dec|[ap]\.?m)`
const ENDS_SENTENCE = new RegExp(
  `(?:^|[!?…\\n)\\]"”’»]|(?<!${ABBREVIATION})\\.|:[a-z0-9_+-]+:|<@[^<>]*>|\\p{RI}|\\u20e3|\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]*)\\s*$`,
  'iu',
)
/** Separators may also stand inside a time: "fri, 9am". */
const ENDS_PART = /(?:[,;:|•·(]|(?:^|\s)[-–—])\s*$/
const SEPARATORS_AT_END = new RegExp(String.raw`(?:${NOT_EMOJI_END}[\s,;:–—|•·([-])+$`, 'i')
/** Words that ask for a time: "please schedule it for" */
const REQUEST_AT_END =
  /(?<![\p{L}\p{N}])(?:(?:please|pls|can you|could you|can we) +)*(?:schedule|post|publish|send|queue)(?: (?:it|this))?(?: out)?(?: (?:at|on|for|@))* *$/iu
/** "On TV and YouTube" is one list, and only a part of it would be removed. */
const ENDS_WITH_CONNECTOR = /(?:(?<!\S)(?:and|plus)|[/&+])\s*$/i
/** "#week4" contains no time. */
const ENDS_WITH_WORD = /[\p{L}\p{N}#@]$/u
const MAX_BOUNDARY_LENGTH = 40

function toTail(
  command: CommandText,
  { fields, from, hasWords }: Path,
  hasWholeTimeAtStart: boolean,
): FieldsAtEnd | undefined {
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
  const isSeparated = ENDS_SENTENCE.test(ending) || ENDS_PART.test(ending)
  const hasOthersBeside = isSeparated || hasWholeTimeAtStart || nextType === 'time'
  if (type === 'platforms' && !isListOfPost(list, { ending, words: text.slice(start), hasOthersBeside }))
    return undefined
  if (type === 'draft' && !draft?.isClear && !isSeparated) return undefined
  if (time && (!mayStandThere(time, types) || (types.length === 1 && isVagueWord(time)))) return undefined
  if (time && type === 'time' && !isSeparated && !canFollowText(time, types)) return undefined
  const hasRequest = REQUEST_AT_END.test(ending)
  const isCertain =
    !before.trim() || hasRequest || isTimeOfPost(command, { time, types, from, isSeparated, before })
  const leadIn = leadInBefore(command, from)
  const asked = ending.slice(0, Math.max(0, ending.length - leadIn))
  const request = hasRequest ? ending.replace(REQUEST_AT_END, '') : asked
  const kept = request.replace(SEPARATORS_AT_END, '')
  return {
    start: before.length - ending.length + kept.length,
    end: text.length,
    time: time && { ...time, isCertain },
    list,
    isDraft: draft !== undefined,
    isSeparated,
    beginsWithTime: type === 'time',
    hasWords,
  }
}

/** How many characters before a field only lead to it: "on", "für", "pour le" */
function leadInBefore({ tokens, chart }: CommandText, from: number): number {
  const leadsTo = (start: number) =>
    LEAD_INS.some((type) => chart[start]?.get(type)?.some(({ end }) => end === start + 1))
  let first = from
  while (first > 0 && leadsTo(first - 1)) first--
  return (tokens[from]?.start ?? 0) - (tokens[first]?.start ?? 0)
}

const LEAD_INS = ['AT', 'ON', 'FOR']

type ListContext = { ending: string; words: string; hasOthersBeside: boolean }

/** Platform names without a preposition count only beside other fields, or after the end of a sentence. */
function isListOfPost(
  list: PlatformList | undefined,
  { ending, words, hasOthersBeside }: ListContext,
): boolean {
  if (!list || ENDS_WITH_CONNECTOR.test(ending)) return false
  return (
    list.hasPreposition || hasOthersBeside || list.platforms.length > 1 || ABBREVIATED_PLATFORM.test(words)
  )
}

/** Abbreviations that rarely end a sentence. */
const ABBREVIATED_PLATFORM = /^(?:fb|ig|insta|yt|tg)\b/

/** In a sentence, "next week" and "not tomorrow" belong to the text. */
const canFollowText = ({ strength, problem }: FoundTime, types: string[]): boolean =>
  problem !== 'nonsense' && (strength !== 'vague' || types.length > 1)

/** "Dec" and "soon" alone are words of the post. */
const isVagueWord = ({ strength, words }: FoundTime): boolean => strength === 'vague' && !/\s/.test(words)

/** Only after platforms, "now" says when to post. */
const mayStandThere = ({ isNow }: FoundTime, types: string[]): boolean =>
  !isNow || types[types.indexOf('time') - 1] === 'platforms'

type TimeContext = Pick<FoundFields, 'time' | 'types'> & {
  from: number
  isSeparated: boolean
  before: string
}

/** Whether a time at the end of a text is surely the time of the post. */
function isTimeOfPost(
  command: CommandText,
  { time, types, from, isSeparated, before }: TimeContext,
): boolean {
  if (!time) return true
  const isUsable = !time.problem || ['recurrence', 'past', 'invalid'].includes(time.problem)
  const isAfterPlatforms = types[types.indexOf('time') - 1] === 'platforms'
  if (time.strength === 'day' && !isSeparated && !isAfterPlatforms) return false
  // The last of several times in a sentence may belong to the post: "Doors at 6, show at 8pm"
  const isAlone = types.length === 1 && !isSeparated
  const isWhole = isWholeTime(time) && isAlone
  if ((time.strength === 'clock' || isWhole) && namesTimeOfDay(before, isWhole)) return false
  if (time.strength === 'clock' && !isSeparated && namesDay(command, from)) return false
  if (command.chart[from - 1]?.has('UNTIL')) return false
  return (isSeparated || isUsable || types.includes('platforms')) && !followsTime(command, from)
}

/** Whether the sentence names a day before a token: "Friday we launch at 5pm" */
function namesDay({ tokens, chart }: CommandText, before: number): boolean {
  for (let index = before - 1; index >= 0 && !/^[.!?:]$/.test(tokens[index]?.word ?? ''); index--)
    if (chart[index]?.get('day')?.some(({ value }) => !(value as NamedDay).isShort)) return true
  return false
}

const GREETING = /^(?:hello|hiya|hi|hey)\b/i
/** At the beginning, "Sun" and "We" are words. */
const SHORT_WEEKDAY = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|mo|tu|we|th|fr|sa|su)\b\.?$/i
const SEPARATOR = new RegExp(
  String.raw`^(?:[)\]](?=\s)|${NOT_EMOJI_END}:(?=\s|$)|\s:(?=\s)|\s+[-–—|](?=\s)|\s*[–—|](?=\s)|\s*\n)`,
  'i',
)
const WEAK_SEPARATOR = /^[,!.](?=\s)/
/** "On LinkedIn: …" and "Post on LinkedIn: …", but not "Instagram: our new home" */
const NAMES_PLATFORMS = /^\s*(?:(?:post|publish|share|schedule|draft)(?: (?:it|this))? )?(?:on|to|via|for|@)/i

function toHead(command: CommandText, { fields, to }: Path): FieldsAtEnd | undefined {
  const { text, tokens } = command
  if (fields.at(-1)?.item.end !== to) return undefined
  const end = tokens[to - 1]?.end ?? 0
  const words = text.slice(0, end)
  const after = text.slice(end, end + MAX_BOUNDARY_LENGTH)
  if (!after.trim() || EMOJI.test(words) || GREETING.test(words)) return undefined
  const found = readFields(command, fields)
  if (!found) return undefined
  const { time, list, draft, types } = found
  if (time?.isNow) return undefined
  const separator = SEPARATOR.exec(after)?.[0]
  const weakSeparator = WEAK_SEPARATOR.exec(after)?.[0]
  const isSet =
    separator !== undefined
      ? time
        ? isTimeBeforeText(time, words, list)
        : list !== undefined && NAMES_PLATFORMS.test(words)
      : !draft &&
        time !== undefined &&
        (weakSeparator
          ? isWholeTime(time) || (hasClock(time) && /\d/.test(words))
          : isWholeTime(time) && /^\s/.test(after))
  if (!isSet) return undefined
  const rest = text.slice(end + (separator ?? weakSeparator ?? '').length)
  return {
    start: 0,
    end: text.length - rest.trimStart().length,
    time,
    list,
    isDraft: draft !== undefined,
    isSeparated: separator !== undefined,
    beginsWithTime: types[0] === 'time',
    hasWords: false,
  }
}

const hasClock = ({ strength }: FoundTime): boolean => strength === 'whole' || strength === 'clock'

export const isWholeTime = ({ strength, problem }: FoundTime): boolean => strength === 'whole' && !problem

/** Whether words before a colon are the time of the post: "monday: soup is back" */
const isTimeBeforeText = (time: FoundTime, words: string, list: PlatformList | undefined): boolean =>
  hasClock(time) || list !== undefined || (time.strength !== 'vague' && !SHORT_WEEKDAY.test(words.trim()))
