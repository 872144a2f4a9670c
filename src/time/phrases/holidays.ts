import { type Day, nthWeekdayOfMonth, requireDay } from '../calendar.ts'
import { pattern } from '../pattern-parts.ts'
import { addDate, type Phrase, type ReadingState } from '../phrase.ts'
import { createRefusal } from '../reading.ts'

type DayInYear = (year: number) => Day

type Holiday = [name: string, find: DayInYear | HolidayByCountry]

type HolidayByCountry = [countries: string, find: DayInYear][]

const EVERYWHERE_ELSE = '*'

const on =
  (month: number, day: number): DayInYear =>
  (year) =>
    requireDay({ year, month, day })

/** `nth` is 1 for the first such weekday of the month and so on, and -1 for the last one. */
const onWeekday =
  (month: number, weekday: number, nth: number): DayInYear =>
  (year) =>
    nthWeekdayOfMonth(requireDay({ year, month, day: 1 }), weekday, nth) ?? 0

const afterEaster =
  (days: number): DayInYear =>
  (year) =>
    easterSunday(year) + days

const thanksgiving = onWeekday(11, 4, 4)

const afterThanksgiving =
  (days: number): DayInYear =>
  (year) =>
    thanksgiving(year) + days

const [MONDAY, SUNDAY] = [1, 7]

const HOLIDAYS: Holiday[] = [
  ["new year'?s eve|nye|silvester", on(12, 31)],
  ["new year'?s(?: day)?", on(1, 1)],
  ['epiphany', on(1, 6)],
  ['burns night', on(1, 25)],
  ['(?:mlk|martin luther king(?: jr\\.?)?) day', onWeekday(1, MONDAY, 3)],
  ['australia day', on(1, 26)],
  ['groundhog day', on(2, 2)],
  ["(?:st\\.? )?valentine'?s?(?: day)?", on(2, 14)],
  ["president'?s'? day", onWeekday(2, MONDAY, 3)],
  ['shrove tuesday|pancake (?:day|tuesday)|mardi gras|fat tuesday', afterEaster(-47)],
  ['ash wednesday', afterEaster(-46)],
  ["(?:international )?women'?s day", on(3, 8)],
  ['pi day', on(3, 14)],
  ["(?:st\\.?|saint) patrick'?s?(?: day)?", on(3, 17)],
  ["april fool'?s?'?(?: day)?", on(4, 1)],
  ['palm sunday', afterEaster(-7)],
  ['maundy thursday', afterEaster(-3)],
  ['good friday', afterEaster(-2)],
  ['easter saturday', afterEaster(-1)],
  ['easter monday', afterEaster(1)],
  ['easter(?: sunday)?', afterEaster(0)],
  ['earth day', on(4, 22)],
  ["st\\.? george'?s day", on(4, 23)],
  ['anzac day', on(4, 25)],
  ['may day', on(5, 1)],
  ['star wars day', on(5, 4)],
  ['cinco de mayo', on(5, 5)],
  ['mothering sunday', afterEaster(-21)],
  [
    "mother'?s'? day",
    [
      ['US CA AU NZ DE AT CH IT NL BE DK FI BR IN ZA JP SG HK PH', onWeekday(5, SUNDAY, 2)],
      ['GB IE', afterEaster(-21)],
    ],
  ],
  ['memorial day', onWeekday(5, MONDAY, -1)],
  ['(?:whit|pentecost) monday', afterEaster(50)],
  ['pentecost|whit sunday', afterEaster(49)],
  ['juneteenth', on(6, 19)],
  [
    "father'?s'? day",
    [
      ['US GB IE CA IN NL FR ZA JP SG HK PH MX', onWeekday(6, SUNDAY, 3)],
      ['AU NZ', onWeekday(9, SUNDAY, 1)],
      ['DE', afterEaster(39)],
    ],
  ],
  ['canada day', on(7, 1)],
  ['independence day', [['US', on(7, 4)]]],
  ['bastille day', on(7, 14)],
  [
    'labou?r day',
    [
      ['US CA', onWeekday(9, MONDAY, 1)],
      ['DE AT CH FR IT ES PT NL BE SE NO FI PL BR MX IN SG HK PH ZA', on(5, 1)],
    ],
  ],
  ["(?:columbus|indigenous people'?s'?) day", onWeekday(10, MONDAY, 2)],
  ['halloween', on(10, 31)],
  ["all saints'? day", on(11, 1)],
  ['bonfire night|guy fawkes(?: night| day)?', on(11, 5)],
  ["veteran'?s'? day|remembrance day|armistice day|single'?s'? day", on(11, 11)],
  [
    'thanksgiving(?: day)?',
    [
      ['CA', onWeekday(10, MONDAY, 2)],
      [EVERYWHERE_ELSE, thanksgiving],
    ],
  ],
  ['black friday', afterThanksgiving(1)],
  ['small business saturday', afterThanksgiving(2)],
  ['cyber monday', afterThanksgiving(4)],
  ['giving tuesday', afterThanksgiving(5)],
  ['christmas eve', on(12, 24)],
  ['christmas(?: day)?', on(12, 25)],
  ['boxing day', on(12, 26)],
]

