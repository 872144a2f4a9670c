import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import type { Locator } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { runProgram } from '../support/run-program.ts'

/**
 * Does what a social media manager does on a day, in the browser. Prints the keys, the clicks and the seconds of each task.
 * The seconds are those of the program, without time for reading and thinking.
 */
const { SCREENSHOT_FOLDER } = process.env

const folder = await mkdtemp(join(tmpdir(), 'upnext-day-'))
const upnext = runProgram('dist/main.js', [], { DATA_DIR: folder, SERVICE_PORT: '0', LOCAL_SLACK_PORT: '0' })
const [, address = ''] = /slack (http\S+)/.exec(await upnext.waitForLine('ready')) ?? []
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
page.setDefaultTimeout(20_000)
await page.goto(`${address}/?as=mara`)
const openChannel = () =>
  page
    .getByRole('link', { name: 'launch' })
    .or(page.getByRole('button', { name: 'launch' }))
    .first()
    .click()
await openChannel()

const effort = { keys: 0, clicks: 0 }
const type = async (text: string, field: Locator) => {
  await field.fill(text)
  effort.keys += text.length
}
const press = async (key: string) => {
  await page.keyboard.press(key)
  effort.keys++
}
const click = async (element: Locator) => {
  await element.click()
  effort.clicks++
}
const command = async (text: string) => {
  await type(text, page.getByRole('combobox', { name: 'Message #launch' }))
  await press('Enter')
}
const dialog = (name: string) => page.getByRole('dialog', { name })
const button = (name: string) => ({ name, exact: true })
const latest = (text: RegExp) => page.getByRole('article').filter({ hasText: text }).last()
/** Presses a button of a message, or picks the entry of its menu. */
const act = async (message: Locator, ...labels: string[]) => {
  for (const label of labels) {
    const visible = message.getByRole('button', button(label)).first()
    if (await visible.isVisible()) return click(visible)
  }
  await click(message.getByRole('button', { name: /^More options/ }).first())
  const entries = labels.map((label) => page.getByRole('menuitem', { name: label }))
  for (const entry of entries) if (await entry.isVisible()) return click(entry)
  throw new Error(`The message has none of ${labels.join(', ')}.`)
}
const take = (name: string) =>
  SCREENSHOT_FOLDER ? page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) }) : undefined

const task = async (name: string, run: () => Promise<void>) => {
  Object.assign(effort, { keys: 0, clicks: 0 })
  const startedAt = performance.now()
  await run().catch(async (error) => {
    await take('failure')
    throw error
  })
  const seconds = (performance.now() - startedAt) / 1000
  await page.waitForTimeout(500)
  await take(name.replaceAll(' ', '-'))
  console.log(
    `${name.padEnd(32)} ${String(effort.keys).padStart(4)} keys ${String(effort.clicks).padStart(3)} clicks ${seconds.toFixed(1).padStart(5)} s`,
  )
}

await command('/upnext use Northwind')
await page.getByText(/linked/).waitFor()

