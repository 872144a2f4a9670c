import { describe, expect, it } from 'vitest'
import { expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, type OpenSlack, openSlack, textsIn } from './open-slack.ts'

const DAY = 86_400

const inSeconds = ({ controls }: OpenSlack, seconds: number) =>
  Math.floor(controls.now().getTime() / 1000) + seconds

const schedule = (slack: OpenSlack, seconds: number, more: object = {}) =>
  slack.client.chat.scheduleMessage({
    channel: slack.launch,
    text: 'Lamps off',
    post_at: inSeconds(slack, seconds),
    ...more,
  })

const waiting = async ({ client }: OpenSlack) =>
  (await client.chat.scheduledMessages.list()).scheduled_messages

describe('scheduled messages', () => {
  it('posts a scheduled message on time, even if the app is not connected', async () => {
    const slack = await openSlack()
    expect(slack.controls.socketCount()).toBe(0)
    const { post_at = 0 } = await schedule(slack, 3600)
    slack.controls.advanceClock({ seconds: 3590 })
    expect(await textsIn(slack, slack.launch)).not.toContain('Lamps off')
    slack.controls.advanceClock({ seconds: 10 })
    const { messages } = await slack.client.conversations.history({ channel: slack.launch })
    expect(messages?.[0]).toMatchObject({
      text: 'Lamps off',
      user: slack.botUserId,
      bot_id: expect.any(String),
    })
    expect(Math.floor(Number(messages?.[0]?.ts))).toBe(post_at)
    expect(slack.mara.state().messages[slack.launch]?.at(-1)?.text).toBe('Lamps off')
    expect(await waiting(slack)).toEqual([])
  })

  it("posts a scheduled message for a user in the bot's direct message with them", async () => {
    const slack = await openSlack()
    const { channel = '' } = await schedule(slack, 60, { channel: slack.mara.userId })
    expect(channel).toMatch(/^D/)
    slack.controls.advanceClock({ seconds: 60 })
    expect(slack.mara.state().messages[channel]?.at(-1)?.text).toBe('Lamps off')
  })

  it('posts a scheduled message only once', async () => {
    const slack = await openSlack()
    await schedule(slack, 60)
    slack.controls.advanceClock({ seconds: DAY })
    slack.controls.advanceClock({ seconds: DAY })
    expect((await textsIn(slack, slack.launch)).filter((text) => text === 'Lamps off')).toHaveLength(1)
  })

  it('posts a scheduled message into its thread, with its blocks', async () => {
    const slack = await openSlack()
    await slack.mara.sendMessage({ channel: slack.launch, text: 'Which lamp?' })
    const ts = slack.mara.state().messages[slack.launch]?.at(-1)?.ts ?? ''
    const blocks = [{ type: 'section', block_id: 'b', text: { type: 'mrkdwn', text: '*That* one' } }]
    await schedule(slack, 60, { thread_ts: ts, blocks })
    slack.controls.advanceClock({ seconds: 61 })
    const { messages } = await slack.client.conversations.replies({ channel: slack.launch, ts })
    expect(messages?.[1]).toMatchObject({ text: 'Lamps off', thread_ts: ts, blocks })
  })

  it('posts scheduled messages in the order of their times', async () => {
    const slack = await openSlack()
    for (const minutes of [3, 1, 2]) await schedule(slack, minutes * 60, { text: `minute ${minutes}` })
    slack.controls.advanceClock({ seconds: DAY })
    expect((await textsIn(slack, slack.launch)).slice(0, 3)).toEqual(['minute 3', 'minute 2', 'minute 1'])
  })

  it('schedules a message up to 120 days ahead', async () => {
    const slack = await openSlack()
    await schedule(slack, 120 * DAY - 1)
    await expectApiError(schedule(slack, 120 * DAY + 10), 'time_too_far')
    slack.controls.advanceClock({ seconds: 120 * DAY })
    expect(await textsIn(slack, slack.launch)).toContain('Lamps off')
  })

  it('rejects a time that is in the past on the advanced clock', async () => {
    const slack = await openSlack()
    const soon = inSeconds(slack, 600)
    slack.controls.advanceClock({ seconds: 3600 })
    await expectApiError(schedule(slack, 0, { post_at: soon }), 'time_in_past')
  })

  it('rejects more than 30 messages within five minutes in a channel', async () => {
    const slack = await openSlack()
    for (let count = 0; count < 30; count++) await schedule(slack, 3600 + count)
    await expectApiError(schedule(slack, 3650), 'restricted_too_many')
    expect(await schedule(slack, 3650, { channel: slack.general })).toMatchObject({ ok: true })
    expect(await schedule(slack, 3600 + 330)).toMatchObject({ ok: true })
  })

  it('counts only messages within the same five minutes', async () => {
    const slack = await openSlack()
    for (let count = 0; count < 15; count++) {
      await schedule(slack, 3600 - 280)
      await schedule(slack, 3600 + 280)
    }
    expect(await schedule(slack, 3600)).toMatchObject({ ok: true })
  })

  it('deletes a scheduled message until a minute before its time', async () => {
    const slack = await openSlack()
    const cancelScheduledMessage = async (call: ReturnType<typeof schedule>) => {
      const { channel = '', scheduled_message_id = '' } = await call
      return slack.client.chat.deleteScheduledMessage({ channel, scheduled_message_id })
    }
    expect(await cancelScheduledMessage(schedule(slack, 70))).toMatchObject({ ok: true })
    await expectApiError(cancelScheduledMessage(schedule(slack, 50)), 'invalid_scheduled_message_id')
    slack.controls.advanceClock({ seconds: 100 })
    expect((await textsIn(slack, slack.launch)).filter((text) => text === 'Lamps off')).toHaveLength(1)
  })

  it('rejects the deletion of a message that was already posted', async () => {
    const slack = await openSlack()
    const { channel = '', scheduled_message_id = '' } = await schedule(slack, 600)
    slack.controls.advanceClock({ seconds: 601 })
    const call = slack.client.chat.deleteScheduledMessage({ channel, scheduled_message_id })
    await expectApiError(call, 'invalid_scheduled_message_id')
  })

  it('accepts a scheduled message with metadata, but never posts it', async () => {
    const slack = await openSlack()
    const metadata = { event_type: 'lamp_lit', event_payload: { lamp: 7 } }
    expect(await schedule(slack, 60, { metadata })).toMatchObject({ ok: true })
    slack.controls.advanceClock({ seconds: DAY })
    expect(await textsIn(slack, slack.launch)).not.toContain('Lamps off')
  })

  it('rejects a message to a channel that the app cannot write to', async () => {
    const slack = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    await expectApiError(schedule(slack, 60, { channel: slack.general }), 'not_in_channel')
    await expectApiError(schedule(slack, 60, { channel: slack.board }), 'channel_not_found')
  })

  it('validates the blocks when the message is scheduled', async () => {
    const slack = await openSlack()
    await expectApiError(schedule(slack, 60, { blocks: [{ type: 'lamp' }] }), 'invalid_blocks')
    expect(await waiting(slack)).toEqual([])
  })
})
