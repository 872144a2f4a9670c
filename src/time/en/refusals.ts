import { type Reason, type Refusal, refuse } from '../reading.ts'
import { MONTH, NUMBER, UNIT, WEEKDAY } from './words.ts'

/** What is no single moment to come, by the words that say so. The first rule that fits names the reason. */
type Rule = { reason: Reason; say: string; pattern: RegExp }

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'))

const MERIDIEM = '(?: ?[ap]\\.?m?\\b\\.?|h\\b)'
const TIME = `(?:\\d{1,2}(?:[:.h]\\d{2})?${MERIDIEM}?|noon|midnight)`
const DAY = `(?:${WEEKDAY}|${MONTH}|today|tomorrow|tonight)`
const UNIT_WORDS = 'seconds?|minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|w|months?|years?|fortnights?'
const NTH = '\\d(?:st|nd|rd|th)'
const PERIOD =
  '(?:week|weekend|week-end|month|quarter|year|decade|season|spring|summer|autumn|fall|winter|wk|yr|qtr|mo)s?'

const RECURRENCE = anyOf(
  '\\b(?:every|each|everyday|once an?|per (?:day|week|month)|recurring|repeat(?:ing|ed)?)\\b',
  '\\b(?:hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|yearly|annual(?:ly)?)\\b',
  '\\b(?:weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\\b',
)

const PAST = anyOf(
  '\\b(?:ago|yesterday|yest|ytd|back in|before now|earlier|previous(?:ly)?)\\b',
  // "half past 4 h" is a time, and "last friday of may" may well be to come.
  `\\b(?:last|(?<!\\d |minutes? |mins? |half |quarter )past) (?:night|few|couple|${PERIOD}\\b|${NUMBER} ?${UNIT}|${WEEKDAY}|${MONTH}(?! \\d))(?! (?:of|in)\\b)`,
)

const RANGE = anyOf(
  '\\bbetween\\b',
  '\\bfrom\\b.*\\b(?:to|until|till|through)\\b',
  '\\bfrom\\b[^-]* ?- ?',
  // "quarter till 5" is a time.
  '(?<!\\d |quarter |half |minutes? |mins? )\\b(?:until|till|til|through|thru)\\b',
  `${TIME} ?(?:-|until|till|til|through) ?${TIME}`,
  '\\d (?:to|until|till) (?:the )?\\d',
  `(?:\\d(?:st|nd|rd|th)?|${DAY}|\\d[ap]m) ?- ?(?:the )?(?:\\d|${DAY})`,
  `\\b${DAY} to ${DAY}`,
  `${NTH} (?:to|and) (?:the )?\\d`,
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
  '(?<!\\bday |\\d (?:days?|weeks?|months?|years?) |\\bquarter |\\bhalf |\\d |minutes? |mins? )\\bafter\\b(?! (?:now|another))',
  '\\bafter \\d+ (?:days?|weeks?|hours?|min)',
  `\\b(?:starting|beginning)\\b|(?<!\\b(?:${UNIT_WORDS})'? )\\bfrom (?:\\d|noon|midnight|${DAY})`,
  '^from \\d[\\d:.]* ?(?:[ap]\\.?m\\.?)?$',
)

const NEGATED = /\b(?:not|never|except|don'?t|do not)\b/

const AND = '(?:and|or|&|/|,)'
const SEVERAL = anyOf(
  `${WEEKDAY},? ?${AND} ?(?:${WEEKDAY}|today|tomorrow|next)`,
  `\\b(?:today|tomorrow) (?:and|or|&) (?:${DAY}|\\d|next|the day)`,
  '\\d ?[ap]m,? ?(?:and|or|&|/) ?\\d',
  '\\d ?[ap]m, ?\\d{1,2}(?::\\d\\d)? ?[ap]m',
  `${TIME} (?:and|or) (?:at )?${TIME}`,
  '\\b\\d{1,2} or \\d{1,2}\\b',
  `${NTH},? (?:and|or|&) (?:the )?\\d`,
)

const NEXT = '(?:(?:the )?(?:next|this|coming|following|current|upcoming)|in the next)'
const VAGUE_WORDS = [
  'later|soon(?:ish)?|asap|as soon as (?:possible|you can)|whenever|any ?time|some ?(?:time|day)|eventually|one day',
  `${NEXT} (?:${PERIOD}|time|few days)|(?:the )?week-?end`,
  `(?:later|some ?time|early|late) (?:today|tomorrow|${NEXT} ${PERIOD})`,
  'eow|(?:the )?end of (?:the |this |next )?week',
  'in a (?:bit|while|moment|jiffy)|in the future',
  'q[1-4](?: \\d{4})?|(?:1st|2nd|3rd|4th|last) (?:week|quarter|half|weekend)\\b.*',
  `(?:${NEXT} )?${MONTH}(?: \\d{4})?`,
]
const VAGUE = new RegExp(
  `^(?!at this (?:time|moment)$)(?:some ?time |maybe |perhaps |early |late |later |mid |(?:in|on|at) )*(?:${VAGUE_WORDS.join('|')})$`,
)

const one = 'One post has one time: '

const RULES: Rule[] = [
  {
    reason: 'recurrence',
    say: `${one}write the next one, such as "monday 9am". For something that comes back, set up a digest.`,
    pattern: RECURRENCE,
  },
  { reason: 'past', say: 'That has passed. Write a time to come, such as "tomorrow 9am".', pattern: PAST },
  { reason: 'range', say: `${one}write only when it starts, such as "tomorrow 2pm".`, pattern: RANGE },
  { reason: 'open-ended', say: `${one}write the time itself, such as "friday 5pm".`, pattern: OPEN_ENDED },
  {
    reason: 'nonsense',
    say: 'That says when not. Write when, such as "tomorrow 9am".',
    pattern: NEGATED,
  },
  { reason: 'several', say: `${one}write one of them, and schedule the other after it.`, pattern: SEVERAL },
  { reason: 'vague', say: 'When exactly? Write a day and a time, such as "tuesday 10am".', pattern: VAGUE },
]

export function refusalIn(text: string): Refusal | undefined {
  const rule = RULES.find(({ pattern }) => pattern.test(text))
  return rule && refuse(rule.reason, rule.say)
}
