import type { Meaning } from '../time/chart.ts'
import { createLexiconFinder } from '../time/languages.ts'
import { EMOJI_NAMES } from '../time/markup.ts'
import { readWords } from '../time/read-words.ts'
import { type ReadingContext, toLocalContext } from '../time/reading.ts'
import { tokenize } from '../time/tokens.ts'
import { CLOCK_TIME, type CommandText, type FoundTime, findTime, joinTimes } from './command-time.ts'
import {
  COMMAND_WORDS,
  type CommandDraft,
  type CommandTime,
  commandGrammar,
  type PlatformList,
} from './command-words.ts'

/** Fields at one end of a command. */
export type EdgeFields = {
  start: number
  end: number
  time?: FoundTime | undefined
  list?: PlatformList | undefined
  isDraft: boolean
  /** Whether punctuation or a new line separates the fields from the text of the post. */
  isSeparated: boolean
  beginsWithTime: boolean
  /** Whether words such as "please post" are before the fields at the end. */
  hasRequest?: boolean | undefined
  /** Whether words between the fields may be the post. */
  hasWords: boolean
  /** Whether the platforms belong to the text if the other end of the command names platforms: "fb: Find us on X" */
  platformsMayBeText?: boolean | undefined
}

/** Abbreviations that rarely belong to a sentence. */
export const ABBREVIATED_PLATFORM = /^(?:fb|ig|insta|yt|tg)\b/

/** Long enough for the fields at one end of a command. */
export const MAX_EDGE_TOKENS = 60

const lexiconOf = createLexiconFinder(COMMAND_WORDS)

export function readCommandText(text: string, context: ReadingContext): CommandText {
  const tokens = tokenize(text)
  const lexicon = lexiconOf(context.locale)
  const { chart } = readWords(tokens, toLocalContext(context), {
    grammar: commandGrammar,
    lexicon,
    maxEdgeTokens: MAX_EDGE_TOKENS,
  })
  return { text, tokens: tokens.tokens, chart }
}

export const FIELDS = ['time', 'platforms', 'draft'] as const
type Field = { type: (typeof FIELDS)[number]; item: Meaning }
/** Types of words and marks that may be between fields. */
export const CONNECTORS = [
  ...['FILLER', 'THANKS', 'request', 'AND', 'PLUS', 'ON', 'AT', 'FOR', 'TO', 'VIA'],
  ...['COMMA', 'COLON', 'DASH', 'SLASH', 'PERIOD'],
]

/** Consecutive fields at one end of the text. */
export type Path = {
  fields: Field[]
  from: number
  to: number
  cost: number
  /** Whether words such as "love", which may be the post, are between the fields. */
  hasWords: boolean
}

export const CONNECTOR_COST = 0.1
const FIELD_COST = 1
/** Makes a time with a problem less likely: "24 à 9h" is a range, so "le" belongs to the time in "le 24 à 9h". */
const PROBLEM_COST = 0.2

export const costOf = ({ cost, value }: Meaning): number =>
  FIELD_COST + cost + ((value as Partial<CommandTime> | null)?.problem ? PROBLEM_COST : 0)

export function findConnectorEnds({ tokens, chart }: CommandText, start: number): Set<number> {
  // "Hello" belongs to the post.
  if (chart[start]?.has('GREETING')) return new Set()
  const ends = CONNECTORS.flatMap((type) => chart[start]?.get(type) ?? []).map(({ end }) => end)
  return new Set(/^[!?→▸►➔]$/.test(tokens[start]?.word ?? '') ? [...ends, start + 1] : ends)
}

const NON_POST_CONNECTORS = CONNECTORS.filter((type) => type !== 'FILLER' && type !== 'THANKS')
/** Whether filler words may also be a whole post, as "love" may. */
export const mayBePost = ({ chart, tokens }: CommandText, start: number, end: number): boolean =>
  tokens[start]?.kind === 'word' &&
  !NON_POST_CONNECTORS.some((type) => chart[start]?.get(type)?.some((item) => item.end === end))

