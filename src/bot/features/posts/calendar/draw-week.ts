import { platformName } from '../../../../platforms/platform-names.ts'
import {
  ALERT_COLOR,
  FAINT_INK,
  fittingText,
  INK,
  LINE_COLOR,
  platformChips,
  platformStyle,
  svgDocument,
  svgText,
} from '../../../slack/images/svg.ts'
import { stateOf } from '../post-states.ts'
import type { CalendarContent, CalendarDay, CalendarPost } from './calendar-days.ts'

// Sized so that text stays readable at half of this width, as on a phone.
const WIDTH = 720
const LABEL_WIDTH = 78
const HEADER_HEIGHT = 62
const BOX_WIDTH = 176
const BOX_HEIGHT = 50
const ROW_PADDING = 5
const EMPTY_ROW_HEIGHT = 36
const MAX_LANES = 4
const FOOTER_LINE_HEIGHT = 26
const TEXT_SIZE = 17

const GRID_START = LABEL_WIDTH
/** A box begins at the time of its post, so a box at the last hour needs room to the right of the grid. */
const GRID_WIDTH = WIDTH - LABEL_WIDTH - BOX_WIDTH - 6

/** The range of hours that the calendar shows, which includes all posts of the week. */
type Hours = { first: number; last: number }

/** Draws days as rows and hours from left to right. Posts that would overlap are stacked in lanes. */
export function drawWeek({ title, days, hasMore }: CalendarContent): string {
  const hours = visibleHours(days)
  let y = HEADER_HEIGHT
  const rows = days.map((day) => {
    const row = drawDay(day, y, { hours, emptyNote: hasMore ? '' : ': no posts' })
    y += row.height
    return row.svg
  })
  const legend = drawLegend(days, y)
  const content = [
    svgText(10, 26, title, { size: 20, isBold: true }),
    drawHours(hours, y),
    ...rows,
    legend.svg,
  ].join('')
  return svgDocument(WIDTH, y + legend.height, content)
}

const EARLIEST_HOUR = 8
const LATEST_HOUR = 20

function visibleHours(days: CalendarDay[]): Hours {
  const starts = days.flatMap(({ posts }) => posts.map(({ at }) => at.hour))
  return {
    first: Math.min(EARLIEST_HOUR, ...starts),
    last: Math.max(LATEST_HOUR, ...starts.map((hour) => hour + 1)),
  }
}

const hourToX = (hour: number, { first, last }: Hours): number =>
  GRID_START + ((hour - first) / (last - first)) * GRID_WIDTH

const HOUR_STEP = 4

function drawHours(hours: Hours, bottom: number): string {
  const lines: string[] = []
  for (let hour = Math.ceil(hours.first / HOUR_STEP) * HOUR_STEP; hour <= hours.last; hour += HOUR_STEP) {
    const x = hourToX(hour, hours)
    lines.push(
      `<line x1="${x}" y1="${HEADER_HEIGHT - 6}" x2="${x}" y2="${bottom}" stroke="${LINE_COLOR}"/>`,
      svgText(x, HEADER_HEIGHT - 12, `${hour}:00`, { size: 15, color: FAINT_INK }),
    )
  }
  return lines.join('')
}

type Row = { svg: string; height: number }
type RowOptions = { hours: Hours; emptyNote: string }

function drawDay({ date, posts }: CalendarDay, y: number, { hours, emptyNote }: RowOptions): Row {
  const lanes = placeInLanes(posts, hours)
  const shown = lanes.filter(({ lane }) => lane < MAX_LANES)
  const laneCount = shown.length ? Math.max(...shown.map(({ lane }) => lane)) + 1 : 0
  const hiddenCount = posts.length - shown.length
  const moreHeight = hiddenCount ? TEXT_SIZE + 6 : 0
  const height = Math.max(EMPTY_ROW_HEIGHT, laneCount * (BOX_HEIGHT + ROW_PADDING) + ROW_PADDING + moreHeight)
  const isWeekend = date.weekday > 5
  const svg = [
    isWeekend ? `<rect x="0" y="${y}" width="${LABEL_WIDTH - 4}" height="${height}" fill="#f1f1f4"/>` : '',
    `<line x1="0" y1="${y}" x2="${WIDTH}" y2="${y}" stroke="${LINE_COLOR}"/>`,
    svgText(8, y + 22, date.toFormat('ccc'), { size: TEXT_SIZE, isBold: true }),
    laneCount
      ? svgText(8, y + 43, date.toFormat('d LLL'), { size: 15, color: FAINT_INK })
      : svgText(GRID_START + 6, y + 23, `${date.toFormat('d LLL')}${emptyNote}`, {
          size: 15,
          color: FAINT_INK,
        }),
    ...shown.map((placed) => drawPost(placed, y + ROW_PADDING + placed.lane * (BOX_HEIGHT + ROW_PADDING))),
    hiddenCount
      ? svgText(WIDTH - 10, y + height - 7, `and ${hiddenCount} more`, {
          size: TEXT_SIZE,
          anchor: 'end',
          isBold: true,
        })
      : '',
  ].join('')
  return { svg, height }
}

