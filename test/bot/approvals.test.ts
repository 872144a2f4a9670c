import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  directMessages,
  hasSeen,
  lastRequest,
  MAX_WAIT,
  modalOf,
  openWithAdmin,
  press,
  sees,
} from './approval-requests.ts'
import { planner } from './planner.ts'
import { type Member, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member

// It is Friday 20 November 2026, 13:00 in Berlin.
const open = async (respond?: Respond) => {
  ;({ upnext, mara, yuki, priya } = await openWithAdmin({ ...(respond && { respond }) }))
}
afterEach(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
  // One test lets Slack fail.
  expect(problems.filter((problem) => problem !== 'internal_error')).toEqual([])
  await upnext.close()
})

const { seesReview, importFile, press: pressInReview } = planner(() => ({ upnext, mara }))

/** Mara, an admin, has Yuki approve the posts of the project. */
async function requireApproval(approvers = [yuki.userId], options: string[] = []) {
  await mara.run('/upnext approval')
  const { id } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', approvers, options })
  await mara.submitAndHear({ view: id, values }, /need approval/)
}
/** The admins are asked about what still waits, so Mara gets other messages, too. */
async function turnOff() {
  await mara.run('/upnext approval')
  const { id } = await mara.form('Approval')
  await mara.submitView({ view: id, values: mara.fill({ mode: 'off' }) })
  await sees(yuki, /turned approval off for Acme/)
}
const schedule = async (words: string, member = priya) => {
  await member.run(`/schedule-post ${words}`)
  const { id } = await member.form('Schedule a post')
  await member.submitAndHear({ view: id, values: {} }, /Waiting for approval in Acme/)
}
const schedulePost = async (words: string) => {
  await priya.run(`/schedule-post ${words}`)
  const { id } = await priya.form('Schedule a post')
  await priya.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
}
const POST = 'Launch day! tomorrow 9am on X'

const stored = async () =>
  (await upnext.service.pool.query('select content, status from service.post order by content')).rows.map(
    ({ content, status }) => `${content} ${status}`,
  )

/** Imports a plan, and presses the button that schedules it. */
async function schedulePlan(Plan: string) {
  await priya.run('/upnext import')
  const { id } = await priya.form('Import a plan')
  await priya.submitView({ view: id, values: priya.fill({ Plan }) })
  const button = () =>
    priya
      .state()
      .views.at(-1)
      ?.blocks.find((block) => JSON.stringify(block).includes('plan:schedule'))
  await vi.waitFor(() => expect(button()).toBeDefined(), MAX_WAIT)
  const container = { view: priya.state().views.at(-1)?.id ?? '' }
  await priya.dispatchAction({ container, block_id: button()?.block_id ?? '', action_id: 'plan:schedule' })
}

