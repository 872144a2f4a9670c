import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../../support/browser.ts'
import { createTempFolder } from '../../support/temp-folder.ts'
import { openUpnext, type Upnext } from '../workspace.ts'
import { drawNoise, takePhoto } from './sample-files.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

/** Where to save an image of each step, to look at. */
const { SCREENSHOT_FOLDER } = process.env

let browser: Browser
let folder: string
beforeAll(async () => {
  browser = await openBrowser()
  folder = await createTempFolder('upnext-files-')
  await writeFile(join(folder, 'lamp.jpg'), await takePhoto(1080, 1080))
  await writeFile(join(folder, 'large.jpg'), Buffer.alloc(10 * 1024 ** 2 + 1))
  await writeFile(join(folder, 'lamp.png'), await drawNoise(300, 200, 'png'))
})
afterAll(() => browser?.close())

let upnext: Upnext
let page: Page

async function open(options: Parameters<typeof openUpnext>[0] = {}): Promise<void> {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, ...options })
  page = await browser.newPage({ viewport: { width: 1200, height: 1000 } })
  page.setDefaultTimeout(60_000)
  await page.goto(`${upnext.slack.url}/?as=mara&channel=${upnext.person('mara').channel}`)
  await page.getByRole('heading', { name: 'launch' }).waitFor()
}
afterEach(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
  await page.close()
  await upnext.close()
  expect(problems).toEqual([])
})

const type = async (text: string) => {
  await page.getByRole('combobox', { name: 'Message #launch' }).fill(text)
  await page.keyboard.press('Enter')
}
const form = () => page.getByRole('dialog', { name: 'Schedule a post' })
const fileInput = () => form().getByLabel('Image or video', { exact: false }).first()
const press = (label: string) => form().getByRole('button', { name: label, exact: true }).click()
async function take(name: string): Promise<void> {
  if (SCREENSHOT_FOLDER) await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) })
}

/** Drops a file from the desktop onto the input, as the operating system does. */
async function dropFile(name: string): Promise<void> {
  await fileInput().scrollIntoViewIfNeeded()
  const box = await fileInput().boundingBox()
  const at = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 }
  for (const event of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type: event, ...at, data })
}
const openForm = async (text: string) => {
  await type(`/schedule-post ${text}`)
  await form().getByText('Acme').first().waitFor()
}
async function readMessages(): Promise<void> {
  await page.getByRole('button', { name: 'Upnext' }).first().click()
  await page.getByRole('tab', { name: 'Messages' }).click()
}

describe.runIf(chromiumPath)('files in the browser', () => {
  it('posts an image that is dragged into the form', async () => {
    await open()
    await openForm('Launch day! tomorrow 9am on Instagram')
    await dropFile('lamp.jpg')
    await form().getByRole('button', { name: 'Remove lamp.jpg' }).waitFor()
    // The form is updated, and keeps the file.
    await form().getByRole('button', { name: 'Keep in text' }).click()
    await form().getByRole('button', { name: 'Remove from text' }).waitFor()
    await form().getByRole('textbox', { name: 'Image description' }).fill('A brass lamp')
    await take('picked')
    await press('Schedule')
    await form().waitFor({ state: 'hidden' })
    await readMessages()
    await page.getByText('Scheduled in Acme').waitFor()
    await page.getByRole('img', { name: 'A brass lamp' }).waitFor()
    await page.waitForFunction('[...document.images].every((image) => image.naturalWidth > 0)')
    await take('posted')
  })

  it('refuses an image for YouTube below its field, and does not take one that is too large', async () => {
    await open()
    await openForm('Launch day! tomorrow 9am on YouTube')
    await fileInput().setInputFiles(join(folder, 'large.jpg'))
    await page.getByText('"large.jpg" is larger than 10 MB.').waitFor()
    await fileInput().setInputFiles(join(folder, 'lamp.jpg'))
    await form().getByRole('button', { name: 'Remove lamp.jpg' }).waitFor()
    await press('Schedule')
    await form().getByText('YouTube posts need a video, but this is an image.').waitFor()
    await take('refused')
  })

  it('warns of a platform that may not take a type, and lets the user decide', async () => {
    await open()
    await openForm('Launch day! tomorrow 9am on Instagram')
    await fileInput().setInputFiles(join(folder, 'lamp.png'))
    await form().getByRole('button', { name: 'Remove lamp.png' }).waitFor()
    await press('Schedule')
    await page.getByRole('button', { name: 'Schedule anyway' }).waitFor()
    await take('warned')
    // A press within two seconds may be the second half of a double click.
    upnext.wait({ minutes: 0.05 })
    await press('Schedule anyway')
    await form().waitFor({ state: 'hidden' })
    await readMessages()
    await page.getByText('Scheduled in Acme').waitFor()
  })

  it('takes the file of a message through its shortcut, with a button to remove it', async () => {
    await open()
    await page.locator('input[type=file]').first().setInputFiles(join(folder, 'lamp.jpg'))
    const message = page.getByRole('log', { name: 'launch' }).getByRole('article').nth(2)
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /Schedule as a post/ }).click()
    await form().getByRole('button', { name: 'Remove', exact: true }).waitFor()
    await form()
      .getByText(/lamp\.jpg, [\d.]+ KB/)
      .waitFor()
    await take('shortcut')
  })

  it('says in the form how to get the permission to read files', async () => {
    await open({ refusesOptionalScopes: true })
    await openForm('Launch day! tomorrow 9am on X')
    await form()
      .getByText(/allow it to read files \(files:read\)/)
      .waitFor()
    await take('without-permission')
  })
})
