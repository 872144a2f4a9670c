import { expect } from 'vitest'
import { expectRefusal } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

const section = { type: 'section', block_id: 'b', text: { type: 'mrkdwn', text: '*Lamps*' } } as const
const attachment = { text: 'A lamp', fallback: 'A lamp' }
const metadata = { event_type: 'lamp_lit', event_payload: { lamp: 7 } }

/** The bot says something in `joined`; where that is. */
async function post(
  { client, channels }: Opened,
  more: object = {},
): Promise<{ channel: string; ts: string }> {
  const { ts = '' } = await client.chat.postMessage({ channel: channels.joined, text: 'Lamps', ...more })
  return { channel: channels.joined, ts }
}

async function readBack({ client }: Opened, { channel, ts }: { channel: string; ts: string }) {
  const args = { channel, latest: ts, inclusive: true, limit: 1, include_all_metadata: true }
  const { messages = [] } = await client.conversations.history(args)
  return messages.find((message) => message.ts === ts)
}

export const editing = {
  'chat.update changes the text, and marks the message as edited': async (slack) => {
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

  'chat.update takes the blocks away where only a text is given': async (slack) => {
    const at = await post(slack, { blocks: [section] })
    await slack.client.chat.update({ ...at, text: 'Lamps are off' })
    expect((await readBack(slack, at))?.blocks ?? []).not.toMatchObject([section])
  },

  'chat.update keeps the blocks where no text is given': async (slack) => {
    const at = await post(slack, { blocks: [section] })
    await slack.client.chat.update({ ...at, attachments: [attachment] })
    expect(await readBack(slack, at)).toMatchObject({ blocks: [section], attachments: [attachment] })
  },

  'chat.update keeps the metadata where none is given': async (slack) => {
    const at = await post(slack, { metadata })
    await slack.client.chat.update({ ...at, text: 'Lamps are off' })
    expect(await readBack(slack, at)).toMatchObject({ metadata })
  },

  'chat.update wants something to say': async (slack) => {
    await expectRefusal(slack.client.apiCall('chat.update', await post(slack)), 'no_text')
  },

  'chat.update takes no text of more than 4,000 characters': async (slack) => {
    const text = 'a'.repeat(4001)
    await expectRefusal(slack.client.chat.update({ ...(await post(slack)), text }), 'msg_too_long')
  },

  'chat.update finds no message that is not there': async ({ client, channels: { joined } }) => {
    const call = client.chat.update({ channel: joined, ts: '1000000000.000001', text: 'x' })
    await expectRefusal(call, 'message_not_found')
  },

  'chat.update knows no other channel': async ({ client }) => {
    const call = client.chat.update({ channel: 'C000NOWHERE', ts: '1000000000.000001', text: 'x' })
    await expectRefusal(call, 'channel_not_found')
  },

  "chat.update leaves a person's message alone": async ({ client, say, channels: { joined } }) => {
    const call = client.chat.update({ channel: joined, ts: await say('Mine'), text: 'x' })
    await expectRefusal(call, 'cant_update_message')
  },

  'chat.delete takes a message away': async (slack) => {
    const at = await post(slack)
    expect(await slack.client.chat.delete(at)).toMatchObject({ ok: true, ...at })
    expect(await readBack(slack, at)).toBeUndefined()
    await expectRefusal(slack.client.chat.delete(at), 'message_not_found')
  },

  "chat.delete leaves a person's message alone": async ({ client, say, channels: { joined } }) => {
    await expectRefusal(client.chat.delete({ channel: joined, ts: await say('Mine') }), 'cant_delete_message')
  },

  'chat.delete knows no other channel': async ({ client }) => {
    const call = client.chat.delete({ channel: 'C000NOWHERE', ts: '1000000000.000001' })
    await expectRefusal(call, 'channel_not_found')
  },

  'chat.getPermalink leads to a message': async (slack) => {
    const { channel, ts } = await post(slack)
    const address = new RegExp(`^https?://[^/]+/archives/${channel}/p${ts.replace('.', '')}$`)
    expect(await slack.client.chat.getPermalink({ channel, message_ts: ts })).toMatchObject({
      ok: true,
      channel,
      permalink: expect.stringMatching(address),
    })
  },

  'chat.getPermalink leads into a thread': async (slack) => {
    const { channel, ts: thread_ts } = await post(slack)
    const { ts: message_ts } = await post(slack, { thread_ts })
    const { permalink = '' } = await slack.client.chat.getPermalink({ channel, message_ts })
    const { pathname, searchParams } = new URL(permalink)
    expect(pathname).toBe(`/archives/${channel}/p${message_ts.replace('.', '')}`)
    expect(Object.fromEntries(searchParams)).toEqual({ thread_ts, cid: channel })
  },

  'chat.getPermalink finds no message that is not there': async ({ client, channels: { joined } }) => {
    const call = client.chat.getPermalink({ channel: joined, message_ts: '1000000000.000001' })
    await expectRefusal(call, 'message_not_found')
  },

  'chat.getPermalink knows no other channel': async ({ client }) => {
    const call = client.chat.getPermalink({ channel: 'C000NOWHERE', message_ts: '1000000000.000001' })
    await expectRefusal(call, 'channel_not_found')
  },

  'reactions.add puts an emoji on a message': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    expect(await slack.client.reactions.add({ channel, timestamp, name: 'bulb' })).toMatchObject({ ok: true })
    expect(await readBack(slack, { channel, ts: timestamp })).toMatchObject({
      reactions: [{ name: 'bulb', users: [slack.botUserId], count: 1 }],
    })
  },

  'reactions.add puts the same emoji on a message once': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    await slack.client.reactions.add({ channel, timestamp, name: 'bulb' })
    const again = slack.client.reactions.add({ channel, timestamp, name: 'bulb' })
    await expectRefusal(again, 'already_reacted')
  },

  'reactions.add finds no message that is not there': async ({ client, channels: { joined } }) => {
    const call = client.reactions.add({ channel: joined, timestamp: '1000000000.000001', name: 'bulb' })
    await expectRefusal(call, 'message_not_found')
  },

  'reactions.add knows no other channel': async ({ client }) => {
    const timestamp = '1000000000.000001'
    const call = client.reactions.add({ channel: 'C000NOWHERE', timestamp, name: 'bulb' })
    await expectRefusal(call, 'channel_not_found')
  },

  'reactions.add refuses a timestamp that is none': async ({ client, channels: { joined } }) => {
    const call = client.reactions.add({ channel: joined, timestamp: 'yesterday', name: 'bulb' })
    await expectRefusal(call, 'bad_timestamp')
  },

  'reactions.add refuses a name that no emoji can have': async (slack) => {
    const { channel, ts: timestamp } = await post(slack)
    const call = slack.client.reactions.add({ channel, timestamp, name: 'a lamp!' })
    await expectRefusal(call, 'invalid_name')
  },

  'reactions.add wants to know on what': async ({ client }) => {
    await expectRefusal(client.apiCall('reactions.add', { name: 'bulb' }), 'no_item_specified')
  },
} satisfies Cases
