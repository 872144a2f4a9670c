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
    upnext = await openUpnext({ projects: ['Acme', 'Globex'] })
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(8000)
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
  const answer = (text: string | RegExp) =>
    page.getByRole('log', { name: 'launch' }).getByRole('article').last().getByText(text)

  it('schedules a post, is refused, corrects it, and sees it up next', async () => {
    const form = dialog('Schedule a post')
    await type('/schedule-post Launch day! tomorrow at 9 on LinkedIn and Instagram')
    await form.getByText('took 9:00 in the morning').waitFor()
    await form.getByRole('button', { name: /^Project/ }).click()
    await page.getByRole('option', { name: 'Acme' }).click()
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    await form.getByRole('alert').getByText('Instagram takes no post without a picture or a film.').waitFor()

    expect(await form.getByRole('textbox', { name: 'Content' }).inputValue()).toBe('Launch day!')
    await form.getByRole('textbox', { name: 'Media' }).fill('https://acme.example/launch.mp4')
    await form.getByRole('textbox', { name: 'When' }).fill('tomorrow 17:45')
    await form.getByRole('textbox', { name: 'When' }).press('Enter')
    await form.getByText(/17:45 Berlin/).waitFor()
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await answer('Scheduled in Acme').waitFor()

    await type('/upnext')
    await answer('Up next in Acme').waitFor()
    await answer(/17:45 Berlin/).waitFor()
  })

  it('invites somebody, with the e-mail mended', async () => {
    const form = dialog('Invite someone')
    await type('/invite-user')
    await form.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await form.getByRole('textbox', { name: 'Last name' }).fill('Byron')
    await form.getByRole('textbox', { name: 'E-mail' }).fill('ada at acme')
    await form.getByRole('button', { name: /^Role/ }).click()
    await page.getByRole('option', { name: 'Editor' }).click()
    await form.getByRole('button', { name: 'Invite', exact: true }).click()
    await form.getByText('This is no e-mail address.').waitFor()
    await form.getByRole('textbox', { name: 'E-mail' }).fill('ada@acme.example')
    await form.getByRole('button', { name: 'Invite', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await answer(/ada@acme\.example/).waitFor()
  })

  it('reads what happened, and finds it all on the Home', async () => {
    await type('/list-logs')
    await answer(/ada@acme\.example|invite/i)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Upnext' }).first().click()
    await page.getByText('The next seven days').waitFor()
    await page.getByText('Launch day!').first().waitFor()
  })
})
