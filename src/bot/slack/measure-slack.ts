import type { App, ReceiverEvent } from '@slack/bolt'
import type { Metrics } from '../../metrics/metrics.ts'
import { traceCall, withTrace } from '../../tracing/spans.ts'
import type { ReceivedContext } from './http-receiver.ts'
import { REQUEST_TYPES, requestType } from './request-type.ts'

/** The part of a URL that names the method of Slack's API. */
const METHOD = /\/api\/([a-zA-Z.]+)$/
const RESPONSE_URL = /^\/(commands|actions)\//

/** Measures and traces how fast Upnext acknowledges requests from Slack, and how fast Slack answers. */
export function measureSlack({ slackRequests, acknowledgments, slackCalls }: Metrics) {
  for (const type of REQUEST_TYPES) {
    // Prometheus counts the first event only if the series already existed with the value 0.
    slackRequests.inc({ type }, 0)
    acknowledgments.zero({ type })
  }

  return {
    /** Call this before the receiver starts. */
    watch(app: Pick<App, 'processEvent'>): void {
      const processEvent = app.processEvent.bind(app)
      app.processEvent = async (event: ReceiverEvent) => {
        const type = requestType(event.body)
        const at = performance.now()
        slackRequests.inc({ type })
        const ack: ReceiverEvent['ack'] = async (response) => {
          await event.ack(response)
          acknowledgments.observe({ type }, secondsSince(at))
        }
        const { command } = event.body
        const name = typeof command === 'string' ? `${type} ${command}` : type
        const attributes = { 'upnext.request.type': type }
        const customProperties: ReceivedContext = { ...event.customProperties, received_at: at }
        return withTrace(name, { kind: 'server', attributes }, () =>
          processEvent({ ...event, ack, customProperties }),
        )
      }
    },
    wrapFetch:
      (send: typeof fetch): typeof fetch =>
      (input, init) => {
        const at = performance.now()
        const { pathname } = new URL(input instanceof Request ? input.url : input)
        const method = METHOD.exec(pathname)?.[1] ?? (RESPONSE_URL.test(pathname) ? 'response_url' : 'file')
        return traceCall(`slack ${method}`, {}, async (span) => {
          const observe = (outcome: string) => {
            span.setAttributes({ 'upnext.outcome': outcome })
            slackCalls.observe({ method, outcome }, secondsSince(at))
          }
          const response = await send(input, init).catch((error) => {
            observe('unreachable')
            throw error
          })
          const outcome = await outcomeOf(response)
          observe(outcome)
          return response
        })
      },
  }
}

export const secondsSince = (at: number): number => (performance.now() - at) / 1000

/** Slack reports most errors with status 200. */
async function outcomeOf(response: Response): Promise<string> {
  if (response.status === 429) return 'rate limited'
  if (!response.ok) return 'failed'
  // The caller gets the error of a cut-off body when it reads the body. If the call itself failed instead, Slack's SDK would
  // repeat it.
  const text = await response
    .clone()
    .text()
    .catch(() => undefined)
  if (text === undefined) return 'failed'
  return /^\{"ok":\s*false/.test(text) ? 'rejected' : 'ok'
}
