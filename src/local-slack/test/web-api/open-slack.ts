import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LocalSlackOptions, openLocalSlack } from '../../index.ts'
import { fixedRuntime } from '../fixed-runtime.ts'
import { MANIFEST } from '../sample-bot/bot.ts'
import { connect } from './connect.ts'

export const FEW_SCOPES_MANIFEST = join(import.meta.dirname, 'few-scopes.yml')

/** A Slack for one test, with its bot's client, two people at their sessions, and its channels by their names. */
export async function openSlack(options: Partial<LocalSlackOptions> = {}) {
  const slack = await openLocalSlack({ manifest: MANIFEST, runtime: fixedRuntime, ...options })
  onTestFinished(slack.close)
  const [mara, tomas] = [slack.openSession('mara'), slack.openSession('tomas')]
  const channel = (wanted: string) => mara.state().channels.find(({ name }) => name === wanted)?.id ?? ''
  return {
    ...slack,
    client: connect(slack.apiUrl, slack.secrets.botToken),
    mara,
    tomas,
    launch: channel('launch'),
    general: channel('general'),
    board: channel('board'),
    /** A call without the SDK, for what the SDK would never send. */
    async call(method: string, given: RequestInit = {}) {
      const headers = { authorization: `Bearer ${slack.secrets.botToken}`, ...given.headers }
      const response = await fetch(slack.apiUrl + method, { method: 'POST', ...given, headers })
      const body: Record<string, unknown> = Object(await response.json())
      return { status: response.status, headers: response.headers, body }
    },
  }
}

export type OpenSlack = Awaited<ReturnType<typeof openSlack>>

export const textsIn = async ({ client }: OpenSlack, channel: string): Promise<(string | undefined)[]> => {
  const { messages = [] } = await client.conversations.history({ channel })
  return messages.map(({ text }) => text)
}
