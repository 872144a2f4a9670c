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
  const underWay = new Set<AbortController>()
  const post = (url: string, body: string, headers: Record<string, string>) =>
    patiently({ slack, underWay }, (signal) =>
      slack.runtime.fetch(url, {
        method: 'POST',
        body,
        signal,
        redirect: 'manual',
        headers: {
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          accept: '*/*',
          ...headers,
          // By the real clock: the app compares it with its own.
          ...signatureHeaders(body, slack.app.secrets.signingSecret, slack.runtime.now()),
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
      const taken = envelope.type === 'events_api' ? response.status < 300 : response.status === 200
      if (taken) return { answer: readAnswer(response) }
      return { failure: 'http_error', status: response.status, noMore: response.noRetry }
    },
    stop() {
      for (const patience of underWay) patience.abort()
    },
  }
}

type Answered = { status: number; text: string; json: boolean; noRetry: boolean }
type Failure = Extract<Carried, { failure: string }>

async function patiently(
  { slack, underWay }: { slack: Slack; underWay: Set<AbortController> },
  request: (signal: AbortSignal) => Promise<Response>,
): Promise<Answered | Failure> {
  const patience = new AbortController()
  underWay.add(patience)
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
    underWay.delete(patience)
  }
}

function readAnswer({ text, json }: Answered): unknown {
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
  const path = named ? new URL(named).pathname : '/slack/events'
  return base.replace(/\/$/, '') + path
}

function bodyOf({ type, payload }: Envelope): { body: string; type: string } {
  if (type === 'events_api') return { body: JSON.stringify(payload), type: 'application/json' }
  const fields = type === 'interactive' ? { payload: JSON.stringify(payload) } : payload
  return {
    body: String(new URLSearchParams(fields as Record<string, string>)),
    type: 'application/x-www-form-urlencoded',
  }
}
