import { extractPlatforms } from '../../../platforms/platform-names.ts'

/** The platforms and days in words such as "the next free slot on LinkedIn" or "slot friday". */
export type SlotQuery = { platforms: string[]; days: string }

const SLOT = /^(?:(?:in|at|for)\s+)?(?:the\s+)?(?:next\s+)?(?:(?:free|open|available)\s+)?slot\b(.*)$/is

export function readSlotWords(text: string): SlotQuery | undefined {
  const [, rest] = SLOT.exec(text.trim()) ?? []
  if (rest === undefined) return undefined
  const named = extractPlatforms(rest)
  const days = named.rest
    .replace(/\b(?:and|for)\b|[,&]/gi, ' ')
    .replace(/^\s*on\b|\bon\s*$/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { platforms: named.platforms, days: days.replace(/^on\b|\bon$/gi, '').trim() }
}

const DAY =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|today|tomorrow|(?:this|next) (?:week|month)'
/**
 * Words for a slot at the end of a command, where platforms and a link may follow. Without "next" or "free", they need
 * a day.
 */
const AT_END = new RegExp(
  `(?:^|\\s)((?:in |at |for )?(?:the )?(?:(?:next (?:(?:free|open|available) )?|(?:free|open) )slot(?: (?:on )?(?:${DAY}))?|slot (?:on )?(?:${DAY})))(?=$|[\\s,.!])`,
  'gi',
)

/** Finds the words for a slot that say when to post. If other text follows, they are part of the post instead. */
export function findSlotWords(command: string): { before: string; words: string; after: string } | undefined {
  const match = [...command.matchAll(AT_END)].at(-1)
  if (!match) return undefined
  const [whole, words = ''] = match
  const before = command.slice(0, match.index)
  const after = command.slice(match.index + whole.length)
  const rest = extractPlatforms(after).rest.replace(
    /https?:\/\/\S+|\b(?:on|and|to|as a draft)\b|[,.&!\s]/gi,
    '',
  )
  return rest ? undefined : { before, words, after }
}
