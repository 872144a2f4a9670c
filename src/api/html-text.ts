const BLOCK = '(?:p|div|h[1-6]|ul|ol|li|blockquote|span)'
const STARTS_WITH_TAG = new RegExp(`^\\s*<${BLOCK}(?:\\s[^<>]*)?>`, 'i')
const ENDS_WITH_TAG = new RegExp(`</${BLOCK}>\\s*$`, 'i')

/** Converts a service's HTML to plain text. Text that doesn't begin and end with a block tag stays unchanged. */
export function htmlToText(text: string): string {
  if (!STARTS_WITH_TAG.test(text) || !ENDS_WITH_TAG.test(text)) return text
  const lines = text
    .replace(/\s+/g, ' ')
    .replace(/<br\s?\/?>/gi, '\n')
    .replace(/<\/p>/gi, '\n\n')
    .replace(/<\/(?:div|h[1-6]|li|blockquote)>/gi, '\n')
    .replace(/<li(?: [^<>]*)?>/gi, '• ')
  return decodeEntities(removeTags(lines))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export const removeTags = (text: string): string => text.replace(/<[^<>]*>/g, '')

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

export const decodeEntities = (text: string): string =>
  text
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (entity, hex, digits) => {
      const code = Number.parseInt(digits, hex ? 16 : 10)
      return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity
    })
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => ENTITIES[name] ?? '')
