import type { DateTime } from 'luxon'
import { dateFromDay } from './calendar.ts'
import { formatDayAndMonth, formatMoment } from './describe.ts'
import { createRefusal, type LocalContext, type Refusal, type RefusalReason } from './reading.ts'

export const IN_THE_PAST = 'That time is in the past. Try "tomorrow 9am".'
export const ENTER_DAY_AND_TIME = 'When exactly? Enter a day and a time, such as "tuesday 10am".'
export const ONE_TIME = 'A post can only have one time. Enter one, such as "tuesday 10am".'
export const ONE_NEW_TIME =
  'A post can only have one time. Enter one, such as "2 hours later" or "tuesday 10am".'
export const ENTER_TIME_IN_ZONE =
  'What time there? Enter a day, a time and the place, such as "saturday 18:00 New York".'

/** The messages about words that name something other than one moment. The first one that applies is shown. */
export const NO_MOMENT_MESSAGES: [reason: RefusalReason, message: string][] = [
  [
    'recurrence',
    'A post goes out once. Enter the next time, such as "monday 9am". For recurring messages, set up a digest.',
  ],
  ['past', IN_THE_PAST],
  ['range', 'A post can only have one time. Enter the start, such as "tomorrow 2pm".'],
  ['open-ended', 'That isn\'t an exact time. Enter one, such as "friday 5pm".'],
  ['nonsense', 'That says when not to post. Enter when to post, such as "tomorrow 9am".'],
  ['several', 'A post can only have one time. Enter one, and schedule more posts for the others.'],
  ['vague', ENTER_DAY_AND_TIME],
]

/** Names the moment that was read, because "08/12" may have meant another day. */
export const refusePast = (at: DateTime, zone: string, viewerZone: string): Refusal =>
  createRefusal('past', `${formatMoment(at, zone, viewerZone)} is in the past. Try "tomorrow 9am".`)

/** An example of a date that the user can enter, 30 days from now. */
export const exampleDate = ({ now }: LocalContext): string => {
  const day = now.day + 30
  return `${formatDayAndMonth(day)} ${dateFromDay(day).year}`
}

export const refuseDate = (local: LocalContext): Refusal =>
  createRefusal('invalid', `That date doesn't exist. Try "${exampleDate(local)}".`)

const MAX_TEXT_LENGTH = 300

/** Refuses text that is too long as typed or after normalization, which can turn one character into eighteen. */
export function refuseLongText(text: string, subject: string): Refusal | undefined {
  const message = `That's too long. Enter only the ${subject}, in up to ${MAX_TEXT_LENGTH} characters.`
  const isTooLong = text.length > MAX_TEXT_LENGTH || text.normalize('NFKC').length > MAX_TEXT_LENGTH
  return isTooLong ? createRefusal('too-long', message) : undefined
}
