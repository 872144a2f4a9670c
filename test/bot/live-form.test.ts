import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member

const openWorkspace = async (options: Parameters<typeof openUpnext>[0] = {}) => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, ...options })
  mara = upnext.person('mara')
}
beforeEach(() => openWorkspace())
afterEach(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
  // A form may be closed just before its update.
  expect(problems.filter((problem) => problem !== 'not_found')).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000, interval: 20 }

type Input = { block_id?: string; element?: Record<string, unknown> }
const topView = () => mara.state().views.at(-1)
const inputs = () => (topView()?.blocks ?? []) as Input[]
const blockIds = () => inputs().map(({ block_id }) => block_id)
const elementOf = (name: string) => inputs().find(({ block_id }) => block_id === name)?.element
const formText = () => JSON.stringify(inputs())

async function openForm(text = '') {
  await mara.run(`/schedule-post ${text}`)
  return mara.form('Schedule a post')
}
/** Sends the state after a key, as Slack does. */
const typeKey = (block_id: string, value: string, others: Record<string, string> = {}) => {
  const values = mara.fill({ ...others, [block_id]: value })
  const action_id = String(elementOf(block_id)?.action_id)
  return mara.dispatchAction({ container: { view: topView()?.id ?? '' }, block_id, action_id, value, values })
}
const countUpdates = () =>
  upnext.slack.controls.appPayloads().filter(({ name }) => name === 'views.update').length

// The clock starts on Friday 20 November 2026 at noon UTC; Mara's time zone is Berlin.
describe('the form for a post', () => {
  it('begins with the project and the text, and has template and prompt behind More options', async () => {
    await openForm()
    expect(
      blockIds()
        .filter((id) => !id?.startsWith('note:'))
        .slice(0, 4),
    ).toEqual(['project', 'Content', 'ScheduleDate', 'alternatives:ScheduleDate'])
    expect(blockIds()).not.toContain('TemplateId')
    await mara.showMore()
    expect(blockIds()).toEqual(expect.arrayContaining(['TemplateId', 'PromptId']))
    expect(blockIds()).not.toContain('more-options')
  })

  it.each([
    ['', 'Content'],
    ['on X', 'Content'],
    ['Hello on X', 'ScheduleDate'],
    ['Hello tomorrow 9am', 'Platforms'],
  ])('opens "%s" with the cursor in %s', async (text, focused) => {
    const opened: unknown[] = []
    await openForm(text)
    for (const { name, body } of upnext.slack.controls.appPayloads())
      if (name === 'views.open') opened.push(body)
    const view = JSON.stringify(opened).replaceAll('\\', '')
    expect(view.match(/"block_id":"(\w+)"(?:(?!"block_id").)*"focus_on_load":true/)?.[1]).toBe(focused)
    // An update while the user types must not move the cursor.
    expect(formText()).not.toContain('focus_on_load')
  })

  it('replaces the text of a template with that of another one, but not text that was typed', async () => {
    for (const season of ['Spring', 'Autumn'])
      await insertTemplate(upnext.service.db, {
        ...{ project_id: upnext.project, title: season, content: `${season} is here`, description: null },
      })
    await openForm('tomorrow 9am on X')
    await mara.showMore()
    const choose = async (label: string, text: string) => {
      await mara.dispatchAction(await mara.pick('TemplateId', label))
      await vi.waitFor(() => expect(elementOf('TemplateId')?.initial_option).toBeDefined(), MAX_WAIT)
      await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe(text), MAX_WAIT)
    }
    await choose('Spring', 'Spring is here')
    expect(formText()).toContain('X: 266 left')
    await choose('Autumn', 'Autumn is here')
    await typeKey('Content', 'Autumn is near')
    await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe('Autumn is near'), MAX_WAIT)
    await choose('Spring', 'Autumn is near')
  })

  it('says that YouTube takes no image', async () => {
    const { id } = await openForm('Hello! tomorrow 9am on YouTube and TikTok')
    const image = mara.fill({ Media: 'https://acme.example/lamp.PNG?x=1' })
    expect(await mara.submitView({ view: id, values: image })).toEqual({
      errors: { Media: 'YouTube posts need a video, but this is an image.' },
    })
    const video = mara.fill({ Media: 'https://acme.example/lamp.mp4' })
    await mara.submitAndHear({ view: id, values: video }, /Scheduled in Acme/)
  })
})

