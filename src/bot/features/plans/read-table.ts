import { CsvError, parse } from 'csv-parse/sync'
import { truncate } from '../../slack/message-blocks.ts'
import { readSlotWords } from '../slots/slot-words.ts'
import { DATE_PATTERN, findDateOrder, toIsoDate } from './date-order.ts'
import { findUnknownPlatforms, type ReadCell, type RowReading, readCells, readStatus } from './read-cells.ts'
import { type Column, findColumns } from './table-columns.ts'
import { unguardCell } from './write-table.ts'

export type SourceRow = RowReading & {
  /** The row's number in the spreadsheet, or the line's number in the text. */
  number: number
  /** Set for a row of an export: its post's id, and the post's version at the time of the export. */
  exported?: { id: string; version: string; unknownPlatforms: string[]; hasUnknownStatus: boolean }
}

const DELIMITERS = ['\t', ',', ';']
const MAX_COLUMNS = 100
const MAX_HEADING_LENGTH = 100
/** Matches "Date (CET)", but not "Last update". */
const DATE_WORD = /(?<!\p{L})date(?!\p{L})/iu
/** Matches a cell with only a date, such as "Sat 13 Dec 2026, 09:00" or "2026-12-13T09:00:00Z". */
const IS_DATE = new RegExp(
  `^(?:\\p{L}+[.,]? )?(?:${DATE_PATTERN})[^\\p{L}]*(?:t[\\d:.]+)?\\s*(?:[ap]\\.?m\\.?)?\\s*\\p{L}{0,5}$`,
  'iu',
)
/** Longer than any platform's limit. */
const MAX_ROW_LENGTH = 100_000
/** Includes blank rows. Reading this many takes less than a second. */
const MAX_TABLE_ROWS = 20_000

type HeaderRow = { delimiter: string; headings: string[]; columns: (Column | undefined)[]; unknown: string[] }

/** Recognizes a table by its headings: at least two cells of the first line are names of columns. */
export function findHeaderRow(text: string): HeaderRow | undefined {
  const candidates = DELIMITERS.map((delimiter): HeaderRow => {
    const headings = readFirstRow(text, delimiter)
    const columns = findColumns(headings)
    const unknown = headings.filter((heading, index) => heading && !columns[index])
    return { delimiter, headings, columns, unknown }
  })
  const [best] = candidates.sort((a, b) => countKnownColumns(b) - countKnownColumns(a))
  return best && countKnownColumns(best) >= 2 ? best : undefined
}

const countKnownColumns = ({ columns }: HeaderRow): number => new Set(columns.filter(Boolean)).size

/** Sheets may have a title above their headings. */
const MAX_TITLE_ROWS = 5

/** Whether the headings are below the first row, which is the only one where `findHeaderRow` looks for them. */
export function hasHeadingsInLaterRow(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).slice(1, 1 + MAX_TITLE_ROWS)
  return lines.some((line) => {
    const heading = findHeaderRow(line)
    return heading !== undefined && countKnownColumns(heading) > 2
  })
}

/** Parses the row as CSV, because a heading may contain the delimiter or a line break. */
function readFirstRow(text: string, delimiter: string): string[] {
  try {
    const [cells = []]: string[][] = parse(text, { ...optionsFor(delimiter), to: 1 })
    return cells.map((cell) => cell.trim())
  } catch {
    return []
  }
}

const optionsFor = (delimiter: string) => ({
  delimiter,
  // A sheet that several programs wrote may mix line endings.
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_ROW_LENGTH,
  relax_column_count: true,
  relax_quotes: delimiter === '\t',
  skip_empty_lines: true,
})

