/** Parts of patterns for words that several phrases share. The patterns only see normalized text. */

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
export const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

/** Builds a pattern from a template. Its lines are joined without their indentation. */
export const pattern = (template: TemplateStringsArray, ...parts: string[]): RegExp =>
  new RegExp(String.raw(template, ...parts).replace(/\n\s*/g, ''))

/** Like `pattern`, for an expression that may occur several times in a text. */
export const globalPattern = (template: TemplateStringsArray, ...parts: string[]): RegExp =>
  new RegExp(pattern(template, ...parts), 'g')

export const WEEKDAY_NAME = `(?:${WEEKDAYS.join('|')})`
export const WEEKDAY = String.raw`${WEEKDAY_NAME}\.?(?![\w'])`
export const MONTH = String.raw`(?:jan(?:uary)?|feb(?:r|ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?(?![\w'])`
export const UNIT =
  '(?:s(?:econds?)?|m(?:in(?:utes?)?)?|h(?:ours?)?|d(?:ays?)?|w(?:eeks?)?|mo(?:nths?)?|y(?:ears?)?|fortnights?)(?![a-z_])'
export const NUMBER = String.raw`(?:(?!0\d{2}|\d{4} ?h)\d+(?:[.,]\d+)?)`
export const ORDINAL = String.raw`(?:\d{1,2}(?:st|nd|rd|th))`
/** A day of the month: "3" or "3rd". */
export const DAY_NUMBER = String.raw`\d{1,2}(?:st|nd|rd|th)?`

/** "3rd" */
export function formatOrdinal(value: number): string {
  const isTeen = value > 10 && value < 14
  return `${value}${(!isTeen && ['th', 'st', 'nd', 'rd'][value % 10]) || 'th'}`
}

const numberInList = (names: string[], word: string) =>
  names.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1

/** 1 for Monday to 7 for Sunday. */
export const weekdayNumber = (word: string): number => numberInList(WEEKDAYS, word)
/** 1 for January to 12 for December. */
export const monthNumber = (word: string): number => numberInList(MONTHS, word)

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'years'] as const

type Unit = (typeof UNITS)[number] | 'months'

export function parseUnit(word: string): { unit: Unit; factor: number } {
  if (word.startsWith('f')) return { unit: 'weeks', factor: 2 }
  if (word.startsWith('mo')) return { unit: 'months', factor: 1 }
  return { unit: UNITS.find((unit) => unit[0] === word[0]) ?? 'days', factor: 1 }
}

export const parseNumber = (text: string): number => Number(text.replace(',', '.'))

/** Words around a moment that do not change its meaning. */
export const FILLER_WORDS = new Set(
  `a an the at on in of for to this please kindly thanks schedule scheduled post publish it send share go live
   um uh hmm ok okay hey hi sharp prompt promptly o'clock oclock hours hour h local time my date @ . , ; : ! ? ( ) [ ] -`.split(
    /\s+/,
  ),
)

const TASK =
  '(?:do|be|go|say|try|make|aim|have|get|put|set|run|drop|queue|post|schedule|send|share|publish|push|move|shift|bump)'
/** "This" in front of a period such as "week" isn't filler, because it belongs to the time. */
const THIS =
  '(?:it|that|this(?! (?:morning|afternoon|evening|night|week|weekend|month|year|coming|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[a-z]+ \\d|\\d)))'
const TASK_WORDS = `(?: (?:please|just|maybe|${TASK}|${THIS}|out|up|live|with|to|for))*`

/** Polite words around a moment that do not change its meaning: "can we do", "let's go with", "if possible". */
export const POLITE_PHRASE = `(?:${[
  `(?:(?:can|could|might|should|shall|would) (?:we|you|u|i|${THIS})|may (?:we|i))${TASK_WORDS}`,
  `(?:let'?s|let us|(?:i'?d|we'?d|i would|we would|would) (?:like|love|prefer)|(?:i|we) (?:want|need|wanna))${TASK_WORDS}`,
  `(?:just )?${TASK} ${THIS}${TASK_WORDS}|(?:send|push|put|go) (?:out|live)`,
  "(?:how|what) about|if (?:possible|you can|you could|that works|that'?s (?:ok|okay|fine|possible))|would be (?:great|good|nice|ideal|perfect)",
  '(?:remind|message|ping) me(?: to)?|works (?:for me|best)|(?:i|we) (?:think|guess|reckon)|(?:and )?(?:thanks|thank you)(?: a lot| so much| very much)?|please|kindly|ty|tysm',
  '^(?:hey|hi|hiya|hello|ok|okay|so|hmm|maybe|perhaps|ideally|preferably|probably)(?= ?,| (?!weekend|far|\\d))',
].join('|')})`

/** Matches a word that people use to describe a time. If a text contains nothing else, the user meant it as a time. */
export const TIME_WORD = new RegExp(
  `^(?:[\\d.:/-]+(?:[ap]\\.?m?\\.?|st|nd|rd|th|${UNIT})?|[ap]\\.?m\\.?|${WEEKDAY}|${MONTH}|${UNIT}|${[
    'weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|yesterday|ago|noon|midnight|now',
    'morning|afternoon|evening|night|asap|later|soon|every|each|other|daily|weekly|next|last|this|coming|from|to|until',
    'between|and|or|after|before|by|since|at|on|in|of|the|an?|please|schedule|it|for|uhr|time|[ecmp][sd]?t|utc|gmt|cet|cest|bst|[-|·]',
  ].join('|')})[.,!?]*$`,
)
