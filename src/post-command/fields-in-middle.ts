import type { ReadingContext } from '../time/reading.ts'
import { chooseFields, type Fields } from './choose-fields.ts'
import { isWholeTime, readCommandText } from './command-fields.ts'
import { type CommandText, type FoundTime, SIGN_OF_TIME } from './command-time.ts'

/** Words in brackets or between dashes, with the space before them. */
const SET_APART =
  /(?<!\s)\s*(?:\(([^()]{3,100})\)(?![\p{L}\p{N}])|\[([^[\]]{3,100})\](?![\p{L}\p{N}(]))|(?<!\s)\s+[–—-]\s([^–—\n]{3,100}?)(?=\s[–—-]\s)/gu
const MAX_GROUPS = 5

export type Middle = { segment: string; command: CommandText; fields: Fields & { time: FoundTime } }

/**
 * Finds a time in brackets or between dashes, if it's the only one there: "We're back (tomorrow 9am, Facebook) after the
 * storm"
 */
export function findFieldsInMiddle(text: string, context: ReadingContext): Middle | undefined {
  const groups = [...text.matchAll(SET_APART)].filter(([words]) => SIGN_OF_TIME.test(words))
  const found = groups.slice(0, MAX_GROUPS).flatMap(([segment, ...parts]) => {
    const command = readCommandText(parts.find(Boolean) ?? '', context)
    const { time, ...fields } = chooseFields(command)
    return time && isWholeTime(time) ? [{ segment, command, fields: { ...fields, time } }] : []
  })
  const [middle] = found
  return found.length === 1 && middle?.fields.hasNoText ? middle : undefined
}
