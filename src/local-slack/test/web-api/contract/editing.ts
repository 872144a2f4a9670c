import { expect } from 'vitest'
import { expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

const section = { type: 'section', block_id: 'b', text: { type: 'mrkdwn', text: '*Lamps*' } } as const
const attachment = { text: 'A lamp', fallback: 'A lamp' }
const metadata = { event_type: 'lamp_lit', event_payload: { lamp: 7 } }

/** The bot says something in `joined`; where that is. */
async function post(
  { client, channels }: Implementation,
  more: object = {},
): Promise<{ channel: string; ts: string }> {
  const { ts = '' } = await client.chat.postMessage({ channel: channels.joined, text: 'Lamps', ...more })
  return { channel: channels.joined, ts }
}

async function readBack({ client }: Implementation, { channel, ts }: { channel: string; ts: string }) {
  const args = { channel, latest: ts, inclusive: true, limit: 1, include_all_metadata: true }
  const { messages = [] } = await client.conversations.history(args)
  return messages.find((message) => message.ts === ts)
}

export const editing = {
  'chat.update changes the text and marks the message as edited': async (slack) => {
    const at = await post(slack)
    const edited = { user: expect.any(String), ts: expect.stringMatching(/^\d{10}\.\d{6}$/) }
    const changed = { text: 'Lamps are off', user: slack.botUserId, edited }
    expect(await slack.client.chat.update({ ...at, text: 'Lamps are off' })).toMatchObject({
      ok: true,
      ...at,
      text: 'Lamps are off',
      message: changed,
    })
    expect(await readBack(slack, at)).toMatchObject(changed)
  },

  'chat.update removes the blocks if only text is sent': async (slack) => {
    const at = await post(slack, { blocks: [section] })
    await slack.client.chat.update({ ...at, text: 'Lamps are off' })
    expect((await readBack(slack, at))?.blocks ?? []).not.toMatchObject([section])
  },

  'chat.update keeps the blocks if no text is sent': async (slack) => {
    const at = await post(slack, { blocks: [section] })
    await slack.client.chat.update({ ...at, attachments: [attachment] })
    expect(await readBack(slack, at)).toMatchObject({ blocks: [section], attachments: [attachment] })
  },

  'chat.update keeps the metadata if none is sent': async (slack) => {
    const at = await post(slack, { metadata })
    await slack.client.chat.update({ ...at, text: 'Lamps are off' })
    expect(await readBack(slack, at)).toMatchObject({ metadata })
  },

  'chat.update refuses a message without content': async (slack) => {
    await expectApiError(slack.client.apiCall('chat.update', await post(slack)), 'no_text')
  },

  'chat.update refuses text with more than 4,000 characters': async (slack) => {
    const text = 'a'.repeat(4001)
    await expectApiError(slack.client.chat.update({ ...(await post(slack)), text }), 'msg_too_long')
  },

  'chat.update refuses an unknown message': async ({ client, channels: { joined } }) => {
    const call = client.chat.update({ channel: joined, ts: '1000000000.000001', text: 'x' })
    await expectApiError(call, 'message_not_found')
  },

  'chat.update refuses an unknown channel': async ({ client }) => {
    const call = client.chat.update({ channel: 'C000NOWHERE', ts: '1000000000.000001', text: 'x' })
    await expectApiError(call, 'channel_not_found')
  },

  "chat.update refuses a user's message": async ({ client, postAsUser, channels: { joined } }) => {
    const call = client.chat.update({ channel: joined, ts: await postAsUser('Mine'), text: 'x' })
    await expectApiError(call, 'cant_update_message')
  },

  'chat.delete deletes a message': async (slack) => {
    const at = await post(slack)
    expect(await slack.client.chat.delete(at)).toMatchObject({ ok: true, ...at })
    expect(await readBack(slack, at)).toBeUndefined()
    await expectApiError(slack.client.chat.delete(at), 'message_not_found')
  },

  "chat.delete refuses a user's message": async ({ client, postAsUser, channels: { joined } }) => {
    await expectApiError(
      client.chat.delete({ channel: joined, ts: await postAsUser('Mine') }),
      'cant_delete_message',
    )
  },

  'chat.delete refuses an unknown channel': async ({ client }) => {
    const call = client.chat.delete({ channel: 'C000NOWHERE', ts: '1000000000.000001' })
    await expectApiError(call, 'channel_not_found')
  },

  'chat.getPermalink returns a link to a message': async (slack) => {
    const { channel, ts } = await post(slack)
    const address = new RegExp(`^https?://[^/]+/archives/${channel}/p${ts.replace('.', '')}$`)
    expect(await slack.client.chat.getPermalink({ channel, message_ts: ts })).toMatchObject({
      ok: true,
      channel,
      permalink: expect.stringMatching(address),
    })
  },

  'chat.getPermalink returns a link to a reply in its thread': async (slack) => {
    const { channel, ts: thread_ts } = await post(slack)
    const { ts: message_ts } = await post(slack, { thread_ts })
    const { permalink = '' } = await slack.client.chat.getPermalink({ channel, message_ts })
    const { pathname, searchParams } = new URL(permalink)
    expect(pathname).toBe(`/archives/${channel}/p${message_ts.replace('.', '')}`)
    expect(Object.fromEntries(searchParams)).toEqual({ thread_ts, cid: channel })
  },

  'chat.getPermalink refuses an unknown message': async ({ client, channels: { joined } }) => {
    const call = client.chat.getPermalink({ channel: joined, message_ts: '1000000000.000001' })
    await expectApiError(call, 'message_not_found')
  },

  'chat.getPermalink refuses an unknown channel': async ({ client }) => {
    const call = client.chat.getPermalink({ channel: 'C000NOWHERE', message_ts: '1000000000.000001' })
    await expectApiError(call, 'channel_not_found')
  },

  'reactions.add adds an emoji to a message': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    expect(await slack.client.reactions.add({ channel, timestamp, name: 'bulb' })).toMatchObject({ ok: true })
    expect(await readBack(slack, { channel, ts: timestamp })).toMatchObject({
      reactions: [{ name: 'bulb', users: [slack.botUserId], count: 1 }],
    })
  },

  'reactions.add refuses the same reaction twice': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    await slack.client.reactions.add({ channel, timestamp, name: 'bulb' })
    const again = slack.client.reactions.add({ channel, timestamp, name: 'bulb' })
    await expectApiError(again, 'already_reacted')
  },

  'reactions.add refuses an unknown message': async ({ client, channels: { joined } }) => {
    const call = client.reactions.add({ channel: joined, timestamp: '1000000000.000001', name: 'bulb' })
    await expectApiError(call, 'message_not_found')
  },

  'reactions.add refuses an unknown channel': async ({ client }) => {
    const timestamp = '1000000000.000001'
    const call = client.reactions.add({ channel: 'C000NOWHERE', timestamp, name: 'bulb' })
    await expectApiError(call, 'channel_not_found')
  },

  'reactions.add refuses an invalid timestamp': async ({ client, channels: { joined } }) => {
    const call = client.reactions.add({ channel: joined, timestamp: 'yesterday', name: 'bulb' })
    await expectApiError(call, 'bad_timestamp')
  },

  'reactions.add refuses an invalid emoji name': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    const call = slack.client.reactions.add({ channel, timestamp, name: 'a lamp!' })
    await expectApiError(call, 'invalid_name')
  },

  'reactions.add requires a message': async ({ client }) => {
    await expectApiError(client.apiCall('reactions.add', { name: 'bulb' }), 'no_item_specified')
  },
} satisfies Cases
