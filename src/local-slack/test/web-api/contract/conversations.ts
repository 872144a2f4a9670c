import { expect } from 'vitest'
import { expectApiError, pagesOf } from '../connect.ts'
import type { Cases } from './implementation.ts'

const said = { value: expect.any(String), creator: expect.any(String), last_set: expect.any(Number) }

const publicChannel = {
  name: expect.any(String),
  name_normalized: expect.any(String),
  is_channel: true,
  is_group: false,
  is_im: false,
  is_mpim: false,
  is_private: false,
  is_archived: false,
  created: expect.any(Number),
  creator: expect.stringMatching(/^U/),
  topic: said,
  purpose: said,
}

const nine = Array.from({ length: 9 }, (_, index) => `U${index}`).join()

export const conversations = {
  'conversations.list returns all public channels, also those without the bot': async ({
    client,
    channels,
  }) => {
    const { channels: listed = [] } = await client.conversations.list()
    const byId = (wanted: string) => listed.find(({ id }) => id === wanted)
    expect(byId(channels.joined)).toMatchObject({ ...publicChannel, is_member: true })
    expect(byId(channels.other)).toMatchObject({ ...publicChannel, is_member: false })
    expect(listed.filter(({ is_private }) => is_private)).toEqual([])
  },

  'conversations.list counts the members of a channel': async ({ client }) => {
    const { channels: listed = [] } = await client.conversations.list()
    for (const { num_members } of listed) expect(num_members).toEqual(expect.any(Number))
  },

  'conversations.list marks the general channel': async ({ client }) => {
    const { channels: listed = [] } = await client.conversations.list()
    expect(listed.filter(({ is_general }) => is_general).map(({ name }) => name)).toEqual(['general'])
  },

  'conversations.list returns the last change of a channel': async ({ client }) => {
    for (const channel of (await client.conversations.list()).channels ?? [])
      expect(channel).toMatchObject({ updated: expect.any(Number), unlinked: 0 })
  },

  'conversations.list returns the workspaces that share a channel': async ({ client, channels }) => {
    const { channels: listed = [] } = await client.conversations.list()
    for (const channel of listed.filter(({ id }) => id === channels.joined || id === channels.other))
      expect(channel).toMatchObject({
        is_shared: false,
        is_ext_shared: false,
        is_org_shared: false,
        is_pending_ext_shared: false,
        pending_shared: [],
      })
  },

  'conversations.list returns the previous names of a channel': async ({ client }) => {
    for (const channel of (await client.conversations.list()).channels ?? [])
      expect(channel.previous_names).toEqual([])
  },

  'conversations.list returns the private channels of the bot': async ({ client, channels }) => {
    const { channels: listed = [] } = await client.conversations.list({ types: 'private_channel' })
    expect(listed).toMatchObject([{ id: channels.secret, is_private: true, is_member: true }])
  },

  'conversations.list returns direct messages': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id })
    const { channels: listed = [] } = await client.conversations.list({ types: 'im' })
    expect(listed).toMatchObject([
      { id: channel?.id, is_im: true, user: user.id, created: expect.any(Number) },
    ])
  },

  'conversations.list returns whether the user of a direct message was deleted': async ({ client, user }) => {
    await client.conversations.open({ users: user.id })
    const { channels: listed = [] } = await client.conversations.list({ types: 'im' })
    expect(listed).toMatchObject([{ is_user_deleted: false }])
  },

  'conversations.list returns its items page by page': async ({ client, channels }) => {
    const listing = { method: 'conversations.list', args: { limit: 1 }, items: 'channels' }
    const pages = await pagesOf<{ id: string }>(client, listing)
    expect(new Set(pages.map(({ length }) => length))).toEqual(new Set([1]))
    const ids = pages.flat().map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([channels.joined, channels.other]))
    expect(new Set(ids).size).toBe(ids.length)
  },

  'conversations.list refuses an unknown channel type': async ({ client }) => {
    await expectApiError(client.conversations.list({ types: 'party' }), 'invalid_types')
  },

  'conversations.list refuses an unknown cursor': async ({ client }) => {
    await expectApiError(client.conversations.list({ cursor: 'no cursor' }), 'invalid_cursor')
  },

  'conversations.list refuses an invalid limit': async ({ client }) => {
    await expectApiError(client.conversations.list({ limit: -1 }), 'invalid_limit')
  },

  'conversations.info returns a channel': async ({ client, channels }) => {
    const { channel } = await client.conversations.info({ channel: channels.joined })
    expect(channel).toMatchObject({ ...publicChannel, id: channels.joined, is_member: true })
  },

  'conversations.info counts the members on request': async ({ client, channels: { joined } }) => {
    const { members } = await client.conversations.members({ channel: joined })
    const asked = await client.conversations.info({ channel: joined, include_num_members: true })
    expect(asked.channel?.num_members).toBe(members?.length)
  },

  'conversations.info does not count the members by default': async ({ client, channels }) => {
    const { channel } = await client.conversations.info({ channel: channels.joined })
    expect(channel).not.toHaveProperty('num_members')
  },

  'conversations.info counts the members of a direct message on request': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id })
    const asked = { channel: channel?.id ?? '', include_num_members: true }
    expect((await client.conversations.info(asked)).channel).toMatchObject({ is_im: true, num_members: 2 })
  },

  'conversations.info refuses an unknown channel': async ({ client }) => {
    await expectApiError(client.conversations.info({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.info hides a private channel from an app that is not a member': async ({
    client,
    channels,
  }) => {
    await expectApiError(client.conversations.info({ channel: channels.hidden }), 'channel_not_found')
  },

  'conversations.open opens a direct message with a user': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id })
    expect(channel).toEqual({ id: expect.stringMatching(/^D/) })
  },

  'conversations.open returns that a direct message was already open': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id })
    const again = { ok: true, no_op: true, already_open: true, channel: { id: channel?.id } }
    expect(await client.conversations.open({ users: user.id })).toMatchObject(again)
    expect(await client.conversations.open({ channel: channel?.id ?? '' })).toMatchObject(again)
  },

  'conversations.open returns the whole direct message on request': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id, return_im: true })
    expect(channel).toMatchObject({ is_im: true, user: user.id, created: expect.any(Number) })
  },

  'conversations.open returns the same group message for the same users': async (slack) => {
    const users = `${slack.user.id},${slack.nonMember}`
    const { channel } = await slack.client.conversations.open({ users, return_im: true })
    expect(channel).toMatchObject({ is_mpim: true, is_private: true })
    const again = await slack.client.conversations.open({ users })
    expect(again.channel).toEqual({ id: channel?.id })
  },

  'conversations.open refuses an unknown user': async ({ client }) => {
    await expectApiError(client.conversations.open({ users: 'U000NOBODY' }), 'user_not_found')
  },

  'conversations.open requires users': async ({ client }) => {
    await expectApiError(client.apiCall('conversations.open'), 'users_list_not_supplied')
  },

  'conversations.open accepts at most eight users': async ({ client }) => {
    await expectApiError(client.conversations.open({ users: nine }), 'too_many_users')
  },

  'conversations.members returns all members of a channel': async ({ client, user, botUserId, channels }) => {
    const { members, response_metadata } = await client.conversations.members({ channel: channels.secret })
    expect(members).toEqual(expect.arrayContaining([user.id, botUserId]))
    expect(response_metadata?.next_cursor).toBe('')
  },

  'conversations.members returns its items page by page': async ({ client, channels: { joined } }) => {
    const { members } = await client.conversations.members({ channel: joined })
    const listing = { method: 'conversations.members', args: { channel: joined, limit: 1 }, items: 'members' }
    const pages = await pagesOf<string>(client, listing)
    expect(pages).toEqual(members?.map((member) => [member]))
  },

  'conversations.members refuses an unknown channel': async ({ client }) => {
    await expectApiError(client.conversations.members({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.members refuses an invalid limit': async ({ client, channels }) => {
    const call = client.conversations.members({ channel: channels.joined, limit: -1 })
    await expectApiError(call, 'invalid_limit')
  },

  'conversations.join adds the bot to a public channel': async ({
    client,
    botUserId,
    channels: { other },
  }) => {
    const { channel } = await client.conversations.join({ channel: other })
    expect(channel).toMatchObject({ id: other, is_member: true })
    expect((await client.conversations.members({ channel: other })).members).toContain(botUserId)
  },

  'conversations.join warns if the bot is already a member': async ({ client, channels }) => {
    expect(await client.conversations.join({ channel: channels.joined })).toMatchObject({
      ok: true,
      channel: { id: channels.joined },
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    })
  },

  'conversations.join refuses a direct message': async ({ client, user }) => {
    const { channel } = await client.conversations.open({ users: user.id })
    const call = client.conversations.join({ channel: channel?.id ?? '' })
    await expectApiError(call, 'method_not_supported_for_channel_type')
  },

  'conversations.join refuses an unknown channel': async ({ client }) => {
    await expectApiError(client.conversations.join({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.join hides a private channel from an app that is not a member': async ({
    client,
    channels,
  }) => {
    await expectApiError(client.conversations.join({ channel: channels.hidden }), 'channel_not_found')
  },
} satisfies Cases
