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
const LEAD_IN = '(?:in |at |for )?(?:the )?'
const ON_DAY = `(?:on )?(?:${DAY})`
/** Keeps "one free slot tomorrow" in the text of a post from being read as a time. */
const NO_DETERMINER_BEFORE =
  '(?<!\\b(?:an?|one|the|two|no|any|some|few|have|last|only|my|our|your|their|free|open|\\d+) )'
/** Words for a slot in a command. Without "next" or "free", they need a day. */
const SLOT_WORDS = new RegExp(
  `(?:^|\\s)(${LEAD_IN}next (?:(?:free|open|available) )?slot(?: ${ON_DAY})?` +
    `|${NO_DETERMINER_BEFORE}${LEAD_IN}(?:(?:free|open) slot(?: ${ON_DAY})?|slot ${ON_DAY}))(?=$|[\\s,.!])`,
  'gi',
)

/**
 * Finds the words for a slot that say when to post: at the end of a command, or in a heading such as "Next free slot on
 * LinkedIn:". Elsewhere, they are part of the post.
 */
export function findSlotWords(command: string): { before: string; words: string; after: string } | undefined {
  const matches = [...command.matchAll(SLOT_WORDS)]
  const splits = matches.map(({ 0: whole, 1: words = '', index }) => {
    // Drops the comma of "Big news, next free slot".
    const before = command
      .slice(0, index)
      .trimEnd()
      .replace(/(?:[,;]|\s[–—-])$/, '')
    return { before, words, after: command.slice(index + whole.length) }
  })
  const [first, last] = [splits[0], splits.at(-1)]
  if (!first || !last) return undefined
  const [heading] = /^[^:\n]*:(?=\s)/.exec(first.after) ?? []
  if (heading !== undefined && !first.before.trim() && hasNoPostText(heading)) return first
  return hasNoPostText(last.after) ? last : undefined
}

/** Whether text contains only platforms, links and words between them. */
const hasNoPostText = (text: string): boolean =>
  !extractPlatforms(text).rest.replace(/https?:\/\/\S+|\b(?:on|and|to|as a draft)\b|[,.&!:\s]/gi, '')
