import { firstValue } from '../../forms/fields.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { DATE_PATTERN, MONTH_NAMES } from './date-order.ts'
import { findHeaderRow, hasHeadingsInLaterRow, readTable, type SourceRow } from './read-table.ts'

export const MAX_ROWS = 500

export type PlanReading = { rows: SourceRow[]; unusedColumns: string[] } | { problem: string }

type ReadLine = (line: string) => { values: FormValues; messages?: string[] }

/** Reads a table with headings, or posts line by line. */
export function readPlan(text: string, readLine: ReadLine): PlanReading {
  const heading = findHeaderRow(text)
  if (!heading && hasHeadingsInLaterRow(text))
    return { problem: 'The headings must be in the first row. Remove the rows above them.' }
  const read = heading ? readTable(text, heading, MAX_ROWS) : { rows: readLines(text, readLine) }
  if ('problem' in read) return read
  const { rows } = read
  if (!rows.length) return { problem: 'The plan has no posts.' }
  if (rows.length > MAX_ROWS)
    return { problem: `The plan has more than ${MAX_ROWS} posts. Import it in parts.` }
  return { rows, unusedColumns: heading?.unknown ?? [] }
}

/** Matches the "- " of "- Launch day! tomorrow 9am on X", and "1) ". */
const LIST_MARKER = /^\s*(?:[-*•–]|\d{1,3}\))\s+/
const OPEN_CHECKBOX = /^\s*\[ \]\s+/
const DONE_MARKER = /^\s*(?:(?:[-*•–]|\d{1,3}[.)])\s+)?\[x\]\s/i
/** Matches the "1. " of "1. Launch day!", but not of "1. Dezember" or "1. 12.", where the number is a day. */
const LIST_NUMBER = new RegExp(`^\\s*(\\d{1,3})\\.\\s+(?!\\d{1,2}\\.|(?:${MONTH_NAMES})\\b)`, 'i')

function readLines(text: string, readLine: ReadLine): SourceRow[] {
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ line, number: index + 1 }))
  const filled = lines.filter(({ line }) => line.trim()).slice(0, MAX_ROWS + 1)
  const unmarkedLines = removeListMarkers(filled.map(({ line }) => line))
  const quotedLines = findQuotedLines(unmarkedLines)
  let isBelowDayHeading = false
  let isBelowWeekHeading = false
  return filled.map(({ line, number }, index): SourceRow => {
    const { values, messages = [] } = readLine(unmarkedLines[index] ?? '')
    const when = firstValue(values.ScheduleDate) ?? ''
    const isDayMissing = isBelowDayHeading && TIME_OF_DAY.test(when)
    const isDateMissing = isBelowWeekHeading && when !== '' && !HAS_DATE.test(when)
    const hasFields = when !== '' || firstValue(values.Platforms) !== undefined
    isBelowWeekHeading ||= !hasFields && WEEK_HEADING.test(line)
    isBelowDayHeading ||= when !== '' && !firstValue(values.Content) && !HAS_TIME_OF_DAY.test(when)
    const isDraft = firstValue(values.Status) === 'DRAFT'
    const hasUnparsedTime = !when && !isDraft && HAS_DATE_OR_TIME.test(line)
    const problems = [
      ...messages,
      ...(hasUnparsedTime ? [UNPARSED_TIME] : []),
      ...(DONE_MARKER.test(line) ? [CHECKED_OFF] : []),
      ...(isDayMissing ? [NO_DAY] : []),
      ...(isDateMissing && !isDayMissing ? [NO_DATE] : []),
      ...(quotedLines.has(index) ? [IN_QUOTATION] : []),
    ]
    return { number, values, problems, hasWrongTime: hasUnparsedTime }
  })
}

const TIME_OF_DAY = /^(?:at |um )?\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|h|uhr)?$/i
const HAS_TIME_OF_DAY = /\d:\d\d|\d\s?(?:[ap]\.?m\b|h\b|uhr)|\b(?:noon|midnight|now)\b/i
const CHECKED_OFF = 'This line is checked off. Remove it, or its "[x]".'
const NO_DAY = 'When: a line above names only a day. Add the day to this line.'
const WEEK_HEADING = /^\W*(?:(?:next|this|the) )?(?:week|wk|kw|woche|semaine|semana)\b[^:]{0,20}:?\s*$/i
const HAS_DATE = new RegExp(`${DATE_PATTERN}|\\d(?:st|nd|rd|th)\\b|\\b(?:today|tomorrow)\\b`, 'iu')
/** Doesn't match "24h" or "now", because "24h left" and "order now" don't say when to post. */
const CLOCK = String.raw`\d:\d\d|\d\s?(?:[ap]\.?m\b|uhr\b)`
const HAS_DATE_OR_TIME = new RegExp(`${DATE_PATTERN}|${CLOCK}`, 'iu')
const UNPARSED_TIME = "When: the time in this line wasn't understood. Write it differently."
const NO_DATE = 'When: a line above names a week. Add the date to this line.'
const IN_QUOTATION = 'This line is part of a quote that spans several lines. Write each post on one line.'

/** Removes bullets, empty checkboxes, and list numbers that count up from 1. */
function removeListMarkers(lines: string[]): string[] {
  let count = 0
  return lines.map((line) => {
    const [marker = '', number = ''] = LIST_NUMBER.exec(line) ?? []
    const isCounted = [1, count + 1].includes(Number(number))
    if (isCounted) count = Number(number)
    const unmarked = isCounted ? line.slice(marker.length) : line.replace(LIST_MARKER, '')
    return unmarked.replace(OPEN_CHECKBOX, '')
  })
}

const OPEN_QUOTATION = /^\s*(?:"[^"]*|“[^“”]*|„[^„“”]*|«[^«»]*)$/
const QUOTATION_END = /^[^"“„«]*["“”»]/

/** Finds the lines of quotations that end in a later line. */
function findQuotedLines(lines: string[]): Set<number> {
  const quoted = new Set<number>()
  for (let start = 0; start < lines.length; start++) {
    if (!OPEN_QUOTATION.test(lines[start] ?? '')) continue
    const length = lines.slice(start + 1).findIndex((line) => QUOTATION_END.test(line)) + 1
    for (let index = start; length && index <= start + length; index++) quoted.add(index)
    start += length
  }
  return quoted
}
