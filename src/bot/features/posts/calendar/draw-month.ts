import type { DateTime } from 'luxon'
import {
  ALERT_COLOR,
  FAINT_INK,
  fittingText,
  INK,
  LINE_COLOR,
  platformStyle,
  svgDocument,
  svgText,
} from '../../../slack/images/svg.ts'
import { stateOf } from '../post-states.ts'
import type { CalendarContent, CalendarDay, CalendarPost } from './calendar-days.ts'

// Sized so that text stays readable at half of this width, as on a phone.
const WIDTH = 980
const COLUMN_WIDTH = WIDTH / 7
const HEADER_HEIGHT = 68
const ROW_HEIGHT = 114
const MAX_POSTS_SHOWN = 3
const POST_HEIGHT = 27
const TEXT_SIZE = 15

/** Draws weeks as rows and weekdays as columns. `days` has whole weeks. The days of other months are pale. */
export function drawMonth({ title, days }: CalendarContent, month: DateTime): string {
  const weekCount = days.length / 7
  const weekdays = days.slice(0, 7).map(({ date }, column) =>
    svgText(column * COLUMN_WIDTH + COLUMN_WIDTH / 2, HEADER_HEIGHT - 12, date.toFormat('ccc'), {
      size: 16,
      isBold: true,
      anchor: 'middle',
    }),
  )
  const cells = days.map((day, index) => drawDay(day, index, day.date.hasSame(month, 'month')))
  const height = HEADER_HEIGHT + weekCount * ROW_HEIGHT + 8
  const content = [svgText(10, 28, title, { size: 20, isBold: true }), ...weekdays, ...cells].join('')
  return svgDocument(WIDTH, height, content)
}

function drawDay({ date, posts }: CalendarDay, index: number, isInMonth: boolean): string {
  const x = (index % 7) * COLUMN_WIDTH
  const y = HEADER_HEIGHT + Math.floor(index / 7) * ROW_HEIGHT
  const fill = isInMonth ? (date.weekday > 5 ? '#f6f6f8' : '#ffffff') : '#ececef'
  const number = date.day === 1 ? date.toFormat('d LLL') : String(date.day)
  const collisions = posts.filter(({ collides }) => collides).length
  const count = `${posts.length}${collisions ? ' !' : ''}`
  return [
    `<rect x="${x + 0.5}" y="${y + 0.5}" width="${COLUMN_WIDTH - 1}" height="${ROW_HEIGHT - 1}" fill="${fill}" stroke="${LINE_COLOR}"/>`,
    svgText(x + 7, y + 20, number, { size: 16, isBold: isInMonth, color: isInMonth ? INK : FAINT_INK }),
    posts.length ? drawCount(x + COLUMN_WIDTH - 6, y + 20, count, collisions > 0) : '',
    ...posts
      .slice(0, MAX_POSTS_SHOWN)
      .map((item, position) => drawPost(item, x, y + 28 + position * POST_HEIGHT)),
  ].join('')
}

function drawCount(end: number, y: number, count: string, isAlert: boolean): string {
  const width = count.length * 10 + 10
  const color = isAlert ? ALERT_COLOR : INK
  return [
    `<rect x="${end - width}" y="${y - 15}" width="${width}" height="20" rx="10" fill="${color}"/>`,
    svgText(end - width / 2, y, count, { size: 14, color: '#fff', isBold: true, anchor: 'middle' }),
  ].join('')
}

function drawPost({ post, at, collides }: CalendarPost, x: number, y: number): string {
  const { Platforms = [], Content = '', Status } = post
  const { isTentative = false } = stateOf(post)
  const codes = Platforms.map((platform) => platformStyle(platform).code)
  const [first = '?', ...others] = codes
  const label = `${at.toFormat('HH:mm')} ${first}${others.length ? '+' : ''}`
  const labelWidth = label.length * TEXT_SIZE * 0.68
  const words = fittingText(Content, COLUMN_WIDTH - 20 - labelWidth, TEXT_SIZE)
  const color = Status === 'PUBLISHED' ? FAINT_INK : collides ? ALERT_COLOR : INK
  const dashes = isTentative ? ' stroke-dasharray="4 3"' : ''
  return [
    `<rect x="${x + 4}" y="${y}" width="${COLUMN_WIDTH - 8}" height="${POST_HEIGHT - 3}" rx="4" fill="#fff" stroke="${color}"${dashes}/>`,
    svgText(x + 9, y + 17, label, { size: TEXT_SIZE, isBold: true, color }),
    svgText(x + 9 + labelWidth, y + 17, words, { size: TEXT_SIZE, color }),
  ].join('')
}
