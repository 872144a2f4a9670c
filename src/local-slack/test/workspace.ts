import { join } from 'node:path'
import { App, LogLevel } from '@slack/bolt'
import { vi } from 'vitest'
import { type LocalSlack, openLocalSlack, type UserSession } from '../index.ts'
import { systemRuntime } from '../runtime.ts'
import { findFreePort } from './http-server.ts'

export type Way = 'socket' | 'http'
export const ways: Way[] = ['socket', 'http']

export const MANIFEST = join(import.meta.dirname, 'sample-bot/manifest.yml')

// biome-ignore lint/suspicious/noExplicitAny: what a bot hears is JSON of many shapes; each test says which
export type Heard = any

/** What a Bolt app's listener is given, whatever it listens to. */
export type Told = {
  body: Heard
  ack?: (answer?: unknown) => Promise<void>
  respond: (text: string) => Promise<unknown>
}

export type Bot = {
  app: App
  heard: Heard[]
  /** What the next thing heard is answered with; once said, it stays. */
  answer: (told: Told) => Promise<void>
}

export type Workspace = {
  slack: LocalSlack
  bot: Bot
  mara: UserSession
  channel: (name: string) => string
  close: () => Promise<void>
}

/** A Slack and a Bolt app at it, connected one way or the other; the app is the SDK as it comes. */
export async function openWorkspace(way: Way, manifest = MANIFEST): Promise<Workspace> {
  const port = await findFreePort()
  const slack = await openLocalSlack({
    manifest,
    runtime: systemRuntime,
    ...(way === 'http' && { requestUrl: `http://127.0.0.1:${port}` }),
  })
  const { secrets, apiUrl } = slack
  const app = new App({
    token: secrets.botToken,
    clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
    ignoreSelf: false,
    ...(way === 'socket'
      ? { socketMode: true, appToken: secrets.appToken }
      : { signingSecret: secrets.signingSecret }),
  })
  const bot: Bot = { app, heard: [], answer: acknowledge }
  app.use(async (told) => {
    bot.heard.push(told.body)
    // The types of Bolt tell apart what it hears; here all of it is heard in one place.
    await bot.answer(told as unknown as Told)
  })
  await (way === 'http' ? app.start({ port, host: '127.0.0.1' }) : app.start())
  const mara = slack.openSession('mara')
  return {
    slack,
    bot,
    mara,
    channel: (name) => mara.state().channels.find((one) => one.name === name)?.id ?? '',
    async close() {
      await app.stop()
      await slack.close()
    },
  }
}

export const acknowledge: Bot['answer'] = async ({ ack }) => ack?.()

/** The first thing heard of that type. */
export const heardOf = ({ heard }: Bot, type: string): Promise<Heard> =>
  vi.waitFor(() => {
    const found = heard.find((body) => [body.type, body.event?.type, body.command].includes(type))
    if (!found) throw new Error(`The bot heard of no ${type}.`)
    return found
  })

export const plain = (text: string) => ({ type: 'plain_text' as const, text })

export const button = (action_id: string) => ({ type: 'button' as const, action_id, text: plain(action_id) })
