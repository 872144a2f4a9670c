import shortNames from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }

/** Each emoji has one or more names, such as "+1" and "thumbsup". The first is the one that Slack uses. */
const NAMES_AND_CODE_POINTS = Object.entries(shortNames).flatMap(([codePoints, names]) =>
  [names].flat().map((name) => ({ name, codePoints })),
)

/** Reads "1f3c3-200d-2640-fe0f". */
export function fromCodePoints(codePoints: string): string {
  const emoji = String.fromCodePoint(...codePoints.split('-').map((hex) => Number.parseInt(hex, 16)))
  // Without this selector, which the list leaves out, many systems show "❤" as a black symbol.
  return emoji.replace(/^(?!\p{Emoji_Presentation})\p{Emoji}$/u, '$&\u{fe0f}')
}

export const toCodePoints = (emoji: string): string =>
  [...emoji].map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0')).join('-')

const CODE_POINTS_BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES_AND_CODE_POINTS.map(({ name, codePoints }) => [name, codePoints]),
)

/** Skin tones 2 to 6 are these five characters in a row. */
const FIRST_SKIN_TONE = 0x1f3fb

/** Finds the emoji of a name such as "tada" or "wave::skin-tone-2". */
export function findEmoji(name: string): string | undefined {
  const [baseName = '', tone] = name.split('::skin-tone-')
  const codePoints = CODE_POINTS_BY_NAME.get(baseName)
  const emoji = codePoints && fromCodePoints(codePoints)
  if (!emoji || !tone) return emoji
  const modifier = String.fromCodePoint(FIRST_SKIN_TONE + Number(tone) - 2)
  return emoji.replace(/(\p{Emoji_Modifier_Base})\u{fe0f}?/gu, `$1${modifier}`)
}

const withoutSelectors = (codePoints: string): string => codePoints.toLowerCase().replaceAll('-fe0f', '')

// Of several names, the first is set last.
const NAME_BY_CODE_POINTS: ReadonlyMap<string, string> = new Map(
  NAMES_AND_CODE_POINTS.toReversed().map(({ name, codePoints }) => [withoutSelectors(codePoints), name]),
)

/** Finds the name of an emoji, with its skin tone. */
export function findEmojiName(emoji: string): string | undefined {
  // A skin tone by itself is an emoji, too.
  const base = withoutSelectors(toCodePoints(emoji)).replaceAll(/-1f3f[b-f]/g, '')
  const name = NAME_BY_CODE_POINTS.get(base)
  const names = ['', 2, 3, 4, 5, 6].map((tone) => (tone ? `${name}::skin-tone-${tone}` : `${name}`))
  return names.find((candidate) => findEmoji(candidate) === emoji)
}

/** A colon between digits belongs to a time. */
const EMOJI_CODE = /(?<!\d(?=:\d)):([a-z0-9_+-]+(?:::skin-tone-[2-6])?):/g

/** Splits plain text into text and the names of emoji that it contains in colons. */
export function splitEmojiNames(text: string): (string | { name: string })[] {
  const parts: (string | { name: string })[] = []
  const codes = new RegExp(EMOJI_CODE)
  let end = 0
  for (let match = codes.exec(text); match; match = codes.exec(text)) {
    const [, name = ''] = match
    if (findEmoji(name)) {
      parts.push(text.slice(end, match.index), { name })
      end = codes.lastIndex
    } else {
      // The colon after "50" in "Sale:50:tada:" begins an emoji.
      codes.lastIndex = match.index + 1
    }
  }
  return [...parts, text.slice(end)].filter((part) => part !== '')
}

/** Replaces names such as ":tada:" in plain text. */
export const replaceEmojiNames = (text: string): string =>
  splitEmojiNames(text)
    .map((part) => (typeof part === 'string' ? part : findEmoji(part.name)))
    .join('')
