import { expect } from 'vitest'
import { expectRefusal, pagesOf } from '../connect.ts'
import type { Cases } from './opened.ts'

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
  'conversations.list has the public channels, with the bot in them or not': async ({ client, channels }) => {
    const { channels: listed = [] } = await client.conversations.list()
    const byId = (wanted: string) => listed.find(({ id }) => id === wanted)
    expect(byId(channels.joined)).toMatchObject({ ...publicChannel, is_member: true })
    expect(byId(channels.other)).toMatchObject({ ...publicChannel, is_member: false })
    expect(listed.filter(({ is_private }) => is_private)).toEqual([])
  },

  'conversations.list says how many are in a channel': async ({ client }) => {
    const { channels: listed = [] } = await client.conversations.list()
    for (const { num_members } of listed) expect(num_members).toEqual(expect.any(Number))
  },

  'conversations.list says which channel is the general one': async ({ client }) => {
    const { channels: listed = [] } = await client.conversations.list()
    expect(listed.filter(({ is_general }) => is_general).map(({ name }) => name)).toEqual(['general'])
  },

  'conversations.list says when a channel last changed': async ({ client }) => {
    for (const channel of (await client.conversations.list()).channels ?? [])
      expect(channel).toMatchObject({ updated: expect.any(Number), unlinked: 0 })
  },

  'conversations.list says with whom a channel is shared': async ({ client }) => {
    for (const channel of (await client.conversations.list()).channels ?? [])
      expect(channel).toMatchObject({
        is_shared: false,
        is_ext_shared: false,
        is_org_shared: false,
        is_pending_ext_shared: false,
        pending_shared: [],
      })
  },

  'conversations.list tells the names that a channel had': async ({ client }) => {
    for (const channel of (await client.conversations.list()).channels ?? [])
      expect(channel.previous_names).toEqual([])
  },

  'conversations.list has private channels for those who are in them': async ({ client, channels }) => {
    const { channels: listed = [] } = await client.conversations.list({ types: 'private_channel' })
    expect(listed).toMatchObject([{ id: channels.secret, is_private: true, is_member: true }])
  },

  'conversations.list has direct messages': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id })
    const { channels: listed = [] } = await client.conversations.list({ types: 'im' })
    expect(listed).toMatchObject([
      { id: channel?.id, is_im: true, user: person.id, created: expect.any(Number) },
    ])
  },

  'conversations.list says whether the other one in a direct message is gone': async ({ client, person }) => {
    await client.conversations.open({ users: person.id })
    const { channels: listed = [] } = await client.conversations.list({ types: 'im' })
    expect(listed).toMatchObject([{ is_user_deleted: false }])
  },

  'conversations.list comes in pages': async ({ client, channels }) => {
    const listing = { method: 'conversations.list', args: { limit: 1 }, items: 'channels' }
    const pages = await pagesOf<{ id: string }>(client, listing)
    expect(new Set(pages.map(({ length }) => length))).toEqual(new Set([1]))
    const ids = pages.flat().map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([channels.joined, channels.other]))
    expect(new Set(ids).size).toBe(ids.length)
  },

  'conversations.list refuses a kind that there is not': async ({ client }) => {
    await expectRefusal(client.conversations.list({ types: 'party' }), 'invalid_types')
  },

  'conversations.list refuses a cursor that it never gave': async ({ client }) => {
    await expectRefusal(client.conversations.list({ cursor: 'no cursor' }), 'invalid_cursor')
  },

  'conversations.list refuses a limit that makes no sense': async ({ client }) => {
    await expectRefusal(client.conversations.list({ limit: -1 }), 'invalid_limit')
  },

  'conversations.info tells of a channel': async ({ client, channels }) => {
    const { channel } = await client.conversations.info({ channel: channels.joined })
    expect(channel).toMatchObject({ ...publicChannel, id: channels.joined, is_member: true })
  },

  'conversations.info counts the members for those who ask': async ({ client, channels: { joined } }) => {
    const { members } = await client.conversations.members({ channel: joined })
    const asked = await client.conversations.info({ channel: joined, include_num_members: true })
    expect(asked.channel?.num_members).toBe(members?.length)
  },

  'conversations.info does not count the members for others': async ({ client, channels }) => {
    const { channel } = await client.conversations.info({ channel: channels.joined })
    expect(channel).not.toHaveProperty('num_members')
  },

  'conversations.info counts the two in a direct message for those who ask': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id })
    const asked = { channel: channel?.id ?? '', include_num_members: true }
    expect((await client.conversations.info(asked)).channel).toMatchObject({ is_im: true, num_members: 2 })
  },

  'conversations.info knows no other channel': async ({ client }) => {
    await expectRefusal(client.conversations.info({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.info hides a private channel from those who are not in it': async ({ client, channels }) => {
    await expectRefusal(client.conversations.info({ channel: channels.hidden }), 'channel_not_found')
  },

  'conversations.open opens the direct message with a person': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id })
    expect(channel).toEqual({ id: expect.stringMatching(/^D/) })
  },

  'conversations.open says that it was open already': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id })
    const again = { ok: true, no_op: true, already_open: true, channel: { id: channel?.id } }
    expect(await client.conversations.open({ users: person.id })).toMatchObject(again)
    expect(await client.conversations.open({ channel: channel?.id ?? '' })).toMatchObject(again)
  },

  'conversations.open tells all of a direct message to those who ask': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id, return_im: true })
    expect(channel).toMatchObject({ is_im: true, user: person.id, created: expect.any(Number) })
  },

  'conversations.open brings several together, always in the same place': async (slack) => {
    const users = `${slack.person.id},${slack.outsider}`
    const { channel } = await slack.client.conversations.open({ users, return_im: true })
    expect(channel).toMatchObject({ is_mpim: true, is_private: true })
    const again = await slack.client.conversations.open({ users })
    expect(again.channel).toEqual({ id: channel?.id })
  },

  'conversations.open knows nobody else': async ({ client }) => {
    await expectRefusal(client.conversations.open({ users: 'U000NOBODY' }), 'user_not_found')
  },

  'conversations.open wants to know with whom': async ({ client }) => {
    await expectRefusal(client.apiCall('conversations.open'), 'users_list_not_supplied')
  },

  'conversations.open takes no more than eight': async ({ client }) => {
    await expectRefusal(client.conversations.open({ users: nine }), 'too_many_users')
  },

  'conversations.members has everybody in a channel': async ({ client, person, botUserId, channels }) => {
    const { members, response_metadata } = await client.conversations.members({ channel: channels.secret })
    expect(members).toEqual(expect.arrayContaining([person.id, botUserId]))
    expect(response_metadata?.next_cursor).toBe('')
  },

  'conversations.members comes in pages': async ({ client, channels: { joined } }) => {
    const { members } = await client.conversations.members({ channel: joined })
    const listing = { method: 'conversations.members', args: { channel: joined, limit: 1 }, items: 'members' }
    const pages = await pagesOf<string>(client, listing)
    expect(pages).toEqual(members?.map((member) => [member]))
  },

  'conversations.members knows no other channel': async ({ client }) => {
    await expectRefusal(client.conversations.members({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.members refuses a limit that makes no sense': async ({ client, channels }) => {
    const call = client.conversations.members({ channel: channels.joined, limit: -1 })
    await expectRefusal(call, 'invalid_limit')
  },

  'conversations.join takes the bot into a public channel': async ({
    client,
    botUserId,
    channels: { other },
  }) => {
    const { channel } = await client.conversations.join({ channel: other })
    expect(channel).toMatchObject({ id: other, is_member: true })
    expect((await client.conversations.members({ channel: other })).members).toContain(botUserId)
  },

  'conversations.join warns a bot that is in the channel already': async ({ client, channels }) => {
    expect(await client.conversations.join({ channel: channels.joined })).toMatchObject({
      ok: true,
      channel: { id: channels.joined },
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    })
  },

  'conversations.join leads into no direct message': async ({ client, person }) => {
    const { channel } = await client.conversations.open({ users: person.id })
    const call = client.conversations.join({ channel: channel?.id ?? '' })
    await expectRefusal(call, 'method_not_supported_for_channel_type')
  },

  'conversations.join knows no other channel': async ({ client }) => {
    await expectRefusal(client.conversations.join({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.join finds no private channel from outside': async ({ client, channels }) => {
    await expectRefusal(client.conversations.join({ channel: channels.hidden }), 'channel_not_found')
  },
} satisfies Cases
