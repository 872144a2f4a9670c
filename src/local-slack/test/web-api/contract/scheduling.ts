import { expect } from 'vitest'
import { expectRefusal } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

const DAY = 86_400

const inSeconds = ({ now }: Opened, seconds: number) => Math.floor(now().getTime() / 1000) + seconds

async function schedule(slack: Opened, more: object = {}) {
  const { client, channels } = slack
  const message = { channel: channels.joined, text: 'Lamps off', post_at: inSeconds(slack, 3600), ...more }
  return client.chat.scheduleMessage(message)
}

const waitingIn = async ({ client }: Opened, args: object = {}) =>
  (await client.chat.scheduledMessages.list(args)).scheduled_messages

export const scheduling = {
  'chat.scheduleMessage says when the message will come': async (slack) => {
    const post_at = inSeconds(slack, 3600)
    expect(await schedule(slack, { post_at })).toMatchObject({
      ok: true,
      scheduled_message_id: expect.stringMatching(/^Q/),
      channel: slack.channels.joined,
      post_at,
      message: { type: 'delayed_message', text: 'Lamps off' },
    })
  },

  'chat.scheduleMessage says who wrote the message': async (slack) => {
    const { bot_id, user_id, team_id } = await slack.client.auth.test()
    const author = { user: user_id, bot_id, app_id: expect.stringMatching(/^A/), team: team_id }
    expect((await schedule(slack)).message).toMatchObject(author)
  },

  'chat.scheduleMessage has the profile of the app': async (slack) => {
    const { bot_id, team_id } = await slack.client.auth.test()
    const bot_profile = { id: bot_id, team_id, app_id: expect.stringMatching(/^A/), name: expect.any(String) }
    expect((await schedule(slack)).message).toMatchObject({ bot_profile })
  },

  'chat.scheduleMessage posts nothing before its time': async (slack) => {
    await schedule(slack)
    const { messages } = await slack.client.conversations.history({ channel: slack.channels.joined })
    expect(messages?.map(({ text }) => text)).not.toContain('Lamps off')
  },

  'chat.scheduleMessage keeps the first 40,000 characters of a text, and says so': async (slack) => {
    expect(await schedule(slack, { text: 'a'.repeat(40_001) })).toMatchObject({
      warning: 'message_truncated',
      message: { text: 'a'.repeat(40_000) },
    })
  },

  'chat.scheduleMessage wants a time that is still to come': async (slack) => {
    await expectRefusal(schedule(slack, { post_at: inSeconds(slack, -60) }), 'time_in_past')
  },

  'chat.scheduleMessage looks 120 days ahead': async (slack) => {
    expect(await schedule(slack, { post_at: inSeconds(slack, 120 * DAY - 60) })).toMatchObject({ ok: true })
    await expectRefusal(schedule(slack, { post_at: inSeconds(slack, 120 * DAY + 60) }), 'time_too_far')
  },

  'chat.scheduleMessage refuses a time that is none': async (slack) => {
    await expectRefusal(schedule(slack, { post_at: 'soon' }), 'invalid_time')
  },

  'chat.scheduleMessage wants something to say': async (slack) => {
    await expectRefusal(schedule(slack, { text: '' }), 'no_text')
  },

  'chat.scheduleMessage knows no other channel': async (slack) => {
    await expectRefusal(schedule(slack, { channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'chat.scheduledMessages.list has what is still to come': async (slack) => {
    const post_at = inSeconds(slack, 3600)
    const { scheduled_message_id: id } = await schedule(slack, { post_at })
    const { scheduled_messages, response_metadata } = await slack.client.chat.scheduledMessages.list()
    expect(scheduled_messages).toEqual([
      { id, channel_id: slack.channels.joined, post_at, date_created: expect.any(Number), text: 'Lamps off' },
    ])
    expect(response_metadata?.next_cursor).toBe('')
  },

  'chat.scheduledMessages.list has one channel for those who ask': async (slack) => {
    const { joined, secret } = slack.channels
    await schedule(slack)
    await schedule(slack, { channel: secret })
    expect(await waitingIn(slack, { channel: joined })).toMatchObject([{ channel_id: joined }])
    expect(await waitingIn(slack)).toHaveLength(2)
  },

  'chat.scheduledMessages.list has what comes between two moments': async (slack) => {
    for (const hours of [1, 2, 3]) await schedule(slack, { post_at: inSeconds(slack, hours * 3600) })
    const span = { oldest: String(inSeconds(slack, 5400)), latest: String(inSeconds(slack, 9000)) }
    expect(await waitingIn(slack, span)).toHaveLength(1)
  },

  'chat.scheduledMessages.list knows no other channel': async (slack) => {
    await expectRefusal(waitingIn(slack, { channel: 'C000NOWHERE' }), 'invalid_channel')
  },

  'chat.scheduledMessages.list refuses a cursor that it never gave': async (slack) => {
    await expectRefusal(waitingIn(slack, { cursor: 'no cursor' }), 'invalid_cursor')
  },

  'chat.deleteScheduledMessage calls a message off, once': async (slack) => {
    const { scheduled_message_id = '', channel = '' } = await schedule(slack)
    const { deleteScheduledMessage } = slack.client.chat
    expect(await deleteScheduledMessage({ channel, scheduled_message_id })).toMatchObject({ ok: true })
    expect(await waitingIn(slack)).toEqual([])
    const again = deleteScheduledMessage({ channel, scheduled_message_id })
    await expectRefusal(again, 'invalid_scheduled_message_id')
  },

  'chat.deleteScheduledMessage looks in the one channel': async (slack) => {
    const { scheduled_message_id = '' } = await schedule(slack)
    const elsewhere = { channel: slack.channels.secret, scheduled_message_id }
    const call = slack.client.chat.deleteScheduledMessage(elsewhere)
    await expectRefusal(call, 'invalid_scheduled_message_id')
  },

  'chat.deleteScheduledMessage knows no other channel': async (slack) => {
    const { scheduled_message_id = '' } = await schedule(slack)
    const elsewhere = { channel: 'C000NOWHERE', scheduled_message_id }
    await expectRefusal(slack.client.chat.deleteScheduledMessage(elsewhere), 'channel_not_found')
  },
} satisfies Cases
