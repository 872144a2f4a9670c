import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAIT, press, sees } from './approval-requests.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined
const admins: string[] = []

// It is Friday 20 November 2026, 13:00 in Berlin.
async function open(service: Respond = () => undefined) {
  respond = () => undefined
  const options = { relaxTimeouts: true, disableRateLimits: true, admins }
  upnext = await openUpnext({ ...options, respond: async (call) => (await service(call)) ?? respond(call) })
  mara = upnext.person('mara')
  admins.splice(0, admins.length, mara.userId)
}
afterEach(() => upnext.close())

const failPosts =
  (status: number): Respond =>
  ({ method }) =>
    method === 'POST' ? Response.json({ detail: [] }, { status }) : undefined
const countPosts = async () => (await upnext.service.pool.query('select from service.post')).rowCount
/** The messages that everyone in the channel reads. */
const inChannel = () =>
  JSON.stringify((mara.state().messages[mara.channel] ?? []).filter(({ isEphemeral }) => !isEphemeral))
const lastBlocks = () => JSON.stringify(mara.lastMessage()?.blocks)

async function schedule(words: string, heard: RegExp, values: Record<string, string> = {}) {
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: mara.fill(values) }, heard)
}

describe('a held post that was handed over while its message was open', () => {
  /** The post goes out at 08:00 UTC on the next day. */
  const MINUTES_TO_HAND_OVER = 20 * 60 - 15
  beforeEach(async () => {
    await open(withoutExtensions)
    await schedule('Launch day! tomorrow 9am on X', /Held in Upnext for Acme/, { Status: 'HELD' })
  })
  async function handOver() {
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await vi.waitFor(async () => expect(await countPosts()).toBe(1), MAX_WAIT)
    await upnext.settled()
  }

  it('can be previewed after its cancellation was declined', async () => {
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await handOver()
    await mara.pressLast('cancel:keep')
    await mara.hears(/Kept.*Launch day!/s)
    await mara.pickLast('Preview')
    await mara.hears(/Preview.*Launch day!.*X: 269 left/s)
  })

  it('can be shared', async () => {
    await mara.runAndHear('/upnext posts', /Launch day!.*held in Upnext/s)
    await handOver()
    await mara.pickLast('Share')
    const { id: view } = await mara.form('Share a post')
    await mara.submitAndHear({ view, values: {} }, /Shared in/)
    expect(inChannel()).toMatch(/Launch day!.*Sat 21 Nov.*Shared by <@/)
  })

  it('is not shown as kept if the service rejected it', async () => {
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    respond = failPosts(422)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await mara.hears(/The scheduling service rejected this/)
    await mara.pressLast('cancel:keep')
    const note = /This post couldn't be sent\. Its author has been asked.*Launch day!/
    await vi.waitFor(() => expect(lastBlocks()).toMatch(note), MAX_WAIT)
    expect(lastBlocks()).not.toContain('Kept')
  })
})

describe('a post on its way to the service', () => {
  async function waitForApproval() {
    await open()
    const yuki = upnext.person('yuki')
    await mara.run('/upnext approval')
    const { id } = await mara.form('Approval')
    const rule = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await mara.submitAndHear({ view: id, values: rule }, /need approval/)
    await schedule('Launch day! monday 9am on X', /Waiting for approval in/)
    return yuki
  }
  /** The service rejects the approved post for the moment. */
  async function approve(yuki: Member) {
    respond = failPosts(503)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(yuki, /Approved by/)
    await upnext.settled()
  }

  it('is shared in a message that follows it to the service', async () => {
    const yuki = await waitForApproval()
    await mara.run('/upnext share launch')
    const { id: view } = await mara.form('Share a post')
    await approve(yuki)
    await mara.submitAndHear({ view, values: {} }, /Shared in/)
    respond = () => undefined
    await upnext.settled()
    upnext.wait({ minutes: 5 })
    await vi.waitFor(async () => expect(await countPosts()).toBe(1), MAX_WAIT)
    await upnext.waitFor(() => expect(inChannel()).toMatch(/Scheduled in Acme.*Launch day!/))
    expect(inChannel()).not.toContain('Cancelled')
  })

  it('has a note instead of a menu after its cancellation was declined', async () => {
    const yuki = await waitForApproval()
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await approve(yuki)
    await mara.pressLast('cancel:keep')
    const note = /Kept.*Launch day!.*already on its way to the scheduling service/
    await vi.waitFor(() => expect(lastBlocks()).toMatch(note), MAX_WAIT)
    expect(lastBlocks()).not.toContain('record:menu')
  })

  it.each(['share', 'cancel'])('says so in response to %s', async (command) => {
    await open()
    // A post that the service lists shows that its list can be trusted.
    await schedule('Certainly there in 3 days at 9am on X', /Scheduled in/)
    respond = failPosts(503)
    await mara.run('/schedule-post Launch day! monday 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.runAndHear('/upnext posts', /Launch day!.*on its way/s)
    await mara.runAndHear(`/upnext ${command} launch`, /^This post is on its way to the scheduling service/)
    expect(mara.lastText()).toContain('Try again in a few minutes')
  })
})

it('offers no Undo for a move from a time that has passed', async () => {
  await open()
  await upnext.service.pool.query(
    `insert into service.post (project_id, content, platforms, status, schedule_date, timezone)
     values ($1, 'Launch day!', '{X}', 'FAILED', '2026-11-20T09:00Z', 'Europe/Berlin')`,
    [upnext.project],
  )
  await mara.run('/upnext reschedule launch')
  const { id } = await mara.form('Reschedule a post')
  const values = mara.fill({ ScheduleDate: 'monday 9am' })
  const moved = /Rescheduled.*Mon 23 Nov, 09:00.*Moved from Fri 20 Nov, 10:00/s
  await mara.submitAndHear({ view: id, values }, moved)
  expect(mara.lastText()).not.toContain('Undo')
})
