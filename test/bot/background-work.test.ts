import { DateTime } from 'luxon'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../support/browser.ts'
import { fetchUnreachable } from '../support/servers.ts'
import { openUpnext, type Upnext } from './workspace.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

const MAX_WAIT = { timeout: 60_000 }

describe.runIf(chromiumPath)('in the browser', () => {
  let browser: Browser
  let upnext: Upnext
  let page: Page
  let isServiceDown = false

  beforeAll(async () => {
    browser = await openBrowser()
    upnext = await openUpnext({
      skipsUploadTime: true,
      disableRateLimits: true,
      api: {
        fetch: async (input, init) => (isServiceDown ? fetchUnreachable() : systemRuntime.fetch(input, init)),
      },
    })
    const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
    const tomorrow = DateTime.fromJSDate(upnext.now(), { zone: 'utc' }).plus({ days: 1 })
    for (let number = 1; number <= 20; number++) {
      const ScheduleDate = tomorrow.plus({ minutes: number }).toISO()
      const json = { Content: `Post no. ${number}.`, Platforms: ['X'], ScheduleDate, Timezone: 'UTC' }
      await upnext.service.request('POST', `/api/v1/projects/${upnext.project}/posts`, { token, json })
    }
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(MAX_WAIT.timeout)
    await page.clock.setFixedTime(upnext.now())
    await page.goto(`${upnext.slack.url}/?as=mara&channel=${upnext.person('mara').channel}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
    await upnext.close()
  })

  const enter = async (text: string) => {
    await page.getByRole('combobox', { name: 'Message #launch' }).fill(text)
    await page.keyboard.press('Enter')
  }
  const messages = () => page.getByRole('log', { name: 'launch' })
  const lastMessage = () => messages().getByRole('article').last()

  it('shows a digest in the channel, and expands and collapses it', async () => {
    const soon = DateTime.fromJSDate(upnext.slack.controls.now(), { zone: 'Europe/Berlin' }).plus({
      minutes: 12,
    })
    await enter(`/upnext digest every day at ${soon.toFormat('HH:mm')}`)
    await lastMessage()
      .getByText(/Every day at .* Berlin, next/)
      .waitFor()
    await messages().getByText('set up a digest for this channel: Acme').waitFor()
    const countScheduled = () =>
      upnext.slack.controls.appPayloads().filter(({ name }) => name === 'chat.scheduleMessage').length
    await expect.poll(countScheduled, MAX_WAIT).toBe(1)
    upnext.wait({ minutes: 13 })
    upnext.slack.controls.advanceClock({ seconds: 13 * 60 })
    const chart = lastMessage().getByRole('img', { name: /\(Berlin time\)\. / })
    await expect
      .poll(
        () => chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
        MAX_WAIT,
      )
      .toBeGreaterThan(500)
    await lastMessage().getByText('Post no. 8.').waitFor()
    expect(await lastMessage().getByText('Post no. 9.').count()).toBe(0)
    await lastMessage().getByRole('button', { name: 'Show 12 more' }).click()
    await lastMessage().getByText('Post no. 20.').waitFor()
    await lastMessage().getByRole('button', { name: 'Show less' }).click()
    await lastMessage().getByRole('button', { name: 'Show 12 more' }).waitFor()
    expect(await lastMessage().getByText('Post no. 9.').count()).toBe(0)
  })

  it('announces the scheduling of a post that was submitted while the service was down', async () => {
    await enter('/schedule-post Launch day! in 3 days at 9am on X')
    const form = page.getByRole('dialog', { name: 'Schedule a post' })
    await form.getByText(/09:00 Berlin/).waitFor()
    await form.getByText('Loading projects…').waitFor({ state: 'detached' })
    isServiceDown = true
    await form.getByRole('button', { name: 'Schedule', exact: true }).click()
    await form.getByText('Saved.').waitFor()
    await form.getByRole('button', { name: 'Close' }).last().click()
    isServiceDown = false
    upnext.wait({ minutes: 1 })
    await page.getByRole('button', { name: 'Upnext' }).first().click()
    await page.getByRole('tab', { name: 'Messages' }).click()
    const message = page.getByRole('log', { name: 'Upnext' }).getByRole('article').last()
    await message.getByText('Done, after a delay.').waitFor()
    await message.getByText('Launch day!').waitFor()
  })
})
