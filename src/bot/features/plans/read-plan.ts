import { Info } from 'luxon'
import type { FormValues } from '../../forms/form-value.ts'
import { findHeaderRow, readTable, type SourceRow } from './read-table.ts'

export const MAX_ROWS = 500

export type PlanReading = { rows: SourceRow[]; unusedColumns: string[] } | { problem: string }

type ReadLine = (line: string) => { values: FormValues; messages?: string[] }

/** Reads a table with headings, or posts line by line. */
export function readPlan(text: string, readLine: ReadLine): PlanReading {
  const heading = findHeaderRow(text)
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
  return filled.map(({ line, number }, index): SourceRow => {
    const [marker = '', count] = LIST_NUMBER.exec(line) ?? []
    const isCounted = Number(count) === index + 1
    const { values, messages = [] } = readLine(
      isCounted ? line.slice(marker.length) : line.replace(LIST_MARKER, ''),
    )
    return { number, values, problems: messages }
  })
}
