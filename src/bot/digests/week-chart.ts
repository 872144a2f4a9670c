import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import type { Post } from '../../api/records.ts'
import { platformName } from '../../platforms/platform-names.ts'
import { escapeText, truncate } from '../message-blocks.ts'
import { postTime } from '../posts/post-blocks.ts'
import { WEEK_DAYS } from './gather-content.ts'

const require = createRequire(import.meta.url)
const FONT_FILES = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]

/** Okabe and Ito's palette, which people with any kind of color vision can tell apart. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999', '#f0e442']

/** The platform with the most posts comes first. `counts` has a number for each day. */
type Week = { days: string[]; platforms: { name: string; color: string | undefined; counts: number[] }[] }

/** The SDK doesn't type the result: for each batch of files, the response of the last call. */
type UploadResult = { files?: { files?: { id?: string }[] }[] }

/** Draws a week for a message, with the same figures as text. Undefined if Slack doesn't name the uploaded file. */
export async function uploadWeekChart(client: WebClient, posts: Post[], time: { zone: string; at: Date }) {
  const week = countWeek(posts, time)
  const font = { fontFiles: FONT_FILES, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' }
  const file = new Resvg(toSvg(week), { font }).render().asPng()
  const alt_text = describeWeek(week)
  const title = 'Posts this week by day and platform'
  const upload = await client.files.uploadV2({ file, filename: 'week.png', title, alt_text })
  const file_id = (upload as UploadResult).files?.[0]?.files?.[0]?.id
  return file_id ? { file_id, alt_text } : undefined
}

/** A post counts once for each of its platforms. */
function countWeek(posts: Post[], { zone, at: start }: { zone: string; at: Date }): Week {
  const today = DateTime.fromJSDate(start, { zone }).startOf('day')
  const dates = Array.from({ length: WEEK_DAYS }, (_, index) => today.plus({ days: index }))
  const countsByPlatform = new Map<string, number[]>()
  for (const post of posts) {
    const at = postTime(post)?.setZone(zone)
    const day = dates.findIndex((date) => at?.hasSame(date, 'day'))
    if (day < 0) continue
    for (const platform of post.Platforms ?? []) {
      const counts = countsByPlatform.get(platform) ?? dates.map(() => 0)
      countsByPlatform.set(platform, counts.with(day, (counts[day] ?? 0) + 1))
    }
  }
  const platforms = [...countsByPlatform]
    .sort(([, a], [, b]) => sum(b) - sum(a))
    .map(([platform, counts], index) => {
      return { name: platformName(platform), color: COLORS[index % COLORS.length], counts }
    })
  return { days: dates.map((date) => date.toFormat('ccc d LLL')), platforms }
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

const MAX_ALT_TEXT_LENGTH = 2000

function describeWeek({ days, platforms }: Week): string {
  const lines = days.flatMap((day, index) => {
    const shown = platforms.filter(({ counts }) => counts[index])
    const parts = shown.map(({ name, counts }) => `${counts[index]} on ${name}`)
    return parts.length ? [`${day}: ${parts.join(', ')}`] : []
  })
  const text = lines.join('; ') || 'None.'
  return truncate(`Posts this week by day and platform. ${text}`, MAX_ALT_TEXT_LENGTH)
}

const WIDTH = 840
const HEIGHT = 320
const LEFT = 24
const BASELINE = 236
const MAX_BAR_HEIGHT = 168
const COLUMN_WIDTH = 113
const MAX_LEGEND_ENTRIES = 8

function toSvg({ days, platforms }: Week): string {
  const totals = days.map((_, index) => sum(platforms.map(({ counts }) => counts[index] ?? 0)))
  const unit = MAX_BAR_HEIGHT / Math.max(1, ...totals)
  const columns = days.map((day, index) => {
    const x = LEFT + index * COLUMN_WIDTH
    let y = BASELINE
    const bars = platforms.map(({ color, counts }) => {
      const height = (counts[index] ?? 0) * unit
      if (!height) return ''
      y -= height
      return `<rect x="${x + 12}" y="${y}" width="64" height="${height}" fill="${color}" stroke="#fff"/>`
    })
    return `${bars.join('')}
      <text x="${x + 44}" y="${y - 8}" font-weight="bold" text-anchor="middle">${totals[index] || ''}</text>
      <text x="${x + 44}" y="${BASELINE + 22}" text-anchor="middle">${day}</text>`
  })
  const legend = platforms.slice(0, MAX_LEGEND_ENTRIES).map(({ name, color }, index) => {
    const x = LEFT + 12 + (index % 4) * 200
    const y = HEIGHT - 40 + Math.floor(index / 4) * 24
    return `<rect x="${x}" y="${y - 11}" width="12" height="12" fill="${color}"/>
      <text x="${x + 20}" y="${y}">${toXmlText(name)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans" font-size="14" fill="#1d1c1d">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
    <text x="${LEFT + 12}" y="30" font-size="16" font-weight="bold">This week by day and platform (counted per platform)</text>
    <line x1="${LEFT}" y1="${BASELINE}" x2="${WIDTH - LEFT}" y2="${BASELINE}" stroke="#1d1c1d"/>
    ${columns.join('')}${legend.join('')}
  </svg>`
}

const MAX_LEGEND_LENGTH = 20

/** XML allows no control characters, not even escaped. */
const toXmlText = (text: string) => escapeText(truncate(text.replace(/\p{Cc}/gu, ''), MAX_LEGEND_LENGTH))
