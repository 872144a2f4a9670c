import { describe, expect, it } from 'vitest'
import type { Seed } from '../../seed.ts'
import { asGrid, writeChangedSeed } from '../changed-seed.ts'
import { expectApiError } from './connect.ts'
import { type OpenSlack, openSlack } from './open-slack.ts'

const openChangedSlack = async (change: Parameters<typeof writeChangedSeed>[0]): Promise<OpenSlack> =>
  openSlack({ seed: await writeChangedSeed(change) })

const userId = ({ openSession }: OpenSlack, handle: string) => openSession(handle).userId

const userOf = async (slack: OpenSlack, handle: string) =>
  (await slack.client.users.info({ user: userId(slack, handle) })).user

const sharedChannel = ({ mara }: OpenSlack) =>
  mara.state().channels.find(({ name }) => name === 'catalogue')?.id ?? ''

const listedHandles = async ({ client }: OpenSlack) =>
  (await client.users.list({})).members?.map(({ name }) => name)

/** A user of another workspace who is in no channel. */
const stranger = { handle: 'sol', name: 'Sol Marek' } as Seed['users'][number]
const withStranger = ({ other_teams: [team] }: Seed) =>
  team ? { other_teams: [{ ...team, users: [...team.users, stranger] }] } : {}

describe('a user of another workspace', () => {
  it('has their own team and the roles of their own workspace, and shows no email address', async () => {
    const slack = await openSlack()
    const { team_id } = await slack.client.auth.test()
    const viktor = await userOf(slack, 'viktor')
    expect(viktor).toMatchObject({ is_admin: true, is_restricted: false, is_stranger: false, deleted: false })
    expect(viktor?.team_id).toMatch(/^T/)
    expect(viktor?.team_id).not.toBe(team_id)
    expect(viktor?.profile?.team).toBe(viktor?.team_id)
    expect(viktor?.profile).not.toHaveProperty('email')
    expect(await userOf(slack, 'mara')).not.toHaveProperty('is_stranger')
    slack.controls.updateUser({ user: 'viktor', role: 'owner' })
    expect(await userOf(slack, 'viktor')).toMatchObject({ is_owner: true, is_primary_owner: true })
    const call = slack.client.users.lookupByEmail({ email: 'viktor@harbor-press.example' })
    await expectApiError(call, 'users_not_found')
  })

  it('is a stranger while they share no channel with the app, and then missing in users.list', async () => {
    const slack = await openChangedSlack(withStranger)
    expect(await userOf(slack, 'sol')).toMatchObject({ is_stranger: true })
    expect(await listedHandles(slack)).toEqual(expect.arrayContaining(['ines', 'viktor']))
    expect(await listedHandles(slack)).not.toContain('sol')
    await slack.mara.inviteToChannel({ channel: sharedChannel(slack), user: userId(slack, 'sol') })
    expect(await userOf(slack, 'sol')).toMatchObject({ is_stranger: false })
  })

  it('sees only the channels that they are a member of', async () => {
    const { openSession } = await openSlack()
    expect(
      openSession('ines')
        .state()
        .channels.map(({ name }) => name),
    ).toEqual(['catalogue'])
  })

  it('cannot be invited to a channel that is not shared with their workspace', async () => {
    const slack = await openSlack()
    const invited = await slack.mara.inviteToChannel({ channel: slack.launch, user: userId(slack, 'ines') })
    expect(invited).toEqual({ error: "This channel isn't shared with Harbor Press." })
  })

  it("sees the people of the app's workspace as external", async () => {
    const { openSession } = await openSlack()
    const { users, channels, workspaceName } = openSession('ines').state()
    expect(workspaceName).toBe('Harbor Press')
    expect(users.find(({ handle }) => handle === 'mara')?.otherTeam).toBe('Lantern Street')
    expect(users.find(({ handle }) => handle === 'viktor')).not.toHaveProperty('otherTeam')
    expect(channels[0]?.sharedWith).toEqual(['Lantern Street'])
  })

  it('cannot manage apps or the members of a channel, even as an admin of their workspace', async () => {
    const slack = await openSlack()
    const viktor = slack.openSession('viktor')
    expect(await viktor.uninstallApp({})).toEqual({ error: 'Only owners and admins can manage apps.' })
    const removed = await viktor.removeFromChannel({ channel: sharedChannel(slack), user: slack.mara.userId })
    expect(removed).toEqual({ error: expect.stringContaining('other organizations') })
  })
})