/** Of the paths with the same kinds of fields, keeps only the cheapest. */
export function addPath(paths: Path[], path: Path): void {
  if (!canCombineFields(path.fields)) return
  const kinds = kindsOf(path.fields)
  const index = paths.findIndex(({ fields }) => kindsOf(fields) === kinds)
  if (index < 0) paths.push(path)
  else if ((paths[index]?.cost ?? 0) > path.cost) paths[index] = path
}

const kindsOf = (fields: Field[]): string => fields.map(({ type }) => type).join(' ')

/** A post has one time. Its day and time of day may be apart: "friday on Instagram at 8am", "Mon 23 Nov // 07:00". */
export function canCombineFields(fields: Field[]): boolean {
  const [first, second, ...others] = fields.filter(({ type }) => type === 'time').map(({ item }) => item)
  if (fields.filter(({ type }) => type === 'platforms').length > 1) return false
  if (!first || !second) return true
  const isApart = first.end < second.start && /time (?:platforms )?time/.test(kindsOf(fields))
  return (
    !others.length && isApart && Boolean(joinTimes([first, second].map(({ value }) => value as CommandTime)))
  )
}

export type FoundFields = Pick<EdgeFields, 'time' | 'list'> & {
  types: string[]
  draft: CommandDraft | undefined
}

/** Returns undefined if the words of a field belong to the text. */
export function readFields(command: CommandText, fields: Field[]): FoundFields | undefined {
  const itemsOf = (wanted: Field['type']) =>
    fields.filter(({ type }) => type === wanted).map(({ item }) => item)
  const time = findTime(command, itemsOf('time'))
  if (itemsOf('time').length && !time) return undefined
  const [platforms] = itemsOf('platforms')
  // In "fb Only today: free coffee", "Only" begins the text.
  if (platforms && endsWithOnly(command, platforms)) {
    const lastWord = command.text.slice(command.tokens[platforms.end - 1]?.start)
    if (/^\p{Lu}/u.test(lastWord)) return undefined
  }
  return {
    time,
    list: platforms?.value as PlatformList | undefined,
    draft: itemsOf('draft')[0]?.value as CommandDraft | undefined,
    types: fields.map(({ type }) => type),
  }
}

/** Whether platforms end with a word such as "only". */
export const endsWithOnly = ({ chart }: CommandText, { start, end }: Meaning): boolean =>
  end - start > 1 && chart[end - 1]?.has('EXACTLY') === true

/** Whether words of one of these types end right before a token: "hasta el", "until" */
export const followsWords = ({ chart }: CommandText, token: number, types: string[]): boolean =>
  chart
    .slice(Math.max(0, token - MAX_WORDS_BEFORE), token)
    .some((meanings) => types.some((type) => meanings.get(type)?.some(({ end }) => end === token)))
const MAX_WORDS_BEFORE = 4

/** The length of the words before a field that only lead to it: "on", "für", "pour le" */
export function measureLeadIn({ text, tokens, chart }: CommandText, from: number): number {
  // In "The kale season is ON 🥬 sunday 7am", "ON" doesn't lead to the time.
  const isNext = (start: number) => !text.slice(tokens[start]?.end, tokens[start + 1]?.start).trim()
  const isLeadIn = (start: number) =>
    isNext(start) && LEAD_INS.some((type) => chart[start]?.get(type)?.some(({ end }) => end === start + 1))
  let first = from
  while (first > 0 && isLeadIn(first - 1)) first--
  return (tokens[from]?.start ?? 0) - (tokens[first]?.start ?? 0)
}

const LEAD_INS = ['AT', 'ON', 'FOR']

/** Rules out a colon that ends the name of an emoji, such as ":party-parrot:". */
export const NOT_EMOJI_END = `(?!:(?<=${EMOJI_NAMES}))`
export const MAX_BOUNDARY_LENGTH = 40

/** Whether words clearly name a time of day, unlike a number such as "1000". */
export const namesClockTime = ({ text, tokens }: CommandText, { start, end, value }: Meaning): boolean =>
  (value as CommandTime).points.some(({ time }) => time) &&
  CLOCK_TIME.test(text.slice(tokens[start]?.start, tokens[end - 1]?.end))

export const isWholeTime = ({ strength, problem }: FoundTime): boolean => strength === 'whole' && !problem
