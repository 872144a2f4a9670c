import type { InputValues } from 'local-slack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAIT, modalOf, openWithAdmin } from './approval-requests.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import type { Member, Respond, Upnext } from './workspace.ts'

// It is Friday 20 November 2026, 13:00 in Berlin.
let upnext: Upnext
let mara: Member
let respond: Respond
beforeEach(async () => {
  respond = () => undefined
  ;({ upnext, mara } = await openWithAdmin({
    projects: ['Acme', 'Northwind'],
    skipsUploadTime: true,
    respond: (request) => respond(request),
  }))
  await mara.runAndHear('/upnext use Acme', /linked/)
})
afterEach(() => upnext.close())

const PICKED = new Date('2026-11-27T16:00Z')
const SATURDAY = new Date('2026-11-21T08:00Z')
const MISSING_CHANGE = /Your last change wasn't in the form yet when you submitted it/

const stored = async () =>
  (await upnext.service.pool.query('select media, schedule_date from service.post')).rows
async function openPost(words: string) {
  await mara.run(`/schedule-post ${words}`)
  return (await mara.form('Schedule a post')).id
}
const pickTime = (view: string) => ({
  container: { view },
  block_id: 'alternatives:ScheduleDate',
  action_id: /change:schedule:picker:\d+/.exec(modalOf(mara))?.[0] ?? '',
  value: String(+PICKED / 1000),
})
type ProjectMenu = { action_id: string; options: { text: { text: string }; value: string }[] }
/** Waits until Upnext has received an action in a form. */
const waitForOpenForm = (view: string, condition = 'true') =>
  vi.waitFor(async () => {
    const select = `select from upnext.open_form where view_id = $1 and ${condition}`
    expect((await upnext.service.pool.query(select, [view])).rowCount).toBe(1)
  }, MAX_WAIT)

type Action = { block_id: string; action_id: string; value?: string; values?: InputValues }

/** Presses something in a form, and returns before Slack has the updated form. */
async function startAction(view: string, action: Action) {
  upnext.slack.controls.injectFault({ method: 'views.update', delay_ms: 3000, times: 1 })
  void mara.dispatchAction({ ...action, container: { view } })
  await waitForOpenForm(view, 'changed_ts is not null')
}
async function preview(view: string) {
  const action_id = 'change:schedule:preview'
  await mara.dispatchAction({ container: { view }, block_id: 'preview', action_id, values: {} })
  await vi.waitFor(() => expect(mara.state().views).toHaveLength(2), MAX_WAIT)
  return modalOf(mara)
}

it('shows a picked time even if the form was still being updated after typing', async () => {
  const view = await openPost('Launch day! tomorrow 9am on X')
  for (const delay_ms of [400, 800])
    upnext.slack.controls.injectFault({ method: 'views.update', delay_ms, times: 1 })
  const value = 'Launch day!!'
  const values = mara.fill({ Content: value })
  const action_id = /change:schedule:Content:\d+/.exec(modalOf(mara))?.[0] ?? ''
  const typing = mara.dispatchAction({ container: { view }, block_id: 'Content', action_id, value, values })
  await waitForOpenForm(view)
  await mara.dispatchAction({ ...pickTime(view), values })
  await typing
  await vi.waitFor(() => expect(modalOf(mara)).toContain('27 Nov'), MAX_WAIT)
})

it('shows a picked time in a form that was opened again after a rejection', async () => {
  const view = await openPost('Launch day! tomorrow 9am on X')
  const value = 'monday 9am'
  const typed = mara.fill({ ScheduleDate: value })
  const action_id = /change:schedule:ScheduleDate:\d+/.exec(modalOf(mara))?.[0] ?? ''
  const typing = { container: { view }, block_id: 'ScheduleDate', action_id, value }
  await mara.dispatchAction({ ...typing, values: typed })
  await vi.waitFor(() => expect(modalOf(mara)).toContain('Mon 23 Nov'), MAX_WAIT)
  respond = ({ method }) => (method === 'POST' ? Response.json({}, { status: 400 }) : undefined)
  await mara.submitView({ view, values: typed })
  await vi.waitFor(() => expect(modalOf(mara)).toMatch(/What you typed is still here/), MAX_WAIT)
  await mara.dispatchAction(pickTime(view))
  await vi.waitFor(() => expect(modalOf(mara)).toContain('27 Nov'), MAX_WAIT)
})