describe('a channel shared with another organization', () => {
  it('names the workspaces that share it', async () => {
    const slack = await openSlack()
    const { team_id } = await slack.client.auth.test()
    const otherTeam = (await userOf(slack, 'ines'))?.team_id
    const shared = {
      is_shared: true,
      is_ext_shared: true,
      is_org_shared: false,
      is_pending_ext_shared: false,
      shared_team_ids: [team_id, otherTeam],
      internal_team_ids: [team_id],
      connected_team_ids: [otherTeam],
      conversation_host_id: team_id,
      context_team_id: team_id,
    }
    const { channel } = await slack.client.conversations.info({ channel: sharedChannel(slack) })
    expect(channel).toMatchObject(shared)
    const { channels = [] } = await slack.client.conversations.list()
    expect(channels.find(({ name }) => name === 'catalogue')).toMatchObject(shared)
  })

  it('makes a direct message with one of its members shared as well', async () => {
    const slack = await openSlack()
    const open = async (handle: string) =>
      (await slack.client.conversations.open({ users: userId(slack, handle), return_im: true })).channel
    expect(await open('ines')).toMatchObject({ is_ext_shared: true })
    expect(await open('mara')).not.toHaveProperty('is_ext_shared')
  })
})

describe('a workspace of an Enterprise Grid', () => {
  it('shares channels and users with the other workspaces of its organization', async () => {
    const slack = await openChangedSlack(asGrid)
    const { enterprise_id } = await slack.client.auth.test()
    expect(enterprise_id).toMatch(/^E/)
    expect((await slack.client.team.info()).team).toMatchObject({
      enterprise_id,
      enterprise_name: 'Street Group',
      enterprise_domain: 'street-group',
    })
    const viktor = await userOf(slack, 'viktor')
    expect(viktor?.enterprise_user).toEqual({
      id: viktor?.id,
      enterprise_id,
      enterprise_name: 'Street Group',
      // An admin of one workspace isn't one of the organization.
      is_admin: false,
      is_owner: false,
      teams: [viktor?.team_id],
    })
    expect(viktor?.profile?.email).toBe('viktor@harbor-press.example')
    const { channel } = await slack.client.conversations.info({ channel: sharedChannel(slack) })
    expect(channel).toMatchObject({
      is_shared: true,
      is_org_shared: true,
      is_ext_shared: false,
      connected_team_ids: [],
    })
  })
})

describe('a deactivated user', () => {
  it('keeps their name but no roles, time zone or email lookup, and stays in users.list', async () => {
    const slack = await openSlack()
    const otto = await userOf(slack, 'otto')
    expect(otto).toMatchObject({ deleted: true, name: 'otto', profile: { real_name: 'Otto Brandt' } })
    for (const field of ['is_admin', 'is_owner', 'is_restricted', 'tz', 'real_name', 'locale'])
      expect(otto).not.toHaveProperty(field)
    expect(await listedHandles(slack)).toContain('otto')
    const call = slack.client.users.lookupByEmail({ email: 'otto@lantern-street.example' })
    await expectApiError(call, 'users_not_found')
  })

  it('is no member of their channels, and gets no direct or ephemeral messages', async () => {
    const slack = await openSlack()
    const otto = userId(slack, 'otto')
    const { members } = await slack.client.conversations.members({ channel: slack.general })
    expect(members).not.toContain(otto)
    await expectApiError(slack.client.conversations.open({ users: otto }), 'user_disabled')
    const message = { channel: slack.launch, user: userId(slack, 'yuki'), text: 'Only for you' }
    expect(await slack.client.chat.postEphemeral(message)).toMatchObject({ ok: true })
    slack.controls.updateUser({ user: 'yuki', deactivated: true })
    await expectApiError(slack.client.chat.postEphemeral(message), 'user_not_in_channel')
  })

  it('cannot do anything, unless their session is unrestricted', async () => {
    const slack = await openSlack()
    const [yuki, late] = [slack.openSession('yuki'), slack.openSession('yuki', { unrestricted: true })]
    const message = { channel: slack.launch, text: 'Bye' }
    slack.controls.updateUser({ user: 'yuki', deactivated: true })
    expect(await yuki.sendMessage(message)).toEqual({ error: 'This account is deactivated.' })
    expect(await late.sendMessage(message)).toEqual({ done: true })
    slack.controls.updateUser({ user: 'yuki', deactivated: false })
    expect(await yuki.sendMessage(message)).toEqual({ done: true })
    expect(await userOf(slack, 'yuki')).toMatchObject({ deleted: false, is_admin: false, tz: 'Asia/Tokyo' })
  })
})

