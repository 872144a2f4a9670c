import { type Day, nthWeekdayOfMonth, requireDay } from './calendar.ts'

type DayFinder = (year: number) => Day
/** The function that finds the date, for each group of countries. "*" stands for all other countries. */
type DayFindersByCountry = [countries: string, find: DayFinder][]

function on(month: number, day: number): DayFinder {
  return (year) => requireDay({ year, month, day })
}

/** `nth` is 1 for the first such weekday of the month and so on, and -1 for the last one. */
function onWeekday(month: number, weekday: number, nth: number): DayFinder {
  return (year) => nthWeekdayOfMonth(requireDay({ year, month, day: 1 }), weekday, nth) ?? 0
}

function after(holiday: DayFinder, days: number): DayFinder {
  return (year) => holiday(year) + days
}

const [MONDAY, THURSDAY, SUNDAY] = [1, 4, 7]
const thanksgiving = onWeekday(11, THURSDAY, 4)

const HOLIDAYS = {
  newYearsEve: on(12, 31),
  newYear: on(1, 1),
  epiphany: on(1, 6),
  burnsNight: on(1, 25),
  martinLutherKingDay: onWeekday(1, MONDAY, 3),
  australiaDay: on(1, 26),
  groundhogDay: on(2, 2),
  valentinesDay: on(2, 14),
  presidentsDay: onWeekday(2, MONDAY, 3),
  roseMonday: after(easterSunday, -48),
  shroveTuesday: after(easterSunday, -47),
  ashWednesday: after(easterSunday, -46),
  womensDay: on(3, 8),
  piDay: on(3, 14),
  stPatricksDay: on(3, 17),
  aprilFools: on(4, 1),
  palmSunday: after(easterSunday, -7),
  maundyThursday: after(easterSunday, -3),
  goodFriday: after(easterSunday, -2),
  easterSaturday: after(easterSunday, -1),
  easterSunday: easterSunday,
  easterMonday: after(easterSunday, 1),
  earthDay: on(4, 22),
  stGeorgesDay: on(4, 23),
  anzacDay: on(4, 25),
  mayDay: on(5, 1),
  starWarsDay: on(5, 4),
  cincoDeMayo: on(5, 5),
  motheringSunday: after(easterSunday, -21),
  mothersDay: [
    ['US CA AU NZ DE AT CH IT NL BE DK FI BR IN ZA JP SG HK PH', onWeekday(5, SUNDAY, 2)],
    ['GB IE', after(easterSunday, -21)],
  ],
  memorialDay: onWeekday(5, MONDAY, -1),
  ascensionDay: after(easterSunday, 39),
  whitSunday: after(easterSunday, 49),
  whitMonday: after(easterSunday, 50),
  juneteenth: on(6, 19),
  fathersDay: [
    ['US GB IE CA IN NL FR ZA JP SG HK PH MX', onWeekday(6, SUNDAY, 3)],
    ['AU NZ', onWeekday(9, SUNDAY, 1)],
    ['DE', after(easterSunday, 39)],
  ],
  canadaDay: on(7, 1),
  independenceDay: [['US', on(7, 4)]],
  bastilleDay: on(7, 14),
  laborDay: [
    ['US CA', onWeekday(9, MONDAY, 1)],
    ['DE AT CH FR IT ES PT NL BE SE NO FI PL BR MX IN SG HK PH ZA', on(5, 1)],
  ],
  germanUnity: on(10, 3),
  columbusDay: onWeekday(10, MONDAY, 2),
  halloween: on(10, 31),
  allSaints: on(11, 1),
  bonfireNight: on(11, 5),
  armisticeDay: on(11, 11),
  thanksgiving: [
    ['CA', onWeekday(10, MONDAY, 2)],
    ['*', thanksgiving],
  ],
  blackFriday: after(thanksgiving, 1),
  smallBusinessSaturday: after(thanksgiving, 2),
  cyberMonday: after(thanksgiving, 4),
  givingTuesday: after(thanksgiving, 5),
  stNicholas: on(12, 6),
  christmasEve: on(12, 24),
  christmas: on(12, 25),
  boxingDay: on(12, 26),
} satisfies Record<string, DayFinder | DayFindersByCountry>

export type HolidayName = keyof typeof HOLIDAYS

/**
 * Finds the dates of a holiday in a year: several if they depend on the country and the user's isn't known, none if the
 * table lacks that country.
 */
export function daysOfHoliday(name: HolidayName, year: number, locale: string | undefined): Day[] {
  const find: DayFinder | DayFindersByCountry = HOLIDAYS[name]
  if (typeof find === 'function') return [find(year)]
  const country = countryOf(locale)
  const rulesOf = (name: string) => find.filter(([names]) => names.split(' ').includes(name))
  const [rule = rulesOf('*')[0]] = country ? rulesOf(country) : []
  const rules = rule ? [rule] : country ? [] : find
  return rules.map(([, dayInYear]) => dayInYear(year))
}

function countryOf(locale: string | undefined): string | undefined {
  try {
    return locale && new Intl.Locale(locale).region
  } catch {
    return undefined
  }
}

/** Oudin's Easter algorithm for the Gregorian calendar. */
function easterSunday(year: number): Day {
  const yearInMetonicCycle = year % 19
  const century = Math.floor(year / 100)
  const uncorrectedFullMoon =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * yearInMetonicCycle + 15) %
    30
  const fullMoon =
    uncorrectedFullMoon -
    Math.floor(uncorrectedFullMoon / 28) *
      (1 - Math.floor(29 / (uncorrectedFullMoon + 1)) * Math.floor((21 - yearInMetonicCycle) / 11))
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7
  return requireDay({ year, month: 3, day: 28 }) + fullMoon - weekday
}