/** The dates of these holidays depend on another calendar, or are set by a government or an organizer. */
const MOVING_HOLIDAYS = `(?:first (?:day|night) of )?(?:${[
  'diwali|deepavali|holi|navratri|dussehra|onam|pongal|(?:lunar|chinese) new year|(?:mid-?autumn|lantern|dragon boat) festival',
  '(?:c?han+uk+ah?)|passover|pesach|purim|rosh hashanah?|yom kippur|sukkot|shavuot|ramadan|eid(?:[ -](?:al|ul)[ -]\\w+)?|nowruz|vesak',
  '(?:(?:early|late|spring|summer|may|august) )*bank holiday|victoria day|super ?bowl(?: sunday)?|prime day|orthodox easter|oktoberfest',
].join('|')})`

/** Gauss's Easter algorithm for the Gregorian calendar. */
function easterSunday(year: number): Day {
  const yearInMetonicCycle = year % 19
  const century = Math.floor(year / 100)
  const epact =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * yearInMetonicCycle + 15) %
    30
  const fullMoon =
    epact -
    Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - yearInMetonicCycle) / 11))
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7
  return requireDay({ year, month: 3, day: 28 }) + fullMoon - weekday
}

const WITH_YEAR = String.raw`(?:,? (?:in |of )?(?:(\d{4})|(this|next) year))?(?!\w)`

export const holidayPhrases: Phrase[] = [
  [
    pattern`\b(${MOVING_HOLIDAYS})(?:'s)?(?: day| sunday)?(?!\w)`,
    ([, name]) =>
      createRefusal(
        'vague',
        `Upnext doesn't know the date of "${name}". Enter the date, such as "8 Nov 2027 9am".`,
      ),
  ],
  [
    pattern`\b(?:on )?(?:(?:next|this|coming) )?(?:${HOLIDAYS.map(([name]) => `(${name})`).join('|')})${WITH_YEAR}`,
    (match, state) => {
      const [, find] = HOLIDAYS.find((_holiday, index) => match[index + 1] !== undefined) ?? []
      const [writtenYear, yearWord] = match.slice(HOLIDAYS.length + 1)
      const thisYear = state.now.at.year
      const year = writtenYear ? Number(writtenYear) : yearWord && thisYear + (yearWord === 'next' ? 1 : 0)
      const [day, ...alternatives] = (find ? rulesFor(find, state) : []).map((dayInYear) =>
        year ? dayInYear(year) : nextOccurrence(dayInYear, state),
      )
      if (day === undefined)
        return createRefusal(
          'vague',
          `${match[0].trim()} depends on the country. Enter the date, such as "5 May 9am".`,
        )
      return addDate(state, {
        day,
        ...(alternatives.length && { alternatives }),
        lacksYear: year ? undefined : 'named-day',
      })
    },
  ],
]

const nextOccurrence = (dayInYear: DayInYear, { now }: ReadingState): Day =>
  dayInYear(now.at.year) < now.day ? dayInYear(now.at.year + 1) : dayInYear(now.at.year)

/** Returns the rule of the user's country, or all rules if neither the country nor a rule for everywhere else is known. */
function rulesFor(find: Holiday[1], { locale }: ReadingState): DayInYear[] {
  if (typeof find === 'function') return [find]
  const country = countryOf(locale)
  const rulesOf = (name: string) =>
    find.filter(([names]) => names.split(' ').includes(name)).map(([, rule]) => rule)
  const [rule = rulesOf(EVERYWHERE_ELSE)[0]] = country ? rulesOf(country) : []
  if (rule) return [rule]
  return country ? [] : find.map(([, rule]) => rule)
}

function countryOf(locale: string | undefined): string | undefined {
  try {
    return locale && new Intl.Locale(locale).region
  } catch {
    return undefined
  }
}
