import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  directMessages,
  hasSeen,
  lastRequest,
  MAX_WAIT,
  modalOf,
  type Options,
  openWithAdmin,
  press,
  sees,
} from './approval-requests.ts'
import { planner } from './planner.ts'
import { type Member, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member

const open = async (options?: Options) => {
  ;({ upnext, mara, yuki, priya } = await openWithAdmin(options))
}
afterEach(() => upnext.close())

type Rule = {
  mode?: string
  approvers?: string[]
  options?: string[]
  channel_id?: string
  group?: string
}

/** Mara, an admin, sets the rule of the project. */
async function setRule({ group, mode = 'required', ...others }: Rule, words: RegExp) {
  await mara.run('/upnext approval')
  const { id } = await mara.form('Approval')
  const values = mara.fill({ mode, ...others })
  if (group) {
    const { block_id, action_id, value } = await mara.pick('user_group', group)
    values[block_id] = { ...values[block_id], [action_id]: value }
  }
  await mara.submitAndHear({ view: id, values }, words)
}
const POST = 'Launch day! tomorrow 9am on X'
const schedule = async (words = POST, member = priya, values: Record<string, string> = {}) => {
  await member.run(`/schedule-post ${words}`)
  const { id } = await member.form('Schedule a post')
  await member.submitAndHear({ view: id, values: member.fill(values) }, /Waiting for approval in Acme/)
}
const stored = async () =>
  (await upnext.service.pool.query('select content, status from service.post order by content')).rows.map(
    ({ content, status }) => `${content} ${status}`,
  )
const expectScheduled = () =>
  vi.waitFor(async () => expect(await stored()).toEqual(['Launch day! SCHEDULED']), MAX_WAIT)
const expectRefusal = (member: Member, words: RegExp) =>
  vi.waitFor(() => expect(modalOf(member)).toMatch(words), MAX_WAIT)

describe('a user group that approves', () => {
  beforeEach(async () => {
    await open()
    upnext.slack.controls.changeUserGroup({ handle: 'editors', members: ['yuki', 'noor'] })
    await setRule({ group: 'Editors (@editors)' }, /need approval\.\* Approvers: <@\w+>\./)
    await schedule()
    await sees(yuki, /asks for your approval/)
  })

  it('is shown in the form again', async () => {
    await mara.run('/upnext approval')
    const { blocks } = await mara.form('Approval')
    expect(JSON.stringify(blocks)).toContain('Editors (@editors)')
  })

  it('decides through any member', async () => {
    await press(yuki, 'approval:approve')
    await expectScheduled()
  })

  it('rejects a member who has left it since', async () => {
    upnext.slack.controls.changeUserGroup({ handle: 'editors', members: ['tomas'] })
    await press(yuki, 'approval:approve')
    await expectRefusal(yuki, /You can't decide on this post/)
    expect(await stored()).toEqual([])
    const { rows } = await upnext.service.pool.query(
      "select outcome from upnext.audit_entry where action = 'approval:approve'",
    )
    expect(rows).toEqual([{ outcome: 'denied' }])
  })

  it("doesn't let a member who has become a guest decide", async () => {
    expect(directMessages(upnext.person('noor'))).toEqual([])
    upnext.slack.controls.updateUser({ user: 'yuki', role: 'guest' })
    await press(yuki, 'approval:approve')
    await expectRefusal(yuki, /You can't decide on this post/)
    expect(await stored()).toEqual([])
  })

  it('decides nothing while Slack does not say who is in it', async () => {
    upnext.slack.controls.injectFault({
      method: 'usergroups.users.list',
      error: 'internal_error',
      times: 100,
    })
    await press(yuki, 'approval:approve')
    await expectRefusal(yuki, /couldn't load the members of the user group.*nothing was decided/)
    expect(await stored()).toEqual([])
    upnext.slack.controls.clearFaults()
    await press(yuki, 'approval:approve')
    await expectScheduled()
  })
})

describe('the right to decide', () => {
  it('is refused while Slack does not return the profile of the user', async () => {
    await open()
    await setRule({ approvers: [yuki.userId] }, /need approval/)
    await schedule()
    await sees(yuki, /asks for your approval/)
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 100 })
    await press(yuki, 'approval:approve')
    await yuki.hears(/Couldn't check with Slack whether you may do this, so nothing was done/)
    expect(await stored()).toEqual([])
    upnext.slack.controls.clearFaults()
    await press(yuki, 'approval:approve')
    await expectScheduled()
  })

  it.each([
    ['a guest', 'noor'],
    ['someone from another organization', 'ines'],
  ])('belongs to %s whom an admin named', async (_who, handle) => {
    await open()
    const person = upnext.person(handle, handle === 'ines' ? 'catalogue' : 'launch')
    await setRule({ approvers: [person.userId] }, /need approval/)
    await schedule()
    await sees(person, /asks for your approval/)
    // People of other organizations have no commands.
    if (handle === 'noor')
      await person.runAndHear('/upnext approve', /Waiting for your approval.*Launch day!/s)
    await press(person, 'approval:approve')
    await expectScheduled()
  })

  it('cannot be given to a group without the permission to read groups, as the form explains', async () => {
    await open({ refusesOptionalScopes: true })
    await mara.run('/upnext approval')
    await vi.waitFor(
      async () =>
        expect(JSON.stringify((await mara.form('Approval')).blocks)).toContain(
          'You can pick a user group once an admin of this workspace gives Upnext the permission',
        ),
      MAX_WAIT,
    )
  })
})

describe("a project's channel", () => {
  beforeEach(() => open())
  const channelId = (channel: string) => mara.state().channels.find(({ name }) => name === channel)?.id ?? ''
  const messagesIn = (channel: string) => JSON.stringify(yuki.state().messages[channelId(channel)])
  const channelMessage = () =>
    (yuki.state().messages[channelId('launch')] ?? []).findLast(({ blocks }) =>
      JSON.stringify(blocks ?? []).includes('Launch day!'),
    )
  const shows = (words: RegExp) =>
    vi.waitFor(() => expect(JSON.stringify(channelMessage() ?? '')).toMatch(words), MAX_WAIT)
  const renamePost = async () => {
    await priya.run('/upnext edit launch')
    const { id: view } = await priya.form('Edit a post')
    const values = priya.fill({ Content: 'Launch night!' })
    await priya.submitAndHear({ view, values }, /Saved the changes/)
  }

  it('is asked as well, and says who decided', async () => {
    await setRule({ approvers: [yuki.userId], channel_id: channelId('launch') }, /need approval/)
    await schedule()
    await shows(/asks for your approval in Acme.*Approve/s)
    const message = channelMessage()
    const pressHere = (member: Member) =>
      press(member, 'approval:approve', message && { ...message, channel: channelId('launch') })
    await pressHere(priya)
    await expectRefusal(priya, /someone else has to give it/)
    await pressHere(yuki)
    await expectScheduled()
    await shows(/Approved by <@\w+>/)
  })

  it('keeps its request, and gets no new one, while Slack fails to say whether it is shared', async () => {
    await setRule({ approvers: [yuki.userId], channel_id: channelId('launch') }, /need approval/)
    await schedule()
    await shows(/asks for your approval in Acme.*Approve/s)
    const before = messagesIn('launch')
    upnext.slack.controls.injectFault({
      method: 'conversations.info',
      error: 'internal_error',
      times: Number.POSITIVE_INFINITY,
    })
    await schedule('Big sale! tomorrow 10am on X')
    await sees(yuki, /asks for your approval in Acme.*Big sale!/s)
    await renamePost()
    await hasSeen(yuki, /Launch night!/)
    await upnext.settled()
    expect(messagesIn('launch')).toBe(before)
    upnext.slack.controls.clearFaults()
    upnext.wait({ minutes: 0.5 })
    await vi.waitFor(
      () => expect(messagesIn('launch')).toMatch(/Launch night!.*Big sale!.*Approve/s),
      MAX_WAIT,
    )
  })

  it('sees no posts once it is shared with another organization', async () => {
    await setRule({ approvers: [yuki.userId], channel_id: channelId('launch') }, /need approval/)
    await schedule()
    await shows(/asks for your approval in Acme.*Approve/s)
    // The local Slack can't share a channel later, so another one takes its place, with the request.
    const catalogue = [channelId('catalogue')]
    await upnext.service.pool.query('update upnext.approval_rule set channel_id = $1', catalogue)
    const moveRequest = 'update upnext.approval_message set recipient = $1 where channel_id = $2'
    await upnext.service.pool.query(moveRequest, [...catalogue, channelId('launch')])
    await schedule('Secret sale! tomorrow 10am on X')
    await sees(yuki, /asks for your approval in Acme.*Secret sale!.*Approve/s)
    await renamePost()
    await hasSeen(yuki, /Launch night!/)
    await vi.waitFor(() => expect(messagesIn('launch')).toMatch(/only sent to the approvers/), MAX_WAIT)
    await upnext.settled()
    expect(messagesIn('launch') + messagesIn('catalogue')).not.toMatch(/Launch (day|night)|Secret/)
  })

  it.each([
    ['general', /Upnext isn't in that channel/],
    ['catalogue', /People from other organizations would see posts in that channel/],
  ])('must have Upnext as a member, and no other organization: #%s', async (channel, problem) => {
    const channel_id = channelId(channel)
    await mara.run('/upnext approval')
    const { id } = await mara.form('Approval')
    const values = mara.fill({ mode: 'required', channel_id })
    const submitted = await mara.submitView({ view: id, values })
    await vi.waitFor(
      () => expect(JSON.stringify([submitted, mara.state().views.at(-1)])).toMatch(problem),
      MAX_WAIT,
    )
  })
})

describe('a rule', () => {
  /** Both open the form, and the first saves it. */
  const openTwice = async () => {
    const admins: string[] = []
    await open({ admins })
    admins.push(mara.userId, yuki.userId)
    for (const member of [mara, yuki]) await member.run('/upnext approval')
    const forms = [await mara.form('Approval'), await yuki.form('Approval')]
    const save = (member: Member, approver: Member) =>
      member.submitView({
        view: forms[member === mara ? 0 : 1]?.id ?? '',
        values: member.fill({ mode: 'required', approvers: [approver.userId] }),
      })
    await save(mara, priya)
    await mara.hears(/need approval.*Approvers: <@/)
    return save
  }

  it('is changed by two people at a time only after the second has seen what the first saved', async () => {
    const save = await openTwice()
    await save(yuki, mara)
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/Someone else changed this rule/), MAX_WAIT)
    await yuki.confirm('Replace this rule')
    await yuki.hears(new RegExp(`Approvers: <@${mara.userId}>`))
  })

  it('is not asked about again if the second saves the same', async () => {
    const save = await openTwice()
    expect(await save(yuki, priya)).toEqual({ done: true })
    await yuki.hears(new RegExp(`need approval.*Approvers: <@${priya.userId}>`))
  })
})

describe('approval that authors may ask for', () => {
  beforeEach(() => open())
  const statesIn = async (member: Member) => {
    await member.run(`/schedule-post ${POST}`)
    const { blocks } = await member.form('Schedule a post')
    return JSON.stringify(blocks.find(({ block_id }) => block_id === 'Status'))
  }

  it('is offered only where a project has it', async () => {
    expect(await statesIn(priya)).not.toContain('Ask for approval')
    await setRule({ mode: 'optional', approvers: [yuki.userId] }, /need approval if their authors ask for it/)
    expect(await statesIn(yuki)).toContain('Ask for approval first')
  })

  it('holds a post whose author asks, and no other', async () => {
    await setRule({ mode: 'optional', approvers: [yuki.userId] }, /need approval if their authors ask for it/)
    await priya.run('/schedule-post Small news friday 9am on X')
    const { id } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await schedule(POST, priya, { Status: 'TO_APPROVE' })
    expect(await stored()).toEqual(['Small news SCHEDULED'])
    await sees(yuki, /asks for your approval.*Launch day!/s)
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      async () => expect(await stored()).toEqual(['Launch day! SCHEDULED', 'Small news SCHEDULED']),
      MAX_WAIT,
    )
  })

  it('is still needed when the waiting post is edited', async () => {
    await setRule({ mode: 'optional', approvers: [yuki.userId] }, /need approval if their authors ask for it/)
    await schedule(POST, priya, { Status: 'TO_APPROVE' })
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    expect(JSON.stringify(edit.blocks.find(({ block_id }) => block_id === 'Status'))).not.toContain('HELD')
    await priya.submitAndHear(
      { view: edit.id, values: priya.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    await sees(yuki, /asks for your approval.*Launch night!/s)
    expect(await stored()).toEqual([])
  })

  it('can be asked for a change of a scheduled post', async () => {
    await setRule({ mode: 'optional', approvers: [yuki.userId] }, /need approval if their authors ask for it/)
    await priya.run(`/schedule-post ${POST}`)
    const { id } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    const values = priya.fill({ Content: 'Launch night!', Status: 'TO_APPROVE' })
    await priya.submitView({ view: edit.id, values })
    await expectRefusal(priya, /This change is waiting for approval/)
    expect(await stored()).toEqual(['Launch day! SCHEDULED'])
    await sees(yuki, /to change a post in Acme.*Launch night!/s)
    await press(yuki, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
  })
})

describe('a rule by which all have to approve', () => {
  it('does not count someone who approved and was taken from it since', async () => {
    await open()
    const tomas = upnext.person('tomas')
    const everyone = [yuki.userId, mara.userId, tomas.userId]
    await setRule({ approvers: everyone, options: ['all'] }, /need approval/)
    await schedule()
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await sees(tomas, /Approved by <@\w+> so far/)
    await setRule({ approvers: [mara.userId, tomas.userId], options: ['all'] }, /need approval/)
    await press(tomas, 'approval:approve')
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(tomas))).toMatch(/Approved by <@\w+>, <@\w+> so far/),
      MAX_WAIT,
    )
    expect(await stored()).toEqual([])
    await sees(mara, /asks for your approval/)
    await press(mara, 'approval:approve')
    await expectScheduled()
  })
})

describe('someone who changed the text of a post', () => {
  it('does not approve it after another person has moved it', async () => {
    await open()
    await setRule({ approvers: [yuki.userId, mara.userId] }, /need approval/)
    await schedule()
    await sees(mara, /asks for your approval/)
    await yuki.run('/upnext edit launch')
    const edit = await yuki.form('Edit a post')
    const text = yuki.fill({ Content: 'Launch night!' })
    await yuki.submitAndHear({ view: edit.id, values: text }, /Saved the changes/)
    await sees(mara, /Launch night!/)
    await press(mara, 'approval:refuse')
    const reason = await mara.form('Ask for changes')
    await mara.submitView({ view: reason.id, values: mara.fill({ reason: 'Not before Monday' }) })
    await sees(priya, /wants you to change/)
    await priya.run('/upnext reschedule launch')
    const move = await priya.form('Reschedule a post')
    const later = priya.fill({ ScheduleDate: 'monday 9am' })
    await priya.submitAndHear({ view: move.id, values: later }, /Rescheduled/)
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(mara))).toContain('"approval:approve"'),
      MAX_WAIT,
    )
    await yuki.runAndHear('/upnext approve', /No posts are waiting for your approval/)
    await press(mara, 'approval:approve')
    await vi.waitFor(async () => expect(await stored()).toEqual(['Launch night! SCHEDULED']), MAX_WAIT)
  })
})

