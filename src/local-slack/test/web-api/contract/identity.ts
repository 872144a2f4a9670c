import { expect } from 'vitest'
import { expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

const botOf = async ({ client }: Implementation): Promise<string> => (await client.auth.test()).bot_id ?? ''

export const identity = {
  'auth.test returns the owner of the token': async ({ client, botUserId }) => {
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

  'auth.test returns is_enterprise_install: false': async ({ client }) => {
    expect(await client.auth.test()).toMatchObject({ is_enterprise_install: false })
  },

  'auth.test refuses an unknown token': async ({ client }) => {
    await expectApiError(client.auth.test({ token: 'xoxb-nobody' }), 'invalid_auth')
  },

  'bots.info returns a bot': async (slack) => {
    const bot = await botOf(slack)
    expect((await slack.client.bots.info({ bot })).bot).toMatchObject({
      id: bot,
      deleted: false,
      name: expect.any(String),
    })
  },

  "bots.info returns the bot's app, user and last change": async (slack) => {
    expect((await slack.client.bots.info({ bot: await botOf(slack) })).bot).toMatchObject({
      app_id: expect.stringMatching(/^A/),
      user_id: slack.botUserId,
      updated: expect.any(Number),
    })
  },

  'bots.info returns the icon in three sizes': async (slack) => {
    const { bot } = await slack.client.bots.info({ bot: await botOf(slack) })
    expect(bot?.icons).toMatchObject({
      image_36: expect.any(String),
      image_48: expect.any(String),
      image_72: expect.any(String),
    })
  },

  'bots.info refuses an unknown bot': async ({ client }) => {
    await expectApiError(client.bots.info({ bot: 'B000NOBODY' }), 'bot_not_found')
  },

  'team.info returns the workspace': async ({ client }) => {
    const { team_id, team } = await client.auth.test()
    expect((await client.team.info()).team).toMatchObject({
      id: team_id,
      name: team,
      domain: expect.stringMatching(/^[a-z0-9-]+$/),
    })
  },

  'team.info returns the email domain': async ({ client }) => {
    expect((await client.team.info()).team).toMatchObject({ email_domain: expect.any(String) })
  },

  'team.info returns the icon in six sizes': async ({ client }) => {
    const { team } = await client.team.info()
    const sizes = [34, 44, 68, 88, 102, 132].map((size) => [`image_${size}`, expect.any(String)])
    expect(team?.icon).toMatchObject(Object.fromEntries(sizes))
  },

  'team.info refuses an unknown workspace': async ({ client }) => {
    await expectApiError(client.team.info({ team: 'T000NOWHERE' }), 'team_not_found')
  },
} satisfies Cases
