import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalSlack, openLocalSlack } from '../index.ts'
import { PACKAGE_FOLDER } from '../package-folder.ts'
import { chromiumPath, inCi, openBrowser, WITHOUT_BROWSER } from './browser.ts'
import { FIXED_NOW, fixedRuntime } from './fixed-runtime.ts'
import { MANIFEST, type SampleBot, startSampleBot } from './sample-bot/bot.ts'

if (!chromiumPath) console.warn(`\n${WITHOUT_BROWSER}\n`)

it.runIf(inCi)('has a browser in CI, so that the page tests run there', () => {
  expect(chromiumPath, WITHOUT_BROWSER).toBeDefined()
})

describe.runIf(chromiumPath)('the page of the local Slack', () => {
  let browser: Browser
  let slack: LocalSlack
  let bot: SampleBot
  let browserContexts: BrowserContext[]
  let pageErrors: string[]

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    browserContexts = []
    pageErrors = []
    slack = await openLocalSlack({ manifest: MANIFEST, runtime: fixedRuntime })
    bot = await startSampleBot(slack)
  })
  afterEach(async () => {
    for (const context of browserContexts) await context.close()
    await bot.stop()
    await slack.close()
    expect(pageErrors).toEqual([])
  })

  type BrowserOptions = { width?: number; height?: number; colorScheme?: 'light' | 'dark' }

  /** Opens #launch as one user, in a browser whose time zone differs from every user's. */
  const openPage = async (
    userHandle: string,
    { width = 1200, height = 800, colorScheme = 'light' }: BrowserOptions = {},
  ): Promise<Page> => {
    const viewport = { width, height }
    const context = await browser.newContext({ viewport, colorScheme, timezoneId: 'Pacific/Auckland' })
    browserContexts.push(context)
    await context.clock.setFixedTime(FIXED_NOW)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => pageErrors.push(String(error)))
    const launch = slack
      .openSession('mara')
      .state()
      .channels.find(({ name }) => name === 'launch')
    await page.goto(`${slack.url}/?as=${userHandle}&channel=${launch?.id}`)
    await page.getByRole('heading', { name: 'launch' }).waitFor()
    return page
  }
  const messageField = (page: Page) => page.getByRole('combobox', { name: 'Message #launch' })
  const sendText = async (page: Page, text: string) => {
    await messageField(page).fill(text)
    await page.keyboard.press('Enter')
  }
  const bookingForm = (page: Page) => page.getByRole('dialog', { name: 'Book a room' })
  const fieldLabelled = (page: Page, label: string) => bookingForm(page).locator('.field', { hasText: label })
  const searchRoom = async (page: Page, query: string) => {
    await bookingForm(page).getByRole('button', { name: /^Room/ }).click()
    await page.getByRole('combobox', { name: 'Search' }).fill(query)
    await page.getByRole('option').first().waitFor()
  }
  const messages = (page: Page) => page.getByRole('log', { name: 'launch' }).getByRole('article')

  it('shows field errors in a form and submits it once they are fixed', async () => {
    const page = await openPage('mara')
    await sendText(page, '/book')
    await bookingForm(page).waitFor()
    await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).click()
    for (const label of ['What for', 'Room'])
      await fieldLabelled(page, label).getByText('Please complete this required field.').waitFor()

    await bookingForm(page).getByRole('textbox', { name: 'What for' }).fill('taken')
    await searchRoom(page, 'gar')
    await page.keyboard.press('Enter')
    await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).click()
    const fieldError = fieldLabelled(page, 'What for').getByText('This title is taken.')
    await fieldError.waitFor()
    expect(await fieldError.getAttribute('class')).toBe('field-error')
    expect(await evaluateIn(page, "getComputedStyle(document.querySelector('.field-error')).color")).toBe(
      'rgb(179, 18, 61)',
    )
    expect(await evaluateIn(page, "document.activeElement.getAttribute('aria-describedby')")).toContain(
      'error',
    )
    // The form keeps the other values.
    expect(await bookingForm(page).getByRole('button', { name: /^Room/ }).textContent()).toContain('Garden')

    await bookingForm(page).getByRole('textbox', { name: 'What for' }).fill('Lamp photos')
    await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).click()
    await bookingForm(page).waitFor({ state: 'detached' })
    await messages(page).last().getByText('booked Garden for Lamp photos').waitFor()
  })

  it('searches an external select and picks an option with the keyboard alone', async () => {
    const page = await openPage('mara')
    await sendText(page, '/book')
    await bookingForm(page).getByRole('button', { name: /^Room/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Type at least 1 character to search').waitFor()
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
    expect(await bookingForm(page).getByRole('button', { name: /^Room/ }).textContent()).toContain('Garden')
    await page.keyboard.press('Enter') // opens the list again
    await page.keyboard.press('Escape') // closes the list but not the form
    await bookingForm(page).waitFor()
    await page.keyboard.press('Escape')
    await bookingForm(page).waitFor({ state: 'detached' })
    await expect.poll(() => bot.heard.map(({ type }) => type)).toContain('view_closed')
  })

  it('picks a date and time in one time zone and shows it to each user in their own', async () => {
    const mara = await openPage('mara') // Berlin
    const yuki = await openPage('yuki') // Tokyo
    await sendText(mara, '/book')
    await bookingForm(mara).getByRole('textbox', { name: 'What for' }).fill('Talk')
    await searchRoom(mara, 'att')
    await mara.keyboard.press('Enter')
    await bookingForm(mara).getByLabel('When').fill('2026-11-27T09:00')
    await fieldLabelled(mara, 'When').getByText('Europe/Berlin').waitFor()
    await bookingForm(mara).getByRole('button', { name: 'Book', exact: true }).click()
    await messages(mara).last().getByText('2026-11-27 09:00').waitFor()
    await messages(yuki).last().getByText('2026-11-27 17:00').waitFor()
    const submitted = bot.heard.find(({ type }) => type === 'view_submission')?.body as {
      view: { state: { values: { When: { value: object } } } }
    }
    expect(submitted.view.state.values.When.value).toMatchObject({
      selected_date_time: Date.UTC(2026, 10, 27, 8) / 1000,
    })
  })

  it('removes files and selected users from a form before it is submitted', async () => {
    const page = await openPage('mara')
    await sendText(page, '/book')
    const files = bookingForm(page).getByLabel('Floor plan')
    const image = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })
    await files.setInputFiles([image('one.png'), image('two.png')])
    await bookingForm(page).getByRole('button', { name: 'Remove one.png' }).click()
    await bookingForm(page).getByRole('textbox', { name: 'What for' }).fill('Files')
    await searchRoom(page, 'cel')
    await page.keyboard.press('Enter')
    await bookingForm(page)
      .getByRole('button', { name: /^Guests/ })
      .click()
    for (const name of ['Yuki Arai', 'Priya Raman']) await page.getByRole('option', { name }).click()
    await page.getByRole('option', { name: 'Yuki Arai' }).click()
    await page.keyboard.press('Escape')
    expect(
      await bookingForm(page)
        .getByRole('button', { name: /^Guests/ })
        .textContent(),
    ).toContain('Priya Raman')
    await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).click()
    await bookingForm(page).waitFor({ state: 'detached' })
    const submitted = bot.heard.find(({ type }) => type === 'view_submission')?.body as {
      view: {
        state: { values: Record<string, { value: { files: { name: string }[]; selected_users: string[] } }> }
      }
    }
    const { Plan, Guests } = submitted.view.state.values
    expect(Plan?.value.files.map(({ name }) => name)).toEqual(['two.png'])
    expect(Guests?.value.selected_users).toEqual([slack.openSession('priya').userId])
  })

  it('submits every kind of input in a form and keeps entered values when the app updates it', async () => {
    const page = await openPage('mara')
    await sendText(page, '/form')
    const form = page.getByRole('dialog', { name: 'One of each' })
    const selectOptions = async (label: string, ...names: string[]) => {
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
    await selectOptions('Floor', 'Second')
    await selectOptions('Tags', 'Library', 'Attic', 'Cellar') // the limit is two
    await selectOptions('Who', 'Priya Raman')
    await selectOptions('Channel', '#general')
    await selectOptions('Where', 'press', '#launch')
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
    const submittedValues = Object.entries(submitted.view.state.values).map(([id, entry]) => {
      const { type: _type, ...value } = Object.values(entry)[0] as { type: string }
      return [id, Object.values(value)[0]]
    })
    const options = (...names: string[]) => names.map((name) => expect.objectContaining({ value: name }))
    const { channels } = slack.openSession('mara').state()
    const idOf = (name: string) => channels.find((channel) => channel.name === name)?.id
    expect(Object.fromEntries(submittedValues)).toEqual({
      Town: 'Lisbon',
      Story: 'Once upon a time',
      Mail: 'ada@b.example',
      Address: 'https://a.example/b',
      Amount: '1.5',
      Rich: expect.objectContaining({ type: 'rich_text' }),
      Ticks: options('attic', 'cellar'),
      Radio: options('garden')[0],
      Floor: options('second')[0],
      Tags: options('library', 'attic'),
      Who: slack.openSession('priya').userId,
      Channel: idOf('general'),
      Where: [idOf('press'), idOf('launch')],
      Day: '2026-11-27',
      Time: '09:30',
    })
  })

  it('shows changes by its buttons on the Home tab', async () => {
    const page = await openPage('mara')
    await page.getByRole('button', { name: 'Sample Bot' }).click()
    await page.getByText('Pressed 0 times').waitFor()
    await page.getByRole('button', { name: 'Press me' }).click()
    await page.getByText('Pressed 1 times').waitFor()
    await page.getByRole('tab', { name: 'Messages' }).click()
    await page.getByText('No messages yet.').waitFor()
    await page.getByRole('tab', { name: 'About' }).click()
    await page.getByText('Books rooms, badly').waitFor()
  })

  it('shows messages and replies to two users in two windows as they are sent', async () => {
    const [mara, yuki] = [await openPage('mara'), await openPage('yuki')]
    await sendText(mara, 'Good morning @yuki <b>')
    await messages(yuki).last().getByText('Good morning @yuki <b>').waitFor()
    await sendText(yuki, '/echo only I see this')
    await messages(yuki).last().getByText('Only visible to you').waitFor()
    await sendText(mara, 'After that')
    await messages(mara).last().getByText('After that').waitFor()
    await sendText(mara, ':wave::skin-tone-3: :woman-running: :party-parrot: at 10:30:15')
    await messages(yuki).last().getByText('👋🏼 🏃‍♀️ :party-parrot: at 10:30:15').waitFor()
    expect(await messages(mara).getByText('only I see this').count()).toBe(0)
    const greeting = messages(yuki).filter({ hasText: 'Good morning' })
    await greeting.hover()
    await greeting.getByRole('button', { name: 'Reply in thread' }).click()
    const reply = yuki.getByRole('combobox', { name: 'Reply…' })
    await reply.fill('And to you')
    await reply.press('Enter')
    await messages(mara).getByRole('button', { name: '1 reply' }).click()
    await mara.getByRole('complementary', { name: 'Thread' }).getByText('And to you').waitFor()
  })

  it('switches to another user in the user menu', async () => {
    const page = await openPage('mara')
    await page.getByRole('button', { name: /^Mara Lindqvist/ }).click()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: /Noor Haddad/ }).click()
    await page.getByRole('button', { name: /^Noor Haddad/ }).waitFor()
    const channels = page.getByRole('navigation').getByRole('listitem')
    // Guests only see the channels that they are members of.
    expect((await channels.allTextContents()).join()).not.toContain('general')
  })

  it('names the organization of people from other workspaces, and marks guests, deactivated people and shared channels', async () => {
    const page = await openPage('mara')
    await page.getByRole('button', { name: /^catalogue ?, shared with Harbor Press/ }).click()
    await page.getByText('Shared with Harbor Press', { exact: true }).waitFor()
    const shared = page.getByRole('log', { name: 'catalogue' })
    await shared
      .getByRole('article', { name: /^Inês Duarte/ })
      .getByText('Harbor Press')
      .waitFor()
    await page.getByRole('button', { name: /members$/ }).click()
    const members = page.getByRole('dialog', { name: 'Members of #catalogue' })
    await members.getByText('Viktor Hale admin, Harbor Press').waitFor()
    await members.getByText('Léa Fontaine single-channel guest').waitFor()
    expect(await members.textContent()).not.toContain('Otto Brandt')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'launch' }).click()
    const yuki = slack.openSession('yuki')
    const launch = yuki.state().channels.find(({ name }) => name === 'launch')
    await yuki.sendMessage({ channel: launch?.id ?? '', text: 'My last day' })
    slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await messages(page).last().getByText('deactivated').waitFor()
  })

  it('shows a person from another workspace their own workspace, without the app', async () => {
    const page = await openPage('mara')
    await page.goto(`${slack.url}/?as=ines`)
    const navigation = page.getByRole('navigation')
    await navigation.getByText('Harbor Press', { exact: true }).waitFor()
    await navigation.getByRole('button', { name: /^catalogue ?, shared with Lantern Street/ }).click()
    const shared = page.getByRole('combobox', { name: 'Message #catalogue' })
    await shared.fill('/bo')
    expect(await page.getByRole('option').count()).toBe(0)
    await shared.fill('/book')
    await page.keyboard.press('Enter')
    await page.getByText("Sample Bot isn't installed in your workspace, Harbor Press.").first().waitFor()
    await navigation.getByRole('button', { name: 'Sample Bot' }).click()
    await page.getByText('Not installed in this workspace.').waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['About'])
  })

  it('stops a deactivated person from acting, and opens no page for them', async () => {
    const page = await openPage('yuki')
    slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await page.getByText('This account is deactivated.').waitFor()
    expect(await messageField(page).count()).toBe(0)
    await page.reload()
    await page.getByText('Connecting…').waitFor()
  })

  it('shows an error and keeps the typed text after a command that times out', async () => {
    const page = await openPage('mara')
    await sendText(page, '/slow down')
    await expect.poll(() => bot.heard.length).toBeGreaterThan(0)
    slack.controls.advanceClock({ seconds: 3 })
    await messages(page).last().getByText('/slow failed with the error "operation_timeout"').waitFor()
    expect(await messageField(page).inputValue()).toBe('/slow down')
  })

  it('explains that a command is too long, and keeps it', async () => {
    const page = await openPage('mara')
    const command = `/book ${'x'.repeat(4000)}`
    await sendText(page, command)
    await page.getByText('A command can have 4000 characters. This one has 4006.').waitFor()
    expect(await messageField(page).inputValue()).toBe(command)
  })

  it('completes commands, users and channels in the message field', async () => {
    const page = await openPage('mara')
    await messageField(page).pressSequentially('/b')
    await page.getByRole('option', { name: '/book [room] Books a room' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await messageField(page).inputValue()).toBe('/book ')
    await messageField(page).fill('')
    await messageField(page).pressSequentially('Ask @pri')
    await page.getByRole('option', { name: /Priya/ }).waitFor()
    await page.keyboard.press('Enter')
    await messageField(page).pressSequentially('in #gen')
    await page.keyboard.press('Enter')
    expect(await messageField(page).inputValue()).toBe('Ask @priya in #general ')
  })

  it('shows the blocks of a message, asks for confirmation and sends actions to the app', async () => {
    const page = await openPage('mara')
    await sendText(page, '/show')
    const message = messages(page).last()
    await message.getByRole('heading', { name: /All that there is/ }).waitFor()
    for (const [selector, text] of [
      ['strong', 'Bold'],
      ['em', 'italic'],
      ['s', 'gone'],
      ['blockquote', 'Quoted'],
      ['ol > li', 'second'],
      ['td', 'Monday'],
    ] as const)
      await message.locator(selector, { hasText: text }).first().waitFor()
    expect(await message.getByRole('link', { name: 'a link' }).getAttribute('href')).toBe(
      'https://example.com',
    )

    await message.getByRole('button', { name: 'Delete' }).click()
    const confirmDialog = page.getByRole('dialog', { name: 'Delete it?' })
    await confirmDialog.getByRole('button', { name: 'Keep' }).click()
    expect(bot.heard.some(({ type }) => type === 'block_actions')).toBe(false)
    await message.getByRole('button', { name: 'Delete' }).click()
    await confirmDialog.getByRole('button', { name: 'Delete' }).click()
    await message.getByRole('button', { name: 'More options' }).click()
    // The menu takes the focus a little after it opens.
    await page.waitForFunction('document.activeElement?.role === "menuitem"')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await message.getByRole('button', { name: 'Pick a room' }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const sentActions = () =>
      bot.heard
        .filter(({ type }) => type === 'block_actions')
        .map(({ body }) => (body.actions as { action_id: string; selected_option?: { value: string } }[])[0])
        .map((action) => [action?.action_id, action?.selected_option?.value])
    await expect.poll(sentActions).toEqual([
      ['delete', undefined],
      ['more', 'remove'],
      ['pick', 'aquarium'],
    ])
  })

  it('shows formatted text in a markdown block, but no HTML and no unsafe links', async () => {
    const page = await openPage('mara')
    const { id: channel = '' } =
      slack
        .openSession('mara')
        .state()
        .channels.find(({ name }) => name === 'launch') ?? {}
    const text = [
      '# Plan',
      '1. **Bold** and ~~gone~~\n   - nested `code`',
      '| Day | Posts |\n| --- | ---: |\n| Monday | 3 |',
      '[safe](https://example.com) [unsafe](javascript:alert) <img src="x" onerror="alert()"> a &lt; b',
    ].join('\n\n')
    await bot.app.client.chat.postMessage({ channel, text, blocks: [{ type: 'markdown', text }] })
    const message = messages(page).last()
    for (const [selector, content] of [
      ['.markdown-heading', 'Plan'],
      ['ol > li strong', 'Bold'],
      ['s', 'gone'],
      ['ol ul > li code', 'code'],
      ['td', 'Monday'],
      ['p', '<img src="x" onerror="alert()"> a < b'],
    ] as const)
      await message.locator(selector, { hasText: content }).waitFor()
    expect(
      await message.getByRole('link').evaluateAll((links) => links.map((link) => link.outerHTML)),
    ).toEqual(['<a href="https://example.com" target="_blank" rel="noreferrer">safe</a>'])
  })

  it('opens forms from message shortcuts and global shortcuts, and keeps them after a reload', async () => {
    const page = await openPage('mara')
    const first = messages(page).first()
    await first.hover()
    await first.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /Book for this/ }).click()
    await bookingForm(page).waitFor()
    expect(await bookingForm(page).getByRole('textbox', { name: 'What for' }).inputValue()).toContain(
      'The photos of the new lamp',
    )
    await bookingForm(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Shortcuts' }).click()
    await page.getByRole('menuitem', { name: /Book a room/ }).click()
    await bookingForm(page).waitFor()
    await page.reload()
    await bookingForm(page).waitFor()
  })

  it('reconnects after the server restarts and keeps unsent text', async () => {
    const page = await openPage('mara')
    await messageField(page).fill('Not sent yet')
    const port = Number(new URL(slack.url).port)
    await slack.close()
    await page.getByText('Reconnecting').waitFor()
    slack = await openLocalSlack({ manifest: MANIFEST, runtime: fixedRuntime, port })
    await page.getByText('Reconnecting').waitFor({ state: 'detached' })
    expect(await messageField(page).inputValue()).toBe('Not sent yet')
    await page.keyboard.press('Enter')
    await messages(page).last().getByText('Not sent yet').waitFor()
  })

  it('puts the channels in a drawer on a phone, with nothing wider than the screen', async () => {
    const page = await openPage('mara', { width: 375, height: 700 })
    const overflow = () => evaluateIn(page, 'document.documentElement.scrollWidth - innerWidth')
    await sendText(page, '/show')
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
    await bookingForm(page).waitFor()
    expect(await overflow()).toBeLessThanOrEqual(0)
    const box = await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700)
  })

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility problem that axe finds in %s mode',
    async (colorScheme) => {
      const page = await openPage('mara', { colorScheme })
      await sendText(page, '/show')
      await messages(page)
        .last()
        .getByRole('heading', { name: /All that there is/ })
        .waitFor()
      expect(await findAccessibilityProblems(page)).toEqual([])
      await messageField(page).pressSequentially('/')
      await page.getByRole('option').first().waitFor()
      expect(await findAccessibilityProblems(page)).toEqual([])
      await messageField(page).fill('')
      await sendText(page, '/book')
      await bookingForm(page).getByRole('button', { name: 'Book', exact: true }).click()
      await fieldLabelled(page, 'Room').getByText('required').waitFor()
      await searchRoom(page, 'a')
      expect(await findAccessibilityProblems(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Sample Bot' }).click()
      await page.getByText('Pressed 0 times').waitFor()
      expect(await findAccessibilityProblems(page)).toEqual([])
    },
  )
})

/** Evaluates a JavaScript expression in the page. */
const evaluateIn = (page: Page, expression: string) => page.evaluate<unknown>(expression)

const AXE_PATH = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // The page's content security policy blocks script tags, so axe is evaluated instead.
  await page.evaluate(await readFile(AXE_PATH, 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

it('weighs less than 150 kB gzipped', async () => {
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
