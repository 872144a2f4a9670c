import shortNames from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }

/** Slack's names, such as "tada". An emoji may have several. */
const CODE_POINTS_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(shortNames).flatMap(([codePoints, names]) =>
    [names].flat().map((name) => [name, codePoints] as const),
  ),
)

/** Turns code points such as "1f3c3-200d-2640-fe0f" into an emoji. */
export function toEmoji(codePoints: string): string {
  const emoji = String.fromCodePoint(...codePoints.split('-').map((hex) => Number.parseInt(hex, 16)))
  // Without the selector U+FE0F, which emojibase's list leaves out, many systems show "❤" as a black symbol.
  return emoji.replace(/^(?!\p{Emoji_Presentation})\p{Emoji}$/u, '$&\u{fe0f}')
}

/** The first of the five consecutive characters for the skin tones 2 to 6. */
const FIRST_SKIN_TONE = 0x1f3fb

/** Returns undefined for a custom emoji of a workspace. */
function findEmoji(name: string, skinTone = ''): string | undefined {
  const codePoints = CODE_POINTS_BY_NAME.get(name)
  const emoji = codePoints && toEmoji(codePoints)
  if (!emoji || !skinTone) return emoji
  const modifier = String.fromCodePoint(FIRST_SKIN_TONE + Number(skinTone) - 2)
  return emoji.replace(/(\p{Emoji_Modifier_Base})\u{fe0f}?/gu, `$1${modifier}`)
}

/** A colon between digits belongs to a time. */
const EMOJI_CODE = /(?<!\d(?=:\d)):([a-z0-9_+-]+):(?::skin-tone-([2-6]):)?/g
/** A link, without emoji at its end. */
const LINK = /(https?:\/\/[!-~]*?)(?=(?::[a-z0-9_+-]+:)+(?![\w/%=&?#~+:-])|[^!-~]|$)/

/** Replaces codes such as ":tada:" with their emoji, except in links. Other words between colons stay. */
export const replaceEmojiNames = (text: string): string =>
  text
    .split(LINK)
    .map((part, index) => (index % 2 ? part : replaceCodes(part)))
    .join('')

function replaceCodes(text: string): string {
  const codes = new RegExp(EMOJI_CODE)
  let replaced = ''
  let end = 0
  for (let match = codes.exec(text); match; match = codes.exec(text)) {
    const emoji = findEmoji(match[1] ?? '', match[2])
    if (emoji) {
      replaced += text.slice(end, match.index) + emoji
      end = codes.lastIndex
    } else {
      // The colon after "50" in "Sale:50:tada:" begins an emoji.
      codes.lastIndex = match.index + 1
    }
  }
  return replaced + text.slice(end)
}

const WORKSPACE_EMOJI =
  /(?<![\p{L}\p{N}/]):(?=[^:]*\p{L})[\p{Ll}\p{Lo}\p{M}\p{N}_+'-]{2,100}:(?![\p{L}\p{N}/])/gu

/** Finds the codes of custom emoji: all codes that remain after `replaceEmojiNames`. */
export const findWorkspaceEmoji = (text: string): string[] => [
  ...new Set(
    text.split(LINK).flatMap((part, index) => (index % 2 ? [] : (part.match(WORKSPACE_EMOJI) ?? []))),
  ),
]