describe('a post of a project whose posts need approval', () => {
  beforeEach(() => open())

  it('goes to the service once the approver has approved it, and says who must act until then', async () => {
    await requireApproval()
    await schedule(POST)
    expect(await stored()).toEqual([])
    await yuki.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(yuki.state().home)).toMatch(/1 post to approve/), MAX_WAIT)
    await sees(yuki, /<@\w+> asks for your approval in Acme.*Launch day!.*Approve.*Ask for changes/s)
    await priya.runAndHear('/upnext posts', /Launch day!.*waiting for approval/s)
    await priya.runAndHear('/upnext approve', new RegExp(`waiting for <@${yuki.userId}>`))
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
    await sees(yuki, /Approved by .*Launch day!/s)
    await sees(priya, /approved \\"Launch day!\\" in Acme/)
  })

  it('notifies its author when an approved change by a colleague is made', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(priya, /approved \\"Launch day!\\" in Acme/)
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
    await mara.run('/upnext edit Launch')
    const { id } = await mara.form('Edit a post')
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Better launch day!' }) })
    await sees(yuki, /asks for your approval to change.*Better launch/s)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Better launch day! SCHEDULED']), MAX_WAIT)
    await sees(priya, /changed your post in Acme.*Better launch day!/s)
  })

  it('is not sent if its decision comes after its time, and its author can pick a new time', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    const old = lastRequest(yuki)
    // The message still has its buttons when it is pressed, whichever message is updated first.
    upnext.slack.controls.injectFault({ method: 'chat.update', error: 'internal_error', times: 1000 })
    upnext.wait({ minutes: 24 * 60 })
    await hasSeen(priya, /It wasn't approved in time.*Pick a new time/s)
    await press(yuki, 'approval:approve', old)
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/This post wasn't approved in time/), MAX_WAIT)
    upnext.slack.controls.clearFaults()
    upnext.wait({ minutes: 1 })
    await vi.waitFor(
      () => expect(JSON.stringify(directMessages(yuki))).toMatch(/This post wasn't approved in time/),
      MAX_WAIT,
    )
    expect(await stored()).toEqual([])
  })

  it('is never approved in an outdated version: an old message shows the difference', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    const old = lastRequest(yuki)
    // The message still shows the old text when it is pressed, whichever message is updated first.
    upnext.slack.controls.injectFault({ method: 'chat.update', error: 'internal_error', times: 1000 })
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    await priya.submitAndHear(
      { view: edit.id, values: priya.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    await press(yuki, 'approval:approve', old)
    await vi.waitFor(
      () =>
        expect(modalOf(yuki)).toMatch(
          /has changed since you saw it.*Before.*Launch day!.*Now.*Launch night!/s,
        ),
      MAX_WAIT,
    )
    expect(await stored()).toEqual([])
    // The update has failed, and is tried again after a pause.
    upnext.slack.controls.clearFaults()
    await upnext.settled()
    upnext.wait({ minutes: 1 })
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(yuki))).toMatch(/Before:\* Launch day!/),
      MAX_WAIT,
    )
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
  })

  it("isn't shown as changed when only its time changes", async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval.*21 Nov/s)
    await priya.run('/upnext reschedule launch')
    const move = await priya.form('Reschedule a post')
    const later = priya.fill({ ScheduleDate: 'monday 9am' })
    await priya.submitAndHear({ view: move.id, values: later }, /Rescheduled/)
    await sees(yuki, /asks for your approval.*23 Nov/s)
    expect(JSON.stringify(lastRequest(yuki))).not.toContain('Before:')
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('can still be changed and cancelled with its old buttons once it is approved', async () => {
    await requireApproval()
    await priya.run(`/schedule-post ${POST}`)
    const { id } = await priya.form('Schedule a post')
    const notify = { notify: { notify: ['yes'] } }
    await priya.submitAndHear({ view: id, values: notify }, /Posted in/)
    const inChannel = () => JSON.stringify(priya.state().messages[priya.channel])
    await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await sees(yuki, /asks for your approval/)
    await yuki.runAndHear('/upnext posts', /Launch day!.*waiting for approval/s)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
    await upnext.waitFor(() => expect(inChannel()).toMatch(/Scheduled in Acme.*Launch day!.*Cancel post/))
    await priya.pressLast('cancel:confirm')
    await upnext.waitFor(() => expect(inChannel()).toMatch(/in the scheduling service now. Change it with/))
    // The list still has the id that the post had in Upnext.
    await yuki.pickLast('Edit')
    const edit = await yuki.form('Edit a post')
    await yuki.closeView({ view: edit.id })
    await yuki.pickLast('Cancel post')
    await yuki.hears(/Cancel this post\?/)
    await yuki.pressLast('cancel:confirm')
    await yuki.hears(/Cancelled\..*Launch day!/s)
    await upnext.waitFor(() => expect(inChannel()).toMatch(/Cancelled in Acme.*Launch day!/))
  })

  it('is not approved for a time that the approver has not seen', async () => {
    await requireApproval()
    await schedule('Happy new year! 1 jan 2027 9am on X')
    await sees(yuki, /asks for your approval/)
    await yuki.runAndHear('/upnext approve', /Fri 1 Jan 2027, 09:00.*Happy new year!/s)
    await priya.run('/upnext reschedule happy')
    const move = await priya.form('Reschedule a post')
    const sooner = priya.fill({ ScheduleDate: 'tomorrow 9am' })
    await priya.submitAndHear({ view: move.id, values: sooner }, /Rescheduled/)
    await yuki.pressLast('approval:approve')
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/has changed since you saw it/), MAX_WAIT)
    expect(await stored()).toEqual([])
    await yuki.runAndHear('/upnext approve', /Sat 21 Nov.*Happy new year!/s)
    await yuki.pressLast('approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Happy new year! SCHEDULED']), MAX_WAIT)
  })

  it.each(['https://acme.example/clip.mp4', 'https://cdn.acme.example/asset?id=5'])(
    'names its media in the request, although the preview has no image of %s',
    async (Media) => {
      await requireApproval()
      await priya.run(`/schedule-post ${POST}`)
      const { id } = await priya.form('Schedule a post')
      await priya.submitAndHear({ view: id, values: priya.fill({ Media }) }, /Waiting for approval/)
      await sees(yuki, /asks for your approval/)
      expect(JSON.stringify(lastRequest(yuki)?.blocks)).toContain(Media)
    },
  )

  it("is still not approved by its author after someone else's change", async () => {
    await requireApproval([yuki.userId, priya.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await mara.run('/upnext edit launch')
    const edit = await mara.form('Edit a post')
    await mara.submitAndHear(
      { view: edit.id, values: mara.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    await sees(yuki, /Now:\* Launch night!/)
    await press(priya, 'approval:approve', lastRequest(yuki)).catch(() => undefined)
    // Priya is also notified of the change.
    await upnext.settled()
    await priya.runAndHear('/upnext approve', /Your posts waiting for others/)
    expect(priya.lastText()).not.toContain('Waiting for your approval')
    expect(await stored()).toEqual([])
  })

  it("can't be approved by its author or by anyone who changed its text", async () => {
    await requireApproval([yuki.userId, priya.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    expect(lastRequest(priya)).toBeUndefined()
    // Yuki's message keeps its buttons until it can be updated.
    upnext.slack.controls.injectFault({ method: 'chat.update', error: 'internal_error', times: 1000 })
    await yuki.run('/upnext edit launch')
    const edit = await yuki.form('Edit a post')
    await yuki.submitAndHear(
      { view: edit.id, values: yuki.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      () => expect(modalOf(yuki)).toMatch(/You changed this post, so someone else has to approve it/),
      MAX_WAIT,
    )
    expect(await stored()).toEqual([])
    upnext.slack.controls.clearFaults()
    await upnext.settled()
    upnext.wait({ minutes: 1 })
    await sees(yuki, /This no longer needs your approval/)
  })

  it('is not offered to the admin who scheduled it', async () => {
    await requireApproval([yuki.userId], ['admins'])
    await schedule(POST, mara)
    await sees(yuki, /asks for your approval/)
    await mara.runAndHear('/upnext approve', /Your posts waiting for others.*Launch day!/s)
    expect(mara.lastText()).not.toContain('Waiting for your approval')
  })

  it('goes back to its author with a reason, and is decided once', async () => {
    await requireApproval([yuki.userId, mara.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await sees(mara, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    await yuki.submitView({ view: form.id, values: yuki.fill({ reason: 'Name the <shop>.' }) })
    await sees(priya, /wants you to change \\"Launch day!\\" in Acme: \\"Name the &lt;shop&gt;\.\\"/)
    await sees(mara, /Changes requested by/)
    await press(mara, 'approval:approve', lastRequest(mara)).catch(() => undefined)
    expect(await stored()).toEqual([])
  })

  it("shows the text of a request for changes that comes too late, and doesn't audit it as an approval", async () => {
    await requireApproval([yuki.userId, mara.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    await sees(mara, /asks for your approval/)
    await press(mara, 'approval:approve')
    await sees(priya, /approved/)
    const values = yuki.fill({ reason: 'Name the *shop*.', suggestion: 'Launch day in Bonn!' })
    await yuki.submitView({ view: form.id, values })
    await vi.waitFor(
      () =>
        expect(modalOf(yuki)).toMatch(
          /Approved by.*Your message wasn't sent:.*Name the \*shop\*\..*Launch day in Bonn!/,
        ),
      MAX_WAIT,
    )
    await mara.run('/upnext audit @yuki')
    await mara.hears(/\*approval refuse\* · not accepted\n.*reason: Name the \*shop\*\./)
    expect(mara.lastText()).not.toMatch(/\*approve\* · done/)
  })

  it('suggests no text if the form would cut it off', async () => {
    await requireApproval()
    const text = `${'Our story. '.repeat(300)}The end!`
    await importFile('plan.csv', `Text,Date,Platforms\n"${text}",2026-12-03 09:00,Telegram`)
    await seesReview(/\*1 post\* for Acme/)
    await pressInReview('plan:schedule')
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const { id } = await yuki.form('Ask for changes')
    await yuki.submitView({ view: id, values: yuki.fill({ reason: 'Move it to noon' }) })
    await hasSeen(mara, /wants you to change/)
    await mara.runAndHear('/upnext approve', /Changes requested.*Move it to noon/s)
    expect(mara.lastText()).not.toContain('Use the suggested text')
  })

  it("doesn't show the post's own text as an unsent suggestion", async () => {
    await requireApproval([yuki.userId, mara.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    await priya.run('/upnext edit launch')
    const { id } = await priya.form('Edit a post')
    await priya.submitAndHear({ view: id, values: priya.fill({ Content: 'Launch night!' }) }, /Saved/)
    await yuki.submitView({ view: form.id, values: yuki.fill({ reason: 'Shorter' }) })
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/Your message wasn't sent:.*Shorter/), MAX_WAIT)
    expect(modalOf(yuki).split("Your message wasn't sent:")[1]).not.toContain('Launch day!')
  })

  it('shows the reason of a request for changes literally', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    await yuki.submitView({ view: form.id, values: yuki.fill({ reason: 'Please *shorten*\nit' }) })
    // A word joiner keeps Slack from reading the asterisks as bold.
    await sees(yuki, /Changes requested by .*: Please \u2060\*\u2060shorten\u2060\*\u2060 it/)
    await sees(priya, /\u2060\*\u2060shorten/)
  })

  it('is left out of an export, which says that it waits for approval', async () => {
    await requireApproval()
    await schedule(POST)
    await priya.runAndHear(
      '/upnext export tomorrow',
      /No scheduled posts or drafts in Acme .*\. 1 post waits for approval and can't be exported\./,
    )
  })

  it('goes out with what the form adds and leaves out: a description, a text equal to the common one', async () => {
    await requireApproval()
    await priya.run('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
    const { id } = await priya.form('Schedule a post')
    await priya.dispatchAction({
      container: { view: id },
      block_id: 'offer',
      action_id: 'change:schedule:offer',
    })
    const varied = () => modalOf(priya).includes('Texts.X')
    await vi.waitFor(() => expect(varied()).toBe(true), MAX_WAIT)
    await priya.submitAndHear(
      { view: id, values: priya.fill({ 'Texts.X': 'Launch!' }) },
      /Waiting for approval/,
    )
    await sees(yuki, /LinkedIn.*Launch day!.*Launch!/s)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
    const { rows } = await upnext.service.pool.query('select texts from service.post')
    expect(rows).toEqual([{ texts: { X: 'Launch!' } }])
  })

  it('is changed to the text that an approver suggests, with one click', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    const values = yuki.fill({ reason: 'Shorter', suggestion: 'Launch!' })
    await yuki.submitView({ view: form.id, values })
    await sees(priya, /wants you to change .*: \\"Shorter\\"\\nThey suggest: \\"Launch!\\"/)
    await priya.runAndHear('/upnext approve', /Your posts with requested changes.*Shorter.*Launch!/s)
    await priya.pressLast('approval:use')
    const edit = await priya.form('Edit a post')
    await priya.submitAndHear({ view: edit.id, values: {} }, /Saved the changes/)
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(yuki))).toMatch(/asks for your approval.*Launch!/s),
      MAX_WAIT,
    )
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch! SCHEDULED']), MAX_WAIT)
  })

  it('needs approval again after its author answers a request for changes with a new time', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:refuse')
    const form = await yuki.form('Ask for changes')
    await yuki.submitView({ view: form.id, values: yuki.fill({ reason: 'Not before Monday' }) })
    await sees(priya, /wants you to change/)
    upnext.wait({ minutes: 1 })
    await priya.run('/upnext reschedule launch')
    const move = await priya.form('Reschedule a post')
    await priya.submitAndHear(
      { view: move.id, values: priya.fill({ ScheduleDate: 'monday 9am' }) },
      /Rescheduled/,
    )
    await vi.waitFor(() => expect(JSON.stringify(lastRequest(yuki))).toMatch(/"approval:approve"/), MAX_WAIT)
    await sees(yuki, /A post has changed or was moved to an earlier time, and needs your approval/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
    expect(
      directMessages(yuki).filter(({ text = '' }) => /moved to an earlier time/.test(text)),
    ).toHaveLength(1)
  })

  it('is refused if its time leaves none for the approval, and so is a change', async () => {
    await schedulePost('Launch day! tomorrow 9am on X')
    await requireApproval()
    const TOO_SOON = { errors: { ScheduleDate: expect.stringMatching(/must be approved before its time/) } }
    await priya.run('/schedule-post Sale! now on X')
    const { id } = await priya.form('Schedule a post')
    expect(await priya.submitView({ view: id, values: {} })).toEqual(TOO_SOON)
    await priya.closeView({ view: id })
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    const values = priya.fill({ Content: 'Launch night!', ScheduleDate: 'now' })
    await priya.submitUnseen({ view: edit.id, values })
    upnext.wait({ minutes: 1 })
    await priya.confirm(priya.state().views.at(-1)?.submit?.text ?? '')
    await vi.waitFor(() => expect(modalOf(priya)).toMatch(/must be approved before its time/), MAX_WAIT)
  })

  it('is listed before posts that go out later, whenever approval was requested', async () => {
    await requireApproval()
    await schedule('Evening sale tomorrow 18:00 on X')
    upnext.wait({ minutes: 1 })
    await schedule('Morning sale tomorrow 9am on X')
    await yuki.run('/upnext approve')
    await yuki.hears(/Waiting for your approval[\s\S]*Morning sale[\s\S]*Evening sale/)
  })

  it('needs only the other approvers if its author is one of them', async () => {
    await requireApproval([yuki.userId, priya.userId], ['all'])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('can be approved by the only remaining approver after the others are removed', async () => {
    await requireApproval([yuki.userId, mara.userId], ['all'])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(() => expect(JSON.stringify(lastRequest(yuki))).toMatch(/so far/), MAX_WAIT)
    await requireApproval([yuki.userId], ['all'])
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('needs all approvers if the rule says so', async () => {
    await requireApproval([yuki.userId, mara.userId], ['all'])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await sees(mara, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(mara))).toMatch(/Approved by <@\w+> so far/),
      MAX_WAIT,
    )
    expect(await stored()).toEqual([])
    // While the first press is handled, a second one is a double click.
    await upnext.settled()
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      () => expect(modalOf(yuki)).toMatch(/already approved this post\. It still needs/),
      MAX_WAIT,
    )
    await yuki.runAndHear('/upnext approve', /No posts are waiting for your approval/)
    await press(mara, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })
})

describe('an approval that nobody can bypass', () => {
  beforeEach(() => open())

  /** Nothing reaches the service, and the post waits. */
  const waits = async (words: RegExp) => {
    await upnext.settled()
    expect((await stored()).filter((post) => !post.endsWith('DRAFT'))).toEqual([])
    await priya.runAndHear('/upnext approve', words)
  }

  it('applies to a plan', async () => {
    await requireApproval()
    await schedulePlan(`${POST}\nOne more monday 9am on X`)
    await sees(priya, /2 posts wait for approval in Acme/)
    await waits(/Launch day!.*One more/s)
  })

  const change = async (command: string, title: string, values: Record<string, string>) => {
    await priya.run(command)
    const form = await priya.form(title)
    await priya.submitView({ view: form.id, values: priya.fill(values) })
    await vi.waitFor(() => expect(modalOf(priya)).toMatch(/This change is waiting for approval/), MAX_WAIT)
    await priya.closeView({ view: form.id })
  }

  it.each([
    ['edited', '/upnext edit launch', 'Edit a post', { Status: 'SCHEDULED' }],
    ['moved', '/upnext reschedule launch', 'Reschedule a post', { ScheduleDate: 'monday 9am' }],
  ])('applies to a draft that is %s', async (_how, command, title, values) => {
    await requireApproval()
    await priya.run(`/schedule-post ${POST} as a draft`)
    const { id } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view: id, values: {} }, /Saved as a draft/)
    await change(command, title, values as unknown as Record<string, string>)
    await waits(/Launch day!/)
    expect(await stored()).toEqual(['Launch day! DRAFT'])
    await sees(yuki, /asks for your approval to change a post in Acme/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  describe('applies to a change of a scheduled post', () => {
    beforeEach(async () => {
      await priya.run(`/schedule-post ${POST}`)
      const { id } = await priya.form('Schedule a post')
      await priya.submitAndHear({ view: id, values: {} }, /Scheduled in/)
      await requireApproval()
    })

    it('which replaces it once it is approved', async () => {
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch night!' })
      expect(await stored()).toEqual(['Launch day! SCHEDULED'])
      await sees(yuki, /to change a post in Acme.*Before:\* Launch day!.*Now:\* Launch night!/s)
      await priya.runAndHear('/upnext posts', /Launch day!/)
      expect(priya.lastText()).not.toContain('Launch night!')
      await press(yuki, 'approval:approve')
      await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
    })

    it('which the edit form mentions while it waits', async () => {
      await priya.run('/upnext edit launch')
      const { id } = await priya.form('Edit a post')
      expect(modalOf(priya)).not.toMatch(/isn't approved yet/)
      await priya.closeView({ view: id })
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch night!' })
      await priya.run('/upnext edit launch')
      await priya.form('Edit a post')
      expect(modalOf(priya)).toMatch(
        /A change to this post isn't approved yet: \\"Launch night!\\"\. Saving replaces it\./,
      )
    })

    it('which is dropped if the time of the post comes first, whether the rule stays or not', async () => {
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch night!' })
      await turnOff()
      upnext.wait({ minutes: 24 * 60 })
      await hasSeen(priya, /This change wasn't approved in time, so the post stayed as it was/)
      expect((await stored()).join()).toMatch(/^Launch day! /)
    })

    it('which is missed without harm to the post, and its approver reads that', async () => {
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch night!' })
      await sees(yuki, /asks for your approval to change/)
      upnext.wait({ minutes: 24 * 60 })
      await hasSeen(yuki, /This change wasn't approved in time, so the post stayed as it was/)
    })

    it('which a later change replaces, and which is dropped when the post is cancelled', async () => {
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch night!' })
      await sees(yuki, /Launch night!/)
      await change('/upnext edit launch', 'Edit a post', { Content: 'Launch week!' })
      await sees(yuki, /Launch week!/)
      await vi.waitFor(
        () => expect(JSON.stringify(directMessages(yuki))).toMatch(/This post was cancelled/),
        MAX_WAIT,
      )
      await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
      await priya.pressLast('cancel:confirm')
      await vi.waitFor(async () => expect(await stored()).toEqual([]), MAX_WAIT)
      await waits(/No posts are waiting/)
    })

    it('except for its time', async () => {
      await priya.run('/upnext reschedule launch')
      const move = await priya.form('Reschedule a post')
      const later = priya.fill({ ScheduleDate: 'monday 9am' })
      await priya.submitAndHear({ view: move.id, values: later }, /Rescheduled/)
      expect(await stored()).toEqual(['Launch day! SCHEDULED'])
    })
  })

  it('still applies to a waiting post after the rule is turned off', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await turnOff()
    await sees(yuki, /turned approval off for Acme/)
    await waits(/Launch day!/)
    await vi.waitFor(
      () => expect(JSON.stringify(directMessages(yuki))).toMatch(/This no longer needs your approval/),
      MAX_WAIT,
    )
    await mara.runAndHear('/upnext approve', /Launch day!/)
    await mara.pressLast('approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('still applies to a waiting post that is edited after the rule is turned off', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await turnOff()
    await sees(priya, /turned approval off for Acme/)
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    await priya.submitAndHear(
      { view: edit.id, values: priya.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    await waits(/Launch night!/)
    await sees(mara, /Before:.*Launch day!.*Now:.*Launch night!/s)
    await press(mara, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
  })

  it('applies to a copy of a scheduled post', async () => {
    await priya.run(`/schedule-post ${POST}`)
    const { id } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await requireApproval()
    await priya.runAndHear('/upnext find launch', /Launch day!/)
    await priya.pickLast('Duplicate')
    const copy = await priya.form('Schedule a post')
    const values = priya.fill({ Content: 'Launch day again!', ScheduleDate: 'monday 9am' })
    await priya.submitAndHear({ view: copy.id, values }, /Waiting for approval in Acme/)
    expect(await stored()).toEqual(['Launch day! SCHEDULED'])
  })

  it('applies to a waiting post that is shared', async () => {
    await requireApproval()
    await schedule(POST)
    await priya.run('/upnext share launch')
    const form = await priya.form('Share a post')
    await priya.submitAndHear({ view: form.id, values: priya.fill({ comment: 'Look' }) }, /Launch day!/)
    await waits(/Launch day!/)
  })

  it('applies again to a missed post that gets a new time in the outbox', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    upnext.wait({ minutes: 24 * 60 })
    await hasSeen(priya, /It wasn't approved in time.*Pick a new time/s)
    await priya.pressLast('outbox:edit')
    const form = await priya.form('Schedule a post')
    const values = priya.fill({ ScheduleDate: 'in 3 days at 9am' })
    await priya.submitAndHear({ view: form.id, values }, /Waiting for approval in Acme/)
    await waits(/Launch day!/)
  })

  it('does not accept a deactivated approver', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    upnext.slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await press(yuki, 'approval:approve').catch(() => undefined)
    await waits(/Launch day!/)
  })
})

describe('a waiting post', () => {
  beforeEach(() => open())

  it('is brought to mind a day and two hours before, and admins are asked in the last hour', async () => {
    await requireApproval([yuki.userId])
    await schedule('Launch day! sunday 9am Berlin time on X')
    await sees(yuki, /asks for your approval/)
    const reminders = () =>
      directMessages(yuki).filter(({ text = '' }) => /still needs your approval/.test(text)).length
    const count = (expected: number) => vi.waitFor(() => expect(reminders()).toBe(expected), MAX_WAIT)
    await upnext.settled()
    expect(reminders()).toBe(0)
    upnext.wait({ minutes: 20 * 60 + 1 })
    await count(1)
    expect(lastRequest(mara)).toBeUndefined()
    upnext.wait({ minutes: 22 * 60 })
    await count(2)
    upnext.wait({ minutes: 62 })
    await count(3)
    await sees(mara, /asks for your approval/)
    await press(mara, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('is brought to mind in one message if there are several posts', async () => {
    await requireApproval([yuki.userId])
    for (const post of [
      'One sunday 9am on X',
      'Two sunday 10am on X',
      'Three sunday 11am on X',
      'Four monday 9am on X',
    ])
      await schedule(post)
    await upnext.settled()
    const reminders = () =>
      directMessages(yuki).flatMap(({ text = '', ...message }) =>
        /still need/.test(text) ? [{ text, message: JSON.stringify(message) }] : [],
      )
    // It is Saturday, 9:01 and later 11:01.
    upnext.wait({ minutes: 20 * 60 + 1 })
    await vi.waitFor(() => expect(reminders()).toHaveLength(1), MAX_WAIT)
    upnext.wait({ minutes: 120 })
    await upnext.settled()
    expect(reminders()).toHaveLength(1)
    expect(reminders()[0]?.text).toBe('3 posts in Acme still need your approval')
    expect(reminders()[0]?.message).toMatch(/One.*Two.*Three.*Review one by one/s)
    await press(
      yuki,
      'command:approve',
      directMessages(yuki).findLast(({ text }) => /3 posts/.test(text ?? '')),
    )
    await sees(yuki, /Waiting for your approval.*One.*Two.*Three.*Four/s)
  })

  it('is gone from everyone who was asked when it is cancelled', async () => {
    await requireApproval([yuki.userId])
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await priya.pressLast('cancel:confirm')
    await sees(yuki, /This post was cancelled/)
  })
})

describe('posts of a plan', () => {
  beforeEach(() => open())

  const importPlan = async () => {
    await requireApproval()
    await schedulePlan('One monday 9am on X\nTwo tuesday 9am on X\nThree wednesday 9am on X')
    await sees(yuki, /asks for your approval of 3 posts in Acme.*One.*Two.*Three.*Approve all 3/s)
  }
  const requests = () =>
    directMessages(yuki).filter(({ blocks }) => JSON.stringify(blocks ?? []).includes('your approval of'))

  it('are not cancelled by Undo if a colleague has changed them, or if they are on their way', async () => {
    let isDown = false
    await upnext.close()
    await open(({ method, url }) =>
      isDown && method === 'POST' && /\/posts$/.test(url) ? new Response(null, { status: 503 }) : undefined,
    )
    await importPlan()
    await sees(priya, /3 posts wait for approval in Acme/)
    await yuki.run('/upnext edit two')
    const { id } = await yuki.form('Edit a post')
    await yuki.submitAndHear({ view: id, values: yuki.fill({ Content: 'Two!' }) }, /Saved the changes/)
    isDown = true
    await yuki.runAndHear('/upnext approve', /Waiting for your approval/)
    await yuki.pressLast('approval:approve')
    const states = async () =>
      (await upnext.service.pool.query('select state from upnext.outbox_item order by seq')).rows.map(
        ({ state }) => state,
      )
    await vi.waitFor(async () => expect(await states()).toEqual(['unconfirmed', 'held', 'held']), MAX_WAIT)
    const message = directMessages(priya).findLast(({ blocks }) =>
      JSON.stringify(blocks ?? []).includes('plan:undo'),
    )
    await press(priya, 'plan:undo', message)
    await vi.waitFor(
      () =>
        expect(JSON.stringify(directMessages(priya))).toMatch(
          /Undone: cancelled 1 post in Acme\. Not cancelled: 2 posts \(already out, being sent, changed since/,
        ),
      MAX_WAIT,
    )
    expect(await states()).toEqual(['unconfirmed', 'held'])
  })

  it('are not cancelled by Undo if a colleague changed them before their approval', async () => {
    await importPlan()
    await sees(priya, /3 posts wait for approval in Acme/)
    await mara.run('/upnext edit two')
    const { id } = await mara.form('Edit a post')
    await mara.submitAndHear({ view: id, values: mara.fill({ Content: 'Two!' }) }, /Saved the changes/)
    await vi.waitFor(() => expect(JSON.stringify(requests().at(-1))).toMatch(/Two!/), MAX_WAIT)
    await press(yuki, 'approval:approve-all', requests().at(-1))
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), MAX_WAIT)
    // A post whose response hasn't arrived yet is on its way, and stays.
    await upnext.settled()
    const message = directMessages(priya).findLast(({ blocks }) =>
      JSON.stringify(blocks ?? []).includes('plan:undo'),
    )
    await press(priya, 'plan:undo', message)
    await vi.waitFor(async () => expect(await stored()).toEqual(['Two! SCHEDULED']), MAX_WAIT)
  })

  it('are approved once by a double click', async () => {
    await importPlan()
    await Promise.all([press(yuki, 'approval:approve-all'), press(yuki, 'approval:approve-all')])
    await sees(priya, /approved 3 of your posts in Acme/)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), MAX_WAIT)
    await upnext.settled()
    expect(directMessages(priya).filter(({ text = '' }) => /approved/.test(text))).toHaveLength(1)
    expect(yuki.state().views).toEqual([])
  })

  it('are one message, and are approved together', async () => {
    await importPlan()
    expect(requests()).toHaveLength(1)
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), MAX_WAIT)
    await sees(priya, /approved 3 of your posts in Acme/)
    expect(directMessages(priya).filter(({ text = '' }) => /approved/.test(text))).toHaveLength(1)
    await sees(yuki, /asked for your approval of 3 posts.*Approved by/s)
  })

  it('are not approved together for times that the approver has not seen', async () => {
    await importPlan()
    const old = requests().at(-1)
    upnext.slack.controls.injectFault({ method: 'chat.update', error: 'internal_error', times: 1000 })
    await priya.run('/upnext reschedule two')
    const move = await priya.form('Reschedule a post')
    const sooner = priya.fill({ ScheduleDate: 'tomorrow 9am' })
    await priya.submitAndHear({ view: move.id, values: sooner }, /Rescheduled/)
    await press(yuki, 'approval:approve-all', old)
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/has changed since you saw it/), MAX_WAIT)
    expect(await stored()).toEqual([])
    upnext.slack.controls.clearFaults()
  })

  it('are approved one by one if the end of one is cut off', async () => {
    await requireApproval()
    const link = `https://acme.example/shop?${'a_b=1&'.repeat(12)}`
    const long = `${link} ${'See our new shop. '.repeat(10)}90% off`
    expect(long.length).toBeLessThan(300)
    await schedulePlan(`${long} monday 9am on LinkedIn\nTwo tuesday 9am on LinkedIn`)
    await sees(yuki, /asks for your approval of 2 posts.*Review one by one/s)
    const shown = JSON.stringify(requests().at(-1)?.blocks)
    expect(shown).not.toContain('90% off')
    expect(shown).not.toContain('Approve all')
  })

  it('are approved one by one, or the rest of them together', async () => {
    await importPlan()
    await yuki.runAndHear('/upnext approve', /Waiting for your approval/)
    await yuki.pressLast('approval:approve')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(1), MAX_WAIT)
    await sees(yuki, /Approve all 2/)
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), MAX_WAIT)
  })

  it('are each marked as missed at their time, and their author is notified', async () => {
    await importPlan()
    upnext.wait({ minutes: 3 * 24 * 60 })
    await hasSeen(priya, /It wasn't approved in time.*Pick a new time/s)
    expect(await stored()).toEqual([])
  })
})

describe('a post for a service that cannot change posts', () => {
  beforeEach(() => open(withoutExtensions))

  it('asks once for approval of all its texts, which become several posts', async () => {
    await requireApproval()
    await priya.run('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
    const { id } = await priya.form('Schedule a post')
    await priya.dispatchAction({
      container: { view: id },
      block_id: 'offer',
      action_id: 'change:schedule:offer',
    })
    await vi.waitFor(() => expect(modalOf(priya)).toContain('Texts.X'), MAX_WAIT)
    await priya.submitView({ view: id, values: priya.fill({ 'Texts.X': 'Launch!' }) })
    await sees(yuki, /asks for your approval of 2 posts in Acme.*Launch day!.*Launch!.*Approve all 2/s)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await upnext.settled()
    expect(await stored()).toEqual([])
    expect(directMessages(yuki).filter(({ text = '' }) => /asks for/.test(text))).toHaveLength(1)
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(
      async () => expect(await stored()).toEqual(['Launch day! SCHEDULED', 'Launch! SCHEDULED']),
      MAX_WAIT,
    )
  })

  it('is asked about if it was held before the rule', async () => {
    await priya.run(`/schedule-post ${POST}`)
    const { id } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view: id, values: priya.fill({ Status: 'HELD' }) }, /Held in Upnext/)
    await requireApproval()
    await sees(yuki, /asks for your approval in Acme/)
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await upnext.settled()
    expect(await stored()).toEqual([])
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  const MINUTES_TO_HAND_OVER = 15.5 * 60 - 10

  it('is held after its approval, and stays as it was approved if a change comes too late', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(priya, /approved/)
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    await priya.submitView({ view: edit.id, values: priya.fill({ Content: 'Launch night!' }) })
    await vi.waitFor(() => expect(modalOf(priya)).toMatch(/This change is waiting for approval/), MAX_WAIT)
    expect(await stored()).toEqual([])
    upnext.wait({ minutes: MINUTES_TO_HAND_OVER })
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
  })

  it('is marked as cancelled in the request for approval if it was cancelled later', async () => {
    await requireApproval()
    await schedule(POST)
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(priya, /approved/)
    await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await priya.pressLast('cancel:confirm')
    await sees(yuki, /Approved by .* · later cancelled/)
  })

  it('goes out in a changed version that was approved', async () => {
    await requireApproval()
    await schedule('Launch day! sunday 9am Berlin time on X')
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(priya, /approved/)
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    await priya.submitView({ view: edit.id, values: priya.fill({ Content: 'Launch night!' }) })
    await sees(yuki, /to change a post in Acme.*Launch night!/s)
    await press(yuki, 'approval:approve')
    const applied = "select from upnext.outbox_item where form = 'edit' and state = 'sent'"
    await vi.waitFor(
      async () => expect((await upnext.service.pool.query(applied)).rowCount).toBe(1),
      MAX_WAIT,
    )
    upnext.wait({ minutes: 44 * 60 - 10 })
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
  })
})
