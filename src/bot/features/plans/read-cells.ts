import { DateTime } from 'luxon'
import { extractPlatforms } from '../../../platforms/platform-names.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { HELD } from '../posts/display/post-states.ts'
import type { Column } from './table-columns.ts'

export type ReadCell = (column: Column) => string

/** The cells of a row, as the values of a form. */
export type RowReading = {
  /** A row that changes a post has only the fields of the table's columns. */
  values: FormValues
  problems: string[]
  /** The problems already say what is wrong with the time. */
  hasWrongTime?: boolean
}

export function readCells(cell: ReadCell): RowReading {
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
    problems: [
      ...(SPREADSHEET_ERROR.test(cell('text'))
        ? [`Text: the spreadsheet shows an error, "${cell('text')}".`]
        : []),
      ...(SEVERAL_LINKS.test(cell('media')) ? ['Media: a post can have only one file. Keep one link.'] : []),
      ...timeProblems,
      ...[platforms, status].flatMap(({ problem }) => problem ?? []),
    ],
    hasWrongTime: timeProblems.length > 0,
  }
}

const SEVERAL_LINKS = /(?:\s|[,;])\s*https?:\/\//
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!)$/

/** The date reader would find "now" in "=NOW()", and midnight in "0". */
function findTimeProblems(cell: ReadCell): string[] {
  if ([cell('date'), cell('time')].some((text) => text.startsWith('=')))
    return ['When: the cell has a formula. Paste its value instead.']
  if ([cell('date'), cell('time')].some((text) => /[\p{L}\p{N}].*\?/u.test(text)))
    return ['When: the time has a question mark. Remove it once the time is certain.']
  return /^\d{1,2}$/.test(cell('date')) ? [`When: "${cell('date')}" isn't a date.`] : []
}

function readPlatforms(text: string): { value: string[]; problem?: string } {
  const { platforms } = extractPlatforms(text)
  const unknown = findUnknownPlatforms(text)
  if (!unknown.length) return { value: platforms }
  const names = unknown.map((name) => `"${name}"`).join(', ')
  return { value: platforms, problem: `Platforms: Upnext doesn't know ${names}.` }
}

export const findUnknownPlatforms = (text: string): string[] =>
  extractPlatforms(text)
    .rest.split(/[,;/|&+\n]|\band\b/)
    .flatMap((name) => name.trim() || [])

const HELD_STATUS = /^held$/i
const DRAFT = /^(?:draft|idea)s?$/i
const SCHEDULED = /^(?:|scheduled?|planned|approved|ready|queued?|post)$/i

export function readStatus(text: string): { value: string; problem?: string } {
  if (DRAFT.test(text)) return { value: 'DRAFT' }
  if (SCHEDULED.test(text)) return { value: 'SCHEDULED' }
  if (HELD_STATUS.test(text)) return { value: HELD }
  return {
    value: 'SCHEDULED',
    problem: `"${text}" isn't a status. Write "scheduled" or "draft". To cancel a post, use /upnext cancel.`,
  }
}

/** Excel stores a date as the number of days since this one, with the time as the fraction. */
const EXCEL_EPOCH = DateTime.utc(1899, 12, 30)
const SERIAL_DATE = /^[3-6]\d{4}(?:[.,]\d+)?$/
const DAY_FRACTION = /^0?[.,]\d+$/

const fromSerial = (text: string): DateTime =>
  EXCEL_EPOCH.plus({ minutes: Math.round(Number(text.replace(',', '.')) * 24 * 60) })

/**
 * Spreadsheets write "9:00" for a time in the morning. If 9:00 has passed, Upnext would read today's "9:00"
 * as 21:00, so these times get an "am".
 */
const MORNING = /(?<![\d:])(?:0?[7-9]|1[01]):\d\d(?::\d\d)?$/

function readDate(text: string): string {
  if (!SERIAL_DATE.test(text)) return text.replace(MORNING, '$& am')
  return fromSerial(text).toFormat(/[.,]/.test(text) ? 'yyyy-MM-dd h:mm a' : 'yyyy-MM-dd')
}

const readTimeOfDay = (text: string): string =>
  DAY_FRACTION.test(text) ? fromSerial(text).toFormat('h:mm a') : text.replace(MORNING, '$& am')
