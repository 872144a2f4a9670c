import { WebClient } from '@slack/web-api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buttonRow } from '../../src/bot/slack/message-blocks.ts'
import { openDigestWorkspace } from './digest-workspace.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const OUTSIDER_REFUSAL = 'Upnext is only for members of this workspace. Ask one of them to do this for you.'
const INACTIVE_REFUSAL = 'Upnext is only for people with an active account in this workspace.'
const VIEW_ONLY_REFUSAL =
  'People from other organizations have view-only access. Ask a member of this workspace to do this for you.'

const ADMIN_REFUSAL = 'Only workspace owners and admins can do this. Ask one of them for help.'

let upnext: Upnext
afterEach(() => upnext.close())

/** Mara shares the next post in the channel with Harbor Press. */
async function openSharedChannel(settings: Parameters<typeof openUpnext>[0] = {}) {
  upnext = await openUpnext({ disableRateLimits: true, ...settings })
  const mara = upnext.person('mara', 'catalogue')
  const ines = upnext.person('ines', 'catalogue', { unrestricted: true })
  const viktor = upnext.person('viktor', 'catalogue', { unrestricted: true })
  return { mara, ines, viktor }
}

const countRecords = async (table: 'post' | 'person') => {
  const { rows } = await upnext.service.pool.query(`select count(*)::int as n from service.${table}`)
  return rows[0].n
}

const schedule = async (member: Member) => {
  await member.run('/schedule-post Hello! tomorrow 9am on X')
  const { id } = await member.form('Schedule a post')
  await member.submitView({ view: id, values: {} })
  await member.hears('Scheduled in Acme')
}

describe('someone from another organization', () => {
  it("can't use commands, even as an admin there", async () => {
    const { ines, viktor } = await openSharedChannel()
    for (const command of ['/upnext', '/schedule-post Hi!', '/list-logs'])
      await ines.runAndHear(command, OUTSIDER_REFUSAL)
    await viktor.runAndHear('/invite-user', OUTSIDER_REFUSAL)
    expect([...ines.state().views, ...viktor.state().views]).toEqual([])
  })

  it('is refused privately after pressing a button in a shared channel', async () => {
    const { mara, ines } = await openSharedChannel()
    // A digest that was posted before the channel was shared still has its buttons.
    const { secrets, apiUrl } = upnext.slack
    const client = new WebClient(secrets.botToken, { slackApiUrl: apiUrl })
    const blocks = buttonRow({ action_id: 'schedule:open', label: 'Schedule a post', value: upnext.project })
    await client.chat.postMessage({ channel: ines.channel, text: 'Digest', blocks })
    await ines.pressLast('schedule:open')
    await vi.waitFor(() => expect(JSON.stringify(ines.state())).toContain(OUTSIDER_REFUSAL), MAX_WAIT)
    expect(JSON.stringify(mara.state().messages)).not.toContain(OUTSIDER_REFUSAL)
    expect(await countRecords('post')).toBe(0)
  })

  it('can view but not write if a setting allows it', async () => {
    const { mara, ines, viktor } = await openSharedChannel({ externalUsersMayView: true })
    await schedule(mara)
    await ines.runAndHear('/upnext', 'Hello!')
    await ines.runAndHear('/schedule-post Hi!', VIEW_ONLY_REFUSAL)
    await viktor.runAndHear('/invite-user', VIEW_ONLY_REFUSAL)
  })

  it('sees no posts on the Home tab', async () => {
    const { mara, ines } = await openSharedChannel()
    await schedule(mara)
    await ines.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(ines.state().home)).toContain(OUTSIDER_REFUSAL), MAX_WAIT)
    expect(JSON.stringify(ines.state().home)).not.toContain('Hello!')
    await upnext.settled()
    const { rows } = await upnext.service.pool.query('select user_id from upnext.user_settings')
    expect(rows).not.toContainEqual({ user_id: ines.userId })
  })

  it('sees no email addresses in the activity log', async () => {
    const { mara, ines } = await openSharedChannel({ externalUsersMayView: true })
    await mara.invite('ada@acme.example', 'EDITOR')
    await ines.runAndHear('/list-logs', '(email hidden)')
    expect(ines.lastText()).not.toMatch(/\w@\w/)
  })
})

describe('an admin of another workspace of the organization', () => {
  it('can schedule like a member, and is in the audit trail with the name of their workspace', async () => {
    upnext = await openUpnext({ seed: 'test/bot/enterprise.yml', disableRateLimits: true })
    const sister = upnext.person('sister_admin', 'team', { unrestricted: true })
    await schedule(sister)
    await sister.runAndHear('/invite-user', ADMIN_REFUSAL)
    const readEntries = async () => {
      const { rows } = await upnext.service.pool.query(
        'select action, team_id, user_team_id from upnext.audit_entry order by id',
      )
      return rows
    }
    await vi.waitFor(async () => expect(await readEntries()).toHaveLength(2), MAX_WAIT)
    const [scheduled, denied] = await readEntries()
    expect([scheduled.action, denied.action]).toEqual(['schedule', 'invite'])
    expect(scheduled.user_team_id).not.toBe(scheduled.team_id)
    expect(scheduled.user_team_id).toBe(denied.user_team_id)
  })
})

describe('deactivated people and bots', () => {
  it('refuses a form of someone who was deactivated while it was open', async () => {
    upnext = await openUpnext({ disableRateLimits: true })
    const yuki = upnext.person('yuki', 'launch', { unrestricted: true })
    await yuki.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await yuki.form('Schedule a post')
    upnext.slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await yuki.submitView({ view: id, values: {} })
    expect(JSON.stringify(yuki.state().views)).toContain(INACTIVE_REFUSAL)
    expect(await countRecords('post')).toBe(0)
  })

  it("refuses a bot's commands", async () => {
    upnext = await openUpnext({ disableRateLimits: true })
    const rota = upnext.person('rota', 'general', { unrestricted: true })
    await rota.runAndHear('/upnext', INACTIVE_REFUSAL)
  })
})

describe('a user whom Slack cannot identify', () => {
  it('is refused, and the form keeps what was typed', async () => {
    upnext = await openUpnext({ disableRateLimits: true })
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 10 })
    const answer = await mara.submitView({ view: id, values: mara.fill({ Content: 'Hello again!' }) })
    expect(answer).toEqual({
      errors: {
        project: expect.stringMatching(/^Couldn't check with Slack.*What you typed is still here\.$/),
      },
    })
    upnext.slack.controls.clearFaults()
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Hello again!' }) })
    await mara.hears(/Scheduled in Acme[\s\S]*Hello again!/)
  })
})

describe('a digest in a channel that is shared with another organization', () => {
  it('has no buttons', async () => {
    const workspace = await openDigestWorkspace('catalogue')
    upnext = workspace
    await workspace.createPosts(30)
    await workspace.setUpDigest(10)
    await workspace.waitForScheduled()
    workspace.advance(11)
    await workspace.waitForPosted()
    const digest = JSON.stringify(workspace.posted()[0]?.blocks)
    expect(digest).toContain('Post 1.')
    expect(digest).toContain('and 22 more')
    expect(digest).not.toMatch(/"type":"(actions|button)"/)
  })
})
