import { Info } from 'luxon'
import { firstValue } from '../../forms/fields.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { findHeaderRow, hasLaterHeadings, readTable, type SourceRow } from './read-table.ts'

export const MAX_ROWS = 500

export type PlanReading = { rows: SourceRow[]; unusedColumns: string[] } | { problem: string }

type ReadLine = (line: string) => { values: FormValues; messages?: string[] }

/** Reads a table with headings, or posts line by line. */
export function readPlan(text: string, readLine: ReadLine): PlanReading {
  const heading = findHeaderRow(text)
  if (!heading && hasLaterHeadings(text))
    return { problem: 'The headings must be in the first row. Remove the rows above them.' }
  const read = heading ? readTable(text, heading, MAX_ROWS) : { rows: readLines(text, readLine) }
  if ('problem' in read) return read
  const { rows } = read
  if (!rows.length) return { problem: 'The plan has no posts.' }
  if (rows.length > MAX_ROWS)
    return { problem: `The plan has more than ${MAX_ROWS} posts. Import it in parts.` }
  return { rows, unusedColumns: heading?.unknown ?? [] }
}

/** "- Launch day! tomorrow 9am on X" */
const LIST_MARKER = /^\s*(?:[-*•–]|\d{1,3}\))\s+/
const MONTHS = ['de', 'en'].flatMap((locale) => Info.months('long', { locale }))
/** "1. Launch day! tomorrow 9am on X". In "1. Dezember" and "1. 12.", the number is a day. */
const LIST_NUMBER = new RegExp(`^\\s*(\\d{1,3})\\.\\s+(?!\\d|(?:${MONTHS.join('|')})\\b)`, 'i')

function readLines(text: string, readLine: ReadLine): SourceRow[] {
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ line, number: index + 1 }))
  const filled = lines.filter(({ line }) => line.trim()).slice(0, MAX_ROWS + 1)
  let isBelowDay = false
  let isQuoted = false
  return filled.map(({ line, number }, index): SourceRow => {
    const [marker = '', count] = LIST_NUMBER.exec(line) ?? []
    const isCounted = Number(count) === index + 1
    const { values, messages = [] } = readLine(
      isCounted ? line.slice(marker.length) : line.replace(LIST_MARKER, ''),
    )
    const problems = [...messages]
    const when = firstValue(values.ScheduleDate) ?? ''
    if (isBelowDay && TIME_OF_DAY.test(when)) problems.push(NO_DAY)
    isBelowDay ||= !firstValue(values.Content) && when !== '' && !TIME_OF_DAY.test(when)
    const endsQuotation = isQuoted && QUOTATION_END.test(line)
    isQuoted ||= OPEN_QUOTATION.test(line)
    if (isQuoted) problems.push(IN_QUOTATION)
    if (endsQuotation) isQuoted = false
    return { number, values, problems }
  })
}

const TIME_OF_DAY = /^(?:at |um )?\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|h|uhr)?$/i
const NO_DAY = 'When: a line above names only a day. Write the day in this line, too.'
const OPEN_QUOTATION = /^\s*(?:"[^"]*|“[^“”]*|„[^„“”]*|«[^«»]*)$/
const QUOTATION_END = /["“”»]/
const IN_QUOTATION = 'This line is part of a quotation with several lines. Write each post in one line.'
