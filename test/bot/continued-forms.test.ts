import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { fetchUnreachable } from '../support/servers.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
let isUnreachable: boolean

// It is Friday 20 November 2026, 13:00 in Berlin.
beforeEach(async () => {
  isUnreachable = false
  upnext = await openUpnext({
    projects: ['Acme', 'Northwind'],
    disableRateLimits: true,
    relaxTimeouts: true,
    skipsUploadTime: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return isUnreachable && request.method === 'POST' ? fetchUnreachable() : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
  await mara.runAndHear('/upnext use Acme', /Acme/)
})
afterEach(() => upnext.close())

const topView = () => mara.state().views.at(-1)
const formText = () => JSON.stringify(topView()?.blocks)
const elementOf = (name: string) =>
  (topView()?.blocks as { block_id?: string; element?: Record<string, unknown> }[] | undefined)?.find(
    ({ block_id }) => block_id === name,
  )?.element
const posts = async () =>
  (await upnext.service.pool.query('select content, schedule_date from service.post order by content')).rows

/** Changes a field, and waits until the form as it is now is stored. */
async function enter(block_id: string, value: string, values = mara.fill({ [block_id]: value })) {
  const storedAction = async () => {
    const query = 'select action_ts from upnext.open_form where view_id = $1'
    return (await upnext.service.pool.query(query, [topView()?.id])).rows[0]?.action_ts
  }
  const before = await storedAction()
  const action_id = String(elementOf(block_id)?.action_id)
  await mara.dispatchAction({ container: { view: topView()?.id ?? '' }, block_id, action_id, value, values })
  await vi.waitFor(async () => expect(await storedAction()).not.toBe(before), MAX_WAIT)
  await upnext.settled()
}

/** Opens a new form. Returns the id of the view. */
async function openForm(): Promise<string> {
  await mara.run('/schedule-post')
  const { id } = await mara.form('Schedule a post')
  return id
}

const pressContinue = (view: string) =>
  mara.dispatchAction({
    container: { view },
    block_id: 'unfinished',
    action_id: 'change:schedule:unfinished',
  })

/** Opens a new form, and continues the one that was closed. Returns the id of the view. */
async function continueForm(Content: string): Promise<string> {
  const id = await openForm()
  await pressContinue(id)
  await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe(Content), MAX_WAIT)
  return id
}

/** Opens a form from a message with an image. Returns the id of the view. */
async function openWithFile(): Promise<string> {
  const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
  await mara.sendMessage({ channel: mara.channel, text: 'Our lamp', files: [file] })
  const { ts = '' } = (mara.state().messages[mara.channel] ?? []).at(-1) ?? {}
  await mara.runShortcut({ callback_id: 'schedule_as_post', message: { channel: mara.channel, ts } })
  return (await mara.form('Schedule a post')).id
}

async function submitWhileUnreachable(words: string, Content: string) {
  isUnreachable = true
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  await mara.submitView({ view: id, values: mara.fill({ Content }) })
  await vi.waitFor(() => expect(formText()).toContain('*Saved.*'), MAX_WAIT)
  await mara.closeView({ view: id })
}

describe('a form that was closed and is continued', () => {
  it("isn't offered if it was opened to correct a submission in the outbox", async () => {
    await submitWhileUnreachable('tomorrow 9am Berlin time on X', 'Launch day is tuesday!')
    await mara.runAndHear('/upnext outbox', /Launch day is tuesday/)
    await mara.pressLast('outbox:edit')
    const { id } = await mara.form('Schedule a post')
    await enter('Content', 'Launch day is friday!')
    await mara.closeView({ view: id })
    await mara.run('/schedule-post')
    await mara.form('Schedule a post')
    expect(formText()).not.toContain('Continue')
  })

  it('says that it was started in another project', async () => {
    await mara.run('/schedule-post on X')
    const { id } = await mara.form('Schedule a post')
    const { rows } = await upnext.service.pool.query(
      "select id from service.project where name = 'Northwind'",
    )
    const northwind = String(rows[0]?.id)
    await enter('project', northwind, {
      project: { [String(elementOf('project')?.action_id)]: northwind },
    })
    await enter('Content', 'Northwind is closing its shop')
    await mara.closeView({ view: id })
    await continueForm('Northwind is closing its shop')
    expect(formText()).toContain(
      'You started this form in Northwind. Check the project before you submit it.',
    )
  })

  it('says nothing about the project if it is the same', async () => {
    await mara.run('/schedule-post on X')
    const { id } = await mara.form('Schedule a post')
    await enter('Content', 'Launch day!')
    await mara.closeView({ view: id })
    await continueForm('Launch day!')
    expect(formText()).not.toContain('You started this form')
  })

  it('asks for its picked file again, which Slack no longer has', async () => {
    await mara.run('/schedule-post tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
    await enter('Content', 'Our lamp', mara.fill({ Content: 'Our lamp', MediaFile: [file] }))
    await mara.closeView({ view: id })
    await continueForm('Our lamp')
    await enter('Content', 'Our red lamp')
    expect(formText()).toContain("Add lamp.jpg again: Slack doesn't keep the files of closed forms.")
  })

  it('does not bring back a file that was removed', async () => {
    const view = await openWithFile()
    const before = topView()?.hash
    await mara.dispatchAction({
      container: { view },
      block_id: 'attachment',
      action_id: 'change:schedule:attachment',
    })
    await vi.waitFor(() => expect(topView()?.hash).not.toBe(before), MAX_WAIT)
    await mara.closeView({ view })
    await continueForm('Our lamp')
    expect(formText()).not.toContain('lamp.jpg')
  })

  it('keeps the file of its message', async () => {
    const id = await openWithFile()
    await enter('Content', 'Our new lamp')
    await mara.closeView({ view: id })
    const view = await continueForm('Our new lamp')
    expect(formText()).toMatch(/lamp\.jpg, [\d.]+ KB/)
    const values = mara.fill({ ScheduleDate: 'tomorrow 9am', Platforms: ['X'] })
    await mara.submitAndHear({ view, values }, /Our new lamp/)
    expect((await upnext.service.pool.query('select media from service.post')).rows[0].media).toMatch(
      /\/media\//,
    )
  })
})

describe('Continue', () => {
  it('keeps the text if it is pressed twice, even when the form is closed again', async () => {
    const first = await openForm()
    await enter('Content', 'Launch day!')
    await mara.closeView({ view: first })
    const id = await openForm()
    await Promise.all([pressContinue(id), pressContinue(id)])
    await upnext.settled()
    await vi.waitFor(() => expect(elementOf('Content')?.initial_value).toBe('Launch day!'), MAX_WAIT)
    await mara.closeView({ view: id })
    await continueForm('Launch day!')
  })

  it('says that the form was submitted in another window, and leaves a form that still reads times', async () => {
    const laptop = mara
    const first = await openForm()
    await enter('Content', 'Launch day!')
    mara = upnext.person('mara')
    const id = await openForm()
    expect(formText()).toContain('Continue \\"Launch day!\\"')
    const values = laptop.fill({ Content: 'Launch day!', ScheduleDate: 'monday 9am', Platforms: ['X'] })
    await laptop.submitAndHear({ view: first, values }, /Scheduled in Acme/)
    await pressContinue(id)
    await vi.waitFor(
      () => expect(formText()).toContain('That form was submitted, or is too old to be continued.'),
      MAX_WAIT,
    )
    await enter('ScheduleDate', 'tuesday 9am')
    await vi.waitFor(() => expect(formText()).toContain('Tue 24 Nov, 09:00'), MAX_WAIT)
  })
})

it('edits a submission at the time that its author meant, even on the next day', async () => {
  await submitWhileUnreachable('tomorrow 9am Berlin time on X', 'Launch dya!')
  upnext.wait({ minutes: 12 * 60 })
  await upnext.settled()
  await mara.runAndHear(
    '/upnext outbox',
    /Sat 21 Nov 2026, 09:00.*Launch dya!|Launch dya!.*Sat 21 Nov 2026,? 09:00/s,
  )
  await mara.pressLast('outbox:edit')
  const { id } = await mara.form('Schedule a post')
  isUnreachable = false
  await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch day!' }) })
  await vi.waitFor(async () => expect(await posts()).toHaveLength(1), MAX_WAIT)
  expect(await posts()).toMatchObject([
    { content: 'Launch day!', schedule_date: new Date('2026-11-21T08:00:00Z') },
  ])
})
