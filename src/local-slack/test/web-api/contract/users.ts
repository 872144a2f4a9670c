import { expect } from 'vitest'
import { expectApiError, pagesOf } from '../connect.ts'
import type { Cases } from './implementation.ts'

export const users = {
  'users.info returns a user': async ({ client, user }) => {
    expect((await client.users.info({ user: user.id })).user).toMatchObject({
      id: user.id,
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
        email: user.email,
      },
    })
  },

  'users.info returns the role of a user': async ({ client, user }) => {
    expect((await client.users.info({ user: user.id })).user).toMatchObject({
      is_owner: expect.any(Boolean),
      is_primary_owner: expect.any(Boolean),
      is_restricted: expect.any(Boolean),
      is_ultra_restricted: expect.any(Boolean),
      is_app_user: false,
    })
  },

  'users.info returns the time zone of a user': async ({ client, user }) => {
    expect((await client.users.info({ user: user.id })).user).toMatchObject({
      tz: 'Europe/Berlin',
      tz_label: expect.any(String),
      tz_offset: expect.toSatisfy((offset: number) => offset === 3600 || offset === 7200),
    })
  },

  'users.info returns the last change of a user': async ({ client, user }) => {
    expect((await client.users.info({ user: user.id })).user?.updated).toEqual(expect.any(Number))
  },

  'users.info returns the avatar in six sizes': async ({ client, user }) => {
    const sizes = [24, 32, 48, 72, 192, 512].map((size) => [`image_${size}`, expect.any(String)])
    const response = await client.users.info({ user: user.id })
    expect(response.user?.profile).toMatchObject(Object.fromEntries(sizes))
  },

  'users.info returns the locale only on request': async ({ client, user }) => {
    const plain = await client.users.info({ user: user.id })
    const asked = await client.users.info({ user: user.id, include_locale: true })
    expect(plain.user).not.toHaveProperty('locale')
    expect(asked.user).toMatchObject({ locale: expect.stringMatching(/^[a-z]{2}-[A-Z]{2}$/) })
  },

  'users.info marks a bot': async ({ client, botUserId }) => {
    expect((await client.users.info({ user: botUserId })).user).toMatchObject({ id: botUserId, is_bot: true })
  },

  "users.info returns a bot's app, and no email address": async ({ client, botUserId }) => {
    const { bot_id } = await client.auth.test()
    const { user } = await client.users.info({ user: botUserId })
    expect(user?.profile).toMatchObject({ bot_id, api_app_id: expect.stringMatching(/^A/) })
    expect(user?.profile).not.toHaveProperty('email')
  },

  'users.info refuses an unknown user': async ({ client }) => {
    await expectApiError(client.users.info({ user: 'U000NOBODY' }), 'user_not_found')
  },

  'users.list returns all users, including the bot': async ({ client, user, nonMember, botUserId }) => {
    const { members = [], response_metadata } = await client.users.list({})
    expect(members.map(({ id }) => id)).toEqual(expect.arrayContaining([user.id, nonMember, botUserId]))
    expect(response_metadata?.next_cursor).toBe('')
  },

  'users.list includes Slackbot': async ({ client }) => {
    const { members = [] } = await client.users.list({})
    expect(members.map(({ id }) => id)).toContain('USLACKBOT')
  },

  'users.list returns the time of its cache': async ({ client }) => {
    expect((await client.users.list({})).cache_ts).toEqual(expect.any(Number))
  },

  'users.list returns every user exactly once over several pages': async ({ client }) => {
    const { members = [] } = await client.users.list({})
    const listing = { method: 'users.list', args: { limit: 2 }, items: 'members' }
    const pages = await pagesOf<{ id: string }>(client, listing)
    expect(pages.length).toBeGreaterThan(1)
    expect(Math.max(...pages.map(({ length }) => length))).toBe(2)
    expect(pages.flat().map(({ id }) => id)).toEqual(members.map(({ id }) => id))
  },

  'users.list refuses an unknown cursor': async ({ client }) => {
    await expectApiError(client.users.list({ cursor: 'no cursor' }), 'invalid_cursor')
  },

  'users.lookupByEmail finds a user': async ({ client, user }) => {
    const response = await client.users.lookupByEmail({ email: user.email })
    expect(response.user).toMatchObject({ id: user.id, profile: { email: user.email } })
  },

  'users.lookupByEmail refuses an unknown user': async ({ client }) => {
    await expectApiError(client.users.lookupByEmail({ email: 'nobody@nowhere.example' }), 'users_not_found')
  },
} satisfies Cases
