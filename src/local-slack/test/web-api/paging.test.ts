import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf } from './connect.ts'
import { openSlack } from './open-slack.ts'

const ITEM_COUNT = 230

const numbered = Array.from({ length: ITEM_COUNT }, (_, index) => index)
const folder = mkdtempSync(join(tmpdir(), 'local-slack-'))
const seed = join(folder, 'crowd.yml')

beforeAll(() => {
  const people = ['mara', 'tomas', ...numbered.map((number) => `p${number}`)]
  // JSON is valid YAML.
  const crowd = {
    team: { name: 'Crowd', domain: 'crowd' },
    users: people.map((handle) => ({ handle, name: handle, role: 'owner' })),
    channels: [
      { name: 'launch', members: people, app: true },
      ...numbered.map((number) => ({ name: `c${number}`, members: [] })),
    ],
  }
  writeFileSync(seed, JSON.stringify(crowd))
})
afterAll(() => rmSync(folder, { recursive: true }))

const sizesOf = (pages: unknown[][]) => pages.map(({ length }) => length)
const countOf = (pages: unknown[][]) => new Set(pages.flat()).size

describe('paging', () => {
  it('returns all users in one response, or in pages with a limit', async () => {
    const { client } = await openSlack({ seed })
    const userCount = ITEM_COUNT + 4 // With mara, tomas, the bot and Slackbot.
    expect((await client.users.list({})).members).toHaveLength(userCount)
    const listing = { method: 'users.list', args: { limit: 100 }, items: 'members' }
    const pages = (await pagesOf<{ id: string }>(client, listing)).map((page) => page.map(({ id }) => id))
    expect(sizesOf(pages)).toEqual([100, 100, userCount - 200])
    expect(countOf(pages)).toBe(userCount)
  })

  it('returns 100 channels per page', async () => {
    const { client } = await openSlack({ seed })
    const { channels, response_metadata } = await client.conversations.list()
    expect(channels).toHaveLength(100)
    const cursor = response_metadata?.next_cursor ?? ''
    const second = await client.conversations.list({ cursor })
    const third = await client.conversations.list({ cursor: second.response_metadata?.next_cursor ?? '' })
    expect(third.channels).toHaveLength(ITEM_COUNT + 1 - 200)
    expect(third.response_metadata?.next_cursor).toBe('')
    const ids = [channels, second.channels, third.channels].flatMap((page) => page?.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ITEM_COUNT + 1)
  })

  it('returns 100 members per page', async () => {
    const { client, launch } = await openSlack({ seed })
    const first = await client.conversations.members({ channel: launch })
    expect(first.members).toHaveLength(100)
    const listing = {
      method: 'conversations.members',
      args: { channel: launch, limit: 100 },
      items: 'members',
    }
    const pages = await pagesOf<string>(client, listing)
    expect(sizesOf(pages)).toEqual([100, 100, ITEM_COUNT + 3 - 200])
    expect(countOf(pages)).toBe(ITEM_COUNT + 3)
  })

  it('returns 100 messages per page, the newest first', async () => {
    const { client, mara, launch } = await openSlack({ seed })
    for (const number of numbered) await mara.sendMessage({ channel: launch, text: `message ${number}` })
    const first = await client.conversations.history({ channel: launch })
    expect(first.messages).toHaveLength(100)
    expect(first.has_more).toBe(true)
    const listing = {
      method: 'conversations.history',
      args: { channel: launch, limit: 100 },
      items: 'messages',
    }
    const pages = await pagesOf<{ text: string }>(client, listing)
    expect(sizesOf(pages)).toEqual([100, 100, ITEM_COUNT - 200])
    expect(pages.flat().map(({ text }) => text)).toEqual(
      numbered.toReversed().map((number) => `message ${number}`),
    )
  })

  it('returns all replies page by page', async () => {
    const { client, mara, launch } = await openSlack({ seed })
    await mara.sendMessage({ channel: launch, text: 'Which lamp?' })
    const ts = mara.state().messages[launch]?.at(-1)?.ts ?? ''
    for (const number of numbered)
      await mara.sendMessage({ channel: launch, text: `${number}`, thread_ts: ts })
    const page = { channel: launch, ts, limit: 100 }
    expect(await client.conversations.replies(page)).toMatchObject({ has_more: true })
    const listing = { method: 'conversations.replies', args: page, items: 'messages' }
    const said = (await pagesOf<{ text: string }>(client, listing)).flat().map(({ text }) => text)
    expect(new Set(said)).toEqual(new Set(['Which lamp?', ...numbered.map(String)]))
  })

  it('returns scheduled messages page by page', async () => {
    const { client, launch, controls } = await openSlack({ seed })
    const hour = Math.floor(controls.now().getTime() / 1000) + 3600
    for (const number of numbered.slice(0, 5))
      await client.chat.scheduleMessage({ channel: launch, text: `${number}`, post_at: hour + number })
    const args = { limit: 2 }
    const listing = { method: 'chat.scheduledMessages.list', args, items: 'scheduled_messages' }
    const pages = await pagesOf<{ text: string }>(client, listing)
    expect(pages.map((page) => page.map(({ text }) => text))).toEqual([['0', '1'], ['2', '3'], ['4']])
  })
})
