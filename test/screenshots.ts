import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from './support/browser.ts'
import { startFakeTelegram } from './support/fake-telegram.ts'
import { runProgram } from './support/run-program.ts'
import { startHttpServer } from './support/servers.ts'

/** Takes the screenshots of the README: the whole program, and the first steps in it. */
const TO = '.github/screenshots'

const folder = await mkdtemp(join(tmpdir(), 'upnext-screenshots-'))
const telegram = await startFakeTelegram()
const BOT_TOKEN = '123456:token-of-the-screenshots'
const CHAT = { id: -1001111111111, type: 'channel' as const, title: 'Northwind News', username: 'northwind' }
telegram.addBot({ token: BOT_TOKEN, username: 'northwind_bot' })
telegram.addChat({ ...CHAT, botStatus: 'administrator', canPost: true })
const env = { DATA_DIR: folder, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0', TELEGRAM_API_URL: telegram.url }
const upnext = runProgram('dist/main.js', [], env)
const [, address = ''] = /slack (http\S+)/.exec(await upnext.waitForLine('ready')) ?? []
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, deviceScaleFactor: 1.25 })
page.setDefaultTimeout(10_000)
await page.goto(`${address}/?as=mara`)
await page
  .getByRole('link', { name: 'launch' })
  .or(page.getByRole('button', { name: 'launch' }))
  .first()
  .click()

const lamp = await drawLamp()
const imageServer = await startHttpServer((_, response) =>
  response.setHeader('content-type', 'image/png').end(lamp),
)

const type = async (text: string) => {
  await page.getByRole('combobox', { name: 'Message #launch' }).fill(text)
  await page.keyboard.press('Enter')
}
const take = (name: string) => page.screenshot({ path: `${TO}/${name}.png` })

const form = page.getByRole('dialog', { name: 'Schedule a post' })
const submit = () => form.getByRole('button', { name: 'Schedule', exact: true }).click()
await type('/upnext use Northwind')
await page
  .getByText(/linked/)
  .first()
  .waitFor()
await type('/schedule-post Launch day! tomorrow 9am on LinkedIn and Instagram')
await form.getByText(/09:00 Berlin/).waitFor()
await submit()
// So that the date as it was read and the error are both visible.
await form
  .getByRole('alert')
  .first()
  .evaluate((error) => error.scrollIntoView({ block: 'end' }))
await take('schedule-form')

await form.getByRole('textbox', { name: 'Link to an image or video' }).fill(`${imageServer.url}/lamp.png`)
await submit()
await form.waitFor({ state: 'hidden' })
await page.getByText(/^Scheduled in/).waitFor()
await type('/upnext')
await page.getByText(/^Up next in/).waitFor()
await page.waitForTimeout(500)
await take('up-next')

await page.getByRole('button', { name: 'Upnext' }).first().click()
await page.getByRole('button', { name: /Default project|Pick a project/ }).click()
await page.getByRole('option', { name: /Northwind/ }).click()
await page.getByText('Next 7 days', { exact: true }).waitFor()
await page.waitForTimeout(500)
await take('home')

// Slack posts a scheduled message on the minute, so this screenshot takes a while.
await page
  .getByRole('link', { name: 'launch' })
  .or(page.getByRole('button', { name: 'launch' }))
  .first()
  .click()
const soon = await page.evaluate(() => new Date(Date.now() + 90_000).toISOString().slice(11, 16))
await type(`/upnext digest every day at ${soon} UTC`)
const week = page.getByRole('img', { name: /^\w{3} \d+ \w{3} – / })
await week.waitFor({ timeout: 180_000 })
await page.waitForTimeout(500)
await take('digest')

const addAccount = ['account', 'add', 'telegram', '--project', 'Northwind Coffee', '--chat', '@northwind']
await runProgram('dist/service/command-line.js', addAccount, env, BOT_TOKEN).exitCode
async function schedule(text: string) {
  await page
    .getByRole('link', { name: 'launch' })
    .or(page.getByRole('button', { name: 'launch' }))
    .first()
    .click()
  await type(`/schedule-post ${text} in 1 minute on Telegram`)
  await form.getByText(/\d\d:\d\d Berlin/).waitFor()
  await submit()
  await form.waitFor({ state: 'hidden' })
}
async function openMessages() {
  await page.getByRole('button', { name: 'Upnext' }).first().click()
  await page.getByText('Messages', { exact: true }).first().click()
}
await schedule('The house blend is back.')
await openMessages()
await page.getByText(/^Published in/).waitFor({ timeout: 120_000 })
telegram.addChat({ ...CHAT, botStatus: 'kicked' })
await schedule('Free tasting on Friday!')
await openMessages()
await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 120_000 })
await page.waitForTimeout(500)
await take('published')

await browser.close()
await telegram.close()
await upnext.stop('SIGTERM')
await imageServer.close()
await rm(folder, { recursive: true, force: true })

/** The image of the post. */
async function drawLamp(): Promise<Buffer> {
  const easel = await browser.newPage({ viewport: { width: 160, height: 160 } })
  await easel.setContent(`<body style="margin:0"><svg viewBox="0 0 160 160">
    <rect width="160" height="160" fill="#12312b"/>
    <circle cx="80" cy="92" r="52" fill="#f6c453" opacity=".35"/>
    <path d="M80 0v40" stroke="#eee" stroke-width="3"/>
    <path d="M50 88q0-48 30-48t30 48z" fill="#f6c453"/>
  </svg>`)
  const drawn = await easel.screenshot()
  await easel.close()
  return drawn
}
