import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalSlack, openLocalSlack } from '../index.ts'
import { PACKAGE_FOLDER } from '../package-folder.ts'
import { systemRuntime } from '../runtime.ts'
import { chromiumPath, inCi, openBrowser, WITHOUT_BROWSER } from './browser.ts'
import { MANIFEST, type SampleBot, startSampleBot } from './sample-bot/bot.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

it.runIf(inCi)('the page is tried in a browser wherever all is checked', () => {
  expect(chromiumPath, WITHOUT_BROWSER).toBeDefined()
})

describe.runIf(chromiumPath)('the page', () => {
  let browser: Browser
  let slack: LocalSlack
  let bot: SampleBot
  let windows: BrowserContext[]
  let troubles: string[]

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    windows = []
    troubles = []
    slack = await openLocalSlack({ manifest: MANIFEST, runtime: systemRuntime })
    bot = await startSampleBot(slack)
  })
  afterEach(async () => {
    for (const window of windows) await window.close()
    await bot.stop()
    await slack.close()
    expect(troubles).toEqual([])
  })

  type Look = { width?: number; height?: number; colorScheme?: 'light' | 'dark' }

  /** A window of one person, in #launch. */
  const open = async (
    as: string,
    { width = 1200, height = 800, colorScheme = 'light' }: Look = {},
  ): Promise<Page> => {
    const window = await browser.newContext({ viewport: { width, height }, colorScheme })
    windows.push(window)
    const page = await window.newPage()
    page.setDefaultTimeout(8000)
    page.on('pageerror', (error) => troubles.push(String(error)))
    const launch = slack
      .openSession('mara')
      .state()
      .channels.find(({ name }) => name === 'launch')
    await page.goto(`${slack.url}/?as=${as}&channel=${launch?.id}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
    return page
  }
  const composer = (page: Page) => page.getByRole('combobox', { name: 'Message #launch' })
  const type = async (page: Page, text: string) => {
    await composer(page).fill(text)
    await page.keyboard.press('Enter')
  }
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Book a room' })
  const field = (page: Page, label: string) => dialog(page).locator('.field', { hasText: label })
  const chooseRoom = async (page: Page, typed: string) => {
    await dialog(page).getByRole('button', { name: /^Room/ }).click()
    await page.getByRole('combobox', { name: 'Search' }).fill(typed)
    await page.getByRole('option').first().waitFor()
  }
  const messages = (page: Page) => page.getByRole('log', { name: 'launch' }).getByRole('article')

  it('leads from a command over a refused field and its correction to a message', async () => {
    const page = await open('mara')
    await type(page, '/book')
    await dialog(page).waitFor()
    await dialog(page).getByRole('button', { name: 'Book', exact: true }).click()
    for (const label of ['What for', 'Room'])
      await field(page, label).getByText('Please complete this required field.').waitFor()

    await dialog(page).getByRole('textbox', { name: 'What for' }).fill('taken')
    await chooseRoom(page, 'gar')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Book', exact: true }).click()
    const refused = field(page, 'What for').getByText('This title is taken.')
    await refused.waitFor()
    expect(await refused.getAttribute('class')).toBe('field-error')
    expect(await valueIn(page, "getComputedStyle(document.querySelector('.field-error')).color")).toBe(
      'rgb(179, 18, 61)',
    )
    expect(await valueIn(page, "document.activeElement.getAttribute('aria-describedby')")).toContain('error')
    // What was filled in is still there.
    expect(await dialog(page).getByRole('button', { name: /^Room/ }).textContent()).toContain('Garden')

    await dialog(page).getByRole('textbox', { name: 'What for' }).fill('Lamp photos')
    await dialog(page).getByRole('button', { name: 'Book', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await messages(page).last().getByText('booked Garden for Lamp photos').waitFor()
  })

  it('lets an external select be searched with the keyboard alone', async () => {
    const page = await open('mara')
    await type(page, '/book')
    await dialog(page).getByRole('button', { name: /^Room/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Type at least 1 characters to search').waitFor()
    await page.keyboard.type('ar')
    await page.getByRole('option', { name: 'Library' }).waitFor()
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'Aquarium',
      'Cellar',
      'Garden',
      'Library',
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await dialog(page).getByRole('button', { name: /^Room/ }).textContent()).toContain('Garden')
    await page.keyboard.press('Enter') // opens it again
    await page.keyboard.press('Escape') // closes the list, and not the form
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => bot.heard.map(({ type }) => type)).toContain('view_closed')
  })

  it('reads a date and time in the zone of who picks it, and shows it to each in their own', async () => {
    const mara = await open('mara') // Berlin
    const yuki = await open('yuki') // Tokyo
    await type(mara, '/book')
    await dialog(mara).getByRole('textbox', { name: 'What for' }).fill('Talk')
    await chooseRoom(mara, 'att')
    await mara.keyboard.press('Enter')
    await dialog(mara).getByLabel('When').fill('2026-11-27T09:00')
    await field(mara, 'When').getByText('Europe/Berlin').waitFor()
    await dialog(mara).getByRole('button', { name: 'Book', exact: true }).click()
    await messages(mara).last().getByText('2026-11-27 09:00').waitFor()
    await messages(yuki).last().getByText('2026-11-27 17:00').waitFor()
    const submitted = bot.heard.find(({ type }) => type === 'view_submission')?.body as {
      view: { state: { values: { When: { value: object } } } }
    }
    expect(submitted.view.state.values.When.value).toMatchObject({
      selected_date_time: Date.UTC(2026, 10, 27, 8) / 1000,
    })
  })

  it('takes files, a person picked from many, and lets both be taken away again', async () => {
    const page = await open('mara')
    await type(page, '/book')
    const files = dialog(page).getByLabel('Floor plan')
    const plan = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })
    await files.setInputFiles([plan('one.png'), plan('two.png')])
    await dialog(page).getByRole('button', { name: 'Take one.png away' }).click()
    await dialog(page).getByRole('textbox', { name: 'What for' }).fill('Files')
    await chooseRoom(page, 'cel')
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByRole('button', { name: /^Guests/ })
      .click()
    for (const name of ['Yuki Arai', 'Priya Raman']) await page.getByRole('option', { name }).click()
    await page.getByRole('option', { name: 'Yuki Arai' }).click()
    await page.keyboard.press('Escape')
    expect(
      await dialog(page)
        .getByRole('button', { name: /^Guests/ })
        .textContent(),
    ).toContain('Priya Raman')
    await dialog(page).getByRole('button', { name: 'Book', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    const submitted = bot.heard.find(({ type }) => type === 'view_submission')?.body as {
      view: {
        state: { values: Record<string, { value: { files: { name: string }[]; selected_users: string[] } }> }
      }
    }
    const { Plan, Guests } = submitted.view.state.values
    expect(Plan?.value.files.map(({ name }) => name)).toEqual(['two.png'])
    expect(Guests?.value.selected_users).toEqual([slack.openSession('priya').userId])
  })

  it('takes every kind of input, and keeps what was typed when the app changes the form meanwhile', async () => {
    const page = await open('mara')
    await type(page, '/form')
    const form = page.getByRole('dialog', { name: 'One of each' })
    const choose = async (label: string, ...names: string[]) => {
      await form.getByRole('button', { name: new RegExp(`^${label}`) }).click()
      for (const name of names) await page.getByRole('option', { name }).click()
      if (names.length > 1) await page.keyboard.press('Escape')
    }
    await form.getByRole('textbox', { name: 'Story' }).fill('Once upon a time')
    await form.getByRole('textbox', { name: 'Mail' }).fill('nobody')
    await form.getByRole('textbox', { name: 'Address' }).fill('https://a.example/b')
    await form.getByRole('textbox', { name: 'Amount' }).fill('0.5')
    await form.getByRole('textbox', { name: 'Rich' }).fill('Well')
    await form.getByRole('checkbox', { name: 'Attic' }).check()
    await form.getByRole('checkbox', { name: 'Cellar' }).check()
    await form.getByRole('radio', { name: 'Garden' }).check()
    await choose('Floor', 'Second')
    await choose('Tags', 'Library', 'Attic', 'Cellar') // the third is one too many
    await choose('Who', 'Priya Raman')
    await choose('Channel', '#general')
    await choose('Where', 'press', '#launch')
    await form.getByLabel('Day').fill('2026-11-27')
    await form.getByLabel('Time').fill('09:30')
    await form.getByRole('textbox', { name: 'Town' }).fill('Lisbon')
    await page.keyboard.press('Enter')
    await form.getByText('Lisbon it is').waitFor()
    expect(await form.getByRole('textbox', { name: 'Story' }).inputValue()).toBe('Once upon a time')

    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Please enter a valid email address.').waitFor()
    await form.getByText('Please enter 1 or more.').waitFor()
    await form.getByRole('textbox', { name: 'Mail' }).fill('ada@b.example')
    await form.getByRole('textbox', { name: 'Amount' }).fill('1.5')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.waitFor({ state: 'detached' })
    const submitted = bot.heard.find(({ type }) => type === 'view_submission')?.body as {
      view: { state: { values: Record<string, Record<string, object>> } }
    }
    const held = Object.entries(submitted.view.state.values).map(([id, entry]) => {
      const { type: _type, ...value } = Object.values(entry)[0] as { type: string }
      return [id, Object.values(value)[0]]
    })
    const value = (...names: string[]) => names.map((name) => expect.objectContaining({ value: name }))
    const { channels } = slack.openSession('mara').state()
    const idOf = (name: string) => channels.find((channel) => channel.name === name)?.id
    expect(Object.fromEntries(held)).toEqual({
      Town: 'Lisbon',
      Story: 'Once upon a time',
      Mail: 'ada@b.example',
      Address: 'https://a.example/b',
      Amount: '1.5',
      Rich: expect.objectContaining({ type: 'rich_text' }),
      Ticks: value('attic', 'cellar'),
      Radio: value('garden')[0],
      Floor: value('second')[0],
      Tags: value('library', 'attic'),
      Who: slack.openSession('priya').userId,
      Channel: idOf('general'),
      Where: [idOf('press'), idOf('launch')],
      Day: '2026-11-27',
      Time: '09:30',
    })
  })

  it('shows the Home, and what its buttons change', async () => {
    const page = await open('mara')
    await page.getByRole('button', { name: 'Sample Bot' }).click()
    await page.getByText('Pressed 0 times').waitFor()
    await page.getByRole('button', { name: 'Press me' }).click()
    await page.getByText('Pressed 1 times').waitFor()
    await page.getByRole('tab', { name: 'Messages' }).click()
    await page.getByText('Nothing has been said here yet.').waitFor()
    await page.getByRole('tab', { name: 'About' }).click()
    await page.getByText('Books rooms, badly').waitFor()
  })

  it('is two people in two windows, live', async () => {
    const [mara, yuki] = [await open('mara'), await open('yuki')]
    await type(mara, 'Good morning @yuki <b>')
    await messages(yuki).last().getByText('Good morning @yuki <b>').waitFor()
    await type(yuki, '/echo only I see this')
    await messages(yuki).last().getByText('Only visible to you').waitFor()
    await type(mara, 'After that')
    await messages(mara).last().getByText('After that').waitFor()
    expect(await messages(mara).getByText('only I see this').count()).toBe(0)
    // A reply, in a thread that both look at.
    const greeting = messages(yuki).filter({ hasText: 'Good morning' })
    await greeting.hover()
    await greeting.getByRole('button', { name: 'Reply in thread' }).click()
    const reply = yuki.getByRole('combobox', { name: 'Reply…' })
    await reply.fill('And to you')
    await reply.press('Enter')
    await messages(mara).getByRole('button', { name: '1 reply' }).click()
    await mara.getByRole('complementary', { name: 'Thread' }).getByText('And to you').waitFor()
  })

  it('lets one be somebody else', async () => {
    const page = await open('mara')
    await page.getByRole('button', { name: /^Mara Lindqvist/ }).click()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: /Noor Haddad/ }).click()
    await page.getByRole('button', { name: /^Noor Haddad/ }).waitFor()
    const rooms = page.getByRole('navigation').getByRole('listitem')
    expect((await rooms.allTextContents()).join()).not.toContain('general') // guests see what they are in
  })

  it('shows what Slack says when the app does not answer, and keeps what was typed', async () => {
    const page = await open('mara')
    await type(page, '/slow down')
    await expect.poll(() => bot.heard.length).toBeGreaterThan(0)
    slack.controls.advanceClock({ seconds: 3 })
    await messages(page).last().getByText('/slow failed with the error "operation_timeout"').waitFor()
    expect(await composer(page).inputValue()).toBe('/slow down')
  })

  it('completes commands, people and channels', async () => {
    const page = await open('mara')
    await composer(page).pressSequentially('/b')
    await page.getByRole('option', { name: '/book [room] Books a room' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await composer(page).inputValue()).toBe('/book ')
    await composer(page).fill('')
    await composer(page).pressSequentially('Ask @pri')
    await page.getByRole('option', { name: /Priya/ }).waitFor()
    await page.keyboard.press('Enter')
    await composer(page).pressSequentially('in #gen')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('Ask @priya in #general ')
  })

  it('draws every block, asks before what is dangerous, and tells the app what was chosen', async () => {
    const page = await open('mara')
    await type(page, '/show')
    const shown = messages(page).last()
    await shown.getByRole('heading', { name: /All that there is/ }).waitFor()
    for (const [selector, text] of [
      ['strong', 'Bold'],
      ['em', 'italic'],
      ['s', 'gone'],
      ['blockquote', 'Quoted'],
      ['ol > li', 'second'],
      ['td', 'Monday'],
    ] as const)
      await shown.locator(selector, { hasText: text }).first().waitFor()
    expect(await shown.getByRole('link', { name: 'a link' }).getAttribute('href')).toBe('https://example.com')

    await shown.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete it?' })
    await question.getByRole('button', { name: 'Keep' }).click()
    expect(bot.heard.some(({ type }) => type === 'block_actions')).toBe(false)
    await shown.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await shown.getByRole('button', { name: 'More', exact: true }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shown.getByRole('button', { name: 'Pick a room' }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const chosen = () =>
      bot.heard
        .filter(({ type }) => type === 'block_actions')
        .map(({ body }) => (body.actions as { action_id: string; selected_option?: { value: string } }[])[0])
        .map((action) => [action?.action_id, action?.selected_option?.value])
    await expect.poll(chosen).toEqual([
      ['delete', undefined],
      ['more', 'remove'],
      ['pick', 'aquarium'],
    ])
  })

  it('uses a message shortcut, and the global one', async () => {
    const page = await open('mara')
    const first = messages(page).first()
    await first.hover()
    await first.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /Book for this/ }).click()
    await dialog(page).waitFor()
    expect(await dialog(page).getByRole('textbox', { name: 'What for' }).inputValue()).toContain(
      'The photos of the new lamp',
    )
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Shortcuts' }).click()
    await page.getByRole('menuitem', { name: /Book a room/ }).click()
    await dialog(page).waitFor()
    // A reload comes back to the same session, with what lies on it.
    await page.reload()
    await dialog(page).waitFor()
  })

  it('comes back by itself when this Slack was away, and loses no draft', async () => {
    const page = await open('mara')
    await composer(page).fill('Not sent yet')
    const port = Number(new URL(slack.url).port)
    await slack.close()
    await page.getByText('Reconnecting').waitFor()
    slack = await openLocalSlack({ manifest: MANIFEST, runtime: systemRuntime, port })
    await page.getByText('Reconnecting').waitFor({ state: 'detached' })
    expect(await composer(page).inputValue()).toBe('Not sent yet')
    await page.keyboard.press('Enter')
    await messages(page).last().getByText('Not sent yet').waitFor()
  })

  it("fits a phone's width: the channels in a drawer, the form on the whole of it", async () => {
    const page = await open('mara', { width: 375, height: 700 })
    const overflow = () => valueIn(page, 'document.documentElement.scrollWidth - innerWidth')
    await type(page, '/show')
    await messages(page)
      .last()
      .getByRole('heading', { name: /All that there is/ })
      .waitFor()
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await page.getByRole('navigation', { name: 'Workspace' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Channels' }).click()
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('button', { name: 'general' }).click()
    await page.getByRole('heading', { name: 'general' }).waitFor()
    await expect.poll(() => page.getByRole('navigation', { name: 'Workspace' }).isVisible()).toBe(false)
    await page.getByRole('combobox', { name: 'Message #general' }).fill('/book')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    expect(await overflow()).toBeLessThanOrEqual(0)
    const box = await dialog(page).getByRole('button', { name: 'Book', exact: true }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700)
  })

  it.each(['light', 'dark'] as const)('has nothing serious for axe to find, %s', async (colorScheme) => {
    const page = await open('mara', { colorScheme })
    await type(page, '/show')
    await messages(page)
      .last()
      .getByRole('heading', { name: /All that there is/ })
      .waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await composer(page).pressSequentially('/')
    await page.getByRole('option').first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await composer(page).fill('')
    await type(page, '/book')
    await dialog(page).getByRole('button', { name: 'Book', exact: true }).click()
    await field(page, 'Room').getByText('required').waitFor()
    await chooseRoom(page, 'a')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sample Bot' }).click()
    await page.getByText('Pressed 0 times').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })
})

/** What an expression is worth in the browser. */
const valueIn = (page: Page, expression: string) => page.evaluate<unknown>(expression)

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

async function seriousFaults(page: Page): Promise<string[]> {
  // As a test, not as a script of the page: its policy would rightly refuse that.
  await page.evaluate(await readFile(axe, 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

it('the page weighs less than 150 kB', async () => {
  const folder = join(PACKAGE_FOLDER, 'dist/web')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  )
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => gzipSync(await readFile(`${parentPath}/${name}`)).length),
  )
  expect(files.length).toBeGreaterThanOrEqual(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
})
