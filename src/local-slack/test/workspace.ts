import { App, LogLevel } from '@slack/bolt'
import { vi } from 'vitest'
import { type LocalSlack, openLocalSlack, type UserSession } from '../index.ts'
import { FIXED_NOW, fixedRuntime, waitFor } from './fixed-runtime.ts'
import { findFreePort } from './http-server.ts'
import { MANIFEST } from './sample-bot/bot.ts'

type TransportName = 'Socket Mode' | 'HTTP'
export const TRANSPORTS: TransportName[] = ['Socket Mode', 'HTTP']

// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the payload that it expects
export type Payload = any

/** The arguments of any Bolt listener. */
type ListenerArgs = {
  body: Payload
  ack?: (response?: unknown) => Promise<void>
  respond: (text: string) => Promise<unknown>
}

/** A Bolt app that records all payloads. */
export type Bot = {
  app: App
  payloads: Payload[]
  /** Handles every payload. */
  handle: (args: ListenerArgs) => Promise<void>
}

export type Workspace = {
  slack: LocalSlack
  bot: Bot
  mara: UserSession
  channelId: (name: string) => string
  close: () => Promise<void>
}

/** Opens a local Slack with a Bolt app that uses the given transport. */
export async function openWorkspace(transport: TransportName, seed?: string): Promise<Workspace> {
  const port = await findFreePort()
  const usesHttp = transport === 'HTTP'
  // Bolt compares the timestamps of HTTP requests with the system time.
  if (usesHttp) vi.useFakeTimers({ now: FIXED_NOW, toFake: ['Date'] })
  const slack = await openLocalSlack({
    manifest: MANIFEST,
    runtime: fixedRuntime,
    seed,
    ...(usesHttp && { requestUrl: `http://127.0.0.1:${port}` }),
  })
  const { secrets, apiUrl } = slack
  const app = new App({
    token: secrets.botToken,
    clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
    ignoreSelf: false,
    ...(usesHttp
      ? { signingSecret: secrets.signingSecret }
      : { socketMode: true, appToken: secrets.appToken }),
  })
  const bot: Bot = { app, payloads: [], handle: acknowledge }
  app.use(async (args) => {
    bot.payloads.push(args.body)
    await bot.handle(args as unknown as ListenerArgs)
  })
  await (usesHttp ? app.start({ port, host: '127.0.0.1' }) : app.start())
  const mara = slack.openSession('mara')
  return {
    slack,
    bot,
    mara,
    channelId: (name) => findChannelId(mara, name),
    async close() {
      await app.stop()
      await slack.close()
      vi.useRealTimers()
    },
  }
}

export const acknowledge: Bot['handle'] = async ({ ack }) => ack?.()

export const findChannelId = (session: UserSession, name: string) =>
  session.state().channels.find((channel) => channel.name === name)?.id ?? ''

/** Waits for the first payload with this type, event type or command. */
export const waitForPayload = ({ payloads }: Bot, type: string): Promise<Payload> =>
  waitFor(() => {
    const payload = payloads.find((body) => [body.type, body.event?.type, body.command].includes(type))
    if (!payload) throw new Error(`The bot received no ${type} payload.`)
    return payload
  })

export const plain = (text: string) => ({ type: 'plain_text' as const, text })

export const button = (action_id: string) => ({ type: 'button' as const, action_id, text: plain(action_id) })
