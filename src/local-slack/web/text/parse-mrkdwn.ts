import { splitEmojiNames } from '../../emoji.ts'

/** A part of a text in mrkdwn. https://docs.slack.dev/messaging/formatting-message-text */
export type MrkdwnNode =
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike' | 'code' | 'code_block' | 'quote'; children: MrkdwnNode[] }
  | { type: 'user' | 'channel' | 'group'; id: string; label?: string }
  | { type: 'broadcast'; text: string }
  | { type: 'link'; url: string; label?: string }
  | { type: 'date'; seconds: number; format: string; url?: string; fallback: string }
  | { type: 'emoji'; name: string }

/** Parses mrkdwn. Incomplete or unknown markup stays plain text. */
export function parseMrkdwn(text: string): MrkdwnNode[] {
  return text.split(/```\n?([\s\S]*?)\n?```\n?/).flatMap((part, index): MrkdwnNode[] => {
    const isCodeBlock = index % 2 === 1
    if (isCodeBlock) return [{ type: 'code_block', children: parseCode(part) }]
    return part ? parseQuotes(part) : []
  })
}

/** Joins neighboring lines that start with ">" to one quote; ">>>" quotes the rest of the text. */
function parseQuotes(text: string): MrkdwnNode[] {
  const [before = '', quotedRest] = text.split(/^(?:&gt;|>){3} ?([\s\S]*)$/m)
  if (quotedRest !== undefined)
    return [...parseQuotes(before), { type: 'quote', children: parseInline(quotedRest) }]
  return text.split(/((?:^(?:&gt;|>).*(?:\n|$))+)/m).flatMap((lines): MrkdwnNode[] => {
    if (!lines) return []
    if (!/^(&gt;|>)/.test(lines)) return parseInline(lines)
    const quoted = lines.replace(/^(&gt;|>) ?/gm, '').replace(/\n$/, '')
    return [{ type: 'quote', children: parseInline(quoted) }]
  })
}

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const

/** A mention, link or date, such as <@U123> or <https://example.com|label>. */
const REFERENCE = '<[^<>\\s][^<>\\n]*>'

/** An opening sign mustn't follow a letter, and a closing sign mustn't precede one. Neither counts next to a word joiner. */
const STYLED =
  '(?<![\\p{L}\\p{N}\\u2060])([*_~])(?=[^\\s\\u2060])((?:<[^<>\\n]*>|`[^`\\n]+`|:[\\w+-]+:|\\u2060[*_~`]\\u2060|(?!\\3)[^\\n])+?(?<=[^\\s\\u2060]))\\3(?![\\p{L}\\p{N}\\u2060])'

const INLINE = new RegExp(['(?<!\\u2060)`(?!\\u2060)([^`\\n]+)`', `(${REFERENCE})`, STYLED].join('|'), 'gu')

function parseInline(text: string): MrkdwnNode[] {
  const nodes: MrkdwnNode[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [markup, code, reference, sign, styledText = ''] = match
    nodes.push(...parsePlainText(text.slice(end, match.index), parseEmoji))
    end = match.index + markup.length
    if (code) nodes.push({ type: 'code', children: parseCode(code) })
    else if (reference) nodes.push(parseReference(reference))
    else nodes.push({ type: STYLES[sign as keyof typeof STYLES], children: parseInline(styledText) })
  }
  return [...nodes, ...parsePlainText(text.slice(end), parseEmoji)]
}

/** In code, Slack ignores styles and emoji but still resolves mentions and links. */
const parseCode = (text: string): MrkdwnNode[] =>
  text
    .split(new RegExp(`(${REFERENCE})`))
    .flatMap((part, index) => (index % 2 ? [parseReference(part)] : parsePlainText(part, parseText)))

function parseReference(reference: string): MrkdwnNode {
  const [target = '', ...labelParts] = reference.slice(1, -1).split('|')
  const label = labelParts.length ? unescapeText(labelParts.join('|')) : undefined
  const withLabel = label === undefined ? {} : { label }
  if (/^@[UW]/.test(target)) return { type: 'user', id: target.slice(1), ...withLabel }
  if (/^#[CG]/.test(target)) return { type: 'channel', id: target.slice(1), ...withLabel }
  if (target.startsWith('!subteam^'))
    return { type: 'group', id: target.slice('!subteam^'.length), ...withLabel }
  const [, seconds, format = '', url] = /^!date\^(\d+)\^([^^]*)(?:\^(.+))?$/.exec(target) ?? []
  if (seconds !== undefined)
    return {
      type: 'date',
      seconds: Number(seconds),
      format: unescapeText(format),
      ...(url && { url }),
      fallback: label ?? '',
    }
  if (target.startsWith('!')) return { type: 'broadcast', text: label ?? `@${target.slice(1)}` }
  return { type: 'link', url: unescapeText(target), ...withLabel }
}

const parseText = (text: string): MrkdwnNode[] => [{ type: 'text', text }]

const parseEmoji = (text: string): MrkdwnNode[] =>
  splitEmojiNames(text).flatMap((part) =>
    typeof part === 'string' ? parseText(part) : { type: 'emoji', ...part },
  )

/** Turns bare URLs into links. */
const parsePlainText = (text: string, parseRest: (text: string) => MrkdwnNode[]): MrkdwnNode[] =>
  text.split(/(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)'"])/).flatMap((part, index): MrkdwnNode[] => {
    const isUrl = index % 2 === 1
    if (isUrl) return [{ type: 'link', url: unescapeText(part) }]
    return part ? parseRest(unescapeText(part)) : []
  })

export const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
