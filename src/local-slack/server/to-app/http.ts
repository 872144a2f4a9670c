import type { Slack } from '../workspace/slack.ts'
import { type Carried, type Carrier, type Envelope, PATIENCE_MS } from './carrier.ts'
import { signatureHeaders } from './signature.ts'

export type HttpCarrier = Carrier & {
  /** Sends the challenge by which Slack makes sure that the events' address is the app's; says what is wrong. */
  verify: () => Promise<string | undefined>
}

/** Signed requests to the addresses in the manifest, or to those paths at another place. */
export function createHttpCarrier(slack: Slack, base: string | undefined): HttpCarrier {
  let verified = false
  const post = (url: string, body: string, headers: Record<string, string>) =>
    patiently(slack, (signal) =>
      slack.world.fetch(url, {
        method: 'POST',
        body,
        signal,
        redirect: 'manual',
        headers: {
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          accept: '*/*',
          ...headers,
          ...signatureHeaders(body, slack.app.secrets.signingSecret, slack.clock.now()),
        },
      }),
    )

  const verify = async () => {
    const url = addressFor(slack, base, { type: 'events_api', payload: {} })
    if (!url) return 'the manifest has no event_subscriptions.request_url'
    const challenge = slack.ids.secret()
    const token = slack.app.secrets.verificationToken
    const body = JSON.stringify({ token, challenge, type: 'url_verification' })
    const response = await post(url, body, { 'content-type': 'application/json' })
    if ('failure' in response) return `${url} did not answer the challenge (${response.failure})`
    if (response.status !== 200) return `${url} answered the challenge with status ${response.status}`
    const answer = Object(readAnswer(response))
    verified = answer.text === challenge || answer.challenge === challenge
    return verified ? undefined : `${url} did not answer with the challenge's value`
  }

  return {
    verify,
    async carry(envelope) {
      const url = addressFor(slack, base, envelope)
      if (!url) return { failure: 'dispatch_failed' }
      // Slack sends no events to an address that never proved whose it is.
      if (envelope.type === 'events_api' && !verified && (await verify()))
        return { failure: 'dispatch_failed' }
      const { body, type } = bodyOf(envelope)
      const retry = envelope.retry && {
        'x-slack-retry-num': String(envelope.retry.attempt),
        'x-slack-retry-reason': envelope.retry.reason,
      }
      const response = await post(url, body, { 'content-type': type, ...retry })
      if ('failure' in response) return response
      if (response.status === 200) return { answer: readAnswer(response) }
      return { failure: 'http_error', status: response.status, noMore: response.noRetry }
    },
    stop() {},
  }
}

type Response = { status: number; text: string; json: boolean; noRetry: boolean }
type Failure = Extract<Carried, { failure: string }>

async function patiently(
  slack: Slack,
  request: (signal: AbortSignal) => Promise<globalThis.Response>,
): Promise<Response | Failure> {
  const patience = new AbortController()
  const cancel = slack.clock.after(PATIENCE_MS, () => patience.abort())
  try {
    const response = await request(patience.signal)
    return {
      status: response.status,
      text: await response.text(),
      json: response.headers.get('content-type')?.includes('json') ?? false,
      noRetry: response.headers.get('x-slack-no-retry') === '1',
    }
  } catch {
    return { failure: patience.signal.aborted ? 'operation_timeout' : 'dispatch_failed' }
  } finally {
    cancel()
  }
}

function readAnswer({ text, json }: Response): unknown {
  if (!text) return {}
  try {
    return json ? JSON.parse(text) : { text }
  } catch {
    return { text }
  }
}

function addressFor(
  { app }: Slack,
  base: string | undefined,
  { type, payload }: Envelope,
): string | undefined {
  const { features, settings } = app.manifest
  const { request_url, message_menu_options_url } = settings.interactivity
  const named = {
    slash_commands: features.slash_commands.find(({ command }) => command === payload.command)?.url,
    interactive: (payload.type === 'block_suggestion' && message_menu_options_url) || request_url,
    events_api: settings.event_subscriptions.request_url,
  }[type]
  if (!base) return named
  return new URL(named ? new URL(named).pathname : '/slack/events', base).href
}

function bodyOf({ type, payload }: Envelope): { body: string; type: string } {
  if (type === 'events_api') return { body: JSON.stringify(payload), type: 'application/json' }
  const fields = type === 'interactive' ? { payload: JSON.stringify(payload) } : payload
  return {
    body: String(new URLSearchParams(fields as Record<string, string>)),
    type: 'application/x-www-form-urlencoded',
  }
}
