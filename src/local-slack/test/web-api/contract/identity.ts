import { expect } from 'vitest'
import { expectRefusal } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

const botOf = async ({ client }: Opened): Promise<string> => (await client.auth.test()).bot_id ?? ''

export const identity = {
  'auth.test says whose token it is': async ({ client, botUserId }) => {
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      url: expect.stringMatching(/^https?:\/\/.+\/$/),
      team: expect.any(String),
      user: expect.any(String),
      team_id: expect.stringMatching(/^T/),
      user_id: botUserId,
      bot_id: expect.stringMatching(/^B/),
    })
  },

  'auth.test says that the app is not installed for a whole enterprise': async ({ client }) => {
    expect(await client.auth.test()).toMatchObject({ is_enterprise_install: false })
  },

  'auth.test refuses a token that nobody was given': async ({ client }) => {
    await expectRefusal(client.auth.test({ token: 'xoxb-nobody' }), 'invalid_auth')
  },

  'bots.info tells of a bot': async (slack) => {
    const bot = await botOf(slack)
    expect((await slack.client.bots.info({ bot })).bot).toMatchObject({
      id: bot,
      deleted: false,
      name: expect.any(String),
    })
  },

  'bots.info tells which app and which user a bot is, and when it last changed': async (slack) => {
    expect((await slack.client.bots.info({ bot: await botOf(slack) })).bot).toMatchObject({
      app_id: expect.stringMatching(/^A/),
      user_id: slack.botUserId,
      updated: expect.any(Number),
    })
  },

  'bots.info has the icon in three sizes': async (slack) => {
    const { bot } = await slack.client.bots.info({ bot: await botOf(slack) })
    expect(bot?.icons).toMatchObject({
      image_36: expect.any(String),
      image_48: expect.any(String),
      image_72: expect.any(String),
    })
  },

  'bots.info knows no other bot': async ({ client }) => {
    await expectRefusal(client.bots.info({ bot: 'B000NOBODY' }), 'bot_not_found')
  },

  'team.info tells of the workspace': async ({ client }) => {
    const { team_id, team } = await client.auth.test()
    expect((await client.team.info()).team).toMatchObject({
      id: team_id,
      name: team,
      domain: expect.stringMatching(/^[a-z0-9-]+$/),
    })
  },

  'team.info tells the e-mail domain': async ({ client }) => {
    expect((await client.team.info()).team).toMatchObject({ email_domain: expect.any(String) })
  },

  'team.info has the icon in six sizes': async ({ client }) => {
    const { team } = await client.team.info()
    const sizes = [34, 44, 68, 88, 102, 132].map((size) => [`image_${size}`, expect.any(String)])
    expect(team?.icon).toMatchObject(Object.fromEntries(sizes))
  },

  'team.info knows no other workspace': async ({ client }) => {
    await expectRefusal(client.team.info({ team: 'T000NOWHERE' }), 'team_not_found')
  },
} satisfies Cases
