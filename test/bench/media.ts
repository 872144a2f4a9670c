import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserSession } from 'local-slack'
import sharp from 'sharp'
import { drawNoise, pickFile } from '../bot/media/sample-files.ts'
import { runProgram } from '../support/run-program.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { median } from './load.ts'

// How long an image takes from the submitted form to the confirmation, alone and 20 concurrently, and how much memory the bot
// needs for that. The baseline is what decoding and encoding the same image takes alone.

const ROUNDS = 5
const PEOPLE = 20
const SIDE = 4100
const SAMPLE_INTERVAL_MS = 50

const handles = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`)
const shared = await startServiceAndSlack({
  name: 'media',
  people: handles.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin', role: 'admin' })),
  channels: [{ name: 'launch' }],
  disableRateLimits: true,
})
const bot = runProgram('dist/main.js', [], {
  ...shared.env,
  PUBLIC_URL: 'https://upnext.example.com',
})
await bot.waitForLine('ready')
const sessions = handles.map((handle) => shared.slack.openSession(handle))
const [first] = sessions as [UserSession]
const channel = first.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
await first.runCommand({ channel, text: '/upnext use Northwind' })

// Each image is another one, because the same file is stored once.
const images = await Promise.all(Array.from({ length: ROUNDS + PEOPLE }, () => drawNoise(SIDE, SIDE)))
const megabytes = (images[0]?.length ?? 0) / 1e6
const baseline: number[] = []
for (const image of images.slice(0, ROUNDS)) baseline.push(await encodeAgain(image))
// The first image also loads what the others need.
await post(first, images[0] ?? Buffer.alloc(0), 'first')
const idleMemory = await readMemory()
let peakMemory = 0
let isMeasuring = true
const sampling = sampleMemory()
const alone: number[] = []
for (let round = 0; round < ROUNDS; round++)
  alone.push(await post(first, images[round] ?? Buffer.alloc(0), `alone ${round}`))
const memoryAlone = peakMemory
peakMemory = 0
const startedAt = performance.now()
const together = await Promise.all(
  sessions.map((session, index) =>
    post(session, images[ROUNDS + index] ?? Buffer.alloc(0), `together ${index}`),
  ),
)
const totalMs = performance.now() - startedAt
isMeasuring = false
await sampling

console.log(`| image of ${megabytes.toFixed(1)} MB | seconds |`)
console.log('|---|--:|')
console.log(`| decode and encode alone | ${(median(baseline) / 1000).toFixed(2)} |`)
console.log(`| form to confirmation, one | ${(median(alone) / 1000).toFixed(2)} |`)
console.log(
  `| form to confirmation, ${PEOPLE} concurrently, median | ${(median(together) / 1000).toFixed(2)} |`,
)
console.log(`| form to confirmation, ${PEOPLE} concurrently, all | ${(totalMs / 1000).toFixed(2)} |`)
console.log(
  `\nmemory above ${idleMemory.toFixed(0)} MB when idle: one ${(memoryAlone - idleMemory).toFixed(0)} MB, ${PEOPLE} concurrently ${(peakMemory - idleMemory).toFixed(0)} MB`,
)
await bot.stop('SIGTERM')
await shared.stop()

async function encodeAgain(image: Buffer): Promise<number> {
  const start = performance.now()
  await sharp(image).autoOrient().jpeg({ quality: 90 }).toBuffer()
  return performance.now() - start
}

/** Milliseconds from the submission to the confirmation. */
async function post(session: UserSession, image: Buffer, text: string): Promise<number> {
  const marker = `Image ${text} of ${session.userId}`
  await session.runCommand({ channel, text: `/schedule-post "${marker}" 1 december 2030 9am on Facebook` })
  const view = await waitFor(() => {
    const shown = session.state().views.at(-1)
    return JSON.stringify(shown ?? '').includes('"block_id":"project"') ? shown : undefined
  })
  const file = await pickFile(shared.slack, session, 'image.jpg', image)
  const block = view.blocks.find(({ block_id }) => block_id === 'MediaFile') as {
    element: { action_id: string }
  }
  const values = { MediaFile: { [block.element.action_id]: [file] } }
  const start = performance.now()
  await session.submitView({ view: view.id, values })
  // A warning is confirmed by a second press.
  if (session.state().views.length) await session.submitView({ view: view.id, values })
  await waitFor(() => {
    const messages = Object.entries(session.state().messages).flatMap(([id, list]) =>
      id.startsWith('D') ? list : [],
    )
    const isConfirmed = messages.some(
      ({ text, blocks }) => text.startsWith('Scheduled in') && JSON.stringify(blocks).includes(marker),
    )
    return isConfirmed || undefined
  })
  return performance.now() - start
}

async function waitFor<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    await sleep(20)
  }
}

async function readMemory(): Promise<number> {
  const status = await readFile(`/proc/${bot.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function sampleMemory(): Promise<void> {
  while (isMeasuring) {
    peakMemory = Math.max(peakMemory, await readMemory())
    await sleep(SAMPLE_INTERVAL_MS)
  }
}
