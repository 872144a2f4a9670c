import { ABBREVIATED_PLATFORM } from './command-fields.ts'
import type { PlatformList } from './command-words.ts'
import { MENTIONS_PLATFORM, SHARE_OR_REQUEST_AT_END } from './request-words.ts'
import { ENDS_WITH_ARROW } from './time-at-end.ts'

/** "On TV and YouTube" is one list, and only a part of it would be removed. */
const ENDS_WITH_CONNECTOR = /(?:(?<!\S)(?:and|plus)|(?<!\/)[/&+])\s*$/i
/** Words that are connectors only after a platform, unlike in "Vitamin E LinkedIn tomorrow 9am" */
const ENDS_WITH_SHORT_CONNECTOR = /(?<!\S)(?:or|und|oder|et|ou|y|e|o)\s*$/i

type ListContext = {
  /** The end of the text before the list. */
  ending: string
  /** The text from the list on. */
  words: string
  afterList: string
  /** Whether the second word before the list is a platform. */
  followsPlatform: boolean
  isOutsideText: boolean
  mayEndSentence: boolean
  hasTime: boolean
}

/**
 * A single full name without a preposition counts only after a separator or the end of a sentence, before a time, or in
 * a command that begins with a time.
 */
export function isPlatformListForPost(
  list: PlatformList | undefined,
  { ending, words, afterList, followsPlatform, isOutsideText, mayEndSentence, hasTime }: ListContext,
): boolean {
  // "Sale starts / insta / tomorrow 8am"
  const isBetweenSlashes = /^[^/]*\s\/\s*$/.test(ending) && /\s\/\s/.test(words)
  if (!list || (ENDS_WITH_CONNECTOR.test(ending) && !isBetweenSlashes)) return false
  if (followsPlatform && ENDS_WITH_SHORT_CONNECTOR.test(ending)) return false
  if (mayEndSentence && endsSentenceOfText(list, words, afterList)) return false
  // "Twitter → X"
  if (!hasTime && ENDS_WITH_ARROW.test(ending)) return false
  if (isExcluded(ending) || isNameInText(list, ending, words)) return false
  if (list.hasPreposition || isOutsideText || isBetweenSlashes) return true
  // In "Collect on Saturday. IG", the post is for Instagram, but not in "We love IG".
  const name = /[.!?]\s+$/.test(ending) ? words.toLowerCase() : words
  return (list.platforms.length > 1 && !list.hasException) || ABBREVIATED_PLATFORM.test(name)
}

/** Whether a platform before the time ends a sentence: "Goodbye Twitter! monday 9am", "Are you on Threads? monday 9am" */
const endsSentenceOfText = (list: PlatformList, words: string, after: string): boolean =>
  list.platforms.length === 1 &&
  (list.hasPreposition ? /^\s?\?/.test(after) : NAME_IN_FULL.test(words) && /^[!?]/.test(after))

/** Whether the words before the platforms exclude them: "Sale friday 9am, not on X" */
const isExcluded = (ending: string): boolean =>
  /\b(?:not|except|but|excluding|without)(?: on\s|[\s,])\s*$/i.test(ending)

/** Whether a sentence mentions the platform: "Follow our Instagram tomorrow 9am", "Watch the talk on YouTube ig 9am" */
const isNameInText = ({ platforms }: PlatformList, ending: string, words: string): boolean =>
  /\b(?:our|my|your|the) $/i.test(ending) ||
  AUDIENCE.test(ending) ||
  (NAMED_TWICE.test(words) && BEGINS_WITH_NAME.test(words)) ||
  (NAME_IN_FULL.test(words) && /\b(?:an?|new|of|about|from|by) $/.test(ending)) ||
  (platforms.length > 1 &&
    NAME_BEFORE_LOWERCASE.test(words) &&
    MENTIONS_PLATFORM.test(ending) &&
    !SHARE_OR_REQUEST_AT_END.test(ending))
/** "Thank you for 10,000 followers on LinkedIn" */
const AUDIENCE =
  /\b(?:followers?|fans|subscribers|abonnenten|abonnés|seguidores)(?: (?:on|auf|bei|sur|en|no))? $/iu
const NAME_IN_FULL = /^\p{Lu}\p{L}{3,}/u
/** "We reached 10,000 fans on LinkedIn linkedin tue 9am" */
const NAMED_TWICE = /^(?:\p{L}+ )?(\p{L}{2,}),? \1(?!\p{L})/iu
/** Doesn't match "ig ig", which was typed twice by mistake. */
const BEGINS_WITH_NAME = /^(?:\p{Ll}+ )?\p{Lu}/u
const NAME_BEFORE_LOWERCASE =
  /^(?:(?:on|in|auf|bei|sur|dans|en|no|na) )?\p{Lu}\p{L}{3,} (?!and\b|or\b|plus\b|n\b)\p{Ll}/u
