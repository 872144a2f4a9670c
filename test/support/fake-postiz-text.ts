// How Postiz turns the HTML of a post into text, as observed at commit 74b01ada.

/** Some common entities. As in HTML, the semicolon is optional, so the URL parameter `&copy=` contains one. */
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  para: '¶',
  sect: '§',
  not: '¬',
  times: '×',
  deg: '°',
  curren: '¤',
  yen: '¥',
  cent: '¢',
  pound: '£',
  micro: 'µ',
}
const ENTITY = new RegExp(`&(?:#(\\d+);|#x([\\da-f]+);|(${Object.keys(ENTITIES).join('|')});?)`, 'g')
const TELEGRAM_ENTITY = /&(?:#(\d+);|#x([\da-f]+);|(amp|lt|gt|quot);)/g

const decodeEntities = (text: string, pattern = ENTITY) =>
  text.replace(pattern, (match, decimal, hexadecimal, name) => {
    if (name) return ENTITIES[name] ?? match
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16))
  })

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;')

const KEPT_TAG = /^(p|br|strong|u|a|ul|li|h[123]|span)$/i
const PIECE = /<\/?([a-z][^\s>/]*)[^>]*(?:>|$)|<[!?/][^>]*(?:>|$)|[^<]+|</gi

/** Text without a `<` stays as it is. Otherwise it is HTML, and unknown tags are dropped. */
export const sanitize = (content: string): string =>
  content.includes('<')
    ? content.replace(PIECE, (piece, tag) => {
        if (tag) return KEPT_TAG.test(tag) ? piece : ''
        return /^<./.test(piece) ? '' : escapeText(decodeEntities(piece))
      })
    : content

const isHtml = (stored: string) => /<\/?[a-z]/i.test(stored)

type PublishedPost = { id: string; releaseURL: string | null }

/** Returns the text that a platform publishes. X and Telegram decode entities before and after the conversion. */
export function renderText(stored: string, identifier: string, posts: PublishedPost[]): string {
  const linked = stored.replace(
    /\(post:([^)]+)\)/g,
    (_, id) => posts.find((post) => post.id === id)?.releaseURL ?? '',
  )
  const isTelegram = identifier === 'telegram'
  if (!isHtml(linked)) return isTelegram ? decodeEntities(linked, TELEGRAM_ENTITY) : linked
  if (isTelegram) return decodeEntities(toLines(decodeEntities(linked), true), TELEGRAM_ENTITY)
  if (identifier !== 'x' && /<p\s/.test(linked)) return linked
  const lines = toLines(identifier === 'x' ? decodeEntities(linked) : linked, false)
  return decodeEntities(lines).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\u00a0', ' ')
}

/** On Telegram, a paragraph that contains a newline keeps its tags. */
const toLines = (html: string, isTelegram: boolean) =>
  html
    .replace(/<strong>(.*?)<\/strong>/gs, (_, text) => (isTelegram ? text : toBold(text)))
    .replace(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs, isTelegram ? '$2' : '$1')
    .replace(/<li>(?:<p>)?(.*?)(?:<\/p>)?<\/li>/gs, '- $1\n')
    .replace(isTelegram ? /<(p|h[123])>(.*?)<\/\1>/g : /<(p|h[123])>(.*?)<\/\1>/gs, '$2\n')
    .replace(isTelegram ? /<(?!\/?p\b)[^>]*>/g : /<[^>]*>/g, '')
    .replace(/\n$/, '')

/** Letters of Unicode that look bold. */
const toBold = (text: string) =>
  text.replace(/&\w+;|[a-z]/gi, (match) => {
    if (match.length > 1) return match
    const code = match.charCodeAt(0)
    return String.fromCodePoint(code > 90 ? 0x1d5ee + code - 97 : 0x1d5d4 + code - 65)
  })

/** Plain text counts as its HTML, so an `&` counts 5. */
export function measureText(stored: string, identifier: string): number {
  const text = isHtml(stored) ? renderText(stored, identifier, []) : stored
  const length = isHtml(stored) ? text.length : escapeText(stored).length
  return identifier === 'x' ? Math.max(length, weighForX(text)) : length
}

/** Unlike X itself, Postiz counts URLs in full. */
const weighForX = (text: string): number =>
  [...new Intl.Segmenter().segment(text)].reduce((sum, { segment }) => {
    if (/\p{Emoji_Presentation}|\ufe0f/u.test(segment)) return sum + 2
    const lightCharacter = /^[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]$/u
    return (
      sum + [...segment].reduce((weight, character) => weight + (lightCharacter.test(character) ? 1 : 2), 0)
    )
  }, 0)
