import type { Platform } from '../values.ts'

/**
 * Postiz converts HTML to text for each network. With this encoding, text arrives as it was written. This was observed
 * with the public API at commit 74b01ada.
 */
export function toPostizText(platform: Platform, text: string): string {
  // Postiz passes text without tags through. On Telegram, tags would be visible.
  if (platform === 'TELEGRAM') return escapeHtml(text)
  const encode = platform === 'X' ? escapeTwice : escapeHtml
  return text
    .split('\n')
    .map((line) => `<p>${encode(line)}</p>`)
    .join('')
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** For X, Postiz decodes entities twice. */
const escapeTwice = (text: string): string =>
  text
    .replace(/&(?=[a-z#])/gi, '&amp;amp;')
    .replace(/&(?!amp;)/g, '&amp;')
    .replaceAll('<', '&amp;lt;')
    .replaceAll('>', '&amp;gt;')
