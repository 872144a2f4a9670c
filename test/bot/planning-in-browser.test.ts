import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../support/browser.ts'
import { openUpnext, type Upnext, withoutExtensions } from './workspace.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

/** Where to save an image of each step, to look at. */
const { SCREENSHOT_FOLDER } = process.env

const SERVICES = [
  {
    service: 'a service that can change posts',
    saveAs: undefined,
    confirmation: 'Scheduled in Acme',
    note: 'Move',
  },
  {
    service: "a service that can't",
    respond: withoutExtensions,
    saveAs: 'Hold in Upnext until 15 minutes before it goes out',
    confirmation: 'Held in Upnext for Acme',
    note: 'You can edit or cancel it until then.',
  },
]

describe.runIf(chromiumPath).each(SERVICES)('planning in the browser, with $service', (kind) => {
  const { respond, saveAs, confirmation, note } = kind
  let browser: Browser
  let upnext: Upnext
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    upnext = await openUpnext({
      relaxTimeouts: true,
      disableRateLimits: true,
      typesInRealTime: true,
      ...(respond && { respond }),
    })
    page = await browser.newPage({ viewport: { width: 1200, height: 1000 } })
    page.setDefaultTimeout(60_000)
    await page.clock.setFixedTime(upnext.now())
    await page.goto(`${upnext.slack.url}/?as=mara&channel=${upnext.person('mara').channel}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
  })
  afterAll(async () => {
    const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
    await browser?.close()
    await upnext.close()
    // An update that comes after another one, or after the form was closed, changes nothing.
    expect(problems.filter((problem) => !['hash_conflict', 'not_found'].includes(problem))).toEqual([])
  })

  const type = async (text: string) => {
    await page.getByRole('combobox', { name: 'Message #launch' }).fill(text)
    await page.keyboard.press('Enter')
  }
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const lastMessage = () => page.getByRole('log', { name: 'launch' }).getByRole('article').last()
  const pick = async (entry: string) => {
    const button = lastMessage().getByRole('button', { name: entry, exact: true })
    if (await button.isVisible()) return button.click()
    await lastMessage().getByRole('button', { name: 'More options' }).first().click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  async function take(name: string): Promise<void> {
    await page.waitForFunction('[...document.images].every((image) => image.naturalWidth > 0)')
    if (!SCREENSHOT_FOLDER) return
    await page.screenshot({ path: join(SCREENSHOT_FOLDER, `${saveAs ? 'held' : 'own'}-${name}.png`) })
  }

  it('reads a date while it is typed, and continues a form that was closed', async () => {
    const form = dialog('Schedule a post')
    await type('/schedule-post on X')
    await form.getByRole('textbox', { name: 'Text' }).fill('Launch day!')
    await form.getByRole('textbox', { name: 'When' }).pressSequentially('monday 17:45', { delay: 60 })
    await form.getByText('Mon 23 Nov, 17:45 Berlin').waitFor()
    await take('typing')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'hidden' })

    await type('/schedule-post')
    await form.getByRole('button', { name: /^Continue "/ }).click()
    await form.getByText('Mon 23 Nov, 17:45 Berlin').waitFor()
    expect(await form.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Launch day!')
    await take('continued')
    if (saveAs) {
      await form.getByRole('button', { name: /^Save as/ }).click()
      await page.getByRole('option', { name: saveAs }).click()
    }
    await form.getByRole('button', { name: saveAs ? 'Hold post' : 'Schedule', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await lastMessage().getByText(confirmation).waitFor()
    await lastMessage().getByText(note).waitFor()
    await take('confirmation')
  })

  it('edits, previews and reschedules a post from its menu', async () => {
    const edit = dialog('Edit a post')
    await pick('Edit')
    await edit.getByRole('textbox', { name: 'Text' }).fill('Launch week! #lamps https://acme.example')
    await take('edit')
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await edit.waitFor({ state: 'hidden' })
    await lastMessage().getByText('Saved the changes in Acme').waitFor()

    await pick('Preview')
    await lastMessage().getByText('Preview').first().waitFor()
    await lastMessage()
      .getByText(/\d left/)
      .first()
      .waitFor()
    await take('preview')

    await type('/upnext')
    await lastMessage().getByText('Up next in Acme').waitFor()
    await pick('Move')
    const reschedule = dialog('Reschedule a post')
    // The form is complete once its project is loaded.
    await reschedule.getByRole('button', { name: /^Project/ }).waitFor()
    await reschedule.getByRole('textbox', { name: 'When' }).fill('tuesday 10am')
    await reschedule.getByText('Tue 24 Nov, 10:00 Berlin').waitFor()
    await take('reschedule')
    await reschedule.getByRole('button', { name: 'Move', exact: true }).click()
    await reschedule.waitFor({ state: 'hidden' })
    await lastMessage().getByText('Rescheduled in Acme').waitFor()
    await lastMessage().getByText('Launch week! #lamps https://acme.example').waitFor()
  })

  it('shows a change that someone else made first before replacing it', async () => {
    const edit = dialog('Edit a post')
    await pick('Edit')
    await edit.getByRole('textbox', { name: 'Text' }).fill('Launch month!')
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext edit launch')
    const { id } = await yuki.form('Edit a post')
    await yuki.submitAndHear({ view: id, values: yuki.fill({ Content: 'Launch year!' }) }, /Saved/)
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await edit.getByText(/@yuki changed this post.*Launch year!/).waitFor()
    await take('conflict')
    await edit.getByRole('button', { name: 'Back', exact: true }).click()
    expect(await edit.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Launch month!')
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await edit.getByText(/@yuki changed this post/).waitFor()
    // A press within two seconds may be the second half of a double click.
    upnext.wait({ minutes: 0.05 })
    await edit.getByRole('button', { name: 'Replace this text' }).click()
    await edit.waitFor({ state: 'hidden' })
    await lastMessage().getByText('Launch month!').waitFor()
  })

  it('shows the post in the week, in the month and on the Home tab', async () => {
    await type('/upnext week next week')
    await lastMessage().getByText('Tuesday 24 November').waitFor()
    await lastMessage().getByText('Launch month!').first().waitFor()
    // The menu of a post is named after it.
    await lastMessage()
      .getByRole('button', { name: /^More options for 10:00 Launch month!/ })
      .waitFor()
    await take('week')
    await type('/upnext month')
    await lastMessage()
      .getByRole('img', { name: /^November 2026.*24 Nov: 1/ })
      .waitFor()
    await take('month')
    await page.getByRole('button', { name: 'Upnext' }).first().click()
    await page.getByText('Next 7 days', { exact: true }).waitFor()
    await page.getByText('Launch month!').first().waitFor()
    await take('home')
  })

  it('asks before cancelling, and then removes the post', async () => {
    await page
      .getByRole('button', { name: 'launch' })
      .or(page.getByRole('link', { name: 'launch' }))
      .first()
      .click()
    await type('/upnext cancel launch')
    await lastMessage().getByText('Cancel this post?').waitFor()
    await take('cancel')
    await lastMessage().getByRole('button', { name: 'Cancel post' }).click()
    await page.getByText("Cancelled. This post won't go out:").waitFor()
    await take('cancelled')
    await type('/upnext')
    await lastMessage().getByText('Nothing is scheduled in Acme.').first().waitFor()
  })
})
