import { describe, expect, it } from 'vitest'
import { expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, type OpenSlack, openSlack } from './open-slack.ts'

const lastIn = ({ mara }: OpenSlack, channel: string) => mara.state().messages[channel]?.at(-1)

async function ask(slack: OpenSlack, text = 'Which lamp?'): Promise<string> {
  await slack.mara.sendMessage({ channel: slack.launch, text })
  return lastIn(slack, slack.launch)?.ts ?? ''
}

const readBack = async ({ client, launch }: OpenSlack, ts: string) =>
  (await client.conversations.history({ channel: launch })).messages?.find((message) => message.ts === ts)

describe('messages', () => {
  it('shows a message to the members of the channel', async () => {
    const slack = await openSlack()
    const { ts } = await slack.client.chat.postMessage({ channel: slack.launch, text: 'Lamps' })
    expect(lastIn(slack, slack.launch)).toMatchObject({
      ts,
      text: 'Lamps',
      user: slack.botUserId,
      isEphemeral: false,
    })
  })

  it("lets the bot read a user's message", async () => {
    const slack = await openSlack()
    const ts = await ask(slack)
    const message = await readBack(slack, ts)
    expect(message).toMatchObject({ type: 'message', user: slack.mara.userId, text: 'Which lamp?' })
    expect(message).not.toHaveProperty('bot_id')
  })

  it('shows an ephemeral message to one user only', async () => {
    const slack = await openSlack()
    const yuki = slack.openSession('yuki')
    await slack.client.chat.postEphemeral({
      channel: slack.launch,
      user: slack.mara.userId,
      text: 'Between us',
    })
    expect(lastIn(slack, slack.launch)).toMatchObject({ text: 'Between us', isEphemeral: true })
    expect(yuki.state().messages[slack.launch]?.at(-1)?.text).not.toBe('Between us')
  })

  it('rejects a post to a public channel without membership or chat:write.public', async () => {
    const slack = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const say = () => slack.client.chat.postMessage({ channel: slack.general, text: 'From outside' })
    await expectApiError(say(), 'not_in_channel')
    await slack.mara.inviteToChannel({ channel: slack.general, user: slack.botUserId })
    expect(await say()).toMatchObject({ ok: true })
  })

  it('hides a private channel from an app that is not a member', async () => {
    for (const manifest of [{}, { manifest: FEW_SCOPES_MANIFEST }]) {
      const slack = await openSlack(manifest)
      const call = slack.client.chat.postMessage({ channel: slack.board, text: 'From outside' })
      await expectApiError(call, 'channel_not_found')
    }
  })

  it('rejects an ephemeral message in a channel without the bot', async () => {
    const { client, mara, general } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const call = client.chat.postEphemeral({ channel: general, user: mara.userId, text: 'x' })
    await expectApiError(call, 'not_in_channel')
  })

  it('rejects a direct message when the app has no messages tab', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    await expectApiError(
      client.chat.postMessage({ channel: mara.userId, text: 'x' }),
      'messages_tab_disabled',
    )
  })

  it('rejects blocks with more than about 13,200 characters', async () => {
    const { client, launch } = await openSlack()
    const section = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3000) } } as const
    const call = client.chat.postMessage({ channel: launch, text: 'x', blocks: Array(5).fill(section) })
    await expectApiError(call, 'msg_blocks_too_long')
  })

  it('hides messages of a private channel from the app', async () => {
    const slack = await openSlack()
    await slack.mara.sendMessage({ channel: slack.board, text: 'Secret' })
    const message_ts = lastIn(slack, slack.board)?.ts ?? ''
    const call = slack.client.chat.getPermalink({ channel: slack.board, message_ts })
    await expectApiError(call, 'channel_not_found')
  })

  it('returns channel_not_found for changes of messages in a private channel', async () => {
    const slack = await openSlack()
    await slack.mara.sendMessage({ channel: slack.board, text: 'Secret' })
    const at = { channel: slack.board, ts: lastIn(slack, slack.board)?.ts ?? '' }
    await expectApiError(slack.client.chat.update({ ...at, text: 'x' }), 'channel_not_found')
    await expectApiError(slack.client.chat.delete(at), 'channel_not_found')
  })
})

describe('threads', () => {
  it('counts the replies and authors of a thread', async () => {
    const slack = await openSlack()
    const { client, mara, botUserId, launch } = slack
    const ts = await ask(slack)
    await client.chat.postMessage({ channel: launch, text: 'This one', thread_ts: ts })
    await mara.sendMessage({ channel: launch, text: 'Sure?', thread_ts: ts })
    const last = await client.chat.postMessage({ channel: launch, text: 'Sure', thread_ts: ts })
    expect(await readBack(slack, ts)).toMatchObject({
      thread_ts: ts,
      reply_count: 3,
      reply_users_count: 2,
      reply_users: [botUserId, mara.userId],
      latest_reply: last.ts,
    })
  })

  it('does not count ephemeral or deleted replies', async () => {
    const slack = await openSlack()
    const { client, mara, launch } = slack
    const thread_ts = await ask(slack)
    await client.chat.postEphemeral({ channel: launch, user: mara.userId, text: 'Psst', thread_ts })
    const { ts = '' } = await client.chat.postMessage({ channel: launch, text: 'Oops', thread_ts })
    await client.chat.delete({ channel: launch, ts })
    expect(await readBack(slack, thread_ts)).not.toHaveProperty('reply_count')
  })

  it('keeps a thread when its first message is deleted', async () => {
    const slack = await openSlack()
    const { client, launch } = slack
    const { ts = '' } = await client.chat.postMessage({ channel: launch, text: 'Which lamp?' })
    await slack.mara.sendMessage({ channel: launch, text: 'That one', thread_ts: ts })
    await client.chat.delete({ channel: launch, ts })
    const { messages } = await client.conversations.replies({ channel: launch, ts })
    expect(messages).toMatchObject([{ ts, subtype: 'tombstone' }, { text: 'That one' }])
  })
})

describe('reactions', () => {
  it('counts the reactions of several users', async () => {
    const slack = await openSlack()
    const { client, mara, botUserId, launch } = slack
    const ts = await ask(slack)
    await mara.addReaction({ message: { channel: launch, ts }, name: 'bulb' })
    await client.reactions.add({ channel: launch, timestamp: ts, name: 'bulb' })
    await client.reactions.add({ channel: launch, timestamp: ts, name: 'wave::skin-tone-3' })
    expect((await readBack(slack, ts))?.reactions).toMatchObject([
      { name: 'bulb', users: [mara.userId, botUserId], count: 2 },
      { name: 'wave::skin-tone-3', users: [botUserId], count: 1 },
    ])
  })
})
