/** The vocabulary that the phrases share, as parts of patterns, and what each word means. */

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

export const WEEKDAY =
  "(?:mon(?:d|day)?|tue(?:s|sd|sday)?|wed(?:s|n|nes|nesday)?|thu(?:r|rs|rsd|rsday)?|fri(?:d|day)?|sat(?:ur|urday)?|sun(?:d|day)?)\\.?(?![\\w'])"
export const MONTH =
  "(?:jan(?:uary)?|feb(?:r|ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?(?![\\w'])"
export const UNIT =
  '(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?|mo(?:n?ths?|s)?|mth|y(?:(?:ea)?rs?)?|fortnights?)(?![a-z_])'
export const NUMBER = '(?:(?!0\\d{2}|\\d{4} ?h)\\d+(?:[.,]\\d+)?)'
export const ORDINAL = '(?:\\d{1,2}(?:st|nd|rd|th))'

const startsWith = (words: string[], word: string) =>
  words.findIndex((full) => full.startsWith(word.slice(0, 3))) + 1

export const weekdayNamed = (word: string): number => startsWith(WEEKDAYS, word)
export const monthNamed = (word: string): number => startsWith(MONTHS, word)

export type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'

export function unitNamed(word: string): { unit: Unit; times: number } {
  if (/^f/.test(word)) return { unit: 'weeks', times: 2 }
  if (/^(mo|mth)/.test(word)) return { unit: 'months', times: 1 }
  const units: Record<string, Unit> = {
    s: 'seconds',
    m: 'minutes',
    h: 'hours',
    d: 'days',
    w: 'weeks',
    y: 'years',
  }
  return { unit: units[word[0] ?? ''] ?? 'days', times: 1 }
}

export const numberOf = (text: string): number => Number(text.replace(',', '.'))

/** Words that are spelled out of habit and get a letter wrong; only long ones, which little else is close to. */
export const SPELLED = [
  ...WEEKDAYS,
  'minute',
  'minutes',
  'hours',
  'weeks',
  'month',
  'months',
  'morning',
  'afternoon',
  'evening',
  ...MONTHS.filter((month) => month.length > 5),
  'tomorrow',
  'tonight',
]

/** Around a moment these say nothing about it. */
export const FILLERS = new Set(
  `a an the at on in of for to this please pls plz thanks thx schedule scheduled post publish it send share go live
   um uh hmm ok okay hey hi sharp prompt promptly o'clock oclock hrs hours hour h local time my date @ . , ; : ! ? ( ) [ ] -`.split(
    /\s+/,
  ),
)

/** Words of which times are made, readable or not: a text of nothing else was meant as one. */
export const TIME_WORD = new RegExp(
  `^(?:[\\d.:/-]+(?:[ap]\\.?m?\\.?|h|st|nd|rd|th)?|[ap]\\.?m\\.?|${WEEKDAY}|${MONTH}|${UNIT}|${[
    'weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|tomorrow|yesterday|noon|midnight|now',
    'morning|afternoon|evening|night|asap|later|soon|every|each|daily|weekly|next|last|this|coming|from|to|until|till',
    'between|and|or|after|before|by|since|at|on|in|of|the|an?|please|schedule|it|for|uhr|time|[ecmp][sd]?t|utc|gmt|cet|cest|bst|[-|·]',
  ].join('|')})[.,!?]*$`,
)

/** Slips of more than a letter that many make. */
export const MISSPELLED: Record<string, string> = {
  wensday: 'wednesday',
  wendsday: 'wednesday',
  wenesday: 'wednesday',
  thrusday: 'thursday',
  thurday: 'thursday',
  tommorrow: 'tomorrow',
  tommorow: 'tomorrow',
  tommorw: 'tomorrow',
  minuets: 'minutes',
}
