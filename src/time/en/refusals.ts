import { type Reason, refuse } from '../reading.ts'
import { MONTH, NUMBER, UNIT, WEEKDAY } from './words.ts'

/** What is no single moment to come, by the words that say so. The first one that fits names the reason. */
type Rule = { reason: Reason; say: string; pattern: RegExp }

const WEEKDAYS_NAME = '(?:mon|tues|wednes|thurs|fri|satur|sun)days'
const TIME = '(?:\\d{1,2}(?:[:.h]\\d{2})?(?: ?[ap]\\.?m?\\b\\.?|h\\b)?|noon|midnight)'
const DAY_WORD = `(?:${WEEKDAY}|${MONTH}|today|tomorrow|tonight)`

const one = 'One post has one time: '

const RULES: Rule[] = [
  {
    reason: 'recurrence',
    say: `${one}write the next one, such as "monday 9am". For something that comes back, set up a digest.`,
    pattern: new RegExp(
      `\\b(?:every|each|daily|weekly|monthly|yearly|annual(?:ly)?|hourly|weekdays|weekends|nightly|${WEEKDAYS_NAME}|biweekly|fortnightly|once an?)\\b`,
    ),
  },
  {
    reason: 'past',
    say: 'That has passed. Write a time to come, such as "tomorrow 9am".',
    pattern: new RegExp(
      `\\b(?:ago|yesterday|yest|ytd|back in|before now|earlier|previous(?:ly)?|(?:last|(?<!\\d |minutes? |mins? |half |quarter )past) (?:night|week|weekend|month|year|quarter|few|couple|season|summer|winter|autumn|fall|spring|${NUMBER} ?${UNIT}|${WEEKDAY}|${MONTH}(?! \\d))(?! (?:of|in)\\b))`,
    ),
  },
  {
    reason: 'range',
    say: `${one}write only when it starts, such as "tomorrow 2pm".`,
    pattern: new RegExp(
      [
        '\\bbetween\\b',
        '\\b(?:until|till|til|through|thru)\\b(?! (?:\\d|noon|midnight))',
        `${TIME} ?(?:-|until|till|til|through) ?${TIME}`,
        `\\d (?:to|until|till) (?:the )?\\d`,
        `\\bfrom\\b.*\\b(?:to|until|till|through)\\b|\\bfrom\\b[^-]* ?- ?`,
        `(?:\\d(?:st|nd|rd|th)?|${MONTH}|${DAY_WORD}|\\d[ap]m) ?(?:- | -) ?(?:the )?(?:\\d|${DAY_WORD})`,
        `\\b${DAY_WORD} to ${DAY_WORD}|\\d(?:st|nd|rd|th) (?:to|and) (?:the )?\\d|\\d(?:st|nd|rd|th)?\\.? ?- ?\\d{1,2}(?:st|nd|rd|th|\\.)? `,
        `\\bfor (?:the (?:next|rest)|about )?(?:an? |${NUMBER} ?)(?:whole )?(?:${UNIT}|nights?|'|’)`,
        '\\ball (?:day|week|month|year|night|morning|weekend)\\b',
        `\\b(?:next|upcoming|coming|following|in the next) (?:few|couple|several|${NUMBER}) (?:${UNIT}|quarters?|weekends?)`,
        `\\b${NUMBER} (?:upcoming|coming|next) `,
      ].join('|'),
    ),
  },
  {
    reason: 'open-ended',
    say: `${one}write the time itself, such as "friday 5pm".`,
    pattern:
      /\b(?:by|before|latest|at least|at the earliest|no later than|no earlier than|less than|more than|older|newer|sooner|as of|onwards?|or (?:later|earlier|so|before|after)|since)\b|(?<!\bday |\d (?:days?|weeks?|months?|years?) |\bquarter |\bhalf |\d |minutes? |mins? )\bafter\b(?! (?:now|another))|^from \d[\d:.]* ?(?:[ap]\.?m\.?)?$|\bafter \d+ (?:days?|weeks?|hours?|min)/,
  },
  {
    reason: 'several',
    say: `${one}write one of them, and schedule the other after it.`,
    pattern: new RegExp(
      `${WEEKDAY},? ?(?:and|or|&|/|,) ?${WEEKDAY}|\\d ?[ap]m,? ?(?:and|or|&|/|,) ?\\d|\\b(?:today|tomorrow) (?:and|or|&) (?:${DAY_WORD}|\\d|next|the day)|\\b\\d{1,2} or \\d{1,2}\\b|\\d(?:st|nd|rd|th),? (?:and|or|&) (?:the )?\\d|${TIME} (?:and|or) (?:at )?${TIME}|${WEEKDAY},? (?:and|or|&) (?:today|tomorrow|next)`,
    ),
  },
  {
    reason: 'vague',
    say: 'When exactly? Write a day and a time, such as "tuesday 10am".',
    pattern:
      /^(?:sometime |maybe |perhaps |early |late |later |mid |the |in the |on the |at the |some time )*(?:later|soon(?:ish)?|asap|a\.?s\.?a\.?p\.?|as soon as (?:possible|you can)|whenever|anytime|any time|some ?(?:time|day)|eventually|one day|(?:next|this|the coming|coming|following|current|the following|in the next|upcoming) (?:week|month|year|weekend|week-end|quarter|decade|season|spring|summer|autumn|fall|winter|time|few days|wk|yr|qtr|mo)s?|the weekend|weekend|week-end|(?:later|sometime|some time|early|late) (?:today|tomorrow|this week|next week|this month|next month)|in a (?:bit|while|moment|sec|jiffy)|in the future|q[1-4](?: \d{4})?|(?:1st|2nd|3rd|4th|last) (?:week|quarter|half|weekend)\b.*)$/,
  },
]

export function refusalIn(text: string) {
  const rule = RULES.find(({ pattern }) => pattern.test(text))
  return rule && refuse(rule.reason, rule.say)
}
