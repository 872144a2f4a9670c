import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODULES } from '../../src/bot/features/index.ts'
import { listFeatures } from '../../src/bot/slack/feature.ts'
import { ERASED } from '../../src/database/personal-data.ts'
import { MAX_WAIT } from './approval-requests.ts'
import { type Member, openUpnext, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
let priya: Member
let isDown: boolean

beforeEach(async () => {
  isDown = false
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    projects: ['Acme', 'Bolt'],
    respond: ({ method }) =>
      isDown && method === 'POST' ? Response.json({ detail: 'Down' }, { status: 503 }) : undefined,
  })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  priya = upnext.person('priya')
  await mara.runAndHear('/upnext use Acme', /Acme/)
})
afterEach(() => upnext.close())

const restrictTo = async (people: string[], words: RegExp) => {
  await mara.run('/upnext writers')
  const { id: view } = await mara.form('Writers')
  await mara.submitAndHear({ view, values: mara.fill({ people }) }, words)
}
const idOf = (member: Member) => member.userId
const openPost = async (member: Member, text = 'Launch day! tomorrow 9am') => {
  await member.run(`/schedule-post ${text} on X`)
  return (await member.form('Schedule a post')).id
}
const contents = async () =>
  (await upnext.service.pool.query('select content from service.post')).rows.map(({ content }) => content)

it('finds a project for every button that changes something, with known exceptions', () => {
  const buttons = listFeatures(MODULES).flatMap(({ actions = {} }) => Object.entries(actions))
  const unchecked = buttons.filter(([, { access, projectOf }]) => access.permission === 'write' && !projectOf)
  // Their values name the project, or the form that they open is checked when it is submitted.
  expect(unchecked.map(([name]) => name).sort()).toEqual([
    'calendar:fill',
    'cancel:ask',
    'cancel:confirm',
    'digest:open',
    'edit:ask',
    'edit:duplicate',
    'import:open',
    'prompt:open',
    'prompt:use',
    'reschedule:ask',
    'reschedule:undo',
    'retry:ask',
    'retry:out',
    'retry:post',
    'retry:unknown',
    'schedule:open',
    'slots:open',
    'source:open',
    'templates:use',
  ])
})

