import type { DateTime } from 'luxon'
import {
  ALERT_COLOR,
  FAINT_TEXT_COLOR,
  LINE_COLOR,
  svgDocument,
  svgText,
  TEXT_COLOR,
  TODAY_COLOR,
} from '../../../slack/images/svg.ts'
import { stateOf } from '../display/post-states.ts'
import type { CalendarContent, CalendarDay } from './calendar-days.ts'

// Slack shows the image at about half of this width, where the text is 12 pixels high.
const WIDTH = 720
const COLUMN_WIDTH = WIDTH / 7
const TEXT_SIZE = 24
const LINE_HEIGHT = 30
const HEADER_HEIGHT = 92
const MAX_TIMES_SHOWN = 3

/** Draws weeks as rows, with the times of each day's posts. `days` has whole weeks. Days of other months are faint. */
export function drawMonth({ title, days, today }: CalendarContent, month: DateTime): string {
  let y = HEADER_HEIGHT
  const weekdays = days.slice(0, 7).map(({ date }, column) =>
    svgText(toX(column), HEADER_HEIGHT - 14, date.toFormat('ccc'), {
      size: TEXT_SIZE,
      color: FAINT_TEXT_COLOR,
    }),
  )
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7))
  const rows = weeks.map((week) => {
    const rule = `<line x1="0" y1="${y}" x2="${WIDTH}" y2="${y}" stroke="${LINE_COLOR}"/>`
    const cells = week.map((day, column) => {
      const isFaint = !day.date.hasSame(month, 'month')
      const color = day.date.hasSame(today, 'day') ? TODAY_COLOR : isFaint ? FAINT_TEXT_COLOR : TEXT_COLOR
      return drawDay(day, { x: toX(column), y, color })
    })
    const lineCount = Math.max(...week.map(({ posts }) => Math.min(posts.length, MAX_TIMES_SHOWN + 1)))
    y += (Math.max(lineCount, 1) + 1) * LINE_HEIGHT + 14
    return [rule, ...cells].join('')
  })
  const heading = svgText(toX(0), 40, title, { size: TEXT_SIZE, isBold: true })
  return svgDocument(WIDTH, y, [heading, ...weekdays, ...rows].join(''))
}

const toX = (column: number): number => column * COLUMN_WIDTH + 12

type Place = { x: number; y: number; color: string }

function drawDay({ date, posts }: CalendarDay, { x, y, color }: Place): string {
  const dayLabel = date.day === 1 ? date.toFormat('d LLL') : String(date.day)
  const hiddenCount = posts.length - MAX_TIMES_SHOWN
  const lines = posts.slice(0, MAX_TIMES_SHOWN).map(({ post, at, collides }) => {
    const isFaint = post.Status === 'PUBLISHED' || stateOf(post).isTentative
    const style = { size: TEXT_SIZE, color: collides ? ALERT_COLOR : isFaint ? FAINT_TEXT_COLOR : TEXT_COLOR }
    return { text: `${at.toFormat('HH:mm')}${collides ? '!' : ''}`, style }
  })
  if (hiddenCount > 0)
    lines.push({ text: `+${hiddenCount}`, style: { size: TEXT_SIZE, color: FAINT_TEXT_COLOR } })
  return [
    svgText(x, y + LINE_HEIGHT - 3, dayLabel, { size: TEXT_SIZE, isBold: true, color }),
    ...lines.map(({ text, style }, line) => svgText(x, y + (line + 2) * LINE_HEIGHT - 3, text, style)),
  ].join('')
}
