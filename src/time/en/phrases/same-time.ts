import { foundClock, foundDate, type Phrase } from '../../draft.ts'

/** "next week same time" is a week from now. */
export const sameTimeNextWeek: Phrase = {
  name: 'the same time next week',
  pattern: /\bnext week,? (?:at )?(?:the )?same time\b|\b(?:same|this) time,? next week\b/,
  read: (_match, draft) =>
    `${foundDate(draft, draft.now.day + 7)} ${foundClock(draft, { clock: draft.now.clock, isNow: true })}`,
}

/** "same time tomorrow" */
export const sameTime: Phrase = {
  name: 'the same time',
  pattern:
    /\b(?:at )?(?:the |this )?same time\b|\bthis time(?= (?:on|tomorrow|next|mon|tue|wed|thu|fri|sat|sun))/,
  read: (_match, draft) => foundClock(draft, { clock: draft.now.clock, isNow: true }),
}
