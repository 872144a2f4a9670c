import { DateTime } from 'luxon'
import {
  ask,
  type Change,
  dayWords,
  isTimeAlone,
  isTimeOnly,
  readAtSameTime,
  readTimeOn,
} from './complete-words.ts'
import { applyPhrases } from './phrase.ts'
import { wordFormPhrases } from './phrases/word-forms.ts'
import { readShift } from './read-shift.ts'
import { readText, readWhen, startReading, toLocalContext } from './read-when.ts'
import { createRefusal, type Reading, type ReadingContext } from './reading.ts'
import { ENTER_TIME_IN_ZONE, ONE_NEW_TIME, refuseLongText } from './refusals.ts'

/**
 * Reads words that name a new time for a post. A time alone keeps the post's day, a day alone keeps the post's time, and
 * "2 hours later" counts from the post's time. The post completes the words, and `readWhen` reads them.
 */
export function readNewTime(text: string, context: ReadingContext): Reading {
  const { post } = context
  if (!post) return readWhen(text, context)
  const tooLong = refuseLongText(text, 'time')
  if (tooLong) return tooLong
  const words = text.replace(INSTEAD, ' ').replace(MOVE_TO, ' ')
  const state = startReading(words, context)
  applyPhrases(wordFormPhrases, state)
  const at = DateTime.fromJSDate(post.at, { zone: post.zone })
  const change = { context, at, zone: post.zone, text: words, state }
  return readShift(change) ?? readSame(change) ?? readKept(change)
}

const INSTEAD = /\b(?:instead|rather)\b/gi
/** "Push it to friday", "delay until friday" */
const MOVE_TO =
  /\b(?:push|delay|postpone|defer|snooze|move|shift|bump|bring|pull|nudge|put)\b(?: (?:it|this|that|the post|back|out|off|forwards?|up|down)\b){0,2} (?:to|until|till)\b/i

const SAME_TIME = /\b(?:at )?(?:the )?same time\b/
const SAME_DAY = /\b(?:on )?(?:the )?same day\b/
const NEXT_WEEK = /\b(?:the )?next week\b/
const EDGES = /^[ ,]+|[ ,.?!]+$/g

const NO_CHANGE =
  'Nothing would change. Enter a day or a time with it, such as "same time saturday" or "same day at 9pm".'

/** Reads words that name the time, the day or the weekday of the post: "same time saturday", "next week at 9". */
function readSame(change: Change): Reading | undefined {
  const { state, at, context } = change
  const [hasSameTime, hasSameDay, hasNextWeek] = [SAME_TIME, SAME_DAY, NEXT_WEEK].map((same) =>
    same.test(state.text),
  )
  const withoutSameTime = state.text.replace(SAME_TIME, '').replace(EDGES, '')
  const rest = withoutSameTime.replace(SAME_DAY, '').replace(NEXT_WEEK, '').replace(EDGES, '')
  const isDayOfPost = (hasSameDay || hasNextWeek) && (!rest || isTimeAlone(rest, change))
  if (!isDayOfPost && !hasSameTime) return undefined
  if (state.namedZone) return createRefusal('vague', ENTER_TIME_IN_ZONE)
  if (!rest && !hasNextWeek) return createRefusal('vague', NO_CHANGE)
  if (rest && hasSameTime && isTimeAlone(rest, change)) return createRefusal('several', ONE_NEW_TIME)
  if (!isDayOfPost) {
    const { hasTime, hasPartOfDay } = readText(withoutSameTime, toLocalContext(context))
    return hasTime || hasPartOfDay
      ? createRefusal('several', ONE_NEW_TIME)
      : readAtSameTime(withoutSameTime, change)
  }
  const days = hasNextWeek ? nextWeek(change) : [dayWords(at)]
  const assumption = hasNextWeek ? "on the post's weekday" : ON_DAY_OF_POST
  const readings = days.map((day) =>
    rest ? readTimeOn({ day, time: rest, assumption }, change) : readAtSameTime(day, change),
  )
  return ask('Which week?', change, readings)
}

const ON_DAY_OF_POST = "on the post's day"

/** The post's weekday in the week after the current one, and the day one week after the post. */
function nextWeek({ context, at }: Change): string[] {
  const monday = DateTime.fromJSDate(context.now, { zone: context.zone }).startOf('week').plus({ weeks: 1 })
  const days = [monday.plus({ days: at.weekday - 1 }), at.plus({ weeks: 1 })].map(dayWords)
  return [...new Set(days)].filter((day) => day !== dayWords(at))
}

/** Completes words that name only a time or only a day. */
function readKept(change: Change): Reading {
  const { context, text, state, at } = change
  const words = readText(text, toLocalContext(context))
  if (isTimeOnly(words))
    return readTimeOn({ day: dayWords(at), time: text, assumption: ON_DAY_OF_POST }, change)
  const reading = words.resolve()
  if (!words.hasDay || words.hasTime || words.hasPartOfDay) return reading
  if (state.namedZone) return createRefusal('vague', ENTER_TIME_IN_ZONE)
  const completed = readAtSameTime(text, change)
  if (completed.kind !== 'moment' || reading.kind === 'refusal') return completed
  // "In 3 days" may also mean the current time of day.
  if (reading.kind === 'moment') return ask('What time?', change, [completed, reading])
  // "Friday", entered on a Friday, may also mean the next one.
  const days = [...new Set(reading.choices.map((choice) => dayWords(choice.at)))]
  if (days.includes(dayWords(completed.at))) return completed
  return ask('Which day?', change, [completed, ...days.map((day) => readAtSameTime(day, change))])
}
