import { expect } from 'vitest'
import { expectApiError, pagesOf } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

/** The bot says some things in `joined`, one after another; their timestamps. */
async function post(
  { client, channels }: Implementation,
  texts: string[],
  more: object = {},
): Promise<string[]> {
  const stamps: string[] = []
  for (const text of texts) {
    const { ts = '' } = await client.chat.postMessage({ channel: channels.joined, text, ...more })
    stamps.push(ts)
  }
  return stamps
}

/** A user asks, and the bot answers twice. */
async function talk(slack: Implementation) {
  const ts = await slack.postAsUser('Which lamp?')
  const replies = await post(slack, ['This one', 'No, that one'], { thread_ts: ts })
  return { channel: slack.channels.joined, ts, replies }
}

export const history = {
  'conversations.history returns the newest message first': async (slack) => {
    const { client, botUserId, user, channels } = slack
    const asked = await slack.postAsUser('Lamps?')
    const [said] = await post(slack, ['Lamps!'])
    const { messages, has_more } = await client.conversations.history({ channel: channels.joined })
    expect(messages?.slice(0, 2)).toMatchObject([
      { type: 'message', user: botUserId, text: 'Lamps!', ts: said },
      { type: 'message', user: user.id, text: 'Lamps?', ts: asked },
    ])
    expect(has_more).toBe(false)
  },

  'conversations.history returns the number of pins': async ({ client, channels }) => {
    expect((await client.conversations.history({ channel: channels.joined })).pin_count).toBe(0)
  },

  'conversations.history returns every item exactly once over several pages': async (slack) => {
    const said = await post(slack, ['one', 'two', 'three', 'four', 'five'])
    const args = { channel: slack.channels.joined, limit: 2 }
    const listing = { method: 'conversations.history', args, items: 'messages' }
    const pages = await pagesOf<{ ts: string }>(slack.client, listing)
    expect(pages.length).toBeGreaterThan(2)
    expect(
      pages
        .flat()
        .slice(0, 5)
        .map(({ ts }) => ts),
    ).toEqual(said.toReversed())
    expect(new Set(pages.flat().map(({ ts }) => ts)).size).toBe(pages.flat().length)
    expect((await slack.client.conversations.history(args)).has_more).toBe(true)
  },

  'conversations.history returns the messages between two times': async (slack) => {
    const [oldest = '', between, latest = ''] = await post(slack, ['one', 'two', 'three'])
    const span = { channel: slack.channels.joined, oldest, latest }
    const open = await slack.client.conversations.history(span)
    const closed = await slack.client.conversations.history({ ...span, inclusive: true })
    expect(open.messages?.map(({ ts }) => ts)).toEqual([between])
    expect(closed.messages?.map(({ ts }) => ts)).toEqual([latest, between, oldest])
  },

  'conversations.history leaves out replies in threads': async (slack) => {
    const { channel, replies } = await talk(slack)
    const { messages = [] } = await slack.client.conversations.history({ channel })
    for (const reply of replies) expect(messages.map(({ ts }) => ts)).not.toContain(reply)
  },

  'conversations.history includes replies that were also sent to the channel': async (slack) => {
    const { channel, ts } = await talk(slack)
    const [loud] = await post(slack, ['For all'], { thread_ts: ts, reply_broadcast: true })
    const { messages } = await slack.client.conversations.history({ channel })
    expect(messages?.[0]).toMatchObject({ ts: loud, subtype: 'thread_broadcast', thread_ts: ts })
  },

  'conversations.history counts the replies to a message': async (slack) => {
    const { channel, ts } = await talk(slack)
    const { messages } = await slack.client.conversations.history({ channel })
    const parent = messages?.find((message) => message.ts === ts)
    expect(parent).toMatchObject({ reply_count: 2, reply_users: [slack.botUserId] })
  },

  'conversations.history returns all fields of a thread': async (slack) => {
    const { channel, ts, replies } = await talk(slack)
    const { messages } = await slack.client.conversations.history({ channel })
    expect(messages?.find((message) => message.ts === ts)).toMatchObject({
      thread_ts: ts,
      reply_users_count: 1,
      latest_reply: replies[1],
      is_locked: false,
      subscribed: false,
    })
  },

  'conversations.history returns metadata on request': async (slack) => {
    const metadata = { event_type: 'lamp_lit', event_payload: { lamp: 7 } }
    await post(slack, ['Lamps!'], { metadata })
    const asked = { channel: slack.channels.joined, include_all_metadata: true }
    expect((await slack.client.conversations.history(asked)).messages?.[0]).toMatchObject({ metadata })
  },

  "conversations.history returns only the metadata's type by default": async (slack) => {
    await post(slack, ['Lamps!'], { metadata: { event_type: 'lamp_lit', event_payload: { lamp: 7 } } })
    const { messages } = await slack.client.conversations.history({ channel: slack.channels.joined })
    expect(messages?.[0]?.metadata ?? {}).not.toHaveProperty('event_payload')
  },

  'conversations.history refuses a public channel without the bot': async ({ client, channels }) => {
    await expectApiError(client.conversations.history({ channel: channels.other }), 'not_in_channel')
  },

  'conversations.history hides a private channel from an app that is not a member': async ({
    client,
    channels,
  }) => {
    await expectApiError(client.conversations.history({ channel: channels.hidden }), 'channel_not_found')
  },

  'conversations.history refuses an unknown channel': async ({ client }) => {
    await expectApiError(client.conversations.history({ channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'conversations.history refuses an unknown cursor': async ({ client, channels: { joined } }) => {
    const call = client.conversations.history({ channel: joined, cursor: 'no cursor' })
    await expectApiError(call, 'invalid_cursor')
  },

  'conversations.history refuses an invalid time': async ({ client, channels: { joined } }) => {
    const [oldest, latest] = ['yesterday', 'tomorrow']
    const { history } = client.conversations
    await expectApiError(history({ channel: joined, oldest }), 'invalid_ts_oldest')
    await expectApiError(history({ channel: joined, latest }), 'invalid_ts_latest')
  },

  'conversations.replies returns the message, then the replies, oldest first': async (slack) => {
    const { channel, ts, replies } = await talk(slack)
    const { messages, has_more } = await slack.client.conversations.replies({ channel, ts })
    expect(messages).toMatchObject([
      { ts, user: slack.user.id, text: 'Which lamp?', reply_count: 2 },
      { ts: replies[0], thread_ts: ts, text: 'This one' },
      { ts: replies[1], thread_ts: ts, text: 'No, that one' },
    ])
    expect(has_more).toBe(false)
  },

  'conversations.replies returns the author of the first message with each reply': async (slack) => {
    const { channel, ts } = await talk(slack)
    const { messages = [] } = await slack.client.conversations.replies({ channel, ts })
    expect(messages[0]).toMatchObject({ thread_ts: ts })
    for (const reply of messages.slice(1)) expect(reply).toMatchObject({ parent_user_id: slack.user.id })
  },

  'conversations.replies returns only the message if it has no replies': async ({
    client,
    postAsUser,
    channels: { joined },
  }) => {
    const ts = await postAsUser('Which lamp?')
    const { messages } = await client.conversations.replies({ channel: joined, ts })
    expect(messages).toMatchObject([{ ts, text: 'Which lamp?' }])
  },

  'conversations.replies returns its items page by page': async (slack) => {
    const { channel, ts, replies } = await talk(slack)
    const listing = { method: 'conversations.replies', args: { channel, ts, limit: 2 }, items: 'messages' }
    const pages = await pagesOf<{ ts: string }>(slack.client, listing)
    expect(pages.length).toBeGreaterThan(1)
    expect(new Set(pages.flat().map((message) => message.ts))).toEqual(new Set([ts, ...replies]))
  },

  'conversations.replies refuses an unknown thread': async ({ client, channels: { joined } }) => {
    const call = client.conversations.replies({ channel: joined, ts: '1000000000.000001' })
    await expectApiError(call, 'thread_not_found')
  },

  'conversations.replies refuses an unknown channel': async ({ client }) => {
    const call = client.conversations.replies({ channel: 'C000NOWHERE', ts: '1000000000.000001' })
    await expectApiError(call, 'channel_not_found')
  },
} satisfies Cases