describe('who may write', () => {
  it('says in the form that only admins may write if everyone in the list was deleted', async () => {
    await restrictTo([idOf(yuki)], /Only <@U\w+> and the admins can change Acme now/)
    await upnext.service.pool.query(`update upnext.project_writers set people = '{${ERASED}}'`)
    await mara.run('/upnext writers')
    await mara.form('Writers')
    expect(JSON.stringify(mara.state().views)).toContain('only admins can change this project now')
  })

  it('keeps the form of others, and names those who may', async () => {
    await restrictTo([idOf(yuki)], /Only <@U\w+> and the admins can change Acme now/)
    const view = await openPost(priya)
    const answer = await priya.submitView({ view, values: {} })
    expect(JSON.stringify([answer, priya.state().views])).toMatch(
      /Only <@U\w+> and the admins may change this project/,
    )
    expect(JSON.stringify(priya.state().views)).toContain('Launch day!')
    expect(await contents()).toEqual([])
  })

  it('lets those people and the admins write', async () => {
    await restrictTo([idOf(yuki)], /can change Acme now/)
    await yuki.submitAndHear({ view: await openPost(yuki), values: {} }, /Scheduled in Acme/)
    await mara.submitAndHear(
      { view: await openPost(mara, 'Launch week! tomorrow 5pm'), values: {} },
      /Scheduled in Acme/,
    )
    expect((await contents()).sort()).toEqual(['Launch day!', 'Launch week!'])
  })

  it('lets the members of a user group write, and keeps the group if Slack does not list groups', async () => {
    upnext.slack.controls.changeUserGroup({ handle: 'editors', members: ['yuki'] })
    await mara.run('/upnext writers')
    const { id: first } = await mara.form('Writers')
    const { values } = await mara.pick('user_group', 'Editors (@editors)')
    await mara.submitAndHear({ view: first, values }, /can change Acme now/)
    await yuki.submitAndHear({ view: await openPost(yuki), values: {} }, /Scheduled in Acme/)
    upnext.slack.controls.injectFault({ method: 'usergroups.list', error: 'internal_error', times: 100 })
    await mara.run('/upnext writers')
    const { id: second } = await mara.form('Writers')
    await mara.submitAndHear(
      { view: second, values: mara.fill({ people: [idOf(priya)] }) },
      /can change Acme now/,
    )
    await yuki.submitAndHear(
      { view: await openPost(yuki, 'Launch week! tomorrow 5pm'), values: {} },
      /Scheduled in Acme/,
    )
  })

  it('keeps the form if Slack is slow to list the members of the user group', async () => {
    await upnext.close()
    upnext = await openUpnext({ disableRateLimits: true })
    mara = upnext.person('mara')
    yuki = upnext.person('yuki')
    upnext.slack.controls.changeUserGroup({ handle: 'editors', members: ['yuki'] })
    await mara.run('/upnext writers')
    const { id } = await mara.form('Writers')
    const { values } = await mara.pick('user_group', 'Editors (@editors)')
    await mara.submitAndHear({ view: id, values }, /can change Acme now/)
    const view = await openPost(yuki)
    upnext.slack.controls.injectFault({ method: 'usergroups.users.list', delay_ms: 8000, times: 10 })
    expect(await yuki.submitView({ view, values: {} })).toEqual({
      errors: {
        project: expect.stringMatching(/^Couldn't check with Slack.*What you typed is still here\.$/),
      },
    })
    upnext.slack.controls.clearFaults()
    await yuki.submitAndHear({ view, values: {} }, /Scheduled in Acme/)
  })

  it('names the people whose held posts no longer go out', async () => {
    await upnext.close()
    upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, respond: withoutExtensions })
    mara = upnext.person('mara')
    priya = upnext.person('priya')
    for (const member of [mara, priya]) {
      const view = await openPost(member, `Launch day of ${member.userId}! monday 9am`)
      await member.submitAndHear({ view, values: member.fill({ Status: 'HELD' }) }, /Held in Upnext/)
    }
    const excluded = `The posts of <@${idOf(priya)}> that Upnext still holds won't go out`
    await restrictTo([upnext.person('yuki').userId], new RegExp(excluded))
  })

  it('refuses the plan of others before they review it', async () => {
    await restrictTo([idOf(yuki)], /can change Acme now/)
    await priya.run('/schedule-post Launch day! tomorrow 9am on X\nLaunch week! Friday 5pm on X')
    await vi.waitFor(
      () => expect(JSON.stringify(priya.state().views)).toMatch(/may change this project/),
      MAX_WAIT,
    )
    expect((await upnext.service.pool.query('select from upnext.plan')).rowCount).toBe(0)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query(
        "select action, project_id from upnext.audit_entry where outcome = 'denied'",
      )
      expect(rows).toEqual([{ action: 'import', project_id: upnext.project }])
    }, MAX_WAIT)
  })

  it('refuses the buttons of a post', async () => {
    await yuki.submitAndHear({ view: await openPost(yuki), values: {} }, /Scheduled in Acme/)
    await priya.runAndHear('/upnext posts', /Launch day!/)
    await restrictTo([idOf(yuki)], /can change Acme now/)
    await priya.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await priya.pressLast('cancel:confirm')
    await priya.hears(/may change this project/)
    expect(await contents()).toEqual(['Launch day!'])
  })

  it('is checked again when a post is sent later', async () => {
    isDown = true
    await priya.submitView({ view: await openPost(priya), values: {} })
    await priya.closeView({ view: priya.state().views.at(-1)?.id ?? '', all: true })
    await restrictTo([idOf(yuki)], /can change Acme now/)
    isDown = false
    upnext.wait({ minutes: 1 })
    await upnext.settled()
    await priya.hears(/no longer have permission to do this, so it wasn't sent/)
    expect(await contents()).toEqual([])
  })

  it('can be reset to everyone by removing all people', async () => {
    await restrictTo([idOf(yuki)], /can change Acme now/)
    await restrictTo([], /Everyone who can schedule posts in this workspace can change Acme/)
    await priya.submitAndHear({ view: await openPost(priya), values: {} }, /Scheduled in Acme/)
  })

  it('refuses people who could not write anyway', async () => {
    await mara.run('/upnext writers')
    const { id: view } = await mara.form('Writers')
    const people = [yuki, upnext.person('noor')].map(idOf)
    expect(await mara.submitView({ view, values: mara.fill({ people }) })).toMatchObject({
      errors: { people: 'Only members of this workspace can change posts. Remove noor.' },
    })
  })

  it('lets others set up digests and share posts', async () => {
    await restrictTo([idOf(yuki)], /can change Acme now/)
    await priya.runAndHear('/upnext digest weekdays at 9:00', /Digests in/)
    await mara.submitAndHear({ view: await openPost(mara), values: {} }, /Scheduled in Acme/)
    await priya.run('/upnext share launch')
    expect((await priya.form('Share a post')).title.text).toBe('Share a post')
  })

  it('can only be changed by admins', async () => {
    await priya.runAndHear('/upnext writers', /Only workspace owners and admins/)
  })
})
