import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODULES } from '../../src/bot/features/index.ts'
import { listForms } from '../../src/bot/forms/form.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { chromiumPath, openBrowser, WITHOUT_BROWSER } from '../support/browser.ts'
import { openUpnext, type Upnext } from './workspace.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

const AXE_PATH = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The command that opens each form. A plan's rows and a decision have forms that only other messages open. */
const COMMANDS: Record<string, string> = {
  schedule: '/schedule-post Summer sale! saturday 10am on X and YouTube',
  edit: '/upnext edit lamp',
  reschedule: '/upnext reschedule lamp',
  share: '/upnext share lamp',
  prompt: '/upnext prompt',
  invite: '/upnext invite',
  user: '/upnext user',
  source: '/upnext source',
  digest: '/upnext digest',
  import: '/upnext import',
  slots: '/upnext slots',
  approval: '/upnext approval',
  writers: '/upnext writers',
}

/** The name of the element that has the focus. */
const NAME_OF_FOCUSED = `(() => {
  const { ariaLabel, labels = [], textContent } = document.activeElement
  return ariaLabel || labels?.[0]?.textContent || textContent
})()`

/** Enough presses of the tab key to reach everything on the page. */
const MAX_TABS = 60

describe.runIf(chromiumPath)('Upnext in the browser', () => {
  let browser: Browser
  let upnext: Upnext
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, typesInRealTime: true })
    const post = { project_id: upnext.project, timezone: 'UTC', status: 'SCHEDULED' as const }
    const platforms = ['X' as const, 'PINTEREST' as const]
    const schedule_date = new Date('2026-11-27T14:00Z')
    await insertPost(upnext.service.db, { ...post, content: 'The lamp is back!', platforms, schedule_date })
  })
  afterAll(async () => {
    await browser?.close()
    await upnext.close()
  })

  const messageField = () => page.getByRole('combobox', { name: 'Message #launch' })

  async function openPage(colorScheme: 'light' | 'dark'): Promise<void> {
    page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme })
    page.setDefaultTimeout(60_000)
    await page.clock.setFixedTime(upnext.now())
    await page.goto(`${upnext.slack.url}/?as=mara&channel=${upnext.person('mara').channel}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
    await page.evaluate(await readFile(AXE_PATH, 'utf8'))
  }

  async function findProblems(): Promise<string[]> {
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }

  it('has a command for each form in this test', () => {
    expect(Object.keys(COMMANDS).sort()).toEqual(
      listForms(MODULES)
        .flatMap(({ verb }) => (['review', 'approve'].includes(verb) ? [] : verb))
        .sort(),
    )
  })

  it.each(['light', 'dark'] as const)(
    'has no serious problem that axe finds with each form open, in %s mode on a phone',
    async (colorScheme) => {
      await openPage(colorScheme)
      for (const form of listForms(MODULES)) {
        const { [form.verb]: command } = COMMANDS
        if (!command) continue
        await messageField().fill(command)
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog', { name: form.title })
        // The form is complete once its project is loaded.
        await dialog.getByRole('button', { name: /^Project/ }).waitFor()
        expect(await findProblems(), command).toEqual([])
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await dialog.waitFor({ state: 'hidden' })
      }
      await page.close()
    },
  )

  it('has no serious problem with errors, a preview and a question open', async () => {
    await openPage('light')
    await messageField().fill('/schedule-post')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Schedule a post' })
    await form.getByRole('button', { name: /^Project/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await form.getByText('Please complete this required field.').first().waitFor()
    expect(await findProblems()).toEqual([])
    await form.getByRole('textbox', { name: 'When' }).fill('next friday 9')
    await form
      .getByText(/9:00|or/)
      .first()
      .waitFor()
    expect(await findProblems()).toEqual([])
    await form.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('dialog', { name: 'Preview' }).waitFor()
    expect(await findProblems()).toEqual([])
    await page.close()
  })

  it('has no serious problem with a plan and one of its rows open', async () => {
    await openPage('dark')
    await messageField().fill(
      '/schedule-post Coffee tomorrow 9am on X\nTea without platforms sunday 9am\nCocoa sunday 9am on X',
    )
    await page.keyboard.press('Enter')
    const review = page.getByRole('dialog', { name: 'Review a plan' })
    await review.getByText('Cocoa').waitFor()
    expect(await findProblems()).toEqual([])
    await review.getByRole('button', { name: 'Fix' }).click()
    const form = page.getByRole('dialog', { name: 'Change a row' })
    await form.getByRole('button', { name: /^Project/ }).waitFor()
    expect(await findProblems()).toEqual([])
    await page.close()
  })

  it('schedules, moves and cancels a post by the keyboard alone', async () => {
    await openPage('light')
    const press = (key: string) => page.keyboard.press(key)
    /** Presses Tab, or Shift and Tab, until the element with this name has the focus. */
    const tabTo = async (name: RegExp, key = 'Tab') => {
      for (let count = 0; count < MAX_TABS; count++) {
        const label = await page.evaluate<string>(NAME_OF_FOCUSED)
        if (name.test(label)) return
        await press(key)
      }
      throw new Error(`Nothing called ${name} was reached with ${key}.`)
    }
    const form = (name: string) => page.getByRole('dialog', { name })
    const latest = page.getByRole('article').last()

    await page.keyboard.type('/schedule-post on X')
    await press('Enter')
    await form('Schedule a post')
      .getByRole('button', { name: /^Project/ })
      .waitFor()
    await page.keyboard.type('Typed with ten fingers')
    await tabTo(/^When/)
    await page.keyboard.type('saturday 11am')
    await form('Schedule a post').getByText('Sat 21 Nov, 11:00 Berlin').waitFor()
    await press('Control+Enter')
    await latest.getByText('Scheduled in Acme').waitFor()

    await tabTo(/^Move$/, 'Shift+Tab')
    await press('Enter')
    await form('Reschedule a post')
      .getByRole('button', { name: /^Project/ })
      .waitFor()
    await press('Control+A')
    await page.keyboard.type('saturday 6pm')
    await form('Reschedule a post').getByText('Sat 21 Nov, 18:00 Berlin').waitFor()
    await press('Control+Enter')
    await latest.getByText('Rescheduled in Acme').waitFor()

    await tabTo(/^More options/, 'Shift+Tab')
    await press('Enter')
    await tabTo(/^Preview$/, 'ArrowDown')
    await press('Enter')
    await latest.getByText(/258 left/).waitFor()

    await tabTo(/^Message #launch/)
    await page.keyboard.type('/upnext cancel fingers')
    await press('Enter')
    await latest.getByText('Cancel this post?').waitFor()
    await tabTo(/^Cancel post$/, 'Shift+Tab')
    await press('Enter')
    await page.getByText("Cancelled. This post won't go out:").waitFor()
    await page.close()
  })
})
