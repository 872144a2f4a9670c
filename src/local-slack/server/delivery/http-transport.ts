import { createHmac } from 'node:crypto'
import { readJson } from '../json.ts'
import type { Slack } from '../workspace/slack.ts'
import type { DeliveryFailure, Envelope, Transport } from './transport.ts'

export type HttpTransport = Transport & {
  /** Sends the url_verification challenge to the events URL. Returns what went wrong, if anything did. */
  verifyUrl: () => Promise<string | undefined>
}

type AppResponse = { status: number; text: string; isJson: boolean; noRetry: boolean }

/** Sends signed requests to the manifest's URLs, to the same paths under `baseUrl`, or to `baseUrl` itself if it has a path. */
export function createHttpTransport(slack: Slack, baseUrl: string | undefined): HttpTransport {
  let isVerified = false
  const pendingRequests = new Set<AbortController>()

  const post = async (
    url: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<AppResponse | DeliveryFailure> => {
    const controller = new AbortController()
    pendingRequests.add(controller)
    const cancelTimeout = slack.clock.after(slack.timeLimitMs, () => controller.abort())
    try {
      const response = await slack.runtime.fetch(url, {
        method: 'POST',
        body,
        signal: controller.signal,
        redirect: 'manual',
        headers: {
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          accept: '*/*',
          ...headers,
          // Signed by the real time: the app compares the timestamp with its own clock.
          ...createSignatureHeaders(body, slack.app.secrets.signingSecret, slack.runtime.now()),
        },
      })
      return {
        status: response.status,
        text: await response.text(),
        isJson: response.headers.get('content-type')?.includes('json') ?? false,
        noRetry: response.headers.get('x-slack-no-retry') === '1',
      }
    } catch {
      return { failure: controller.signal.aborted ? 'operation_timeout' : 'dispatch_failed' }
    } finally {
      cancelTimeout()
      pendingRequests.delete(controller)
    }
  }

  const verifyUrl = async () => {
    const url = findUrl(slack, baseUrl, { type: 'events_api', payload: {} })
    if (!url) return 'the manifest has no event_subscriptions.request_url'
    const challenge = slack.ids.secret()
    const token = slack.app.secrets.verificationToken
    const body = JSON.stringify({ token, challenge, type: 'url_verification' })
    const response = await post(url, body, { 'content-type': 'application/json' })
    if ('failure' in response) return `${url} did not answer the challenge (${response.failure})`
    if (response.status !== 200) return `${url} answered the challenge with status ${response.status}`
    const answer = Object(readBody(response))
    isVerified = answer.text === challenge || answer.challenge === challenge
    return isVerified ? undefined : `${url} did not answer with the challenge's value`
  }

  return {
    verifyUrl,
    async send(envelope) {
      const url = findUrl(slack, baseUrl, envelope)
      if (!url) return { failure: 'dispatch_failed' }
      // Slack sends no events to a URL that hasn't answered the challenge.
      if (envelope.type === 'events_api' && !isVerified && (await verifyUrl()))
        return { failure: 'dispatch_failed' }
      const { body, contentType } = encodeBody(envelope)
      const retryHeaders = envelope.retry && {
        'x-slack-retry-num': String(envelope.retry.attempt),
        'x-slack-retry-reason': envelope.retry.reason,
      }
      const response = await post(url, body, { 'content-type': contentType, ...retryHeaders })
      if ('failure' in response) return response
      const isAccepted = envelope.type === 'events_api' ? response.status < 300 : response.status === 200
      if (isAccepted) return { acknowledgement: readBody(response) }
      return { failure: 'http_error', status: response.status, noRetry: response.noRetry }
    },
    stop() {
      for (const controller of pendingRequests) controller.abort()
    },
  }
}

function createSignatureHeaders(body: string, signingSecret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const hash = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}

function readBody({ text, isJson }: AppResponse): unknown {
  if (!text) return {}
  const json = isJson ? readJson(text) : undefined
  return json === undefined ? { text } : json
}

function findUrl({ app }: Slack, baseUrl: string | undefined, envelope: Envelope): string | undefined {
  const { type, payload } = envelope
  const { features, settings } = app.manifest
  const { request_url, message_menu_options_url } = settings.interactivity
  const manifestUrl = {
    slash_commands: features.slash_commands.find(({ command }) => command === payload.command)?.url,
    interactive: (payload.type === 'block_suggestion' && message_menu_options_url) || request_url,
    events_api: settings.event_subscriptions.request_url,
  }[type]
  if (!baseUrl) return manifestUrl
  if (new URL(baseUrl).pathname !== '/') return baseUrl
  const path = manifestUrl ? new URL(manifestUrl).pathname : '/slack/events'
  return baseUrl.replace(/\/$/, '') + path
}

function encodeBody({ type, payload }: Envelope): { body: string; contentType: string } {
  if (type === 'events_api') return { body: JSON.stringify(payload), contentType: 'application/json' }
  const fields = type === 'interactive' ? { payload: JSON.stringify(payload) } : payload
  return {
    body: String(new URLSearchParams(fields as Record<string, string>)),
    contentType: 'application/x-www-form-urlencoded',
  }
}
