import type { Meaning } from '../time/chart.ts'
import type { Path } from './command-fields.ts'
import type { CommandText } from './command-time.ts'
import type { CommandTime } from './command-words.ts'

/**
 * Whether the text begins after the time. In "tue 9am First look at our office" and "mon 10 Uhr 30 % off", it begins with the
 * time's last word. In "mon 9am London calling" and "tomorrow 10 tips", either is possible. A sentence may begin with its time.
 */
export function readTextStart(
  command: CommandText,
  { fields, to }: Path,
  after: string,
): 'clear' | 'unclear' | 'in time' {
  const { text, tokens, chart } = command
  const last = fields.at(-1)
  if (last?.type !== 'time') return 'clear'
  if (chart[to]?.has('meridiem') || chart[to]?.has('CLOCK')) return 'in time'
  const { start } = last.item
  const wordsFrom = (from: number) => text.slice(tokens[from]?.start, tokens[to - 1]?.end)
  const isShorterTime = ({ end, value }: Meaning) =>
    end < to && !tokens[end]?.isJoined && (value as CommandTime).points.some(({ time }) => time)
  const endings = chart[start]?.get('time')?.filter(isShorterTime) ?? []
  if (endings.some(({ end }) => NUMBER_IN_TEXT.test(wordsFrom(end) + after))) return 'in time'
  const is = (token: number, types: string[]) => types.some((type) => chart[token]?.has(type))
  const lastWord = to - 1
  if (endings.some(({ end }) => end === lastWord) && CAPITALIZED.test(wordsFrom(lastWord))) {
    const isSubject = FOLLOWS_SUBJECT.test(after)
    const isDay = is(lastWord, ['weekday', 'month', 'relativeDay', 'TONIGHT'])
    if (isDay) return isSubject ? 'in time' : 'clear'
    // "Tomorrow Night", "New Year's Eve"
    const endsName = (meanings: CommandText['chart'][number]) =>
      ['holiday', 'day', 'zone'].some((type) => meanings.get(type)?.some(({ end }) => end === to))
    const isInName =
      is(lastWord - 1, ['weekday', 'relativeDay']) || chart.slice(start, lastWord).some(endsName)
    const continues = /^\s+\p{Ll}/u.test(after) && !isInName
    if (continues && is(lastWord, ['ordinal', 'partOfDay'])) return 'in time'
    if (continues && is(lastWord, ['zone', 'place', 'weakZone', 'strongZone', 'holiday'])) return 'unclear'
  }
  const mayBeCounted = /(?:^|\s)\d{1,2}$/.test(wordsFrom(start)) && COUNTED_WORD.test(after)
  return mayBeCounted || beginsSentence(command, fields, after) ? 'unclear' : 'clear'
}

/** "In 5 minutes you can learn it", "Am Samstag um 14 Uhr liest Frau Weber", but not "Am Samstag um 14 Uhr Lesung mit Frau Weber" */
const beginsSentence = ({ text, chart }: CommandText, [first]: Path['fields'], after: string): boolean =>
  first?.item.start === 0 &&
  /^\p{Lu}\p{Ll}/u.test(text) &&
  ['ON', 'AT', 'IN', 'THE'].some((type) => chart[0]?.has(type)) &&
  /^\s+\p{Ll}/u.test(after)

/** "30 % off", "1st anniversary" */
const NUMBER_IN_TEXT = /^\d+(?:\s?[%€$£]|(?:st|nd|rd|th)\s+\p{Ll})/u
const CAPITALIZED = /^\p{Lu}\p{Ll}+$/u
/** "Monday is launch day", "Today only: 20% off" */
const FOLLOWS_SUBJECT = /^\s+(?:is|are|was|were|will|means|only)\b/
/** A plural, such as "tips", "ideas" or "Tipps" */
const COUNTED_WORD = /^\s+(?!(?:always|news|christmas)\b)\p{L}{2,}[^\P{L}isu]s(?!\p{L})/iu