describe('a post that all of its approvers have approved since one was removed', () => {
  it('is brought to mind, and goes out when one of them confirms it', async () => {
    await open()
    const tomas = upnext.person('tomas')
    const all = ['all']
    await setRule({ approvers: [yuki.userId, tomas.userId], options: all }, /need approval/)
    await schedule('Launch day! sunday 9am Berlin time on X')
    await sees(yuki, /asks for your approval/)
    await press(yuki, 'approval:approve')
    await vi.waitFor(
      () => expect(JSON.stringify(lastRequest(yuki))).toMatch(/Approved by <@\w+> so far/),
      MAX_WAIT,
    )
    await setRule({ approvers: [yuki.userId], options: all }, /need approval/)
    await upnext.settled()
    upnext.wait({ minutes: 20 * 60 + 1 })
    await hasSeen(yuki, /still needs your approval/)
    expect(await stored()).toEqual([])
    await press(yuki, 'approval:approve')
    await expectScheduled()
  })
})

describe('"Approve all"', () => {
  it('confirms the posts that need nothing else, after an approver was removed', async () => {
    await open()
    const tomas = upnext.person('tomas')
    const { importText, press: pressInView, seesReview } = planner(() => ({ upnext, mara: priya }))
    await setRule({ approvers: [yuki.userId, tomas.userId], options: ['all'] }, /need approval/)
    await importText('Launch day! sunday 9am on X\nLaunch week! monday 9am on X')
    await seesReview(/Schedule all 2 posts/)
    await pressInView('plan:schedule')
    await sees(yuki, /asks for your approval of 2 posts/)
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(async () => {
      const approvals =
        "select from upnext.audit_entry where action = 'approval:approve' and outcome = 'done'"
      expect((await upnext.service.pool.query(approvals)).rowCount).toBe(2)
    }, MAX_WAIT)
    await setRule({ approvers: [yuki.userId], options: ['all'] }, /need approval/)
    expect(await stored()).toEqual([])
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(
      async () => expect(await stored()).toEqual(['Launch day! SCHEDULED', 'Launch week! SCHEDULED']),
      MAX_WAIT,
    )
  })
})

