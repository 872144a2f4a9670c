import {
  ALERT_COLOR,
  drawPlatformChips,
  FAINT_TEXT_COLOR,
  LINE_COLOR,
  svgDocument,
  svgText,
  TEXT_COLOR,
  TODAY_COLOR,
  truncateToWidth,
} from '../../../slack/images/svg.ts'
import { textOf } from '../display/post-blocks.ts'
import { stateOf } from '../display/post-states.ts'
import type { CalendarContent, CalendarDay, CalendarPost } from './calendar-days.ts'

// Slack shows the image at about half of this width, where the text is 12 pixels high.
const WIDTH = 720
const TEXT_SIZE = 24
const LINE_HEIGHT = 40
const MARGIN = 16
const TIME_WIDTH = 104
const CHIPS_WIDTH = 136
const MAX_POSTS_SHOWN = 5

/** Draws the days one below the other, with a line for each post. */
export function drawWeek({ title, days, hasMore, today }: CalendarContent): string {
  let y = LINE_HEIGHT + MARGIN
  const drawn = days.map((day) => {
    const lines = drawDay(day, {
      isToday: day.date.hasSame(today, 'day'),
      emptyNote: hasMore ? '' : 'no posts',
    })
    const svg = lines.map((line, index) => line(y + (index + 1) * LINE_HEIGHT - 10)).join('')
    const rule = `<line x1="${MARGIN}" y1="${y}" x2="${WIDTH - MARGIN}" y2="${y}" stroke="${LINE_COLOR}"/>`
    y += lines.length * LINE_HEIGHT + 8
    return rule + svg
  })
  const heading = svgText(MARGIN, LINE_HEIGHT, title, { size: TEXT_SIZE, isBold: true })
  return svgDocument(WIDTH, y + MARGIN, heading + drawn.join(''))
}

type Line = (y: number) => string

function drawDay(
  { date, posts }: CalendarDay,
  { isToday, emptyNote }: { isToday: boolean; emptyNote: string },
): Line[] {
  const style = {
    size: TEXT_SIZE,
    isBold: posts.length > 0,
    color: isToday ? TODAY_COLOR : posts.length ? TEXT_COLOR : FAINT_TEXT_COLOR,
  }
  const name = `${date.toFormat('ccc d LLL')}${isToday ? ', today' : ''}`
  const hiddenCount = posts.length - MAX_POSTS_SHOWN
  const more = hiddenCount > 0 ? [drawNote(`and ${hiddenCount} more`)] : []
  const heading: Line = (y) =>
    svgText(MARGIN, y, posts.length || !emptyNote ? name : `${name}: ${emptyNote}`, style)
  return [heading, ...posts.slice(0, MAX_POSTS_SHOWN).map(drawPost), ...more]
}

const drawNote =
  (note: string): Line =>
  (y) =>
    svgText(MARGIN + TIME_WIDTH, y, note, { size: TEXT_SIZE, color: FAINT_TEXT_COLOR })

const drawPost =
  ({ post, at, collides }: CalendarPost): Line =>
  (y) => {
    const { Platforms = [], Status } = post
    const note = Status === 'DRAFT' ? 'Draft: ' : ''
    const color = collides
      ? ALERT_COLOR
      : Status === 'PUBLISHED' || stateOf(post).isTentative
        ? FAINT_TEXT_COLOR
        : TEXT_COLOR
    const start = MARGIN + TIME_WIDTH + CHIPS_WIDTH
    const words = truncateToWidth(`${note}${textOf(post)}`, WIDTH - start - MARGIN, TEXT_SIZE) || '…'
    return [
      svgText(MARGIN, y, `${at.toFormat('HH:mm')}${collides ? ' !' : ''}`, {
        size: TEXT_SIZE,
        isBold: true,
        color,
      }),
      drawPlatformChips(Platforms, MARGIN + TIME_WIDTH, y, CHIPS_WIDTH - 8, TEXT_SIZE),
      svgText(start, y, words, { size: TEXT_SIZE, color }),
    ].join('')
  }
