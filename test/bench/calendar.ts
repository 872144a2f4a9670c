import { DateTime } from 'luxon'
import { groupIntoDays } from '../../src/bot/features/posts/calendar/calendar-days.ts'
import { drawMonth } from '../../src/bot/features/posts/calendar/draw-month.ts'
import { drawWeek } from '../../src/bot/features/posts/calendar/draw-week.ts'
import { configureImageFonts, drawPng } from '../../src/bot/slack/images/svg.ts'

// How long the images of a month and of a week with 1,000 posts each take, in turns.

configureImageFonts()

const POST_COUNT = 1000
const ROUNDS = 9
const start = DateTime.fromISO('2026-11-01', { zone: 'Europe/Berlin' })

const postsOf = (dayCount: number) =>
  Array.from({ length: POST_COUNT }, (_, index) => ({
    Id: String(index),
    Content: `Post ${index} about the new lamp and who it is for`,
    ScheduleDate:
      start.plus({ minutes: Math.floor((index * dayCount * 24 * 60) / POST_COUNT) }).toISO() ?? '',
    Timezone: 'Europe/Berlin',
    Platforms: index % 3 ? ['X'] : ['LINKEDIN', 'X'],
    Status: 'SCHEDULED',
    raw: undefined,
  }))

const monthStart = start.startOf('week')
const images = {
  week: () =>
    drawPng(
      drawWeek({ title: 'Week', days: groupIntoDays(postsOf(7), start, 7), hasMore: false, today: start }),
    ),
  month: () =>
    drawPng(
      drawMonth(
        { title: 'Month', days: groupIntoDays(postsOf(30), monthStart, 42), hasMore: false, today: start },
        start,
      ),
    ),
}

const times: Record<keyof typeof images, number[]> = { week: [], month: [] }
for (let round = 0; round < ROUNDS; round++)
  for (const name of ['week', 'month'] as const) {
    const startedAt = performance.now()
    await images[name]()
    times[name].push(performance.now() - startedAt)
  }
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const [week, month] = [median(times.week), median(times.month)]
console.log(`| image of ${POST_COUNT} posts | ms | of the week's |`)
console.log('|---|--:|--:|')
console.log(`| week | ${week.toFixed(0)} | 1.00 |`)
console.log(`| month | ${month.toFixed(0)} | ${(month / week).toFixed(2)} |`)
