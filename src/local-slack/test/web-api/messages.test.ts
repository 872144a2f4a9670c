import { describe, expect, it } from 'vitest'
import { expectRefusal } from './connect.ts'
import { FEW_SCOPES_MANIFEST, type OpenSlack, openSlack } from './open-slack.ts'

const lastIn = ({ mara }: OpenSlack, channel: string) => mara.state().messages[channel]?.at(-1)

async function ask(slack: OpenSlack, text = 'Which lamp?'): Promise<string> {
  await slack.mara.sendMessage({ channel: slack.launch, text })
  return lastIn(slack, slack.launch)?.ts ?? ''
}

const readBack = async ({ client, launch }: OpenSlack, ts: string) =>
  (await client.conversations.history({ channel: launch })).messages?.find((message) => message.ts === ts)

describe('a message', () => {
  it('is seen by the people in the channel', async () => {
    const slack = await openSlack()
    const { ts } = await slack.client.chat.postMessage({ channel: slack.launch, text: 'Lamps' })
    expect(lastIn(slack, slack.launch)).toMatchObject({
      ts,
      text: 'Lamps',
      user: slack.botUserId,
      isEphemeral: false,
    })
  })

  it('of a person is read by the bot', async () => {
    const slack = await openSlack()
    const ts = await ask(slack)
    const message = await readBack(slack, ts)
    expect(message).toMatchObject({ type: 'message', user: slack.mara.userId, text: 'Which lamp?' })
    expect(message).not.toHaveProperty('bot_id')
  })

  it('for one person alone is seen by nobody else', async () => {
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

  it('is not for a public channel without the bot, where chat:write.public is missing', async () => {
    const slack = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const say = () => slack.client.chat.postMessage({ channel: slack.general, text: 'From outside' })
    await expectRefusal(say(), 'not_in_channel')
    await slack.mara.inviteToChannel({ channel: slack.general, user: slack.botUserId })
    expect(await say()).toMatchObject({ ok: true })
  })

  it('is not for a private channel without the bot, whatever its scopes', async () => {
    for (const manifest of [{}, { manifest: FEW_SCOPES_MANIFEST }]) {
      const slack = await openSlack(manifest)
      const call = slack.client.chat.postMessage({ channel: slack.board, text: 'From outside' })
      await expectRefusal(call, 'channel_not_found')
    }
  })

  it('for one person alone is not for a channel without the bot', async () => {
    const { client, mara, general } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const call = client.chat.postEphemeral({ channel: general, user: mara.userId, text: 'x' })
    await expectRefusal(call, 'not_in_channel')
  })

  it('is not for the tab that the app does not have', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    await expectRefusal(client.chat.postMessage({ channel: mara.userId, text: 'x' }), 'messages_tab_disabled')
  })

  it('of more than about 13,200 characters in its blocks is refused', async () => {
    const { client, launch } = await openSlack()
    const section = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3000) } } as const
    const call = client.chat.postMessage({ channel: launch, text: 'x', blocks: Array(5).fill(section) })
    await expectRefusal(call, 'msg_blocks_too_long')
  })

  it('in a private channel is not there for those who are not in it', async () => {
    const slack = await openSlack()
    await slack.mara.sendMessage({ channel: slack.board, text: 'Secret' })
    const message_ts = lastIn(slack, slack.board)?.ts ?? ''
    const call = slack.client.chat.getPermalink({ channel: slack.board, message_ts })
    await expectRefusal(call, 'channel_not_found')
  })

  it('in a private channel cannot be changed, nor found by trying to', async () => {
    const slack = await openSlack()
    await slack.mara.sendMessage({ channel: slack.board, text: 'Secret' })
    const at = { channel: slack.board, ts: lastIn(slack, slack.board)?.ts ?? '' }
    await expectRefusal(slack.client.chat.update({ ...at, text: 'x' }), 'channel_not_found')
    await expectRefusal(slack.client.chat.delete(at), 'channel_not_found')
  })
})

describe('a thread', () => {
  it('counts its replies, and those who wrote them', async () => {
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

  it('counts no reply that is for one person alone, nor one that was deleted', async () => {
    const slack = await openSlack()
    const { client, mara, launch } = slack
    const thread_ts = await ask(slack)
    await client.chat.postEphemeral({ channel: launch, user: mara.userId, text: 'Psst', thread_ts })
    const { ts = '' } = await client.chat.postMessage({ channel: launch, text: 'Oops', thread_ts })
    await client.chat.delete({ channel: launch, ts })
    expect(await readBack(slack, thread_ts)).not.toHaveProperty('reply_count')
  })

  it('stays, when the message that began it is deleted', async () => {
    const slack = await openSlack()
    const { client, launch } = slack
    const { ts = '' } = await client.chat.postMessage({ channel: launch, text: 'Which lamp?' })
    await slack.mara.sendMessage({ channel: launch, text: 'That one', thread_ts: ts })
    await client.chat.delete({ channel: launch, ts })
    const { messages } = await client.conversations.replies({ channel: launch, ts })
    expect(messages).toMatchObject([{ ts, subtype: 'tombstone' }, { text: 'That one' }])
  })
})

describe('a reaction', () => {
  it('is counted with those of others', async () => {
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