type PlacedPost = { item: CalendarPost; x: number; lane: number }

/** Each post goes into the first lane with room at its time. */
function placeInLanes(posts: CalendarPost[], hours: Hours): PlacedPost[] {
  const laneEnds: number[] = []
  return posts.map((item) => {
    const x = hourToX(item.at.hour + item.at.minute / 60, hours)
    const free = laneEnds.findIndex((end) => end <= x)
    const lane = free < 0 ? laneEnds.length : free
    laneEnds[lane] = x + BOX_WIDTH + 4
    return { item, x, lane }
  })
}

function drawPost({ item: { post, at, collides }, x }: PlacedPost, y: number): string {
  const { Platforms = [], Content = '', Status } = post
  const { isTentative = false } = stateOf(post)
  const isPublished = Status === 'PUBLISHED'
  const stroke = collides ? ALERT_COLOR : isPublished ? LINE_COLOR : INK
  const dashes = isTentative ? ' stroke-dasharray="6 4"' : ''
  const time = `${at.toFormat('HH:mm')}${collides ? ' !' : ''}`
  const color = isPublished ? FAINT_INK : INK
  return [
    `<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="5" fill="${isPublished ? '#f1f1f4' : '#fff'}" stroke="${stroke}" stroke-width="${collides ? 2.5 : 1.2}"${dashes}/>`,
    svgText(x + 7, y + 20, time, { size: TEXT_SIZE, isBold: true, color: collides ? ALERT_COLOR : color }),
    platformChips(Platforms, x + (collides ? 80 : 66), y + 19, BOX_WIDTH - (collides ? 84 : 70), 12),
    svgText(x + 7, y + 42, fittingText(Content, BOX_WIDTH - 14, TEXT_SIZE) || '…', {
      size: TEXT_SIZE,
      color,
    }),
  ].join('')
}

const LEGEND_ENTRY_WIDTH = 140

/** Names the platforms, and explains the styles of the posts that are shown. */
function drawLegend(days: CalendarDay[], y: number): { svg: string; height: number } {
  const posts = days.flatMap((day) => day.posts)
  const platforms = [...new Set(posts.flatMap(({ post }) => post.Platforms ?? []))]
  const perLine = Math.floor((WIDTH - 20) / LEGEND_ENTRY_WIDTH)
  const entries = platforms.map((platform, index) => {
    const x = 10 + (index % perLine) * LEGEND_ENTRY_WIDTH
    const line = y + 24 + Math.floor(index / perLine) * FOOTER_LINE_HEIGHT
    const { code } = platformStyle(platform)
    const name = svgText(x + code.length * 10 + 14, line, platformName(platform), { size: 15 })
    return platformChips([platform], x, line, LEGEND_ENTRY_WIDTH, 12) + name
  })
  const statuses = new Set(posts.map(({ post }) => post.Status))
  const notes = [
    posts.some(({ post }) => stateOf(post).isTentative) ? 'Dashed: draft or held in Upnext.' : '',
    statuses.has('PUBLISHED') ? 'Gray: published.' : '',
    posts.some(({ collides }) => collides) ? '! Same platform at nearly the same time.' : '',
  ].filter(Boolean)
  const platformLines = Math.ceil(platforms.length / perLine)
  const noteY = y + 24 + platformLines * FOOTER_LINE_HEIGHT
  const note = notes.length ? svgText(10, noteY, notes.join(' '), { size: 15, color: FAINT_INK }) : ''
  const line = `<line x1="0" y1="${y}" x2="${WIDTH}" y2="${y}" stroke="${LINE_COLOR}"/>`
  const lineCount = platformLines + (notes.length ? 1 : 0)
  return { svg: line + entries.join('') + note, height: lineCount * FOOTER_LINE_HEIGHT + 12 }
}
