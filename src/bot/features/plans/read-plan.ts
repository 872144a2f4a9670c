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
const LIST_MARKER = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/

function readLines(text: string, readLine: ReadLine): SourceRow[] {
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ line, number: index + 1 }))
  const filled = lines.filter(({ line }) => line.trim()).slice(0, MAX_ROWS + 1)
  return filled.map(({ line, number }): SourceRow => {
    const { values, messages = [] } = readLine(line.replace(LIST_MARKER, ''))
    return { number, values, problems: messages }
  })
}
