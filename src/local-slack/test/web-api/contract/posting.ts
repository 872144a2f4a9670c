import { expect } from 'vitest'
import { expectRefusal, refusalOf } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

const section = { type: 'section', text: { type: 'mrkdwn', text: '*Lamps* are on' } } as const

const textsIn = async ({ client }: Opened, channel: string) =>
  (await client.conversations.history({ channel })).messages?.map(({ text }) => text)

export const posting = {
  'chat.postMessage answers with the message': async ({ client, botUserId, channels: { joined } }) => {
    const posted = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(posted).toMatchObject({
      ok: true,
      channel: joined,
      ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
      message: { type: 'message', text: 'Lamps are on', user: botUserId, ts: posted.ts },
    })
  },

  'chat.postMessage says which app wrote the message': async ({ client, channels: { joined } }) => {
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

  'chat.postMessage has the icon of the app in three sizes': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(message?.bot_profile?.icons).toMatchObject({
      image_36: expect.any(String),
      image_48: expect.any(String),
      image_72: expect.any(String),
    })
  },

  'chat.postMessage makes rich text of mere text': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps are on' })
    expect(message?.blocks).toMatchObject([{ type: 'rich_text', block_id: expect.any(String) }])
  },

  'chat.postMessage names the blocks that have no name': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'x', blocks: [section] })
    expect(message?.blocks).toMatchObject([{ ...section, block_id: expect.stringMatching(/./) }])
  },

  'chat.postMessage fills in what texts in blocks leave out': async ({ client, channels: { joined } }) => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'Lamps' } } as const
    const blocks = [section, header]
    const { message } = await client.chat.postMessage({ channel: joined, text: 'x', blocks })
    expect(message?.blocks).toMatchObject([{ text: { verbatim: false } }, { text: { emoji: true } }])
  },

  'chat.postMessage takes blocks without a text': async ({ client, channels: { joined } }) => {
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

  'chat.postMessage escapes what could be taken for markup': async ({ client, channels: { joined } }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'Lamps & 1 < 2, <@U1>' })
    expect(message?.text).toBe('Lamps &amp; 1 &lt; 2, <@U1>')
  },

  'chat.postMessage opens the direct message with a person': async (slack) => {
    const { client, person } = slack
    const { channel } = await client.chat.postMessage({ channel: person.id, text: 'For you' })
    expect(channel).toMatch(/^D/)
    expect(await textsIn(slack, channel ?? '')).toEqual(['For you'])
  },

  'chat.postMessage takes the name of a channel': async ({ client, channels: { joined } }) => {
    const { channel } = await client.conversations.info({ channel: joined })
    const posted = await client.chat.postMessage({ channel: `#${channel?.name}`, text: 'By name' })
    expect(posted.channel).toBe(joined)
  },

  'chat.postMessage reaches public channels without the bot, where chat:write.public allows it': async (
    slack,
  ) => {
    const { client, channels } = slack
    const posted = await client.chat.postMessage({ channel: channels.other, text: 'From outside' })
    expect(posted).toMatchObject({ ok: true, channel: channels.other })
  },

  'chat.postMessage answers in a thread': async ({ client, say, channels: { joined } }) => {
    const thread_ts = await say('Which lamp?')
    const { message } = await client.chat.postMessage({ channel: joined, text: 'That one', thread_ts })
    expect(message).toMatchObject({ text: 'That one', thread_ts })
  },

  'chat.postMessage says whom it answered in a thread': async ({ client, person, say, channels }) => {
    const thread_ts = await say('Which lamp?')
    const reply = { channel: channels.joined, text: 'That one', thread_ts }
    const { message } = await client.chat.postMessage(reply)
    expect(message).toMatchObject({ parent_user_id: person.id })
  },

  'chat.postMessage keeps the first 40,000 characters of a text': async ({
    client,
    channels: { joined },
  }) => {
    const { message } = await client.chat.postMessage({ channel: joined, text: 'a'.repeat(40_001) })
    expect(message?.text).toBe('a'.repeat(40_000))
  },

  'chat.postMessage wants something to say': async ({ client, channels: { joined } }) => {
    await expectRefusal(client.chat.postMessage({ channel: joined, text: '' }), 'no_text')
  },

  'chat.postMessage knows no other channel': async ({ client }) => {
    await expectRefusal(client.chat.postMessage({ channel: 'C000NOWHERE', text: 'x' }), 'channel_not_found')
  },

  'chat.postMessage finds no private channel from outside': async ({ client, channels: { hidden } }) => {
    await expectRefusal(client.chat.postMessage({ channel: hidden, text: 'x' }), 'channel_not_found')
  },

  'chat.postMessage says what is wrong with blocks, and where': async ({ client, channels: { joined } }) => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } } as const
    const refusal = await refusalOf(
      client.chat.postMessage({ channel: joined, text: 'x', blocks: [section, header] }),
    )
    const problem = 'must be less than 151 characters [json-pointer:/blocks/1/text/text]'
    expect(refusal).toMatchObject({
      error: 'invalid_blocks',
      errors: expect.arrayContaining([problem]),
      response_metadata: { messages: expect.arrayContaining([`[ERROR] ${problem}`]) },
    })
  },

  'chat.postMessage refuses blocks that are none': async ({ client, channels: { joined } }) => {
    const call = client.apiCall('chat.postMessage', { channel: joined, text: 'x', blocks: '[{' })
    await expectRefusal(call, 'invalid_blocks_format')
  },

  'chat.postMessage takes no more than 50 blocks': async ({ client, channels: { joined } }) => {
    const blocks = Array.from({ length: 51 }, () => section)
    await expectRefusal(client.chat.postMessage({ channel: joined, text: 'x', blocks }), 'invalid_blocks')
  },

  'chat.postMessage takes no more than 100 attachments': async ({ client, channels: { joined } }) => {
    const attachments = Array.from({ length: 101 }, () => ({ text: 'x', fallback: 'x' }))
    const call = client.chat.postMessage({ channel: joined, text: 'x', attachments })
    await expectRefusal(call, 'too_many_attachments')
  },

  'chat.postMessage takes markdown beside nothing else': async ({ client, channels: { joined } }) => {
    const call = client.apiCall('chat.postMessage', { channel: joined, text: 'x', markdown_text: '**x**' })
    await expectRefusal(call, 'markdown_text_conflict')
  },

  'chat.postEphemeral shows a message to one person, and keeps it nowhere': async (slack) => {
    const { client, person, channels } = slack
    const message = { channel: channels.joined, user: person.id, text: 'Between us' }
    const { message_ts } = await client.chat.postEphemeral(message)
    expect(message_ts).toMatch(/^\d{10}\.\d{6}$/)
    expect(await textsIn(slack, channels.joined)).not.toContain('Between us')
  },

  'chat.postEphemeral speaks to nobody who is not in the channel': async ({ client, outsider, channels }) => {
    const call = client.chat.postEphemeral({ channel: channels.secret, user: outsider, text: 'x' })
    await expectRefusal(call, 'user_not_in_channel')
  },

  'chat.postEphemeral wants something to say': async ({ client, person, channels: { joined } }) => {
    await expectRefusal(client.chat.postEphemeral({ channel: joined, user: person.id, text: '' }), 'no_text')
  },

  'chat.postEphemeral knows no other channel': async ({ client, person }) => {
    const call = client.chat.postEphemeral({ channel: 'C000NOWHERE', user: person.id, text: 'x' })
    await expectRefusal(call, 'channel_not_found')
  },
} satisfies Cases