describe('typing a date', () => {
  it('shows how the date is read, once the user stops typing', async () => {
    await openForm('Hello on X')
    const before = countUpdates()
    const text = 'tomorrow 17:45'
    await Promise.all(
      Array.from(text, (_, index) =>
        typeKey('ScheduleDate', text.slice(0, index + 1), { Content: 'Hello!' }),
      ),
    )
    await vi.waitFor(() => expect(formText()).toContain('Sat 21 Nov, 17:45 Berlin'), MAX_WAIT)
    await upnext.settled()
    expect(countUpdates() - before).toBeLessThan(text.length)
    expect(elementOf('Content')?.initial_value).toBe('Hello!')
  })

  it('keeps the inputs that the user is typing in', async () => {
    await openForm('on X')
    const ids = () => ['Content', 'ScheduleDate'].map((name) => elementOf(name)?.action_id)
    const before = ids()
    await typeKey('ScheduleDate', 'tomorrow 9am', { Content: 'Hell' })
    await vi.waitFor(() => expect(formText()).toContain('Sat 21 Nov, 09:00 Berlin'), MAX_WAIT)
    expect(ids()).toEqual(before)
  })
})

describe('typing before the form has its projects', () => {
  let sendProjects = () => {}

  beforeEach(async () => {
    await upnext.close()
    const whenSent = new Promise<undefined>((resolve) => {
      sendProjects = () => resolve(undefined)
    })
    const respond = ({ url }: Request) => (url.endsWith('/projects') ? whenSent : undefined)
    await openWorkspace({ typesInRealTime: true, respond })
  })

  it('shows how the date is read, even if the projects arrive between the keystroke and its update', async () => {
    await mara.run('/schedule-post on X')
    await vi.waitFor(() => expect(blockIds()).toContain('ScheduleDate'), MAX_WAIT)
    expect(blockIds()).not.toContain('project')
    await typeKey('ScheduleDate', 'tomorrow 17:45')
    sendProjects()
    await mara.form('Schedule a post')
    await vi.waitFor(() => expect(formText()).toContain('Sat 21 Nov, 17:45 Berlin'), MAX_WAIT)
    expect(blockIds()).toContain('project')
  })
})

describe('the date of a submitted post', () => {
  it('shows a date that was typed just before the button was pressed, and asks again', async () => {
    const { id } = await openForm('Hello! tomorrow 9am on X')
    const values = mara.fill({ ScheduleDate: 'monday 10am' })
    expect(await mara.submitUnseen({ view: id, values })).toEqual({ done: true })
    expect(formText()).toMatch(/Hello!.* · X.*\*When\*: Mon 23 Nov, 10:00 Berlin/)
    expect(await mara.confirm('Schedule')).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme.*Mon 23 Nov, 10:00 Berlin/s)
    expect(mara.state().views).toEqual([])
  })

  it('accepts another wording of the same moment', async () => {
    const { id } = await openForm('Hello! tomorrow 9am on X')
    const values = mara.fill({ ScheduleDate: '21 november 9am' })
    expect(await mara.submitUnseen({ view: id, values })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme.*Sat 21 Nov, 09:00 Berlin/s)
  })

  it('schedules the moment that was shown, even if the words mean another one by now', async () => {
    const { id } = await openForm('Hello! in 2 hours on X')
    expect(formText()).toContain('Fri 20 Nov, 15:00 Berlin')
    upnext.wait({ minutes: 30 })
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme.*Fri 20 Nov, 15:00 Berlin/s)
  })
})