export function readTable(
  text: string,
  { delimiter, headings, columns, unknown }: HeaderRow,
  maxRows: number,
): { rows: SourceRow[] } | { problem: string } {
  if (columns.length > MAX_COLUMNS)
    return {
      problem: `The table has ${columns.length} columns. Remove some, so that at most ${MAX_COLUMNS} are left.`,
    }
  const repeated = columns.find((column, index) => column && columns.indexOf(column) !== index)
  if (repeated)
    return { problem: `The table has two columns for the ${repeated}. Rename or remove one of them.` }
  try {
    const records: string[][] = parse(text, {
      ...optionsFor(delimiter),
      from: 2,
      to: MAX_TABLE_ROWS + 2,
      on_record: (cells: string[], { records, empty_lines }) => [String(records + empty_lines), ...cells],
    })
    if (records.length > MAX_TABLE_ROWS)
      return {
        problem: `The table has more than ${MAX_TABLE_ROWS.toLocaleString('en')} rows. Remove the blank ones.`,
      }
    const columnCount = headings.findLastIndex(Boolean) + 1
    const numbered = records.map(([number, ...record]) => ({ number: Number(number), record }))
    const filled = numbered.filter(({ record }) => record.some((cell) => cell.trim())).slice(0, maxRows + 1)
    const holdsDates = (index: number) =>
      filled.some(({ record }) => IS_DATE.test(record[index]?.trim() ?? ''))
    const unknownDate = columns.includes('date')
      ? undefined
      : headings.find((name, index) => unknown.includes(name) && (DATE_WORD.test(name) || holdsDates(index)))
    if (unknownDate)
      return {
        problem: `Upnext doesn't know the column "${truncate(unknownDate, MAX_HEADING_LENGTH)}". If it has the dates, name it "Date". Otherwise, remove it.`,
      }
    const dateOrder = findDateOrder(filled.map(({ record }) => record[columns.indexOf('date')]?.trim() ?? ''))
    const rows = filled.map(({ number, record }): SourceRow => {
      const cell = (column: Column) => {
        const text = record[columns.indexOf(column)]?.trim() ?? ''
        if (column === 'date') return toIsoDate(text, dateOrder)
        // Only exports have ids, and only exports guard cells against running as formulas.
        return columns.includes('id') ? unguardCell(text) : text
      }
      const row = { number, ...readCells(cell) }
      if (delimiter === '\t' && record.some((cell) => cell.includes('\t'))) row.problems.push(OPEN_QUOTE)
      if (record.slice(columnCount).some((extra) => extra.trim())) row.problems.push(NO_HEADING)
      const hasNoDate = columns.includes('date') && !/[\p{L}\p{N}]/u.test(cell('date'))
      if (hasNoDate && cell('time') && !readSlotWords(cell('time'))) {
        row.problems.push(NO_DATE)
        row.hasWrongTime = true
      }
      return cell('id') ? toExportedRow(row, columns, cell) : row
    })
    return { rows }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: explainCsvError(error) }
  }
}

/** Caused by a delimiter in unquoted text, or by a heading that was merged over several columns. */
const NO_HEADING =
  'This row has a cell without a heading. Put quotation marks around its text, or give that column a heading.'
const OPEN_QUOTE =
  'A cell starts with a quotation mark, so the cells after it were read as part of it. Remove that mark.'
/** The cells below a merged cell are empty, and some people enter "?" for a date that isn't fixed yet. */
const NO_DATE = 'When: the date is missing.'

function explainCsvError({ code, lines }: CsvError & { lines?: number }): string {
  const place = lines === undefined ? 'The table' : `Line ${lines} of the table`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${place} has more than ${MAX_ROW_LENGTH.toLocaleString('en')} characters. Check its quotation marks.`
  return `${place} can't be read, because a quotation mark is missing or in the wrong place.`
}

const FIELD_COLUMNS: Record<string, Column[]> = {
  Content: ['text'],
  ScheduleDate: ['date', 'time'],
  Platforms: ['platforms'],
  Media: ['media'],
  Status: ['status'],
}

/** Drops the values of fields without a column, and of an empty status, so that the post keeps its own. */
function toExportedRow(row: SourceRow, columns: HeaderRow['columns'], cell: ReadCell): SourceRow {
  const isGiven = ([name]: [string, unknown]) =>
    FIELD_COLUMNS[name]?.some((column) => columns.includes(column)) && (name !== 'Status' || cell('status'))
  const values = Object.fromEntries(Object.entries(row.values).filter(isGiven))
  const unknownPlatforms = findUnknownPlatforms(cell('platforms'))
  const hasUnknownStatus = readStatus(cell('status')).problem !== undefined
  const exported = { id: cell('id'), version: cell('version'), unknownPlatforms, hasUnknownStatus }
  return { ...row, values, exported }
}
