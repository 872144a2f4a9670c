import { MONTH, NUMBER, UNIT, WEEKDAY } from './pattern-parts.ts'
import { createRefusal, type Refusal, type RefusalReason } from './reading.ts'

export const IN_THE_PAST = 'That time is in the past. Try "tomorrow 9am".'
export const ENTER_DAY_AND_TIME = 'When exactly? Enter a day and a time, such as "tuesday 10am".'
export const ONE_NEW_TIME =
  'A post can only have one time. Enter one, such as "2 hours later" or "tuesday 10am".'
export const ENTER_TIME_IN_ZONE =
  'What time there? Enter a day, a time and the place, such as "saturday 18:00 New York".'
const POST_GOES_OUT_ONCE =
  'A post goes out once. Enter the next time, such as "monday 9am". For recurring messages, set up a digest.'
export const NO_SUCH_DATE = 'That date doesn\'t exist. Try "24 Dec 2026" or "2026-12-24".'

const MAX_TIME_LENGTH = 300

/** Whether text is too long to name only a time, as it is or normalized: one character can become eighteen. */
export const isTooLong = (text: string): boolean =>
  text.length > MAX_TIME_LENGTH || text.normalize('NFKC').length > MAX_TIME_LENGTH

/** Refuses text that is too long to contain only what `words` names. */
export function refuseLongText(text: string, words: string): Refusal | undefined {
  const message = `That's too long. Enter only the ${words}, in up to ${MAX_TIME_LENGTH} characters.`
  return isTooLong(text) ? createRefusal('too-long', message) : undefined
}

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'))

const TIME = '(?:\\d{1,2}(?:[:.h]\\d{2})?(?: ?[ap]\\.?m?\\b\\.?|h\\b)?|noon|midnight)'
const DAY = `(?:${WEEKDAY}|${MONTH}|today|tomorrow|tonight)`
const ORDINAL_END = '\\d(?:st|nd|rd|th)'
const PERIOD = '(?:week|weekend|month|quarter|year|decade|season|spring|summer|autumn|fall|winter)s?'

const RECURRENCE = anyOf(
  '\\b(?:every|each|once an?|per (?:day|week|month)|recurring|repeat(?:ing|ed)?)\\b',
  '\\b(?:hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|yearly|annual(?:ly)?)\\b',
  '\\b(?:weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\\b',
)

const PAST = anyOf(
  '\\b(?:ago|yesterday|back in|before now|earlier|previous(?:ly)?)\\b',
  // "half past 4" is a time, and "last friday of may" may be in the future.
  `\\b(?:last|(?<!\\d |minutes? |min |half |quarter )past) (?:night|few|couple|${PERIOD}\\b|${NUMBER} ?${UNIT}|${WEEKDAY}|${MONTH}(?! \\d))(?! (?:of|in)\\b)`,
)

const RANGE = anyOf(
  '\\bbetween\\b',
  // Only the first "from" counts. To search after each one would take quadratic time.
  '^(?:(?!\\bfrom\\b).)*\\bfrom\\b.*(?:\\b(?:to|until|through)\\b|-)',
  // "quarter till 5" is a time. ("till" has been normalized to "until".)
  '(?<!\\d |quarter |half |minutes? |min )\\b(?:until|through)\\b',
  `${TIME} ?(?:-|until|through) ?${TIME}`,
  '\\d (?:to|until) (?:the )?\\d',
  `(?:\\d(?:st|nd|rd|th)?|${DAY}|\\d[ap]m) ?- ?(?:the )?(?:\\d|${DAY})`,
  `\\b${DAY} to ${DAY}`,
  `${ORDINAL_END} (?:to|and) (?:the )?\\d`,
  `\\bfor (?:about )?(?:the (?:next|rest)|(?:an?|${NUMBER}) ?(?:whole )?(?:${UNIT}|nights?|'))`,
  `\\b${NUMBER} nights?\\b`,
  '\\ball (?:day|week|month|year|night|morning|weekend)\\b',
  `\\b(?:next|following|in the next) (?:few|couple|several|${NUMBER}) (?:${UNIT}|quarters?|weekends?)`,
  `\\b(?:upcoming|coming) (?:few|couple|several|${NUMBER}) (?!days?\\b)(?:${UNIT}|quarters?|weekends?)`,
)