describe('a post that nobody approved in time', () => {
  it('still asks for approval at its new time if its author asked for it', async () => {
    await open()
    await setRule({ mode: 'optional', approvers: [yuki.userId] }, /need approval if their authors ask for it/)
    await schedule(POST, priya, { Status: 'TO_APPROVE' })
    await sees(yuki, /asks for your approval/)
    upnext.wait({ minutes: 24 * 60 })
    await hasSeen(priya, /It wasn't approved in time.*Pick a new time/s)
    await priya.pressLast('outbox:edit')
    const form = await priya.form('Schedule a post')
    const values = priya.fill({ ScheduleDate: 'in 3 days at 9am' })
    await priya.submitAndHear({ view: form.id, values }, /Waiting for approval/)
    expect(await stored()).toEqual([])
  })
})

describe('a post whose author lost the right to change the project', () => {
  it("can't be approved, because it wouldn't be sent", async () => {
    await open()
    await setRule({ approvers: [yuki.userId] }, /need approval/)
    await schedule()
    await sees(yuki, /asks for your approval/)
    await mara.run('/upnext writers')
    const { id: view } = await mara.form('Writers')
    await mara.submitAndHear({ view, values: mara.fill({ people: [yuki.userId] }) }, /can change Acme now/)
    await press(yuki, 'approval:approve')
    await expectRefusal(yuki, /Its author can't change this project anymore/)
    expect(JSON.stringify(lastRequest(yuki))).toMatch(/approval:approve/)
    expect(JSON.stringify(directMessages(priya))).not.toMatch(/approved/)
  })
})

describe('a waiting post that is moved to an earlier time', () => {
  it('is brought to mind immediately', async () => {
    await open()
    await setRule({ approvers: [yuki.userId] }, /need approval/)
    await schedule('Launch day! next friday 9am on X')
    await sees(yuki, /asks for your approval/)
    await priya.run('/upnext reschedule launch')
    const { id: view } = await priya.form('Reschedule a post')
    await priya.submitAndHear({ view, values: priya.fill({ ScheduleDate: 'in 95 minutes' }) }, /Rescheduled/)
    await sees(yuki, /was moved to an earlier time, and needs your approval/)
  })
})

describe('a post that the only admin in the settings wrote', () => {
  it("is shown to the workspace's other admins", async () => {
    await open()
    await setRule({ approvers: [mara.userId] }, /need approval/)
    await schedule(POST, mara)
    await sees(upnext.person('tomas'), /asks for your approval/)
  })
})

describe('a post that was held before approval was turned on', () => {
  it('waits for approval, and its author is notified', async () => {
    await open({ respond: withoutExtensions })
    await priya.run(`/schedule-post ${POST}`)
    const { id: view } = await priya.form('Schedule a post')
    await priya.submitAndHear({ view, values: priya.fill({ Status: 'HELD' }) }, /Held in Upnext/)
    await setRule({ approvers: [yuki.userId] }, /need approval/)
    await hasSeen(
      priya,
      /turned approval on for Acme, so your held posts now go out only if they are approved/,
    )
    await sees(yuki, /asks for your approval/)
  })
})

describe('the audit trail', () => {
  it('names who asked, opened, and approved, and what was missed', async () => {
    await open()
    await setRule({ approvers: [yuki.userId] }, /need approval/)
    await schedule()
    await sees(yuki, /asks for your approval/)
    await yuki.runAndHear('/upnext approve', /Waiting for your approval/)
    await press(yuki, 'approval:approve')
    await expectScheduled()
    await schedule('Late news sunday 9am Berlin time on X')
    upnext.wait({ minutes: 3 * 24 * 60 })
    await hasSeen(priya, /It wasn't approved in time/)
    const actions = async () =>
      (
        await upnext.service.pool.query(
          "select user_id, action from upnext.audit_entry where action like 'approval:%' order by id",
        )
      ).rows
    const entry = (member: Member, action: string) => ({ user_id: member.userId, action })
    await vi.waitFor(
      async () =>
        expect(await actions()).toEqual([
          entry(priya, 'approval:asked'),
          entry(yuki, 'approval:opened'),
          entry(yuki, 'approval:approve'),
          entry(priya, 'approval:asked'),
          entry(priya, 'approval:missed'),
        ]),
      MAX_WAIT,
    )
    await mara.runAndHear('/upnext audit approval', /version/)
    await mara.runAndHear('/upnext audit approve', /\*approval approve\*/)
  })
})

describe('a request for approval', () => {
  beforeEach(async () => {
    await open()
    await setRule({ approvers: [yuki.userId] }, /need approval/)
  })

  it('leads to the list if its post is too long for a message', async () => {
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'msg_blocks_too_long' })
    await schedule()
    await sees(yuki, /asks for your approval.*"Show post"/s)
    expect(JSON.stringify(lastRequest(yuki)?.blocks)).not.toContain('Launch day!')
    await yuki.runAndHear('/upnext approve', /Launch day!.*Approve/s)
    await yuki.pressLast('approval:approve')
    await expectScheduled()
  })

  it('shows a changed title, which is a new version', async () => {
    await priya.run('/schedule-post Launch day! tomorrow 9am on Pinterest')
    const { id } = await priya.form('Schedule a post')
    const values = priya.fill({ 'Titles.PINTEREST': 'A lamp', Media: 'https://example.com/lamp.jpg' })
    await priya.submitAndHear({ view: id, values }, /Waiting for approval/)
    await sees(yuki, /The whole post.*Title on Pinterest: A lamp/s)
    await priya.run('/upnext edit launch')
    const edit = await priya.form('Edit a post')
    await priya.submitAndHear(
      { view: edit.id, values: priya.fill({ 'Titles.PINTEREST': 'Two lamps' }) },
      /Saved the changes/,
    )
    await sees(yuki, /Before:.*Title on Pinterest: A lamp.*Now:.*Title on Pinterest: Two lamps/s)
  })

  it('hides the post from people who are no longer asked', async () => {
    await schedule()
    await sees(yuki, /Launch day!/)
    await setRule({ approvers: [upnext.person('tomas').userId] }, /need approval/)
    await vi.waitFor(
      () => expect(JSON.stringify(directMessages(yuki))).toMatch(/This no longer needs your approval/),
      MAX_WAIT,
    )
    expect(JSON.stringify(directMessages(yuki))).not.toContain('Launch day!')
  })

  it('says that only the link to foreign media is approved', async () => {
    await schedule(POST, priya, { Media: 'https://example.com/lamp.jpg' })
    await sees(yuki, /You approve only the link to the image or video/)
  })

  it('is sent once Slack lets Upnext in again', async () => {
    upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'account_inactive', times: 1000 })
    await schedule()
    await upnext.settled()
    expect(directMessages(yuki)).toEqual([])
    upnext.slack.controls.clearFaults()
    upnext.wait({ minutes: 1 })
    await sees(yuki, /asks for your approval.*Launch day!/s)
    await press(yuki, 'approval:approve')
    await expectScheduled()
  })

  it("isn't sent to other people", async () => {
    await schedule()
    await sees(yuki, /asks for your approval/)
    expect(directMessages(upnext.person('tomas'))).toEqual([])
    expect(lastRequest(priya)).toBeUndefined()
  })
})
