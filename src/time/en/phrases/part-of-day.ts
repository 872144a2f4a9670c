import { foundDate, type PartOfDay, type Phrase } from '../../draft.ts'

/** "tomorrow morning", "9 in the morning", "this afternoon", "monday night" */
export const partOfDay: Phrase = {
  name: 'a part of the day',
  pattern:
    /\b(?:(this) |(?:in|during|at) (?:the )?|(?:early |late )?)(?:early |late )?(morning|afternoon|evening|eve|night|lunch ?time|lunch)s?\b/,
  read: ([, thisOne, name = ''], draft) => {
    draft.part = PARTS[name.slice(0, 3)]
    return thisOne && !draft.dates.length ? foundDate(draft, draft.now.day) : ''
  },
}

const PARTS: Record<string, PartOfDay> = {
  mor: 'morning',
  aft: 'afternoon',
  eve: 'evening',
  nig: 'night',
  lun: 'noon',
}
