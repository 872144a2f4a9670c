import { addDate, addTime, type PartOfDay, type Phrase } from '../phrase.ts'
import { timeOfDay } from '../wall-clock.ts'

/** "tomorrow", "the day after tomorrow", "today" */
export const relativeDay: Phrase = {
  pattern: /\b(?:(?:the )?day after tomorrow|overmorrow|(tomorrow|(?:the )?next day)|(today))(?:'?s)?\b/,
  read: ([, tomorrow, today], state) => addDate(state, state.now.day + (today ? 0 : tomorrow ? 1 : 2)),
}

export const tonight: Phrase = {
  pattern: /\b(?:tonight|this night)\b/,
  read: (_match, state) => {
    state.partOfDay = 'night'
    return addDate(state, state.now.day)
  },
}

export const rightNow: Phrase = {
  pattern: /^(?:right |just )?now$|^immediately$|^at (?:the moment|this (?:time|moment))$/,
  read: (_match, state) => {
    // The words are read again when the form is submitted. The moment must still be in the future then.
    state.exactMoment = state.now.at.plus({ seconds: 30 })
    state.assumptions.push('as soon as possible')
    return ''
  },
}

/** "eod" is the end of the working day. Without another day it is today. */
export const endOfDay: Phrase = {
  pattern:
    /\b(?:by )?(?:the )?(?:eod|(?:end|close) of (?:the |business )?(?:day|business)|end of today)\b(?: (?:today|(\uE000)))?/,
  read: ([, dateMark], state) => {
    const timeMark = addTime(state, { time: timeOfDay(17), alternatives: [timeOfDay(18), timeOfDay(23)] })
    if (dateMark) return `${dateMark} ${timeMark}`
    return state.dates.length || state.weekday ? timeMark : `${addDate(state, state.now.day)} ${timeMark}`
  },
}

/** "next week same time" */
export const sameTimeNextWeek: Phrase = {
  pattern: /\bnext week,? (?:at )?(?:the )?same time\b|\b(?:same|this) time,? next week\b/,
  read: (_match, state) =>
    `${addDate(state, state.now.day + 7)} ${addTime(state, { time: state.now.time, isCurrentTime: true })}`,
}

/** "same time tomorrow" */
export const sameTime: Phrase = {
  pattern:
    /\b(?:at )?(?:the |this )?same time\b|\bthis time(?= (?:on|tomorrow|next|mon|tue|wed|thu|fri|sat|sun))/,
  read: (_match, state) => addTime(state, { time: state.now.time, isCurrentTime: true }),
}

/** "tomorrow morning", "9 in the morning", "this afternoon", "monday night" */
export const partOfDay: Phrase = {
  pattern:
    /\b(?:(this) |(?:in|during|at) (?:the )?|(?:early |late )?)(?:early |late )?(morning|afternoon|evening|night|lunch ?time|lunch)s?\b/,
  read: ([, isThis, word = ''], state) => {
    state.partOfDay = PARTS_OF_DAY.find((part) => part.startsWith(word.slice(0, 3))) ?? 'noon'
    return isThis && !state.dates.length ? addDate(state, state.now.day) : ''
  },
}

const PARTS_OF_DAY: PartOfDay[] = ['morning', 'afternoon', 'evening', 'night']
