import type { ReadingContext } from '../time/reading.ts'
import { chooseFields } from './choose-fields.ts'
import { readCommandText } from './command-fields.ts'
import { explainUnknownNames, type PostCommand } from './remove-fields.ts'

const LABELS = {
  content: 'text|post|content|caption|copy|message',
  when: 'when|time|date|date and time|schedule(?:d)?(?: for)?',
  platforms: 'where|platforms?|channels?|networks?|accounts?',
  media: 'media|image|picture|photo|video',
  status: 'status',
}

/** A label at the start of a line, or after a separator. */
const LABEL = new RegExp(
  String.raw`(?:^|\n|[|;,])\s*(?:[*_-]\s*)*(?:${Object.entries(LABELS)
    .map(([label, names]) => `(?<${label}>${names})`)
    .join('|')})\*?\s?:\*?(?=\s)`,
  'gi',
)
const LINK = /^<?(https?:\/\/[^\s<>|]+)(?:\|[^<>]*)?>?$/

/**
 * Reads "Text: Launch day! Where: LinkedIn, X When: tomorrow 9am", a label a line. Returns undefined if the labels belong to the
 * post, as those of an invitation do: "When: friday 8pm, where: the old barn"
 */
export function readLabelled(text: string, context: ReadingContext): PostCommand | undefined {
  const found = [...text.matchAll(LABEL)].map((match) => ({
    label: Object.entries(match.groups ?? {}).find(([, name]) => name)?.[0],
    start: match.index,
    end: match.index + match[0].length,
  }))
  // A second label of the same kind belongs to the post: "Text: Open late. Post: yes"
  const labels = found.filter(
    ({ label }, index) => found.findIndex((other) => other.label === label) === index,
  )
  const values = labels.map(({ label, end }, index) => [
    label,
    text.slice(end, labels[index + 1]?.start).trim(),
  ])
  const before = text.slice(0, labels[0]?.start).trim()
  const {
    content = before,
    when = '',
    platforms = '',
    media = '',
    status = '',
  } = Object.fromEntries(values) as Partial<Record<keyof typeof LABELS, string>>
  if (!content || !platforms || (before && content !== before)) return undefined
  const link = LINK.exec(media)?.[1] ?? ''
  const fields = readCommandText(`${platforms} ${when}`, context)
  const { time, list, isEverything } = chooseFields(fields)
  const isRead = isEverything && list && Boolean(when) === Boolean(time) && Boolean(media) === Boolean(link)
  if (!isRead || !/^(?:draft|scheduled)?$/i.test(status)) return undefined
  return {
    content,
    platforms: list.platforms,
    media: link,
    when: when ? { words: when, segment: '', position: 0, isInText: false } : undefined,
    isDraft: /draft/i.test(status),
    messages: explainUnknownNames(fields, list),
  }
}
