import type { ReadingContext } from '../time/reading.ts'
import { chooseFields } from './choose-fields.ts'
import { readCommandText } from './command-fields.ts'
import { explainUnknownNames, type PostCommand } from './remove-fields.ts'

/** In all languages that are read. */
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

/** A label at the start of a line, after a separator or a sentence, or in capitals, and before a colon or a tab. */
const LABEL = new RegExp(
  String.raw`(?:^|[\n\t|;,]|(?<=[.!?…])\s|\s(?=\p{Lu}{4,}:))\s*(?:[*_-]\s*)*(?:${Object.entries(LABELS)
    .map(([label, names]) => `(?<${label}>${names})`)
    .join('|')})(?:\*?\s?:\*?(?=\s)|\t)`,
  'giu',
)
const LINK = /^<?(https?:\/\/[^\s<>|]+)(?:\|[^<>]*)?>?$/

/**
 * Reads "Text: Launch day! Platforms: LinkedIn, X When: tomorrow 9am". Returns undefined if the labels belong to the post, as those
 * of an invitation do: "When: friday 8pm, where: the old barn"
 */
export function readLabelled(text: string, context: ReadingContext): PostCommand | undefined {
  const found = [...text.matchAll(LABEL)].map((match) => ({
    label: Object.entries(match.groups ?? {}).find(([, name]) => name)?.[0],
    start: match.index,
    end: match.index + match[0].length,
  }))
  const isRepeated = (index: number) =>
    found.findIndex(({ label }) => label === found[index]?.label) !== index
  // A second label for the text belongs to it: "Text: Open late. Post: yes"
  const labels = found.filter(({ label }, index) => label !== 'content' || !isRepeated(index))
  if (labels.length > new Set(labels.map(({ label }) => label)).size) return undefined
  const values = labels.map(({ label, end }, index) => [
    label,
    text.slice(end, labels[index + 1]?.start).trim(),
  ])
  const before = text.slice(0, labels[0]?.start).trim()
  const {
    content = before,
    day = '',
    time: timeOfDay = '',
    platforms = '',
    place = '',
    media = '',
    status = '',
  } = Object.fromEntries(values) as Partial<Record<keyof typeof LABELS, string>>
  const isInvitation = before ? content !== before || !platforms || namesFields(before, context) : !content
  if (isInvitation) return undefined
  const when = `${day} ${timeOfDay}`.trim()
  const link = LINK.exec(media)?.[1] ?? ''
  const fields = readCommandText(platforms || place, context)
  const { list, isEverything } = chooseFields(fields)
  if (!list || !isEverything || Boolean(media) !== Boolean(link)) return undefined
  if (!/^(?:draft|scheduled)?$/i.test(status)) return undefined
  return {
    content,
    platforms: list.platforms,
    media: link,
    when: when ? { words: when, segment: '', position: 0, isInText: false } : undefined,
    isDraft: /draft/i.test(status),
    messages: explainUnknownNames(fields, list),
  }
}

function namesFields(text: string, context: ReadingContext): boolean {
  const { time, list } = chooseFields(readCommandText(text, context))
  return time !== undefined || list !== undefined
}
