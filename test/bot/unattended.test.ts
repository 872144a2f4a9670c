import { DateTime } from 'luxon'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../support/browser.ts'
import { unreachableUrl } from '../support/servers.ts'
import { openUpnext, type Upnext } from './workspace.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

describe.runIf(chromiumPath)('what happens without anybody typing, in the browser', () => {
  let browser: Browser
  let upnext: Upnext
  let page: Page
  let isDown = false

  beforeAll(async () => {
    browser = await openBrowser()
    upnext = await openUpnext({
      disableRateLimits: true,
      api: { fetch: async (input, init) => fetch(isDown ? await unreachableUrl() : input, init) },
    })
    const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
    for (let number = 1; number <= 20; number++) {
      const ScheduleDate = DateTime.utc().plus({ days: 1, minutes: number }).toISO()
      const json = { Content: `Post no. ${number}.`, Platforms: ['X'], ScheduleDate, Timezone: 'UTC' }
      await upnext.service.request('POST', `/api/v1/projects/${upnext.project}/posts`, { token, json })
    }
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
  const log = () => page.getByRole('log', { name: 'launch' })
  const last = () => log().getByRole('article').last()
  const pass = (minutes: number) => {
    upnext.wait({ minutes })
    upnext.slack.controls.advanceClock({ seconds: minutes * 60 })
  }

  it('a digest that was set up in words arrives, and is unfolded and folded', async () => {
    const soon = DateTime.fromJSDate(upnext.slack.controls.now(), { zone: 'Europe/Berlin' }).plus({
      minutes: 12,
    })
    await type(`/upnext digest every day at ${soon.toFormat('HH:mm')}`)
    await last()
      .getByText(/Every day at .* Berlin, next/)
      .waitFor()
    await log().getByText('has set up a digest here, of Acme').waitFor()
    await expect
      .poll(
        () =>
          upnext.slack.controls.appPayloads().filter(({ name }) => name === 'chat.scheduleMessage').length,
        {
          timeout: 15_000,
        },
      )
      .toBe(1)
    pass(13)
    const week = last().getByRole('img', { name: /^Posts of the week by day and platform/ })
    await expect
      .poll(() => week.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(500)
    await last().getByText('Post no. 8.').waitFor()
    expect(await last().getByText('Post no. 9.').count()).toBe(0)
    await last().getByRole('button', { name: 'and 12 more' }).click()
    await last().getByText('Post no. 20.').waitFor()
    await last().getByRole('button', { name: 'Show less' }).click()
    await last().getByRole('button', { name: 'and 12 more' }).waitFor()
    expect(await last().getByText('Post no. 9.').count()).toBe(0)
  })

  it('a post that was sent off while the service was away is told of when it is there', async () => {
    await type('/schedule-post Launch day! in 3 days at 9am on X')
    const form = page.getByRole('dialog', { name: 'Schedule a post' })
    await form.getByText(/09:00 Berlin/).waitFor()
    isDown = true
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    const kept = page.getByRole('dialog', { name: 'Schedule a post' })
    await kept.getByText('Saved, and on its way.').waitFor()
    await kept.getByRole('button', { name: 'Close' }).last().click()
    isDown = false
    upnext.wait({ minutes: 1 })
    await last().getByText('It took a while, and went through.').waitFor({ timeout: 15_000 })
    await last().getByText('Launch day!').waitFor()
  })
})
