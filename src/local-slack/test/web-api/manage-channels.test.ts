import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { MANIFEST } from '../sample-bot/bot.ts'
import { apiErrorOf, expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, openSlack } from './open-slack.ts'

/** A workspace whose app may manage channels. */
async function openManagedSlack() {
  const manifest = parse(readFileSync(MANIFEST, 'utf8'))
  manifest.oauth_config.scopes.bot.push('channels:manage', 'groups:write')
  const file = join(tmpdir(), `local-slack-manifest-${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify(manifest))
  onTestFinished(() => rm(file))
  const slack = await openSlack({ manifest: file })
  const create = async (name: string, is_private = false) => {
    const { channel } = await slack.client.conversations.create({ name, is_private })
    return channel?.id ?? ''
  }
  const find = (id: string) => slack.mara.state().channels.find((channel) => channel.id === id)
  return { ...slack, create, find }
}

describe('conversations.create', () => {
  it('creates a channel with the bot as its creator and only member', async () => {
    const { client, botUserId } = await openManagedSlack()
    const { channel } = await client.conversations.create({ name: 'book-fair' })
    expect(channel).toMatchObject({
      name: 'book-fair',
      is_private: false,
      creator: botUserId,
      is_member: true,
    })
    const { members } = await client.conversations.members({ channel: channel?.id ?? '' })
    expect(members).toEqual([botUserId])
  })

  it('creates a private channel that others do not see', async () => {
    const { create, find } = await openManagedSlack()
    expect(find(await create('plans', true))).toBeUndefined()
  })

  it.each([
    ['launch', 'name_taken'],
    ['Book Fair', 'invalid_name_specials'],
    ['---', 'invalid_name_punctuation'],
    ['x'.repeat(81), 'invalid_name_maxlength'],
    ['', 'invalid_name_required'],
  ])('rejects the name "%s" with %s', async (name, error) => {
    const { client } = await openManagedSlack()
    await expectApiError(client.conversations.create({ name }), error)
  })

  it('needs a scope', async () => {
    const { client } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    expect(await apiErrorOf(client.conversations.create({ name: 'fair' }))).toMatchObject({
      error: 'missing_scope',
      needed: expect.stringContaining('channels:manage'),
    })
  })
})

describe('members of a channel', () => {
  it('invites and removes them, with events, and shows it on the page', async () => {
    const { client, create, find, mara, tomas } = await openManagedSlack()
    const channel = await create('book-fair')
    await client.conversations.invite({ channel, users: `${mara.userId},${tomas.userId}` })
    expect(find(channel)?.members).toEqual(expect.arrayContaining([mara.userId, tomas.userId]))
    await client.conversations.kick({ channel, user: tomas.userId })
    expect(find(channel)?.members).not.toContain(tomas.userId)
    await client.conversations.leave({ channel })
    expect(find(channel)?.members).toEqual([mara.userId])
    await expectApiError(client.conversations.leave({ channel }), 'not_in_channel')
  })

  it('rejects their invitation and removal with the errors of Slack', async () => {
    const { client, create, mara, botUserId, general } = await openManagedSlack()
    const channel = await create('book-fair')
    const invite = (users: string) => client.conversations.invite({ channel, users })
    await expectApiError(invite('U0000000000'), 'user_not_found')
    await expectApiError(invite(botUserId), 'cant_invite_self')
    await invite(mara.userId)
    await expectApiError(invite(mara.userId), 'already_in_channel')
    await expectApiError(client.conversations.kick({ channel, user: botUserId }), 'cant_kick_self')
    await expectApiError(client.conversations.kick({ channel: general, user: mara.userId }), 'not_in_channel')
    await expectApiError(client.conversations.leave({ channel: general }), 'cant_leave_general')
    await expectApiError(client.conversations.leave({ channel: await create('plans', true) }), 'last_member')
  })
})

describe('a channel', () => {
  it('is renamed by its creator only, and gets a topic', async () => {
    const { client, create, find, mara, launch } = await openManagedSlack()
    const channel = await create('book-fair')
    await client.conversations.invite({ channel, users: mara.userId })
    await client.conversations.rename({ channel, name: 'book-market' })
    await client.conversations.setTopic({ channel, topic: 'Stalls & tea' })
    expect(find(channel)).toMatchObject({ name: 'book-market', topic: 'Stalls & tea' })
    await expectApiError(client.conversations.rename({ channel: launch, name: 'mine' }), 'not_authorized')
    await expectApiError(client.conversations.rename({ channel, name: 'launch' }), 'name_taken')
    await expectApiError(client.conversations.setTopic({ channel, topic: 'x'.repeat(251) }), 'too_long')
  })

  it('takes no messages after it is archived', async () => {
    const { client, create, find, mara } = await openManagedSlack()
    const channel = await create('book-fair')
    await client.conversations.invite({ channel, users: mara.userId })
    await client.conversations.archive({ channel })
    expect(find(channel)).toMatchObject({ isArchived: true })
    await expectApiError(client.chat.postMessage({ channel, text: 'Hi' }), 'is_archived')
    expect(await mara.sendMessage({ channel, text: 'Hi' })).toEqual({ error: 'This channel is archived.' })
    await expectApiError(client.conversations.archive({ channel }), 'already_archived')
  })
})

describe('users.conversations', () => {
  it("lists the bot's channels by default, and those of a user that the bot can see", async () => {
    const { client, mara } = await openManagedSlack()
    const names = async (args: Record<string, string>) =>
      (await client.users.conversations(args)).channels?.map(({ name }) => name)
    expect(await names({})).toContain('launch')
    expect(await names({})).not.toContain('general')
    const types = 'public_channel,private_channel'
    expect(await names({ user: mara.userId, types })).toEqual(expect.arrayContaining(['general', 'press']))
    expect(await names({ user: mara.userId, types })).not.toContain('board')
  })
})

describe('reactions and files', () => {
  it('removes an added reaction with reactions.remove', async () => {
    const { client, launch, mara } = await openManagedSlack()
    const { ts = '' } = await client.chat.postMessage({ channel: launch, text: 'Hi' })
    const reaction = { channel: launch, timestamp: ts, name: 'tada' }
    await expectApiError(client.reactions.remove(reaction), 'no_reaction')
    await client.reactions.add(reaction)
    await client.reactions.remove(reaction)
    expect(mara.state().messages[launch]?.at(-1)).not.toHaveProperty('reactions')
  })

  it('lists the files that the bot can read with files.list, the newest first', async () => {
    const { client, launch } = await openManagedSlack()
    for (const filename of ['one.txt', 'two.txt'])
      await client.filesUploadV2({ channel_id: launch, filename, content: 'x' })
    const { files, paging } = await client.files.list({ channel: launch })
    expect(files?.map(({ name }) => name)).toEqual(['two.txt', 'one.txt'])
    expect(paging).toMatchObject({ total: 2, page: 1, pages: 1 })
    expect((await client.files.list({ user: 'U0000000000' })).files).toEqual([])
  })
})
