import type { Meaning } from '../time/chart.ts'
import { ARROW, EMOJI_OR_MENTION } from '../time/markup.ts'
import type { NamedDay } from '../time/point.ts'
import { type FoundFields, followsWords, isWholeTime } from './command-fields.ts'
import {
  type CommandText,
  followsTime,
  HAS_EMOJI_OR_MENTION,
  LINK_PLACEHOLDER,
  namesTimeOfDay,
  strengthOf,
  timesBefore,
} from './command-time.ts'
import type { CommandTime } from './command-words.ts'

/** Periods after these don't end a sentence. */
const ABBREVIATION = String.raw`(?<!\d)\d{1,2}|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|june?|july?|aug|sept?|oct|nov|dec|[ap]\.?m)`
export const ENDS_SENTENCE = new RegExp(
  `(?:^|[!?…\\n${LINK_PLACEHOLDER})\\]"”’»]|(?<!${ABBREVIATION})\\.|${EMOJI_OR_MENTION})\\s*$`,
  'iu',
)

type TimeContext = Pick<FoundFields, 'time' | 'list' | 'types'> & {
  from: number
  isSeparated: boolean
  before: string
}

/** Whether a time at the end of the text is certainly the time of the post. */
export function isTimeOfPost(
  command: CommandText,
  { time, list, types, from, isSeparated, before }: TimeContext,
): boolean {
  if (!time) return true
  const isUsable = !time.problem || ['recurrence', 'past', 'invalid'].includes(time.problem)
  const isAfterPlatforms = types[types.indexOf('time') - 1] === 'platforms'
  // "See you tuesday", "Good morning, monday! ☀️ fb"
  const isInSentence = !isSeparated || /^\s?[!?]/.test(command.text.slice(time.end))
  if (time.strength === 'day' && isInSentence && !isAfterPlatforms) return false
  if (time.isFromNow && types[0] === 'time' && !isSeparated) {
    const isLater = command.chart.some((meanings, start) =>
      meanings.get('LATER')?.some(({ end }) => command.tokens[end - 1]?.end === time.end && start >= from),
    )
    // "He replied 2 hours later"
    if (isLater || SAYS_HOW_LONG_IT_TOOK.test(before)) return false
  }
  // The last of several times in a sentence may belong to the post: "Doors at 6, show at 8pm"
  const followsText = types[0] === 'time' && !isSeparated
  const isWhole = isWholeTime(time) && followsText && (types.length === 1 || namesWholeTime(command, from))
  if ((time.strength === 'clock' || isWhole) && namesTimeOfDay(before, isWhole)) return false
  if (
    time.strength === 'clock' &&
    !isSeparated &&
    (namesDay(command, from) || endsSentence(command.text, time.end))
  )
    return false
  if (followsWords(command, from, ['UNTIL'])) return false
  // "Sale Montag in acht Tagen um 9 Uhr"
  const isAfterDay = ['weekday', 'relativeDay'].some((type) => command.chart[from - 1]?.has(type))
  if (isAfterDay && command.chart[from]?.has('IN')) return false
  const isApart = types.filter((type) => type === 'time').length > 1
  const mayBeEventTime = isApart || (time.strength === 'clock' && types.length > 1)
  if (mayBeEventTime && ENDS_WITH_EVENT_VERB.test(before)) return false
  if (
    types[0] === 'time' &&
    (ENDS_WITH_MOVED_TO.test(before) || (types.length > 1 && SAYS_WHAT_HAPPENS.test(before)))
  )
    return false
  if (types[0] === 'time' && ENDS_WITH_ARROW.test(before) && endsArrowRange(command, from)) return false
  // "Closed until the 28th at 8am. Facebook 18 dec 9am", "Live jazz every thursday 8pm ig wednesday 2pm"
  const isAfterOtherTime = endsAtBoundary(command.text, before) || followsTimeOfText(command, from)
  if (types[0] === 'platforms' && isWholeTime(time) && isAfterOtherTime) return true
  // "New drop 🌙 tg 23:00", but not "Back on monday 🌙 tg 23:00"
  const isAfterMark = types[0] === 'platforms' && !list?.hasPreposition && ENDS_WITH_MARK.test(before)
  if (isAfterMark && time.strength === 'clock' && !time.problem && !namesDay(command, from)) return true
  if (time.isNow) return true
  return (
    (isSeparated || isUsable || types.includes('platforms')) && !followsTime(command, from, time.strength)
  )
}

/** "We sold out in 10 minutes", "I baked 40 loaves in 3 hours", "Back online in 90 minutes", "Vendimos todo en 2 horas" */
const SAYS_HOW_LONG_IT_TOOK = new RegExp(
  String.raw`(?<!\p{L})(?:built|came|did|got|grew|made|ran|sold|took|went|won|wrote|back(?: (?:online|up))?` +
    String.raw`|(?:i|we|you|he|she|it|they|who|team|everyone) \p{L}{2,}(?<!e)ed` +
    String.raw`|wurden?|waren|(?:avons|ont) (?:tout )?\p{L}+[éu]|(?:hemos|han) (?:\p{L}+[ai]do|hecho|puesto|escrito)` +
    String.raw`|foram|vend[ei]mos|hicimos|fizemos|agotamos|esgotamos|(?:haben|hat) [^.!?\n]*(?:ge\p{L}+|ver\p{L}+)(?:t|en)` +
    String.raw`|\p{L}{2,}(?:aron|ieron|aram|iram))(?!\p{L})(?:[^.!?\n]|\.\d)*$`,
  'iu',
)

