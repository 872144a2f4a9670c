import { EMOJI_OR_MENTION } from '../time/markup.ts'
import type { ReadingContext } from '../time/reading.ts'
import { chooseFields } from './choose-fields.ts'
import { readCommandText } from './command-fields.ts'

const MEDIA_LINK = String.raw`https?:\/\/[^\s<>|]+\.(?:jpe?g|png|gif|webp|heic|mp4|mov|webm|m4v|avi)(?:\?[^\s<>|]*)?`
const IN_MARKUP = String.raw`<?(${MEDIA_LINK})(?:\|[^<>]*)?>?`
/** Matches text that is only a link to media, which Slack may have put into angle brackets. */
export const ONLY_MEDIA = new RegExp(`^${IN_MARKUP}$`, 'i')
const MEDIA = new RegExp(String.raw`(?:^|\s)${IN_MARKUP}`, 'gi')
const MEDIA_WORD = '(?:image|img|pic|picture|photo|video|vidéo|media|bild|foto|imagen|imagem)'
/** "Tickets are out. Pic https://…", "🕯️ Image: https://…", "post with image https://…", "our lunch with https://…" */
const WORDS_BEFORE_MEDIA = new RegExp(
  String.raw`(?:^(?:with (?:an? |the |this )?)?|(?<=,)\s+with (?:an? |the |this )?|(?:(?<=[.!?…,;:|–—])|\s-)\s+)${MEDIA_WORD}:?$` +
    String.raw`|(?<=${EMOJI_OR_MENTION})\s+${MEDIA_WORD}:$|(?:^|\s)(?:[|/–—-]\s+)?with$|\s[|–—-]$`,
  'iu',
)
/** "Download the poster here: https://…" */
const POINTS_AT_LINK = new RegExp(
  String.raw`(?<!\b${MEDIA_WORD} (?:is )?)\b(?:here|hier|ici|aquí|aqui):$`,
  'i',
)
/** "X tomorrow 9am with https://… – Our lunch" */
const SEPARATOR_AFTER_WITH = /^(?:\s?[:|/–—-]|[,;.])(?=\s)/
const OPEN_BRACKET = /[([]([^()[\]]+?),?$/
const HASHTAGS = /^(?:\s+#[\p{L}\p{N}_]+)+/u
/** Long enough for all fields after a link. */
const MAX_FIELDS_LENGTH = 120

/** Finds a link to media at either end of the text, or next to the fields there. */
export function findMedia(text: string, context: ReadingContext) {
  const match = [...text.matchAll(MEDIA)].at(-1)
  if (!match || POINTS_AT_LINK.test(text.slice(0, match.index))) return undefined
  const lead = WORDS_BEFORE_MEDIA.exec(text.slice(0, match.index))?.[0] ?? ''
  const start = match.index - lead.length
  const linkEnd = match.index + match[0].length
  const separator = (/\bwith\b/i.test(lead) ? SEPARATOR_AFTER_WITH : /^:(?=\s)/).exec(text.slice(linkEnd))
  const end = linkEnd + (separator?.[0].length ?? 0)
  const hasOnlyFields = (words: string) =>
    !words || (words.length <= MAX_FIELDS_LENGTH && chooseFields(readCommandText(words, context)).hasNoText)
  // "New look (Instagram, tomorrow 9am, https://…)"
  const inBrackets = /[)\]]\s*$/.test(text.slice(end)) && OPEN_BRACKET.exec(text.slice(0, start))?.[1]
  const isNextToFields =
    hasOnlyFields(inBrackets || text.slice(0, start).trim()) ||
    hasOnlyFields(text.slice(end).replace(HASHTAGS, '').trim())
  return isNextToFields ? { link: match[1] ?? '', start, end } : undefined
}
