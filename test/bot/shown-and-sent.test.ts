import { afterEach, expect, it, vi } from 'vitest'
import { MAX_WAIT, openWithAdmin } from './approval-requests.ts'
import { type Member, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let priya: Member
let yuki: Member

afterEach(() => upnext.close())

const open = async (respond = withoutExtensions) => {
  ;({ upnext, mara, priya, yuki } = await openWithAdmin({ respond }))
}

const listStored = async () =>
  (await upnext.service.pool.query('select content, status, platforms from service.post order by content'))
    .rows

it("sends a platform's own text to a service without platform texts, if it is the only platform left", async () => {
  await open()
  await mara.run('/schedule-post Long common text. tomorrow 9am on LinkedIn, X')
  const { id } = await mara.form('Schedule a post')
  await mara.dispatchAction({
    container: { view: id },
    block_id: 'offer',
    action_id: 'change:schedule:offer',
  })
  await vi.waitFor(
    () => expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain('Texts.X'),
    MAX_WAIT,
  )
  const values = mara.fill({ 'Texts.X': 'Launch!', Platforms: ['X'] })
  await mara.submitAndHear({ view: id, values }, /Scheduled in/)
  expect(await listStored()).toMatchObject([{ content: 'Launch!', platforms: ['X'] }])
})

async function openWithTakenSlot() {
  await open(() => undefined)
  await mara.run('/upnext slots mondays at 9:00 Berlin')
  const slots = await mara.form('Slots')
  await mara.submitAndHear({ view: slots.id, values: {} }, /\*Slots of Acme\*/)
  await mara.run('/upnext approval')
  const { id: rule } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', approvers: [yuki.userId] })
  await mara.submitAndHear({ view: rule, values }, /need approval/)
  await priya.run('/schedule-post Launch day! monday 9am Berlin on LinkedIn')
  const { id } = await priya.form('Schedule a post')
  await priya.submitAndHear({ view: id, values: {} }, /Waiting for approval/)
}

it('saves drafts at the time of a slot that another post has', async () => {
  await openWithTakenSlot()
  await mara.run('/schedule-post Another idea monday 9am on LinkedIn as a draft')
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, /Saved as a draft/)
  await mara.run('/schedule-post Later idea tuesday 9am on LinkedIn as a draft')
  const later = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: later.id, values: {} }, /Saved as a draft/)
  await mara.run('/upnext edit later')
  const edit = await mara.form('Edit a post')
  const values = mara.fill({ ScheduleDate: 'monday 9am Berlin' })
  await mara.submitAndHear({ view: edit.id, values }, /Saved the changes/)
})

it('lets a post with the same text share a slot if its author agrees', async () => {
  await openWithTakenSlot()
  await mara.run('/schedule-post Launch day! monday 9am Berlin on LinkedIn')
  const { id } = await mara.form('Schedule a post')
  await mara.submitView({ view: id, values: {} })
  expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toMatch(
    /The same text is already scheduled.*This slot is taken/s,
  )
  await mara.confirm('Schedule anyway')
  await mara.hears(/Waiting for approval/)
})

it('continues a form with the time that was picked last', async () => {
  await open(() => undefined)
  const shown = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
  await mara.run('/schedule-post Launch tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  await mara.dispatchAction({
    container: { view: id },
    block_id: 'alternatives:ScheduleDate',
    action_id: /change:schedule:picker:\d+/.exec(shown())?.[0] ?? '',
    value: String(Date.parse('2026-11-27T16:00Z') / 1000),
  })
  await vi.waitFor(() => expect(shown()).toContain('27 Nov'), MAX_WAIT)
  await mara.closeView({ view: id })
  await mara.run('/schedule-post')
  const again = await mara.form('Schedule a post')
  await mara.dispatchAction({
    container: { view: again.id },
    block_id: 'unfinished',
    action_id: 'change:schedule:unfinished',
  })
  await vi.waitFor(() => expect(shown()).not.toContain('You closed a form'), MAX_WAIT)
  expect(shown()).toContain('27 Nov')
  expect(shown()).not.toContain('tomorrow 9am')
})