it('asks before it sends a form without the time that was just picked', async () => {
  const view = await openPost('Launch day! tomorrow 9am on X')
  await startAction(view, pickTime(view))
  await mara.submitUnseen({ view, values: {} })
  expect(modalOf(mara)).toMatch(MISSING_CHANGE)
  await upnext.settled()
  expect(await stored()).toEqual([])
})

it('asks before it sends a form with the image that was just removed', async () => {
  const view = await openPost('Launch day! tomorrow 9am on X')
  const file = await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())
  await mara.submitView({ view, values: mara.fill({ MediaFile: [file] }) })
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), MAX_WAIT)
  await upnext.settled()
  await mara.run('/upnext edit launch')
  const { id } = await mara.form('Edit a post')
  const action_id = 'change:edit:attachment'
  await startAction(id, { block_id: 'attachment', action_id })
  await mara.submitUnseen({ view: id, values: {} })
  expect(modalOf(mara)).toMatch(MISSING_CHANGE)
})

it('previews the day that the form shows, although "tomorrow" has become another day', async () => {
  const view = await openPost('Launch day! tomorrow 9am on X')
  upnext.wait({ minutes: 12 * 60 })
  expect(await preview(view)).toContain('Sat 21 Nov')
  await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
  await mara.submitAndHear({ view, values: {} }, /Scheduled in/)
  expect(await stored()).toMatchObject([{ schedule_date: SATURDAY }])
})

it('previews the time of the next free slot', async () => {
  await mara.run('/upnext slots mondays at 9:00 Berlin')
  const slots = await mara.form('Slots')
  await mara.submitAndHear({ view: slots.id, values: {} }, /\*Slots of Acme\*/)
  const view = await openPost('Launch day! next free slot on X')
  await vi.waitFor(() => expect(modalOf(mara)).toMatch(/23 Nov/), MAX_WAIT)
  expect(await preview(view)).toMatch(/23 Nov/)
})

it('asks about the day that the form shows, although "tomorrow" has become another day', async () => {
  const view = await openPost('Launch day of {{name}}! tomorrow 9am on X')
  upnext.wait({ minutes: 12 * 60 })
  await mara.submitUnseen({ view, values: {} })
  expect(modalOf(mara)).toContain('Sat 21 Nov')
  upnext.wait({ minutes: 1 })
  await mara.confirm('Schedule anyway')
  await vi.waitFor(async () => expect(await stored()).toMatchObject([{ schedule_date: SATURDAY }]), MAX_WAIT)
})

describe('the question about a missing change', () => {
  const isAsked = (words: RegExp) => vi.waitFor(() => expect(modalOf(mara)).toMatch(words), MAX_WAIT)
  const QUESTION = `${MISSING_CHANGE.source}\\. Go back to check the form, or send it as it is here:`

  it('names the user who was just picked, whose role is then changed', async () => {
    await mara.invite('bob@acme.example', 'VIEWER')
    await mara.run('/upnext user')
    const { id: view } = await mara.form('Change a user')
    const role = await mara.pick('Role', 'ADMIN')
    const bob = await mara.pick('record', 'bob@acme.example')
    const values = { ...role.values, ...bob.values }
    await startAction(view, { ...bob, values })
    await mara.submitUnseen({ view, values })
    await isAsked(new RegExp(`${QUESTION}.*\\*User\\*: .*bob@acme\\.example.*\\*Project\\*: Acme`))
    await mara.confirm('Change')
    await mara.hears('Updated bob@acme.example in Acme: admin')
  })

  it('names the project that was just picked, where the post is then scheduled', async () => {
    const view = await openPost('Launch day! tomorrow 9am on X')
    const block = mara
      .state()
      .views.at(-1)
      ?.blocks.find(({ block_id }) => block_id === 'project')
    const { action_id, options } = (block as unknown as { element: ProjectMenu }).element
    const value = options.find(({ text }) => text.text === 'Northwind')?.value ?? ''
    const values = { project: { [action_id]: value } }
    await startAction(view, { block_id: 'project', action_id, value, values })
    await mara.submitUnseen({ view, values })
    await isAsked(new RegExp(`${QUESTION}.*Launch day!.*\\*Project\\*: Northwind`))
    await mara.confirm('Schedule')
    await mara.hears(/Scheduled in Northwind[\s\S]*Launch day!/)
  })
})