const OPEN_ENDED = anyOf(
  '\\b(?:by|before|latest|since|as of|onwards?)\\b',
  '\\b(?:at least|at the earliest|no later than|no earlier than|less than|more than|older|newer|sooner)\\b',
  '\\bor (?:later|earlier|so|before|after)\\b',
  // "the day after tomorrow", "2 weeks after monday" and "quarter after 9" are moments.
  '(?<!\\bday |\\d (?:days?|weeks?|months?|years?) |\\bquarter |\\bhalf |\\d |minutes? |min )\\bafter\\b(?! (?:now|another))',
  '\\bafter \\d+ (?:days?|weeks?|hours?|min)',
  `\\b(?:starting|beginning)\\b|(?<!\\b${UNIT}'? )\\bfrom (?:\\d|noon|midnight|${DAY})`,
  '^from \\d[\\d:.]* ?(?:[ap]\\.?m\\.?)?$',
)

const NEGATION = /\b(?:not|never|except|don'?t|do not)\b/

const SEVERAL = anyOf(
  `${WEEKDAY},? ?(?:and|or|&|/|,) ?(?:${WEEKDAY}|today|tomorrow|next)`,
  `\\b(?:today|tomorrow) (?:and|or|&) (?:${DAY}|\\d|next|the day)`,
  '\\d ?[ap]m,? ?(?:and|or|&|/) ?\\d',
  '\\d ?[ap]m, ?\\d{1,2}(?::\\d\\d)? ?[ap]m',
  `${TIME} (?:and|or) (?:at )?${TIME}`,
  '\\b\\d{1,2} or \\d{1,2}\\b',
  `${ORDINAL_END},? (?:and|or|&) (?:the )?\\d`,
)

const NEXT = '(?:(?:the )?(?:next|this|coming|following|current|upcoming)|in the next)'
const VAGUE_WORDS = [
  'later|soon(?:ish)?|asap|as soon as (?:possible|you can)|whenever|any ?time|some ?(?:time|day)|eventually|one day',
  `${NEXT} (?:${PERIOD}|time|few days)|(?:the )?weekend`,
  `(?:later|some ?time|early|late) (?:today|tomorrow|${NEXT} ${PERIOD})`,
  'eow|(?:the )?end of (?:the |this |next )?week',
  'in a (?:bit|while|moment|jiffy)|in the future',
  'q[1-4](?: \\d{4})?|(?:1st|2nd|3rd|4th|last) (?:week|quarter|half|weekend)\\b.*',
  `(?:${NEXT} )?${MONTH}(?: \\d{4})?`,
]
const VAGUE = new RegExp(
  `^(?!at this (?:time|moment)$)(?:some ?time |maybe |perhaps |early |late |later |mid |(?:in|on|at) )*(?:${VAGUE_WORDS.join('|')})$`,
)

/** The first pattern that matches decides the reason. */
const RULES: [pattern: RegExp, reason: RefusalReason, message: string][] = [
  [RECURRENCE, 'recurrence', POST_GOES_OUT_ONCE],
  [PAST, 'past', IN_THE_PAST],
  [RANGE, 'range', 'A post can only have one time. Enter the start, such as "tomorrow 2pm".'],
  [OPEN_ENDED, 'open-ended', 'That isn\'t an exact time. Enter one, such as "friday 5pm".'],
  [NEGATION, 'nonsense', 'That says when not to post. Enter when to post, such as "tomorrow 9am".'],
  [SEVERAL, 'several', 'A post can only have one time. Enter one, then schedule another post.'],
  [VAGUE, 'vague', ENTER_DAY_AND_TIME],
]

/** Refuses words that clearly mean something other than one moment in the future. */
export function findRefusal(text: string): Refusal | undefined {
  const rule = RULES.find(([pattern]) => pattern.test(text))
  return rule && createRefusal(rule[1], rule[2])
}

const UNNAMED_DAY =
  /\b(?:next|this|coming|following) (?:week|month|quarter|year|season|weekend|spring|summer|autumn|fall|winter)\b/
const WHICH_DAY = 'Which day? Enter it with the time, such as "tuesday 10am".'

/** Refuses "next week" among words that the phrases left unread. */
export const findUnnamedDay = (text: string): Refusal | undefined =>
  UNNAMED_DAY.test(text) ? createRefusal('vague', WHICH_DAY) : undefined
