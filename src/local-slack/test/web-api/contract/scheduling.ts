import { expect } from 'vitest'
import { expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

const DAY = 86_400

const inSeconds = ({ now }: Implementation, seconds: number) => Math.floor(now().getTime() / 1000) + seconds

async function schedule(slack: Implementation, more: object = {}) {
  const { client, channels } = slack
  const message = { channel: channels.joined, text: 'Lamps off', post_at: inSeconds(slack, 3600), ...more }
  return client.chat.scheduleMessage(message)
}

const waitingIn = async ({ client }: Implementation, args: object = {}) =>
  (await client.chat.scheduledMessages.list(args)).scheduled_messages

export const scheduling = {
  'chat.scheduleMessage returns the time of the message': async (slack) => {
    const post_at = inSeconds(slack, 3600)
    expect(await schedule(slack, { post_at })).toMatchObject({
      ok: true,
      scheduled_message_id: expect.stringMatching(/^Q/),
      channel: slack.channels.joined,
      post_at,
      message: { type: 'delayed_message', text: 'Lamps off' },
    })
  },

  'chat.scheduleMessage returns the author of the message': async (slack) => {
    const { bot_id, user_id, team_id } = await slack.client.auth.test()
    const author = { user: user_id, bot_id, app_id: expect.stringMatching(/^A/), team: team_id }
    expect((await schedule(slack)).message).toMatchObject(author)
  },

  "chat.scheduleMessage returns the app's profile": async (slack) => {
    const { bot_id, team_id } = await slack.client.auth.test()
    const bot_profile = { id: bot_id, team_id, app_id: expect.stringMatching(/^A/), name: expect.any(String) }
    expect((await schedule(slack)).message).toMatchObject({ bot_profile })
  },

  'chat.scheduleMessage does not post the message before its time': async (slack) => {
    await schedule(slack)
    const { messages } = await slack.client.conversations.history({ channel: slack.channels.joined })
    expect(messages?.map(({ text }) => text)).not.toContain('Lamps off')
  },

  'chat.scheduleMessage truncates text after 40,000 characters with a warning': async (slack) => {
    expect(await schedule(slack, { text: 'a'.repeat(40_001) })).toMatchObject({
      warning: 'message_truncated',
      message: { text: 'a'.repeat(40_000) },
    })
  },

  'chat.scheduleMessage refuses a time in the past': async (slack) => {
    await expectApiError(schedule(slack, { post_at: inSeconds(slack, -60) }), 'time_in_past')
  },

  'chat.scheduleMessage accepts times up to 120 days ahead': async (slack) => {
    expect(await schedule(slack, { post_at: inSeconds(slack, 120 * DAY - 60) })).toMatchObject({ ok: true })
    await expectApiError(schedule(slack, { post_at: inSeconds(slack, 120 * DAY + 60) }), 'time_too_far')
  },

  'chat.scheduleMessage refuses an invalid time': async (slack) => {
    await expectApiError(schedule(slack, { post_at: 'soon' }), 'invalid_time')
  },

  'chat.scheduleMessage refuses a message without content': async (slack) => {
    await expectApiError(schedule(slack, { text: '' }), 'no_text')
  },

  'chat.scheduleMessage refuses an unknown channel': async (slack) => {
    await expectApiError(schedule(slack, { channel: 'C000NOWHERE' }), 'channel_not_found')
  },

  'chat.scheduledMessages.list returns the pending messages': async (slack) => {
    const post_at = inSeconds(slack, 3600)
    const { scheduled_message_id: id } = await schedule(slack, { post_at })
    const { scheduled_messages, response_metadata } = await slack.client.chat.scheduledMessages.list()
    expect(scheduled_messages).toEqual([
      { id, channel_id: slack.channels.joined, post_at, date_created: expect.any(Number), text: 'Lamps off' },
    ])
    expect(response_metadata?.next_cursor).toBe('')
  },

  'chat.scheduledMessages.list filters by channel': async (slack) => {
    const { joined, secret } = slack.channels
    await schedule(slack)
    await schedule(slack, { channel: secret })
    expect(await waitingIn(slack, { channel: joined })).toMatchObject([{ channel_id: joined }])
    expect(await waitingIn(slack)).toHaveLength(2)
  },

  'chat.scheduledMessages.list filters by time': async (slack) => {
    for (const hours of [1, 2, 3]) await schedule(slack, { post_at: inSeconds(slack, hours * 3600) })
    const span = { oldest: String(inSeconds(slack, 5400)), latest: String(inSeconds(slack, 9000)) }
    expect(await waitingIn(slack, span)).toHaveLength(1)
  },

  'chat.scheduledMessages.list refuses an unknown channel': async (slack) => {
    await expectApiError(waitingIn(slack, { channel: 'C000NOWHERE' }), 'invalid_channel')
  },

  'chat.scheduledMessages.list refuses an unknown cursor': async (slack) => {
    await expectApiError(waitingIn(slack, { cursor: 'no cursor' }), 'invalid_cursor')
  },

  'chat.deleteScheduledMessage deletes a scheduled message once': async (slack) => {
    const { scheduled_message_id = '', channel = '' } = await schedule(slack)
    const { deleteScheduledMessage } = slack.client.chat
    expect(await deleteScheduledMessage({ channel, scheduled_message_id })).toMatchObject({ ok: true })
    expect(await waitingIn(slack)).toEqual([])
    const again = deleteScheduledMessage({ channel, scheduled_message_id })
    await expectApiError(again, 'invalid_scheduled_message_id')
  },

  'chat.deleteScheduledMessage refuses a message of another channel': async (slack) => {
    const { scheduled_message_id = '' } = await schedule(slack)
    const elsewhere = { channel: slack.channels.secret, scheduled_message_id }
    const call = slack.client.chat.deleteScheduledMessage(elsewhere)
    await expectApiError(call, 'invalid_scheduled_message_id')
  },

  'chat.deleteScheduledMessage refuses an unknown channel': async (slack) => {
    const { scheduled_message_id = '' } = await schedule(slack)
    const elsewhere = { channel: 'C000NOWHERE', scheduled_message_id }
    await expectApiError(slack.client.chat.deleteScheduledMessage(elsewhere), 'channel_not_found')
  },
} satisfies Cases