describe('a form that was closed', () => {
  const readActionTime = async () => {
    const query = 'select action_ts from upnext.open_form where view_id = $1'
    const { rows } = await upnext.service.pool.query(query, [topView()?.id])
    return rows[0]?.action_ts
  }
  /** Also waits until the bot has stored it. */
  const typeAndSave = async (...[block_id, value]: Parameters<typeof typeKey>) => {
    const before = await readActionTime()
    await typeKey(block_id, value)
    await vi.waitFor(async () => expect(await readActionTime()).not.toBe(before), MAX_WAIT)
  }
  const leaveForm = async () => {
    const { id } = await openForm('on X')
    await typeKey('ScheduleDate', 'monday 10am', { Content: 'Half a thought' })
    await vi.waitFor(() => expect(formText()).toContain('Mon 23 Nov, 10:00 Berlin'), MAX_WAIT)
    await mara.closeView({ view: id })
  }
  const pressContinue = () =>
    mara.dispatchAction({
      container: { view: topView()?.id ?? '' },
      block_id: 'unfinished',
      action_id: 'change:schedule:unfinished',
    })

  it('can be continued where the user left off', async () => {
    await leaveForm()
    const { id } = await openForm()
    expect(formText()).toContain('Continue \\"Half a thought\\" from 13:00')
    await pressContinue()
    await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe('Half a thought'), MAX_WAIT)
    expect(formText()).not.toContain('from 13:00')
    await mara.submitAndHear(
      { view: id, values: {} },
      /Scheduled in Acme.*Mon 23 Nov, 10:00.*Half a thought/s,
    )
    await openForm()
    expect(formText()).not.toContain('from 13:00')
  })

  it('keeps its text even if nothing else was typed', async () => {
    const { id } = await openForm('on X')
    for (const text of ['New', 'New ro', 'New roast on the shelf, with notes of plum'])
      await typeAndSave('Content', text)
    await mara.closeView({ view: id })
    await openForm()
    expect(formText()).toContain('Continue \\"New roast on the shelf, with …\\" from 13:00')
    await pressContinue()
    await vi.waitFor(
      () => expect(elementOf('Content')?.initial_value).toBe('New roast on the shelf, with notes of plum'),
      MAX_WAIT,
    )
  })

  it('is offered before older ones, each named by its own text and time', async () => {
    await leaveForm()
    upnext.wait({ minutes: 10 })
    const { id } = await openForm('on X')
    await typeAndSave('Content', 'A newer thought')
    await mara.closeView({ view: id })
    const { id: other } = await openForm()
    expect(formText()).toContain('Continue \\"A newer thought\\" from 13:10')
    await pressContinue()
    await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe('A newer thought'), MAX_WAIT)
    const values = mara.fill({ ScheduleDate: 'monday 10am' })
    await mara.submitAndHear({ view: other, values }, /Scheduled in Acme/)
    await openForm()
    expect(formText()).toContain('Continue \\"Half a thought\\" from 13:00')
  })

  it('is also kept for prompts and invitations', async () => {
    await mara.run('/upnext prompt')
    const { id } = await mara.form('Create a prompt')
    await typeAndSave('PromptText', 'Write about lamps')
    await mara.closeView({ view: id })
    await mara.run('/upnext prompt')
    await mara.form('Create a prompt')
    expect(formText()).toContain('Continue \\"Write about lamps\\" from 13:00')
  })

  it('is forgotten after an hour, and not offered to others', async () => {
    await leaveForm()
    const yuki = upnext.person('yuki')
    await yuki.run('/schedule-post')
    expect(JSON.stringify(await yuki.form('Schedule a post'))).not.toContain('from 13:00')
    upnext.wait({ minutes: 61 })
    await openForm()
    expect(formText()).not.toContain('from 13:00')
    await upnext.settled()
    const { rows } = await upnext.service.pool.query('select from upnext.open_form')
    expect(rows).toEqual([])
  })

  it('is not offered once its post is scheduled', async () => {
    const { id } = await openForm('Hello! on X')
    const values = mara.fill({ ScheduleDate: 'monday 10am' })
    await mara.submitAndHear({ view: id, values }, /Scheduled in Acme/)
    await openForm()
    expect(formText()).not.toContain('from 13:00')
  })
})
