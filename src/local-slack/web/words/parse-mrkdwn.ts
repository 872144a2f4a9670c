/** A piece of a message's text. https://docs.slack.dev/messaging/formatting-message-text */
export type Word =
  | { is: 'text'; text: string }
  | { is: 'bold' | 'italic' | 'strike'; of: Word[] }
  | { is: 'code' | 'block'; of: Word[] }
  | { is: 'quote'; of: Word[] }
  | { is: 'user' | 'channel' | 'group'; id: string; label?: string }
  | { is: 'broadcast'; text: string }
  | { is: 'link'; url: string; label?: string }
  | { is: 'date'; seconds: number; format: string; url?: string; fallback: string }
  | { is: 'emoji'; name: string }

/** Reads Slack's own markup. What is not markup stays as it was typed. */
export function parseMrkdwn(text: string): Word[] {
  return text.split(/```\n?([\s\S]*?)\n?```\n?/).flatMap((part, index): Word[] => {
    if (index % 2) return [{ is: 'block', of: parseMarks(part) }]
    return part ? parseLines(part) : []
  })
}

/** Lines that begin with > belong together. */
function parseLines(text: string): Word[] {
  const words: Word[] = []
  const [before = '', rest] = text.split(/^(?:&gt;|>){3} ?([\s\S]*)$/m)
  if (rest !== undefined) return [...parseLines(before), { is: 'quote', of: parseInline(rest) }]
  for (const run of text.split(/((?:^(?:&gt;|>).*(?:\n|$))+)/m)) {
    if (!run) continue
    if (!/^(&gt;|>)/.test(run)) words.push(...parseInline(run))
    else words.push({ is: 'quote', of: parseInline(run.replace(/^(&gt;|>) ?/gm, '').replace(/\n$/, '')) })
  }
  return words
}

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const

const MARK = '<[^<>\\s][^<>\\n]*>'

/** A sign that opens stands before a letter and not after one; the one that closes the other way round. */
const STYLED =
  '(?<![\\p{L}\\p{N}])([*_~])(?=\\S)((?:<[^<>\\n]*>|`[^`\\n]+`|:[\\w+-]+:|(?!\\4)[^\\n])+?(?<=\\S))\\4(?![\\p{L}\\p{N}])'

const INLINE = new RegExp(['`([^`\\n]+)`', `(${MARK})`, "(:[\\p{L}\\p{N}_+'-]+:)", STYLED].join('|'), 'gu')

function parseInline(text: string): Word[] {
  const words: Word[] = []
  let end = 0
  for (const { 0: whole, 1: code, 2: mark, 3: emoji, 4: sign, 5: styled = '', index } of text.matchAll(
    INLINE,
  )) {
    words.push(...plain(text.slice(end, index)))
    end = index + whole.length
    if (code) words.push({ is: 'code', of: parseMarks(code) })
    else if (mark) words.push(parseMark(mark))
    else if (emoji) words.push({ is: 'emoji', name: emoji.slice(1, -1) })
    else words.push({ is: STYLES[sign as keyof typeof STYLES], of: parseInline(styled) })
  }
  return [...words, ...plain(text.slice(end))]
}

/** Inside code nothing is styled, but what stands in < > is still what it is. */
const parseMarks = (text: string): Word[] =>
  text.split(new RegExp(`(${MARK})`)).flatMap((part, index) => (index % 2 ? [parseMark(part)] : plain(part)))

function parseMark(mark: string): Word {
  const inner = mark.slice(1, -1)
  const [target = '', ...rest] = inner.split('|')
  const label = rest.length ? decode(rest.join('|')) : undefined
  const labelled = label === undefined ? {} : { label }
  if (/^@[UW]/.test(target)) return { is: 'user', id: target.slice(1), ...labelled }
  if (/^#[CG]/.test(target)) return { is: 'channel', id: target.slice(1), ...labelled }
  if (target.startsWith('!subteam^')) return { is: 'group', id: target.slice(9), ...labelled }
  const [, seconds, format = '', url] = /^!date\^(\d+)\^([^^]*)(?:\^(.+))?$/.exec(target) ?? []
  if (seconds !== undefined)
    return {
      is: 'date',
      seconds: Number(seconds),
      format: decode(format),
      ...(url && { url }),
      fallback: label ?? '',
    }
  if (target.startsWith('!')) return { is: 'broadcast', text: label ?? `@${target.slice(1)}` }
  return { is: 'link', url: decode(target), ...labelled }
}

/** An address is a link even where nobody marked it as one. */
const plain = (text: string): Word[] =>
  text.split(/(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)'"])/).flatMap((part, index): Word[] => {
    if (index % 2) return [{ is: 'link', url: decode(part) }]
    return part ? [{ is: 'text', text: decode(part) }] : []
  })

const decode = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
