import { CsvError, parse } from 'csv-parse/sync'
import { DateTime } from 'luxon'
import { extractPlatforms } from '../../../platforms/platform-names.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { HELD } from '../posts/display/post-states.ts'
import { type Column, findColumn } from './table-columns.ts'
import { unguardCell } from './write-table.ts'

/** A row of a plan, as the values of a form. */
export type SourceRow = {
  /** The number of the row, as spreadsheets count. */
  number: number
  /** A row that changes a post has only the fields of the table's columns. */
  values: FormValues
  problems: string[]
  /** The problems already say what is wrong with the time. */
  hasWrongTime?: boolean
  /** The post that an exported row stands for, and the version that the row showed. */
  exported?: { id: string; version: string; unknownPlatforms: string[] }
}

const DELIMITERS = ['\t', ',', ';']
const MAX_COLUMNS = 100
/** Longer than any platform's limit. */
const MAX_CELL_LENGTH = 100_000

type HeaderRow = { delimiter: string; columns: (Column | undefined)[]; unknown: string[] }

/** Recognizes a table by its headings: at least two cells of the first line are names of columns. */
export function findHeaderRow(text: string): HeaderRow | undefined {
  const [line = ''] = text.trimStart().split(/\r\n?|\n/, 1)
  const headings = DELIMITERS.map((delimiter): HeaderRow => {
    const cells = line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    const columns = cells.map(findColumn)
    const unknown = cells.filter((cell, index) => cell && !columns[index])
    return { delimiter, columns, unknown }
  })
  const countKnownColumns = ({ columns }: HeaderRow) => new Set(columns.filter(Boolean)).size
  const [best] = headings.sort((a, b) => countKnownColumns(b) - countKnownColumns(a))
  return best && countKnownColumns(best) >= 2 ? best : undefined
}

/** Reads the rows below the headings. */
export function readTable(
  text: string,
  { delimiter, columns }: HeaderRow,
  maxRows: number,
): { rows: SourceRow[] } | { problem: string } {
  if (columns.length > MAX_COLUMNS)
    return { problem: `The table has ${columns.length} columns. Keep up to ${MAX_COLUMNS}.` }
  const repeated = columns.find((column, index) => column && columns.indexOf(column) !== index)
  if (repeated) return { problem: `Two columns have the ${repeated}. Rename or remove one of them.` }
  try {
    const records: string[][] = parse(text, {
      delimiter,
      from: 2,
      to: maxRows + 2,
      max_record_size: MAX_CELL_LENGTH,
      relax_column_count: true,
      relax_quotes: delimiter === '\t',
      skip_empty_lines: true,
    })
    const rows = records.flatMap((record, index): SourceRow[] => {
      if (!record.some((cell) => cell.trim())) return []
      const cell = (column: Column) => {
        const text = record[columns.indexOf(column)]?.trim() ?? ''
        // Only exports have ids, and only their cells are guarded.
        return columns.includes('id') ? unguardCell(text) : text
      }
      const row = { number: index + 2, ...readCells(cell) }
      return [cell('id') ? toExportedRow(row, columns, cell) : row]
    })
    return { rows }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: explainCsvError(error) }
  }
}

function explainCsvError({ code, lines }: CsvError & { lines?: number }): string {
  const place = lines === undefined ? 'The table' : `Line ${lines} of the table`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${place} has more than ${MAX_CELL_LENGTH.toLocaleString('en')} characters. Check its quotation marks.`
  return `${place} can't be read, because a quotation mark is missing or in the wrong place.`
}

type ReadCell = (column: Column) => string

const FIELD_COLUMNS: Record<string, Column[]> = {
  Content: ['text'],
  ScheduleDate: ['date', 'time'],
  Platforms: ['platforms'],
  Media: ['media'],
  Status: ['status'],
}

/** Fields without a column, and an empty status, keep the post's values. */
function toExportedRow(row: SourceRow, columns: HeaderRow['columns'], cell: ReadCell): SourceRow {
  const isGiven = ([name]: [string, unknown]) =>
    FIELD_COLUMNS[name]?.some((column) => columns.includes(column)) && (name !== 'Status' || cell('status'))
  const values = Object.fromEntries(Object.entries(row.values).filter(isGiven))
  const unknownPlatforms = splitNames(extractPlatforms(cell('platforms')).rest)
  return { ...row, values, exported: { id: cell('id'), version: cell('version'), unknownPlatforms } }
}

function readCells(cell: ReadCell): Omit<SourceRow, 'number'> {
  const platforms = readPlatforms(cell('platforms'))
  const status = readStatus(cell('status'))
  const timeProblems = findTimeProblems(cell)
  return {
    values: {
      Content: cell('text'),
      ScheduleDate: [readDate(cell('date')), readTimeOfDay(cell('time')), cell('zone')]
        .filter(Boolean)
        .join(' '),
      Platforms: platforms.value,
      Media: cell('media'),
      Status: status.value,
    },
    problems: [...timeProblems, ...[platforms, status].flatMap(({ problem }) => problem ?? [])],
    hasWrongTime: timeProblems.length > 0,
  }
}

/** The date reader would find "now" in "=NOW()", and midnight in "0". */
function findTimeProblems(cell: ReadCell): string[] {
  if ([cell('date'), cell('time')].some((text) => text.startsWith('=')))
    return ['When: the cell has a formula. Paste its value instead.']
  return /^\d{1,2}$/.test(cell('date')) ? [`When: "${cell('date')}" isn't a date.`] : []
}

function readPlatforms(text: string): { value: string[]; problem?: string } {
  const { platforms, rest } = extractPlatforms(text)
  const unknown = splitNames(rest)
  if (!unknown.length) return { value: platforms }
  const names = unknown.map((name) => `"${name}"`).join(', ')
  return { value: platforms, problem: `Platforms: Upnext doesn't know ${names}.` }
}

const splitNames = (text: string): string[] =>
  text.split(/[,;/|&+\n]|\band\b/).flatMap((name) => name.trim() || [])

const HELD_STATUS = /^held$/i
const DRAFT = /^(?:draft|idea)s?$/i
const SCHEDULED = /^(?:|scheduled?|planned|approved|ready|queued?|post)$/i

function readStatus(text: string): { value: string; problem?: string } {
  if (DRAFT.test(text)) return { value: 'DRAFT' }
  if (SCHEDULED.test(text)) return { value: 'SCHEDULED' }
  if (HELD_STATUS.test(text)) return { value: HELD }
  return { value: 'SCHEDULED', problem: `"${text}" isn't a status. Write "scheduled" or "draft".` }
}

/** Excel stores a date as the number of days since this one, with the time as the fraction. */
const EXCEL_EPOCH = DateTime.utc(1899, 12, 30)
const SERIAL_DATE = /^[3-6]\d{4}(?:[.,]\d+)?$/
const DAY_FRACTION = /^0?[.,]\d+$/

const fromSerial = (text: string): DateTime =>
  EXCEL_EPOCH.plus({ minutes: Math.round(Number(text.replace(',', '.')) * 24 * 60) })

function readDate(text: string): string {
  if (!SERIAL_DATE.test(text)) return text
  return fromSerial(text).toFormat(/[.,]/.test(text) ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-dd')
}

const readTimeOfDay = (text: string): string =>
  DAY_FRACTION.test(text) ? fromSerial(text).toFormat('HH:mm') : text
