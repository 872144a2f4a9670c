import { expect } from 'vitest'
import { apiErrorOf, expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

const section = { type: 'section', text: { type: 'mrkdwn', text: '*Lamps* are on' } } as const

const textsIn = async ({ client }: Implementation, channel: string) =>
  (await client.conversations.history({ channel })).messages?.map(({ text }) => text)

export const posting = {
  'chat.postMessage returns the message': async ({ client, botUserId, channels: { joined } }) => {
    const posted = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(posted).toMatchObject({
      ok: true,
      channel: joined,
      ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
      message: { type: 'message', text: 'Lamps are on', user: botUserId, ts: posted.ts },
    })
  },

  'chat.postMessage returns the app that posted the message': async ({ client, channels: { joined } }) => {
    const { bot_id, team_id } = await client.auth.test()
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    const app_id = expect.stringMatching(/^A/)
    expect(message).toMatchObject({
      bot_id,
      app_id,
      team: team_id,
      bot_profile: { id: bot_id, app_id, team_id, name: expect.any(String), deleted: false },
    })
  },

  "chat.postMessage returns the app's icon in three sizes": async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(message?.bot_profile?.icons).toMatchObject({
      image_36: expect.any(String),
      image_48: expect.any(String),
      image_72: expect.any(String),
    })
  },

  'chat.postMessage adds a rich text block to plain text': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(message?.blocks).toMatchObject([{ type: 'rich_text', block_id: expect.any(String) }])
  },

  'chat.postMessage adds missing block_ids': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'x', blocks: [section] })
    expect(message?.blocks).toMatchObject([{ ...section, block_id: expect.stringMatching(/./) }])
  },

  'chat.postMessage adds the defaults of text objects': async ({ client, channels: { joined } }) => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'Lamps' } } as const
    const blocks = [section, header]
    const { message } = await client.chat.postMessage({ channel: joined, text: 'x', blocks })
    expect(message?.blocks).toMatchObject([{ text: { verbatim: false } }, { text: { emoji: true } }])
  },

  'chat.postMessage accepts blocks without text': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, blocks: [section] })
    expect(message?.blocks).toMatchObject([section])
  },

  'chat.postMessage numbers the attachments': async ({ client, channels: { joined } }) => {
    const attachments = ['one', 'two'].map((text) => ({ text, fallback: text }))
    const { message } = await client.chat.postMessage({ channel: joined, text: 'x', attachments })
    expect(message?.attachments).toMatchObject(
      attachments.map((given, index) => ({ ...given, id: index + 1 })),
    )
  },

  'chat.postMessage escapes characters that look like markup': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps & 1 < 2, <@U1>' })
    expect(message?.text).toBe('Lamps &amp; 1 &lt; 2, <@U1>')
  },

  'chat.postMessage opens a direct message with a user': async (slack) => {
    const { client, user } = slack
    const { channel } = await client.chat.postMessage({ channel: user.id, text: 'For you' })
    expect(channel).toMatch(/^D/)
    expect(await textsIn(slack, channel ?? '')).toEqual(['For you'])
  },

  'chat.postMessage accepts a channel name': async ({ client, channels: { joined } }) => {
    const { channel } = await client.conversations.info({ channel: joined })
    const posted = await client.chat.postMessage({ channel: `#${channel?.name}`, text: 'By name' })
    expect(posted.channel).toBe(joined)
  },

  'chat.postMessage posts to public channels without the bot if it has chat:write.public': async (slack) => {
    const { client, channels } = slack
    const posted = await client.chat.postMessage({ channel: channels.other, text: 'From outside' })
    expect(posted).toMatchObject({ ok: true, channel: channels.other })
  },

  'chat.postMessage posts in a thread': async ({ client, postAsUser, channels: { joined } }) => {
    const thread_ts = await postAsUser('Which lamp?')
    const { message } = await client.chat.postMessage({ channel: joined, text: 'That one', thread_ts })
    expect(message).toMatchObject({ text: 'That one', thread_ts })
  },

  "chat.postMessage returns the author of the thread's first message": async ({
    client,
    user,
    postAsUser,
    channels,
  }) => {
    const thread_ts = await postAsUser('Which lamp?')
    const reply = { channel: channels.joined, text: 'That one', thread_ts }
    const { message } = await client.chat.postMessage(reply)
    expect(message).toMatchObject({ parent_user_id: user.id })
  },

  'chat.postMessage truncates text after 40,000 characters': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'a'.repeat(40_001) })
    expect(message?.text).toBe('a'.repeat(40_000))
  },

  'chat.postMessage refuses a message without content': async ({ client, channels: { joined } }) => {
    await expectApiError(client.chat.postMessage({ channel: joined, text: '' }), 'no_text')
  },

  'chat.postMessage refuses an unknown channel': async ({ client }) => {
    await expectApiError(client.chat.postMessage({ channel: 'C000NOWHERE', text: 'x' }), 'channel_not_found')
  },

  'chat.postMessage hides a private channel from an app that is not a member': async ({
    client,
    channels: { hidden },
  }) => {
    await expectApiError(client.chat.postMessage({ channel: hidden, text: 'x' }), 'channel_not_found')
  },

  'chat.postMessage reports what is invalid in blocks, with JSON pointers': async ({
    client,
    channels: { joined },
  }) => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } } as const
    const refusal = await apiErrorOf(
      client.chat.postMessage({ channel: joined, text: 'x', blocks: [section, header] }),
    )
    const problem = 'must be less than 151 characters [json-pointer:/blocks/1/text/text]'
    expect(refusal).toMatchObject({
      error: 'invalid_blocks',
      errors: expect.arrayContaining([problem]),
      response_metadata: { messages: expect.arrayContaining([`[ERROR] ${problem}`]) },
    })
  },

  'chat.postMessage refuses blocks that are not a list': async ({ client, channels: { joined } }) => {
    const call = client.apiCall('chat.postMessage', { channel: joined, text: 'x', blocks: '[{' })
    await expectApiError(call, 'invalid_blocks_format')
  },

  'chat.postMessage accepts at most 50 blocks': async ({ client, channels: { joined } }) => {
    const blocks = Array.from({ length: 51 }, () => section)
    await expectApiError(client.chat.postMessage({ channel: joined, text: 'x', blocks }), 'invalid_blocks')
  },

  'chat.postMessage accepts at most 100 attachments': async ({ client, channels: { joined } }) => {
    const attachments = Array.from({ length: 101 }, () => ({ text: 'x', fallback: 'x' }))
    const call = client.chat.postMessage({ channel: joined, text: 'x', attachments })
    await expectApiError(call, 'too_many_attachments')
  },

  'chat.postMessage refuses markdown_text together with text or blocks': async ({
    client,
    channels: { joined },
  }) => {
    const call = client.apiCall('chat.postMessage', { channel: joined, text: 'x', markdown_text: '**x**' })
    await expectApiError(call, 'markdown_text_conflict')
  },

  'chat.postEphemeral shows a message to one user and does not store it': async (slack) => {
    const { client, user, channels } = slack
    const message = { channel: channels.joined, user: user.id, text: 'Between us' }
    const { message_ts } = await client.chat.postEphemeral(message)
    expect(message_ts).toMatch(/^\d{10}\.\d{6}$/)
    expect(await textsIn(slack, channels.joined)).not.toContain('Between us')
  },

  'chat.postEphemeral refuses a user who is not in the channel': async ({ client, nonMember, channels }) => {
    const call = client.chat.postEphemeral({ channel: channels.secret, user: nonMember, text: 'x' })
    await expectApiError(call, 'user_not_in_channel')
  },

  'chat.postEphemeral refuses a message without content': async ({ client, user, channels: { joined } }) => {
    await expectApiError(client.chat.postEphemeral({ channel: joined, user: user.id, text: '' }), 'no_text')
  },

  'chat.postEphemeral refuses an unknown channel': async ({ client, user }) => {
    const call = client.chat.postEphemeral({ channel: 'C000NOWHERE', user: user.id, text: 'x' })
    await expectApiError(call, 'channel_not_found')
  },
} satisfies Cases