/** Verbs for events and shops in German, French, Spanish and Portuguese. "Ferme" and "fecha", often nouns, are left out. */
const VERBS_IN_OTHER_LANGUAGES =
  'beginnt|beginnen|startet|starten|endet|öffnet|öffnen|schließt|schließen|commence|commencent|débute|ouvre|ouvrent|ferment|empieza|empiezan|comienza|abren?|cierran?|começam?|abrem|fecham|terminan?'
const BEFORE_TIME = '(?: (?:at|on|am|um|le|à|el|a las|no|na|às))?'
/** "Doors open 7pm, ig", "Sale ends tonight, ig 20:00" */
const ENDS_WITH_EVENT_VERB = new RegExp(
  `(?<!\\p{L})(?:ends|starts?|opens?|closes?|begins?|meets?|launch(?:es)?|finish(?:es)?|${VERBS_IN_OTHER_LANGUAGES})${BEFORE_TIME}\\s*$`,
  'iu',
)
/** Matches a subject and its verb at the end: "Our store opens saturday 11am ig", but not "Launch saturday 11am ig". */
const SAYS_WHAT_HAPPENS = new RegExp(
  `\\S\\s+(?:ends|starts|opens|closes|begins|finishes|lands|${VERBS_IN_OTHER_LANGUAGES})${BEFORE_TIME}\\s*$`,
  'iu',
)
/** "Yoga is moved to friday 9am" */
const ENDS_WITH_MOVED_TO = /\b(?:moved|postponed|rescheduled|changed|pushed|brought forward) to\s*$/i
export const ENDS_WITH_ARROW = new RegExp(`${ARROW}\\s*$`)
/** An emoji, a mention or an arrow. */
const ENDS_WITH_MARK = new RegExp(`(?:${EMOJI_OR_MENTION}|${ARROW})\\s*$`, 'iu')

/** Whether a time ends right before the arrow: "Open friday → saturday". In "Prices end soon → saturday", "soon" doesn't count. */
function endsArrowRange({ text, tokens, chart }: CommandText, from: number): boolean {
  const end = text.slice(0, tokens[from]?.start).replace(ENDS_WITH_ARROW, '').trimEnd().length
  const isDefinite = ({ value }: Meaning) => (value as CommandTime).problem !== 'vague'
  return chart.some((meanings) =>
    meanings.get('time')?.some((item) => tokens[item.end - 1]?.end === end && isDefinite(item)),
  )
}

/** Whether the words before platforms end with a sentence, an arrow or a bracket: "Open late. (X, today 15:30)" */
const endsAtBoundary = (text: string, before: string): boolean =>
  /\.\s+$/.test(before) ||
  ENDS_SENTENCE.test(before) ||
  ENDS_WITH_ARROW.test(before) ||
  (/[([]\s*$/.test(before) && /^[^\d)\]]*?[,;|]/.test(text.slice(before.length)))

/** Whether a time that no post can have comes before a token: "every thursday 8pm", "till 9pm" */
const followsTimeOfText = (command: CommandText, position: number): boolean =>
  timesBefore(command.chart, position).some(({ start }) => followsWords(command, start, ['EVERY', 'UNTIL']))

/**
 * Whether a time ends its sentence, as in "Doors open at 7pm 🎸 on X", "next update 16:00. Telegram" and "between 2 and 4am.
 * Telegram", but not in "at 4 a.m. Telegram".
 */
export const endsSentence = (text: string, end: number): boolean =>
  /^\s?[!?…]|^\.\s/.test(text.slice(end, end + 2)) ||
  /\p{L}\p{L}(?<!\.\p{L}+)\.$/u.test(text.slice(0, end)) ||
  HAS_EMOJI_OR_MENTION.test(text.slice(end))

/** Whether the sentence also names a day and a time earlier: "AMA thursday 9pm, ask us anything friday 11am reddit" */
function namesWholeTime({ tokens, chart }: CommandText, before: number): boolean {
  for (let start = before - 1; start >= 0 && !isSentenceEnd(tokens, start); start--)
    for (const { value, end } of chart[start]?.get('time') ?? [])
      if (end <= before && (value as CommandTime).points.some((point) => strengthOf(point) === 'whole'))
        return true
  return false
}

/** Whether the sentence names a day before a token: "Friday we launch at 5pm" */
function namesDay({ text, tokens, chart }: CommandText, before: number): boolean {
  if (BEGINS_WITH_DATE.test(text)) return true
  for (let index = before - 1; index >= 0 && !isSentenceEnd(tokens, index); index--)
    if (
      chart[index]?.has('TONIGHT') ||
      chart[index]?.get('day')?.some(({ value }) => !(value as NamedDay).isShort)
    )
      return true
  return false
}

/** The periods in "24.12.2026" don't end a sentence. */
function isSentenceEnd(tokens: CommandText['tokens'], index: number): boolean {
  const [mark, next] = tokens.slice(index, index + 2)
  const isInNumber = next?.kind === 'digits' && next.start === mark?.end
  return /^[.!?]$/.test(mark?.word ?? '') && !isInNumber
}

/** A date in digits as a heading: "24.12.2026: closing at noon" */
const BEGINS_WITH_DATE = /^\W*\d{1,2}([./-])\d{1,2}(?:\1(?:\d{4}|\d{2})|\.)?:\s/
