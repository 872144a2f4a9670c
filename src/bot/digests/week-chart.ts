import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import type { Post } from '../../api/records.ts'
import { platformName } from '../../platforms/platform-names.ts'
import { postTime } from '../post-blocks.ts'
import { WEEK_DAYS } from './gather-content.ts'

const require = createRequire(import.meta.url)
const FONT_FILES = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]

const WIDTH = 840
const HEIGHT = 320
const MARGIN = { left: 24, top: 68, bottom: 84 }
const COLUMN_WIDTH = 113
const BAR_WIDTH = 64
/** Okabe and Ito's palette, which people with any kind of color vision can tell apart. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999', '#f0e442']

type ChartTime = { zone: string; at: Date }

type Week = { days: { name: string; counts: Map<string, number> }[]; platforms: string[] }

type Chart = { png: Buffer; alt_text: string }

/** Draws the posts of a week by day and platform, with the same figures as text. */
export function drawWeekChart(posts: Post[], time: ChartTime): Chart {
  const week = countWeek(posts, time)
  const image = new Resvg(toSvg(week), {
    font: { fontFiles: FONT_FILES, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  })
  return { png: image.render().asPng(), alt_text: describeWeek(week) }
}

/** The SDK doesn't type the result: for each batch of files, the response of the last call. */
type UploadResult = { files?: { files?: { id?: string }[] }[] }

/** Uploads a chart for a message. Undefined if Slack doesn't name the file. */
export async function uploadChart(
  client: WebClient,
  { png, alt_text }: Chart,
): Promise<{ file_id: string; alt_text: string } | undefined> {
  const result = (await client.files.uploadV2({
    file: png,
    filename: 'week.png',
    title: 'Posts this week by day and platform',
    alt_text,
  })) as UploadResult
  const file_id = result.files?.[0]?.files?.[0]?.id
  return file_id ? { file_id, alt_text } : undefined
}

/** A post counts once for each of its platforms. */
function countWeek(posts: Post[], { zone, at: start }: ChartTime): Week {
  const today = DateTime.fromJSDate(start, { zone }).startOf('day')
  const dates = Array.from({ length: WEEK_DAYS }, (_, index) => today.plus({ days: index }))
  const days = dates.map((date) => ({
    name: date.toFormat('ccc d LLL'),
    counts: new Map<string, number>(),
  }))
  const totals = new Map<string, number>()
  for (const post of posts) {
    const at = postTime(post)?.setZone(zone)
    const day = days[dates.findIndex((date) => at?.hasSame(date, 'day'))]
    if (!day) continue
    for (const platform of post.Platforms ?? [])
      for (const counts of [day.counts, totals]) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  }
  const platforms = [...totals].sort(([, a], [, b]) => b - a).map(([platform]) => platform)
  return { days, platforms }
}

const dayTotal = ({ counts }: Week['days'][number]) => [...counts.values()].reduce((a, b) => a + b, 0)

const MAX_ALT_TEXT_LENGTH = 2000

function describeWeek({ days, platforms }: Week): string {
  const busyDays = days.filter(({ counts }) => counts.size)
  const lines = busyDays.map(({ name, counts }) => {
    const parts = platforms
      .filter((platform) => counts.has(platform))
      .map((platform) => `${counts.get(platform)} on ${platformName(platform)}`)
    return `${name}: ${parts.join(', ')}`
  })
  return `Posts this week by day and platform. ${lines.join('; ') || 'None.'}`.slice(0, MAX_ALT_TEXT_LENGTH)
}

const MAX_LEGEND_ENTRIES = 8

function toSvg({ days, platforms }: Week): string {
  const maxTotal = Math.max(1, ...days.map(dayTotal))
  const chartHeight = HEIGHT - MARGIN.top - MARGIN.bottom
  const baseline = HEIGHT - MARGIN.bottom
  const color = (platform: string) => COLORS[platforms.indexOf(platform) % COLORS.length]
  const columns = days.map((day, index) => {
    const x = MARGIN.left + index * COLUMN_WIDTH
    let y = baseline
    const bars = platforms.map((platform) => {
      const height = ((day.counts.get(platform) ?? 0) / maxTotal) * chartHeight
      if (!height) return ''
      y -= height
      return `<rect x="${x + 12}" y="${y}" width="${BAR_WIDTH}" height="${height}" fill="${color(platform)}" stroke="#fff"/>`
    })
    const total = dayTotal(day) || ''
    return [
      ...bars,
      `<text x="${x + 44}" y="${y - 8}" font-weight="bold" text-anchor="middle">${total}</text>`,
      `<text x="${x + 44}" y="${baseline + 22}" text-anchor="middle">${day.name}</text>`,
    ].join('')
  })
  const legend = platforms.slice(0, MAX_LEGEND_ENTRIES).map((platform, index) => {
    const x = MARGIN.left + 12 + (index % 4) * 200
    const y = HEIGHT - 40 + Math.floor(index / 4) * 24
    const name = toXmlText(platformName(platform))
    return `<rect x="${x}" y="${y - 11}" width="12" height="12" fill="${color(platform)}"/><text x="${x + 20}" y="${y}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans" font-size="14" fill="#1d1c1d">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
    <text x="${MARGIN.left + 12}" y="30" font-size="16" font-weight="bold">This week by day and platform (counted per platform)</text>
    <line x1="${MARGIN.left}" y1="${baseline}" x2="${WIDTH - MARGIN.left}" y2="${baseline}" stroke="#1d1c1d"/>
    ${columns.join('')}${legend.join('')}
  </svg>`
}

const MAX_LEGEND_LENGTH = 20

/** XML allows no control characters, not even escaped. */
const toXmlText = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, MAX_LEGEND_LENGTH)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
