import { createHash } from 'node:crypto'
import type { PartialPost, Post } from '../../../api/records.ts'
import { canonicalZone, type DatedPost, postTime, postZone } from '../../../api/timestamps.ts'

const HEADINGS = {
  id: 'Upnext id',
  version: 'Upnext version',
  text: 'Text',
  date: 'Date',
  zone: 'Time zone',
  platforms: 'Platforms',
  media: 'Media link',
  status: 'Status',
}

type Cells = Record<keyof typeof HEADINGS, string>

/** Writes posts as a table in CSV, which people change in a spreadsheet and import again. */
export function formatCsv(posts: Post[]): string {
  const rows = [HEADINGS, ...posts.map(toCells)]
  const lines = rows.map((cells) => Object.values(cells).map(quoteCell).join(','))
  // Without the byte-order mark, Excel doesn't read UTF-8.
  return `\ufeff${lines.join('\r\n')}\r\n`
}

const toCells = (post: Post): Cells => {
  return { id: post.Id ?? '', version: exportVersionOf(post), ...shownCells(post) }
}

/** The parts of a post that a row shows. */
export type TablePost = DatedPost & Pick<PartialPost, 'Content' | 'Platforms' | 'Media' | 'Status'>

function shownCells(post: TablePost): Omit<Cells, 'id' | 'version'> {
  const { Content = '', Platforms = [], Media = '', Status = 'SCHEDULED' } = post
  return {
    text: Content.toWellFormed().replace(/\r\n?/g, '\n').trim(),
    ...shownTime(post),
    platforms: [...Platforms].sort().join(', '),
    media: Media.trim(),
    status: Status.toLowerCase(),
  }
}

/** The time in the post's time zone, or in UTC if the local time occurs twice because clocks go back. */
function shownTime(post: DatedPost): Pick<Cells, 'date' | 'zone'> {
  const at = postTime(post)
  if (!at) return { date: '', zone: '' }
  const own = at.setZone(postZone(post))
  const shown = own.getPossibleOffsets().length > 1 ? at.toUTC() : own
  return { date: shown.toFormat('yyyy-MM-dd HH:mm'), zone: canonicalZone(shown.zoneName ?? 'UTC') }
}

/** A fingerprint of the cells that show a post. Its first letter keeps spreadsheets from reading it as a number. */
export const exportVersionOf = (post: TablePost): string =>
  `v${createHash('sha256')
    .update(JSON.stringify(Object.values(shownCells(post))))
    .digest('hex')
    .slice(0, 12)}`

/** Whether two posts go out in the same minute and name the same time zone. */
export const hasSameTime = (post: DatedPost, other: DatedPost): boolean =>
  Object.values(shownTime(post)).join() === Object.values(shownTime(other)).join()

/** Spreadsheets run a cell that begins with one of these characters as a formula. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

const quoteCell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Removes the apostrophe that keeps a cell from running as a formula. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