await task('schedule a post', async () => {
  await command('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
  const form = dialog('Schedule a post')
  await form.getByText(/09:00 Berlin/).waitFor()
  await click(form.getByRole('button', button('Schedule')))
  await latest(/Scheduled in[\s\S]*Launch day!/).waitFor()
})

await task('move it', async () => {
  await act(latest(/Scheduled in[\s\S]*Launch day!/), 'Move', 'Reschedule')
  const form = dialog('Reschedule a post')
  await type('tomorrow 11am', form.getByRole('textbox', { name: 'When' }))
  await form.getByText(/11:00 Berlin/).waitFor()
  await click(form.getByRole('button', button('Move')))
  await latest(/Rescheduled in/).waitFor()
})

await task('mend its text', async () => {
  await act(latest(/Rescheduled in/), 'Edit')
  const form = dialog('Edit a post')
  await form.getByRole('textbox', { name: /^(Content|Text)/ }).press('End')
  await page.keyboard.type(' Come by.')
  effort.keys += 10
  await click(form.getByRole('button', button('Save')))
  await latest(/Saved the changes/).waitFor()
})

await task('see the week', async () => {
  await command('/upnext week')
  await page
    .getByText(/\d+ \w{3} – \w{3} \d+/)
    .last()
    .waitFor()
})

await task('post it again on friday', async () => {
  const saved = latest(/Saved the changes/)
  try {
    await act(saved, 'Duplicate')
  } catch {
    await click(page.getByRole('menuitem', { name: 'Edit' }))
    await click(dialog('Edit a post').getByRole('button', button('Duplicate')))
  }
  const form = dialog('Schedule a post')
  await type('friday next week 10am', form.getByRole('textbox', { name: 'When' }))
  await form.getByText(/10:00 Berlin/).waitFor()
  await click(form.getByRole('button', button('Schedule')))
  await form.waitFor({ state: 'hidden' })
})

await task('find a post by its words', async () => {
  await command('/upnext find come by')
  await page
    .getByText(/doesn't exist|come by/i)
    .last()
    .waitFor()
})

await task('cancel it', async () => {
  await act(latest(/Saved the changes/), 'Cancel', 'Cancel post')
  const question = page.getByRole('article').filter({ hasText: 'Cancel this post?' }).first()
  await click(question.getByRole('button', button('Cancel post')))
  await page
    .getByText(/^Cancelled/)
    .last()
    .waitFor()
})

await task('see what needs attention', async () => {
  await click(page.getByRole('button', { name: 'Upnext' }).first())
  await page.getByRole('button', { name: 'Schedule a post' }).waitFor()
})

/** Three posts a day next week, as the cells of a sheet that someone copies. */
const monday = DateTime.now().startOf('week').plus({ weeks: 1 })
const WEEK = [
  'Text\tDate\tTime\tPlatforms',
  ...[0, 1, 2, 3, 4].flatMap((days) =>
    ['09:00', '12:30', '17:00'].map((time) => {
      const day = monday.plus({ days })
      return `Post of ${day.toFormat('cccc')}\t${day.toISODate()}\t${time}\tLinkedIn, X`
    }),
  ),
].join('\n')

await task('plan a week from a sheet', async () => {
  await openChannel()
  await command('/upnext import')
  const form = dialog('Import a plan')
  await form.getByRole('textbox', { name: 'Posts' }).fill(WEEK)
  effort.keys += 2
  await click(form.getByRole('button', button('Review')))
  const review = dialog('Review a plan')
  await click(review.getByRole('button', button('Schedule all 15 posts')))
  await review.getByText(/Sending 15 posts/).waitFor()
  await press('Escape')
  await click(page.getByRole('button', { name: 'Upnext' }).first())
  await click(
    page
      .getByRole('tab', { name: 'Messages' })
      .or(page.getByText('Messages', { exact: true }))
      .first(),
  )
  await page.getByText(/Saved 15 posts/).waitFor()
})

await task('set up slots', async () => {
  await openChannel()
  await command('/upnext slots weekdays at 8:00, 10:00 and 14:00')
  const form = dialog('Slots')
  await form.getByText(/in the next 7 days/).waitFor()
  await click(form.getByRole('button', button('Save')))
  await page.getByText(/Slots of/).waitFor()
})

await task('type 15 posts into slots', async () => {
  for (let number = 1; number <= 15; number++) {
    await command(`/schedule-post Slot post number ${number} next free slot on LinkedIn`)
    const form = dialog('Schedule a post')
    await form.getByText(/(08|10|14):00 Berlin/).waitFor()
    await click(form.getByRole('button', button('Schedule')))
    await form.waitFor({ state: 'hidden' })
  }
})

await browser.close()
await upnext.stop('SIGTERM')
await rm(folder, { recursive: true, force: true })
