import { expect } from 'vitest'
import { expectRefusal, pagesOf } from '../connect.ts'
import type { Cases } from './opened.ts'

export const people = {
  'users.info tells of a person': async ({ client, person }) => {
    expect((await client.users.info({ user: person.id })).user).toMatchObject({
      id: person.id,
      team_id: expect.stringMatching(/^T/),
      name: 'mara',
      real_name: 'Mara Lindqvist',
      deleted: false,
      is_bot: false,
      is_admin: expect.any(Boolean),
      profile: {
        real_name: 'Mara Lindqvist',
        real_name_normalized: 'Mara Lindqvist',
        display_name: expect.any(String),
        display_name_normalized: expect.any(String),
        title: 'Head of social',
        status_text: '',
        status_emoji: '',
        email: person.email,
      },
    })
  },

  'users.info tells what a person may do here': async ({ client, person }) => {
    expect((await client.users.info({ user: person.id })).user).toMatchObject({
      is_owner: expect.any(Boolean),
      is_primary_owner: expect.any(Boolean),
      is_restricted: expect.any(Boolean),
      is_ultra_restricted: expect.any(Boolean),
      is_app_user: false,
    })
  },

  "users.info tells a person's time zone": async ({ client, person }) => {
    expect((await client.users.info({ user: person.id })).user).toMatchObject({
      tz: 'Europe/Berlin',
      tz_label: expect.any(String),
      tz_offset: expect.toSatisfy((offset: number) => offset === 3600 || offset === 7200),
    })
  },

  'users.info says when a person last changed': async ({ client, person }) => {
    expect((await client.users.info({ user: person.id })).user?.updated).toEqual(expect.any(Number))
  },

  'users.info has the picture in six sizes': async ({ client, person }) => {
    const sizes = [24, 32, 48, 72, 192, 512].map((size) => [`image_${size}`, expect.any(String)])
    const { user } = await client.users.info({ user: person.id })
    expect(user?.profile).toMatchObject(Object.fromEntries(sizes))
  },

  'users.info tells the locale to those who ask for it, and to no others': async ({ client, person }) => {
    const plain = await client.users.info({ user: person.id })
    const asked = await client.users.info({ user: person.id, include_locale: true })
    expect(plain.user).not.toHaveProperty('locale')
    expect(asked.user).toMatchObject({ locale: expect.stringMatching(/^[a-z]{2}-[A-Z]{2}$/) })
  },

  'users.info knows a bot for one': async ({ client, botUserId }) => {
    expect((await client.users.info({ user: botUserId })).user).toMatchObject({ id: botUserId, is_bot: true })
  },

  "users.info tells a bot's app, and has no e-mail address for it": async ({ client, botUserId }) => {
    const { bot_id } = await client.auth.test()
    const { user } = await client.users.info({ user: botUserId })
    expect(user?.profile).toMatchObject({ bot_id, api_app_id: expect.stringMatching(/^A/) })
    expect(user?.profile).not.toHaveProperty('email')
  },

  'users.info knows nobody else': async ({ client }) => {
    await expectRefusal(client.users.info({ user: 'U000NOBODY' }), 'user_not_found')
  },

  'users.list has everybody, the bot among them': async ({ client, person, outsider, botUserId }) => {
    const { members = [], response_metadata } = await client.users.list({})
    expect(members.map(({ id }) => id)).toEqual(expect.arrayContaining([person.id, outsider, botUserId]))
    expect(response_metadata?.next_cursor).toBe('')
  },

  'users.list has Slackbot too': async ({ client }) => {
    const { members = [] } = await client.users.list({})
    expect(members.map(({ id }) => id)).toContain('USLACKBOT')
  },

  'users.list says how fresh it is': async ({ client }) => {
    expect((await client.users.list({})).cache_ts).toEqual(expect.any(Number))
  },

  'users.list comes in pages, nobody lost and nobody twice': async ({ client }) => {
    const { members = [] } = await client.users.list({})
    const listing = { method: 'users.list', args: { limit: 2 }, items: 'members' }
    const pages = await pagesOf<{ id: string }>(client, listing)
    expect(pages.length).toBeGreaterThan(1)
    expect(Math.max(...pages.map(({ length }) => length))).toBe(2)
    expect(pages.flat().map(({ id }) => id)).toEqual(members.map(({ id }) => id))
  },

  'users.list refuses a cursor that it never gave': async ({ client }) => {
    await expectRefusal(client.users.list({ cursor: 'no cursor' }), 'invalid_cursor')
  },

  'users.lookupByEmail finds a person': async ({ client, person }) => {
    const { user } = await client.users.lookupByEmail({ email: person.email })
    expect(user).toMatchObject({ id: person.id, profile: { email: person.email } })
  },

  'users.lookupByEmail knows nobody else': async ({ client }) => {
    await expectRefusal(client.users.lookupByEmail({ email: 'nobody@nowhere.example' }), 'users_not_found')
  },
} satisfies Cases
