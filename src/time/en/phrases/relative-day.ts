import { foundClock, foundDate, type Phrase } from '../../draft.ts'

/** "tomorrow", "the day after tomorrow", "today" */
export const relativeDay: Phrase = {
  name: 'a day from today',
  pattern:
    /\b(?:(?:the )?day after (?:tomorrow|tmrw|tmr)|(overmorrow)|(tomorrow|tom+or+ow|tmrw|tmrrw|tmr|tmw|2morrow|2moro|2mrw|the next day|next day)|(today|tdy|2day))(?:'?s)?\b/,
  read: ([, , tomorrow, today], draft) => foundDate(draft, draft.now.day + (today ? 0 : tomorrow ? 1 : 2)),
}

/** "now", "right now": a moment, if a short one. */
export const now: Phrase = {
  name: 'now',
  pattern: /^(?:right |just )?now$|^immediately$|^at (?:the moment|this (?:time|moment))$/,
  read: (_match, draft) => {
    // The words are read once more when they are sent: until then half a minute is enough.
    draft.exact = draft.now.at.plus({ seconds: 30 })
    draft.assumed.push('as soon as it can be')
    return ''
  },
}

/** "tonight": today, and the evening of it. */
export const tonight: Phrase = {
  name: 'tonight',
  pattern: /\b(?:tonight|tonite|2nite)\b|\bthis night\b/,
  read: (_match, draft) => {
    draft.part = 'night'
    return foundDate(draft, draft.now.day)
  },
}

/** "eod" is the end of the working day, of today where no other is named. */
export const endOfDay: Phrase = {
  name: 'the end of the day',
  pattern:
    /\b(?:by )?(?:the )?(?:eod|cob|(?:end|close) of (?:the |business )?(?:day|business)|end of today)\b(?: (?:today|\uE000))?/,
  read: ([words], draft) => {
    const clock = {
      clock: { hour: 17, minute: 0, second: 0 },
      others: [18, 23].map((hour) => ({ hour, minute: 0, second: 0 })),
    }
    const mark = foundClock(draft, clock)
    if (words.includes('\uE000')) return `\uE000 ${mark}`
    return draft.dates.length || draft.weekday ? mark : `${foundDate(draft, draft.now.day)} ${mark}`
  },
}
