import { type Day, known, nthWeekday, partsOf } from '../../calendar.ts'
import { foundDate, type Phrase } from '../../draft.ts'

type Rule = (year: number) => Day

const on =
  (month: number, day: number): Rule =>
  (year) =>
    known({ year, month, day })
const nth =
  (count: number, weekday: number, month: number): Rule =>
  (year) =>
    nthWeekday({ year, month, weekday, nth: count }) as Day
const easter =
  (offset: number): Rule =>
  (year) =>
    easterSunday(year) + offset

/** Only those that a whole calendar agrees on: no two countries have the same Mother's Day. */
const HOLIDAYS: [pattern: string, rule: Rule][] = [
  ["new year'?s eve|nye|silvester", on(12, 31)],
  ["new year'?s(?: day)?|new years day", on(1, 1)],
  ["(?:st\\.? )?valentine'?s?(?: day)?", on(2, 14)],
  ["st\\.? patrick'?s(?: day)?", on(3, 17)],
  ["april fool'?s?(?: day)?", on(4, 1)],
  ['earth day', on(4, 22)],
  ['halloween', on(10, 31)],
  ['(?:christmas|xmas) eve', on(12, 24)],
  ['boxing day', on(12, 26)],
  ['(?:christmas|xmas)(?: day)?', on(12, 25)],
  ['palm sunday', easter(-7)],
  ['maundy thursday', easter(-3)],
  ['good friday', easter(-2)],
  ['easter monday', easter(1)],
  ['easter(?: sunday)?', easter(0)],
  ['(?:whit|pentecost) monday', easter(50)],
  ['(?:pentecost|whit sunday)', easter(49)],
  ['black friday', (year) => nth(4, 4, 11)(year) + 1],
  ['cyber monday', (year) => nth(4, 4, 11)(year) + 4],
  ['thanksgiving(?: day)?', nth(4, 4, 11)],
]

export const holiday: Phrase = {
  name: 'a holiday',
  pattern: new RegExp(
    `\\b(?:on )?(?:(?:next|this|coming) )?(?:${HOLIDAYS.map(([pattern]) => `(${pattern})`).join('|')})(?:,? (\\d{4}))?(?!\\w)`,
  ),
  read: (match, draft) => {
    const index = HOLIDAYS.findIndex((_, position) => match[position + 1] !== undefined)
    const rule = HOLIDAYS[index]?.[1]
    if (!rule) return undefined
    const written = match[HOLIDAYS.length + 1]
    if (written) return foundDate(draft, rule(Number(written)))
    const { year } = partsOf(draft.now.day)
    const day = rule(year)
    return foundDate(draft, day < draft.now.day ? rule(year + 1) : day)
  },
}

/** Gauss's rule, in the form of the Gregorian calendar's own tables. */
function easterSunday(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const moonShift =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const moon =
    moonShift -
    Math.floor(moonShift / 28) * (1 - Math.floor(29 / (moonShift + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  const march = moon - weekday
  return known({ year, month: 3, day: 1 }) + 27 + march
}
