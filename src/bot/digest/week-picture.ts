import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { DateTime } from 'luxon'
import type { Post } from '../../api/records.ts'
import { platformName } from '../../platforms/platform-names.ts'
import { momentOf } from '../posts.ts'
import { WEEK_DAYS } from './gather.ts'

const require = createRequire(import.meta.url)
const FONTS = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]

const [WIDTH, HEIGHT] = [840, 320]
const [LEFT, TOP, BOTTOM, COLUMN] = [24, 68, 84, 113]
const BAR = 64
/** Told apart also by those who see no red or green. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999', '#f0e442']

type When = { zone: string; at: Date }

type Week = { days: { name: string; counts: Map<string, number> }[]; platforms: string[] }

/** The week's posts by day and platform, as a picture, and in words for those who do not see it. */
export function drawWeek(posts: Post[], when: When): { png: Buffer; alt_text: string } {
  const week = countWeek(posts, when)
  const drawn = new Resvg(svgOf(week), {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  })
  return { png: drawn.render().asPng(), alt_text: inWords(week) }
}

/** A post counts once for each of its platforms. */
function countWeek(posts: Post[], { zone, at: from }: When): Week {
  const today = DateTime.fromJSDate(from, { zone }).startOf('day')
  const dates = Array.from({ length: WEEK_DAYS }, (_, index) => today.plus({ days: index }))
  const days = dates.map((date) => ({ name: date.toFormat('ccc d LLL'), counts: new Map<string, number>() }))
  for (const post of posts) {
    const at = momentOf(post)?.setZone(zone)
    const counts = days[dates.findIndex((date) => at?.hasSame(date, 'day'))]?.counts
    for (const platform of post.Platforms ?? []) counts?.set(platform, (counts.get(platform) ?? 0) + 1)
  }
  const totals = new Map<string, number>()
  for (const { counts } of days)
    for (const [platform, count] of counts) totals.set(platform, (totals.get(platform) ?? 0) + count)
  const platforms = [...totals].sort(([, one], [, other]) => other - one).map(([platform]) => platform)
  return { days, platforms }
}

const totalOf = ({ counts }: Week['days'][number]) =>
  [...counts.values()].reduce((one, other) => one + other, 0)

function inWords({ days, platforms }: Week): string {
  const told = days
    .filter(({ counts }) => counts.size)
    .map(({ name, counts }) => {
      const named = platforms.flatMap((platform) => {
        const count = counts.get(platform)
        return count ? [`${count} on ${platformName(platform)}`] : []
      })
      return `${name}: ${named.join(', ')}`
    })
  return `Posts of the week by day and platform. ${told.join('; ') || 'None.'}`.slice(0, LONGEST_ALT)
}

const LONGEST_ALT = 2000
const MOST_IN_LEGEND = 8

function svgOf({ days, platforms }: Week): string {
  const most = Math.max(1, ...days.map(totalOf))
  const height = HEIGHT - TOP - BOTTOM
  const color = (platform: string) => COLORS[platforms.indexOf(platform) % COLORS.length]
  const columns = days.map((day, index) => {
    const x = LEFT + index * COLUMN
    let y = HEIGHT - BOTTOM
    const bars = platforms.flatMap((platform) => {
      const count = day.counts.get(platform)
      if (!count) return []
      const tall = (count / most) * height
      y -= tall
      return [
        `<rect x="${x + 12}" y="${y}" width="${BAR}" height="${tall}" fill="${color(platform)}" stroke="#fff"/>`,
      ]
    })
    const total = totalOf(day)
    return [
      ...bars,
      `<text x="${x + 44}" y="${y - 8}" font-weight="bold" text-anchor="middle">${total || ''}</text>`,
      `<text x="${x + 44}" y="${HEIGHT - BOTTOM + 22}" text-anchor="middle">${day.name}</text>`,
    ].join('')
  })
  const legend = platforms.slice(0, MOST_IN_LEGEND).map((platform, index) => {
    const [x, y] = [LEFT + 12 + (index % 4) * 200, HEIGHT - 40 + Math.floor(index / 4) * 24]
    return `<rect x="${x}" y="${y - 11}" width="12" height="12" fill="${color(platform)}"/><text x="${x + 20}" y="${y}">${inXml(platformName(platform))}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans" font-size="14" fill="#1d1c1d">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
    <text x="${LEFT + 12}" y="30" font-size="16" font-weight="bold">The week by day and platform (what goes to two counts twice)</text>
    <line x1="${LEFT}" y1="${HEIGHT - BOTTOM}" x2="${WIDTH - LEFT}" y2="${HEIGHT - BOTTOM}" stroke="#1d1c1d"/>
    ${columns.join('')}${legend.join('')}
  </svg>`
}

/** XML holds no control characters at all. */
const inXml = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, 20)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
