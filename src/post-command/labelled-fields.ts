import type { ReadingContext } from '../time/reading.ts'
import { chooseFields, type Fields } from './choose-fields.ts'
import { readCommandText } from './command-fields.ts'
import type { CommandText } from './command-time.ts'
import { ONLY_MEDIA } from './find-media.ts'
import { explainUnknownNames, type PostCommand, timeOutsideText } from './remove-fields.ts'

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

/** Matches labels after a boundary. Labels end with a colon or a tab. */
const labelAfter = (boundary: string) =>
  new RegExp(
    String.raw`(?:${boundary})(?:${Object.entries(LABELS)
      .map(([label, names]) => `(?<${label}>${names})`)
      .join('|')})(?:\*?\s?:\*?(?=\s)|\t)`,
    'gi',
  )
/** Matches labels at the start of a line, or after a separator or a sentence. */
const LABEL = labelAfter(String.raw`(?:^|[\n\t|;,]|(?<=[.!?…])\s)\s*(?:[*_-]\s*)*`)
const LABEL_AFTER_WORD = labelAfter(String.raw`(?:^|[\n\t|;,])\s*[*_]?|(?<=\s)[*_]?`)

/**
 * Reads "Text: Launch day! | Platforms: LinkedIn, X | When: tomorrow 9am". Returns undefined unless the
 * content has a label and each other label is followed only by its field, because posts about events also have labels.
 */
export function readLabelled(text: string, context: ReadingContext): PostCommand | undefined {
  const separated = findLabels(text, LABEL)
  // A post may contain "our channel: YouTube" or "Save the Date: 24 December".
  const all = findLabels(text, LABEL_AFTER_WORD).filter(({ isCapitalized }) => isCapitalized)
  const areClear = all.every(({ label }) => label !== 'day' && label !== 'media')
  return (
    (areClear && all.length > separated.length ? readLabels(text, all, context) : undefined) ??
    readLabels(text, separated, context)
  )
}

type Label = { label: string | undefined; start: number; end: number; isCapitalized: boolean }

const findLabels = (text: string, pattern: RegExp): Label[] =>
  [...text.matchAll(pattern)].map((match) => ({
    label: Object.entries(match.groups ?? {}).find(([, name]) => name)?.[0],
    start: match.index,
    end: match.index + match[0].length,
    isCapitalized: /^\P{L}*\p{Lu}/u.test(match[0]),
  }))

function readLabels(text: string, labels: Label[], context: ReadingContext): PostCommand | undefined {
  if (text.slice(0, labels[0]?.start).trim()) return undefined
  if (labels.length > new Set(labels.map(({ label }) => label)).size) return undefined
  const end = findTextBelow(text, labels) ?? text.length
  const values = labels.map(({ label, end: from }, index) => [
    label,
    text
      .slice(from, labels[index + 1]?.start ?? end)
      .trim()
      .replace(DASH_AT_END, ''),
  ])
  const {
    content = text.slice(end).trim(),
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
    when: timeOutsideText(when),
    isDraft: /draft/i.test(status),
    messages: explainUnknownNames(fields.command, fields.list),
  }
}

/**
 * Finds the text in "When: 9am\nPlatforms: X\nLaunch day!". A post about an event also says "When: …" and "Where: …" above
 * its text.
 */
function findTextBelow(text: string, labels: Label[]): number | undefined {
  const names = labels.map(({ label }) => label)
  const lastLine = labels.at(-1)?.end ?? text.length
  const lineEnd = text.indexOf('\n', lastLine)
  const isClear =
    names.includes('platforms') &&
    (names.includes('time') || names.includes('day')) &&
    !names.includes('content') &&
    text.slice(lastLine, lineEnd).trim() !== ''
  return isClear && lineEnd >= 0 ? lineEnd : undefined
}

/** "Text: Hi there - Where: LinkedIn" */
const DASH_AT_END = /\s[–—-]$/

const hasOnly = (wanted: 'time' | 'list', { time, list, tail, hasNoText }: Fields): boolean =>
  Boolean(
    hasNoText &&
      !tail?.isDraft &&
      Boolean(time) === (wanted === 'time') &&
      Boolean(list) === (wanted === 'list'),
  )

function readField(text: string, context: ReadingContext): Fields & { command: CommandText } {
  const command = readCommandText(text, context)
  return { ...chooseFields(command), command }
}
