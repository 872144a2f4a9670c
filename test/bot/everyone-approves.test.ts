import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  directMessages,
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
let tomas: Member
let yuki: Member
let priya: Member

// It is Friday 20 November 2026, 13:00 in Berlin.
const open = async (options?: Options) => {
  ;({ upnext, mara, tomas, yuki, priya } = await openWithAdmin(options))
}
afterEach(() => upnext.close())

const { seesReview, importText, press: pressInReview } = planner(() => ({ upnext, mara: priya }))

type Rule = { approvers?: string[]; group?: string; options?: string[] }
async function fillInRule({ group, ...rule }: Rule) {
  await mara.run('/upnext approval')
  const { id: view } = await mara.form('Approval')
  const values = mara.fill({ mode: 'required', ...rule })
  if (group) {
    const { block_id, action_id, value } = await mara.pick('user_group', group)
    values[block_id] = { ...values[block_id], [action_id]: value }
  }
  return { view, values }
}
const requireApproval = async (rule: Rule) => mara.submitAndHear(await fillInRule(rule), /need approval/)
const requireAll = (...members: Member[]) =>
  requireApproval({ approvers: members.map(({ userId }) => userId), options: ['all'] })

async function schedule(words = 'Launch day! tomorrow 9am on X', member = priya, Status = 'SCHEDULED') {
  await member.run(`/schedule-post ${words}`)
  const { id: view } = await member.form('Schedule a post')
  await member.submitAndHear(
    { view, values: member.fill({ Status }) },
    /Waiting for approval in Acme|Held in Upnext for Acme/,
  )
}
async function edit(Content: string, member: Member) {
  await member.run('/upnext edit launch')
  const { id: view } = await member.form('Edit a post')
  await member.submitAndHear({ view, values: member.fill({ Content }) }, /Saved the changes/)
}
async function schedulePlan(text: string) {
  await importText(text)
  await seesReview(/Schedule all 2 posts/)
  await pressInReview('plan:schedule')
}
async function approve(member: Member, kind: 'approve' | 'approve-all' = 'approve') {
  await sees(member, kind === 'approve' ? /asks for your approval/ : /asks for your approval of 2 posts/)
  await press(member, `approval:${kind}`)
}
const countStored = async () =>
  (await upnext.service.pool.query('select from service.post where status = $1', ['SCHEDULED'])).rowCount
const sends = (posts: number) => vi.waitFor(async () => expect(await countStored()).toBe(posts), MAX_WAIT)
const heard = (member: Member) => JSON.stringify(directMessages(member))
const deactivate = async (user: string) => {
  upnext.slack.controls.updateUser({ user, deactivated: true })
  // Slack's answers about people are kept for a minute.
  await upnext.passTime({ minutes: 2 })
}

describe('a post that everyone has to approve', () => {
  it('needs no approval from people who have left, and one from an admin if all have', async () => {
    await open()
    await requireAll(yuki, priya)
    await deactivate('yuki')
    await schedule(undefined, tomas)
    await approve(priya)
    await sends(1)

    await deactivate('priya')
    await schedule('Second day! sunday 9am on X', tomas)
    await sees(mara, /asks for your approval/)
    expect(await countStored()).toBe(1)
    await press(mara, 'approval:approve')
    await sends(2)
  })

  it('needs no approval from guests in the user group', async () => {
    await open()
    upnext.slack.controls.changeUserGroup({ handle: 'editors', members: ['yuki', 'noor'] })
    await requireApproval({ group: 'Editors (@editors)', options: ['all'] })
    await schedule()
    await approve(yuki)
    await sends(1)
    expect(heard(upnext.person('noor'))).not.toContain('asks for your approval')
  })

  it('is shown again to its approvers if it has changed', async () => {
    await open()
    await requireAll(yuki, tomas)
    await schedule('Launch day! today 16:00 Berlin time on X')
    await approve(yuki)
    await sees(tomas, /Approved by <@\w+> so far/)
    // 70 minutes remain.
    upnext.wait({ minutes: 110 })
    await edit('Launch night!', priya)
    await sees(yuki, /A post has changed or was moved to an earlier time, and needs your approval/)
  })

  it('is not called approved while it waits for others', async () => {
    await open()
    await requireAll(yuki, tomas)
    await schedulePlan('Launch day! sunday 9am on X\nLaunch week! monday 9am on X')
    await approve(yuki, 'approve-all')
    await sees(tomas, /(Approved by <@\w+> so far.*){2}/s)
    await press(yuki, 'approval:approve-all')
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/already approved these posts/), MAX_WAIT)
    await priya.runAndHear('/upnext approve', /waiting for others/)
    expect(priya.lastText()).not.toContain(yuki.userId)
    await approve(tomas, 'approve-all')
    await sees(priya, /approved 2 of your posts/)
    expect(directMessages(priya).filter(({ text = '' }) => text.includes('approved 2'))).toHaveLength(1)
  })

  it('needs the others even if one of them is an admin who approves it twice in its last hour', async () => {
    await open()
    await requireAll(yuki, mara)
    await schedule('Launch day! today 13:50 Berlin time on X')
    await approve(mara)
    await sees(yuki, /Approved by <@\w+> so far/)
    await press(mara, 'approval:approve')
    await vi.waitFor(() => expect(modalOf(mara)).toMatch(/already approved this post/), MAX_WAIT)
    expect(await countStored()).toBe(0)
    await approve(yuki)
    await sends(1)
  })

  it("can't also be approved by any admin", async () => {
    await open()
    const { view, values } = await fillInRule({ approvers: [yuki.userId], options: ['all', 'admins'] })
    expect(await mara.submitView({ view, values })).toMatchObject({
      errors: {
        options: expect.stringContaining(
          'admins can approve a post only in the last hour before it goes out',
        ),
      },
    })
  })
})

it('asks admins in the last hour only about the posts whose last hour it is', async () => {
  await open()
  await requireApproval({ approvers: [yuki.userId] })
  await schedulePlan('Launch day! today 16:00 Berlin time on X\nLaunch week! monday 9am on X')
  await sees(yuki, /asks for your approval of 2 posts/)
  upnext.wait({ minutes: 125 })
  await sees(mara, /asks for your approval/)
  expect(heard(mara)).toContain('Launch day!')
  await press(mara, 'approval:approve-all')
  await vi.waitFor(
    () => expect(modalOf(mara)).toMatch(/You approved 1 of 2 posts, but not the rest: You can't decide/),
    MAX_WAIT,
  )
  await sends(1)
})

it("doesn't ask people for approval who edited the held post before the rule was set", async () => {
  await open({ respond: withoutExtensions })
  await schedule(undefined, priya, 'HELD')
  await edit('Launch and buy now!', yuki)
  await requireApproval({ approvers: [yuki.userId, tomas.userId] })
  await sees(tomas, /asks for your approval in Acme/)
  await upnext.settled()
  expect(heard(yuki)).not.toContain('asks for your approval')
})
