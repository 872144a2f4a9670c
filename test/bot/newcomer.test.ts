import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../support/browser.ts'
import { openUpnext, type Upnext } from './workspace.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

describe.runIf(chromiumPath)('a newcomer in the browser', () => {
  let browser: Browser
  let upnext: Upnext
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    upnext = await openUpnext({ relaxTimeouts: true, projects: ['Acme', 'Globex'], disableRateLimits: true })
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(60_000)
    await page.clock.setFixedTime(upnext.now())
    await page.goto(`${upnext.slack.url}/?as=mara&channel=${upnext.person('mara').channel}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
    await upnext.close()
  })

  const type = async (text: string) => {
    await page.getByRole('combobox', { name: 'Message #launch' }).fill(text)
    await page.keyboard.press('Enter')
  }
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const lastMessage = (text: string | RegExp) =>
    page.getByRole('log', { name: 'launch' }).getByRole('article').last().getByText(text)

  it('schedules a post, corrects an error, and sees the post up next', async () => {
    const form = dialog('Schedule a post')
    await type('/schedule-post Launch day! tomorrow at 9 on LinkedIn and Instagram')
    await form.getByText('assuming 9:00 in the morning').waitFor()
    await form.getByRole('button', { name: /^Project/ }).click()
    await page.getByRole('option', { name: 'Acme' }).click()
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    await form.getByRole('alert').getByText('Instagram posts need an image or video.').waitFor()

    expect(await form.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Launch day!')
    await form
      .getByRole('textbox', { name: 'Link to an image or video' })
      .fill('https://acme.example/launch.mp4')
    await form.getByRole('textbox', { name: 'When' }).fill('tomorrow 17:45')
    await form.getByRole('textbox', { name: 'When' }).press('Enter')
    await form.getByText(/17:45 Berlin/).waitFor()
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await lastMessage('Scheduled in Acme').waitFor()

    await type('/upnext')
    await lastMessage('Which project is this channel for?').waitFor()
    await page.getByRole('button', { name: 'Acme' }).last().click()
    await page.getByText('Linked this channel to Acme.').waitFor()
    await type('/upnext')
    await lastMessage('Up next in Acme').waitFor()
    await lastMessage(/17:45 Berlin/).waitFor()
  })

  it('invites someone, after correcting the email address', async () => {
    const form = dialog('Invite someone')
    await type('/invite-user')
    await form.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await form.getByRole('textbox', { name: 'Last name' }).fill('Byron')
    await form.getByRole('textbox', { name: 'Email' }).fill('ada at acme')
    await form.getByRole('button', { name: /^Role/ }).click()
    await page.getByRole('option', { name: 'Editor' }).click()
    await form.getByRole('button', { name: 'Invite', exact: true }).click()
    await form.getByText('Enter a valid email address').waitFor()
    await form.getByRole('textbox', { name: 'Email' }).fill('ada@acme.example')
    await form.getByRole('button', { name: 'Invite', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await lastMessage(/ada@acme\.example/).waitFor()
  })

  it('finds all changes in the activity log and on the Home tab', async () => {
    await type('/list-logs')
    await lastMessage(/ada@acme\.example|invite/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Upnext' }).first().click()
    await page.getByText('Pick a project to get started.').waitFor()
    await page.getByRole('button', { name: /^Pick a project|^Default project/ }).click()
    await page.getByRole('option', { name: 'Acme' }).click()
    await page.getByText('Next 7 days', { exact: true }).waitFor()
    await page.getByText('Launch day!').first().waitFor()
  })
})
