import { DateTime } from 'luxon'
import { addMonths, type Day, dateFromDay, findDay, formatIsoDate, weekdayOf } from './calendar.ts'
import { formatDayAndMonth } from './describe.ts'
import { findUpcomingDays } from './grammar/days.ts'
import type { NamedDay } from './point.ts'
import { createRefusal, type LocalContext, type Refusal } from './reading.ts'
import { IN_THE_PAST } from './refusals.ts'

/** The days that the words may mean, the likeliest first. */
export type PossibleDays = {
  days: Day[]
  /** Asked if there are several days. */
  question?: string
  assumptions?: string[]
  /** Whether the user must confirm even a single day. */
  needsConfirmation?: boolean
}

export function findPossibleDays(
  named: NamedDay,
  weekday: number | undefined,
  local: LocalContext,
): PossibleDays | Refusal {
  const { day, alternatives = [], dayOfMonth, lacksYear } = named
  if (dayOfMonth && weekday && weekdayOf(day) !== weekday) return findDayOfMonth(dayOfMonth, weekday, local)
  const days = [day, ...alternatives].filter((day) => !weekday || weekdayOf(day) === weekday)
  if (days.length)
    return lacksYear ? resolveYear(named, days, weekday, local) : { days, question: 'Which day?' }
  const dayInThisYear = addMonths(day, -12)
  const isPastDate =
    lacksYear && isSameYear(local.now.day, dayInThisYear) && weekdayOf(dayInThisYear) === weekday
  return isPastDate ? createRefusal('past', IN_THE_PAST) : refuseWeekday(day)
}

/** Each day of the month falls on each weekday within two years. */
const MONTHS_TO_SEARCH = 24

/** "Monday the 1st" may mean the next 1st that is a Monday, or the next 1st on any weekday. */
function findDayOfMonth(dayOfMonth: number, weekday: number, { now }: LocalContext): PossibleDays {
  const days = findUpcomingDays(dayOfMonth, now.day, MONTHS_TO_SEARCH)
  const dayOnWeekday = days.find((day) => weekdayOf(day) === weekday)
  return { days: [dayOnWeekday ?? [], days[0] ?? []].flat(), question: 'Which day?' }
}

const isSameYear = (a: Day, b: Day) => dateFromDay(a).year === dateFromDay(b).year

function refuseWeekday(day: Day): Refusal {
  const name = DateTime.fromISO(formatIsoDate(day), { locale: 'en' }).weekdayLong
  const date = `${formatDayAndMonth(day)} ${dateFromDay(day).year}`
  return createRefusal('weekday-mismatch', `${date} is a ${name}. Enter only the weekday or only the date.`)
}

/** A date without a year that is further ahead than this is probably a mistake. */
const MAX_MONTHS_AHEAD = 11

function resolveYear(
  { lacksYear }: NamedDay,
  days: Day[],
  weekday: number | undefined,
  { now }: LocalContext,
): PossibleDays {
  const [day = now.day] = days
  const { year, month, day: dayOfMonth } = dateFromDay(day)
  const lastOfFebruary = findDay({ year: undefined, month: 2, day: 28 }, now.day) ?? day
  // A weekday next to the date confirms the year.
  const isCertain = weekday !== undefined || days.length > 1
  if (!isCertain && month === 2 && dayOfMonth === 29 && day > lastOfFebruary + 1)
    return {
      days: [day, lastOfFebruary, lastOfFebruary + 1],
      question: `The next 29 February is in ${year}. Which day?`,
    }
  const isNextYear = !isSameYear(day, now.day)
  const name = lacksYear === 'date' ? formatDayAndMonth(day) : 'that day'
  const passedText = `${name} has passed this year`
  if (!isCertain && lacksYear === 'date' && day > addMonths(now.day, MAX_MONTHS_AHEAD))
    return {
      days: [day, findUpcomingDays(dayOfMonth, now.day + 1, 3)[0] ?? now.day],
      question: isNextYear
        ? `${passedText}. Which day?`
        : `${name} is more than ${MAX_MONTHS_AHEAD} months away. Which day?`,
    }
  if (!isCertain && day > addMonths(now.day, MAX_MONTHS_AHEAD)) {
    const problem = isNextYear ? 'has passed this year' : `is more than ${MAX_MONTHS_AHEAD} months away`
    return { days, question: `That day ${problem}. Is this the right date?`, needsConfirmation: true }
  }
  return {
    days,
    question: 'Which day?',
    ...(isNextYear && { assumptions: [`${year}, because ${passedText}`] }),
  }
}