describe('a role', () => {
  it.each([
    ['owner', { is_owner: true, is_admin: true, is_restricted: false, is_ultra_restricted: false }],
    ['admin', { is_owner: false, is_admin: true, is_restricted: false, is_ultra_restricted: false }],
    ['member', { is_owner: false, is_admin: false, is_restricted: false, is_ultra_restricted: false }],
    ['guest', { is_owner: false, is_admin: false, is_restricted: true, is_ultra_restricted: false }],
    [
      'single_channel_guest',
      { is_owner: false, is_admin: false, is_restricted: true, is_ultra_restricted: true },
    ],
  ] as const)('can be changed to %s while the app runs', async (role, flags) => {
    const slack = await openSlack()
    slack.controls.updateUser({ user: 'yuki', role })
    expect(await userOf(slack, 'yuki')).toMatchObject({ ...flags, is_primary_owner: false })
    expect(await userOf(slack, 'mara')).toMatchObject({ is_primary_owner: true })
  })

  it('decides immediately which channels a user sees', async () => {
    const slack = await openSlack()
    const noor = slack.openSession('noor')
    const visible = () => noor.state().channels.map(({ name }) => name)
    expect(visible()).toEqual(['launch'])
    slack.controls.updateUser({ user: 'noor', role: 'member' })
    expect(visible()).toContain('general')
  })

  it('cannot be changed for an unknown user', async () => {
    const { controls } = await openSlack()
    expect(() => controls.updateUser({ user: 'nobody', role: 'admin' })).toThrow(
      'No user is called "nobody".',
    )
  })
})

describe('a single-channel guest', () => {
  it('cannot be added to a second channel', async () => {
    const slack = await openSlack()
    const invited = await slack.mara.inviteToChannel({ channel: slack.general, user: userId(slack, 'lea') })
    expect(invited).toEqual({ error: 'Single-channel guests can be in one channel only.' })
  })
})

describe('a bot', () => {
  it('is marked as a bot with its app, except for Slackbot', async () => {
    const slack = await openChangedSlack(({ users }) => ({
      users: [...users, { ...stranger, handle: 'flow', role: 'workflow_bot' }],
    }))
    expect(await userOf(slack, 'rota')).toMatchObject({
      is_bot: true,
      is_workflow_bot: false,
      is_app_user: false,
      profile: { bot_id: expect.stringMatching(/^B/), api_app_id: expect.stringMatching(/^A/) },
    })
    expect(await userOf(slack, 'flow')).toMatchObject({ is_bot: true, is_workflow_bot: true })
    expect((await slack.client.users.info({ user: 'USLACKBOT' })).user).toMatchObject({ is_bot: false })
  })
})

describe('a seed', () => {
  it.each([
    [
      'shares a channel with an unknown team',
      { shared_with: ['nowhere'] },
      /no other team has the domain "nowhere"/,
    ],
    [
      'has a member of a team that does not share the channel',
      { members: ['ines'] },
      /not shared with the team of "ines"/,
    ],
    ['has a single-channel guest in two channels', { members: ['lea'] }, /one channel only/],
  ])('is rejected if it %s', async (_what, change, pattern) => {
    const open = openChangedSlack(({ channels: [first, ...rest] }) => ({
      channels: first ? [{ ...first, members: [], messages: [], ...change }, ...rest] : [],
    }))
    await expect(open).rejects.toThrow(pattern)
  })
})
