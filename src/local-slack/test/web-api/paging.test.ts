import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagesOf } from './connect.ts'
import { openSlack } from './open-slack.ts'

const MANY = 230

const numbered = Array.from({ length: MANY }, (_, index) => index)
const folder = mkdtempSync(join(tmpdir(), 'local-slack-'))
const seed = join(folder, 'crowd.yml')

beforeAll(() => {
  const people = ['mara', 'tomas', ...numbered.map((number) => `p${number}`)]
  // Whatever is JSON is YAML too.
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

describe('a list that is longer than a page', () => {
  it('of people comes at once, or in pages for those who ask', async () => {
    const { client } = await openSlack({ seed })
    const everybody = MANY + 4 // With mara, tomas, the bot and Slackbot.
    expect((await client.users.list({})).members).toHaveLength(everybody)
    const listing = { method: 'users.list', args: { limit: 100 }, items: 'members' }
    const pages = (await pagesOf<{ id: string }>(client, listing)).map((page) => page.map(({ id }) => id))
    expect(sizesOf(pages)).toEqual([100, 100, everybody - 200])
    expect(countOf(pages)).toBe(everybody)
  })

  it('of channels has a hundred on each page', async () => {
    const { client } = await openSlack({ seed })
    const { channels, response_metadata } = await client.conversations.list()
    expect(channels).toHaveLength(100)
    const cursor = response_metadata?.next_cursor ?? ''
    const second = await client.conversations.list({ cursor })
    const third = await client.conversations.list({ cursor: second.response_metadata?.next_cursor ?? '' })
    expect(third.channels).toHaveLength(MANY + 1 - 200)
    expect(third.response_metadata?.next_cursor).toBe('')
    const ids = [channels, second.channels, third.channels].flatMap((page) => page?.map(({ id }) => id))
    expect(new Set(ids).size).toBe(MANY + 1)
  })

  it('of members has a hundred on each page', async () => {
    const { client, launch } = await openSlack({ seed })
    const first = await client.conversations.members({ channel: launch })
    expect(first.members).toHaveLength(100)
    const listing = {
      method: 'conversations.members',
      args: { channel: launch, limit: 100 },
      items: 'members',
    }
    const pages = await pagesOf<string>(client, listing)
    expect(sizesOf(pages)).toEqual([100, 100, MANY + 3 - 200])
    expect(countOf(pages)).toBe(MANY + 3)
  })

  it('of messages has a hundred on each page, the newest first', async () => {
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
    expect(sizesOf(pages)).toEqual([100, 100, MANY - 200])
    expect(pages.flat().map(({ text }) => text)).toEqual(
      numbered.toReversed().map((number) => `message ${number}`),
    )
  })

  it('of replies ends, and says so', async () => {
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

  it('of scheduled messages ends with an empty cursor', async () => {
    const { client, launch, controls: control } = await openSlack({ seed })
    const hour = Math.floor(control.now().getTime() / 1000) + 3600
    for (const number of numbered.slice(0, 5))
      await client.chat.scheduleMessage({ channel: launch, text: `${number}`, post_at: hour + number })
    const args = { limit: 2 }
    const listing = { method: 'chat.scheduledMessages.list', args, items: 'scheduled_messages' }
    const pages = await pagesOf<{ text: string }>(client, listing)
    expect(pages.map((page) => page.map(({ text }) => text))).toEqual([['0', '1'], ['2', '3'], ['4']])
  })
})
