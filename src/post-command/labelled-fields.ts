import type { ReadingContext } from '../time/reading.ts'
import { chooseFields, type Fields } from './choose-fields.ts'
import { readCommandText } from './command-fields.ts'
import type { CommandText } from './command-time.ts'
import { ONLY_MEDIA } from './find-media.ts'
import { explainUnknownNames, type PostCommand } from './remove-fields.ts'

/** The labels in all languages that Upnext reads. */
const LABELS = {
  content: 'text|post|content|caption|copy|message|texte|texto',
  day: 'date|day|datum|tag|fecha|data',
  time: 'when|time|date ?(?:/|and) ?time|publish(?: at)?|schedule(?:d)?(?: for)?|wann|zeit|uhrzeit|quand|heure|cuándo|hora|quando',
  platforms:
    'platforms?|channels?|networks?|accounts?|plattform(?:en)?|kan(?:al|äle)|plateformes?|plataformas?|canal(?:es)?',
  place: 'where|wo|où|dónde|onde',
  media: 'media|image|picture|photo|video|bild|foto|imagen|imagem',
  status: 'status',
}

/** Labels end with a colon or a tab. */
const labelAfter = (boundary: string) =>
  new RegExp(
    String.raw`(?:${boundary})(?:${Object.entries(LABELS)
      .map(([label, names]) => `(?<${label}>${names})`)
      .join('|')})(?:\*?\s?:\*?(?=\s)|\t)`,
    'gi',
  )
/** At the start of a line, or after a separator or a sentence. */
const LABEL = labelAfter(String.raw`(?:^|[\n\t|;,]|(?<=[.!?…])\s)\s*(?:[*_-]\s*)*`)
const LABEL_AFTER_WORD = labelAfter(String.raw`(?:^|[\n\t|;,])\s*[*_]?|(?<=\s)[*_]?`)

/**
 * Reads "Text: Launch day! | Platforms: LinkedIn, X | When: tomorrow 9am". Without separators, labels must be capitalized
 * alike, because the text may contain "our channel: YouTube". Returns undefined unless the text has a label and the other
 * labels contain nothing but their fields, because an invitation also has labels.
 */
export const readLabelled = (text: string, context: ReadingContext): PostCommand | undefined =>
  readLabels(text, [...text.matchAll(LABEL)], context) ??
  readLabels(text, [...text.matchAll(LABEL_AFTER_WORD)].filter(beginsLikeFirst), context)

function beginsLikeFirst(match: RegExpMatchArray, _index: number, [first]: RegExpMatchArray[]): boolean {
  const isCapitalized = ([label]: RegExpMatchArray | [string]) => /^\P{L}*\p{Lu}/u.test(label)
  return isCapitalized(match) === isCapitalized(first ?? [''])
}

function readLabels(
  text: string,
  matches: RegExpMatchArray[],
  context: ReadingContext,
): PostCommand | undefined {
  const labels = matches.map((match) => ({
    label: Object.entries(match.groups ?? {}).find(([, name]) => name)?.[0],
    start: match.index ?? 0,
    end: (match.index ?? 0) + match[0].length,
  }))
  if (text.slice(0, labels[0]?.start).trim()) return undefined
  if (labels.length > new Set(labels.map(({ label }) => label)).size) return undefined
  const values = labels.map(({ label, end }, index) => [
    label,
    text.slice(end, labels[index + 1]?.start).trim(),
  ])
  const {
    content = '',
    day = '',
    time: timeOfDay = '',
    platforms = '',
    place = '',
    media = '',
    status = '',
  } = Object.fromEntries(values) as Partial<Record<keyof typeof LABELS, string>>
  if (!content || (platforms && place)) return undefined
  const when = `${day} ${timeOfDay}`.trim()
  if (when && !hasOnly('time', readField(when, context))) return undefined
  const fields = readField(platforms || place, context)
  if (!fields.list || !hasOnly('list', fields)) return undefined
  const link = ONLY_MEDIA.exec(media)?.[1] ?? ''
  if (Boolean(media) !== Boolean(link) || !/^(?:draft|scheduled)?$/i.test(status)) return undefined
  return {
    content,
    platforms: fields.list.platforms,
    media: link,
    when: when ? { words: when, segment: '', position: 0, isInText: false } : undefined,
    isDraft: /draft/i.test(status),
    messages: explainUnknownNames(fields.command, fields.list),
  }
}

const hasOnly = (wanted: 'time' | 'list', { time, list, tail, isEverything }: Fields): boolean =>
  Boolean(
    isEverything &&
      !tail?.isDraft &&
      Boolean(time) === (wanted === 'time') &&
      Boolean(list) === (wanted === 'list'),
  )

function readField(text: string, context: ReadingContext): Fields & { command: CommandText } {
  const command = readCommandText(text, context)
  return { ...chooseFields(command), command }
}
