import { AsyncLocalStorage } from 'node:async_hooks'
import type { App, ReceiverEvent } from '@slack/bolt'
import type { Metrics } from '../../metrics/metrics.ts'
import { type Span, traceCall, withTrace } from '../../tracing/spans.ts'
import { REQUEST_TYPES, requestType } from './request-type.ts'

/** The part of an address that names Slack's method. */
const METHOD = /\/api\/([a-zA-Z.]+)$/
const RESPONSE_URL = /^\/(commands|actions)\//

/** Measures and traces how fast Upnext acknowledges requests from Slack, opens forms and is answered. */
export function measureSlack({ slackRequests, acknowledgments, openedForms, slackCalls }: Metrics) {
  const received = new AsyncLocalStorage<{ at: number; span: Span }>()
  for (const type of REQUEST_TYPES) {
    // Prometheus counts the first event only if the series was there before, as 0.
    slackRequests.inc({ type }, 0)
    acknowledgments.zero({ type })
  }
  const secondsSince = (at: number) => (performance.now() - at) / 1000

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
        return withTrace(name, { kind: 'server', attributes }, (span) =>
          received.run({ at, span }, () => processEvent({ ...event, ack })),
        )
      }
    },
    /** Bolt passes the errors of listeners on, so the request's span doesn't see them. */
    noteFailure: (error: unknown) => received.getStore()?.span.fail(error),
    wrapFetch:
      (send: typeof fetch): typeof fetch =>
      (input, init) => {
        const at = performance.now()
        const { pathname } = new URL(input instanceof Request ? input.url : input)
        const method = METHOD.exec(pathname)?.[1] ?? (RESPONSE_URL.test(pathname) ? 'response_url' : 'file')
        return traceCall(`slack ${method}`, {}, async ({ setAttributes }) => {
          const observe = (outcome: string) => {
            setAttributes({ 'upnext.outcome': outcome })
            slackCalls.observe({ method, outcome }, secondsSince(at))
          }
          const response = await send(input, init).catch((error) => {
            observe('unreachable')
            throw error
          })
          const outcome = await outcomeOf(response)
          observe(outcome)
          const since = received.getStore()
          if (method === 'views.open' && since) {
            const seconds = secondsSince(since.at)
            openedForms.observe(outcome === 'ok' ? seconds : Math.max(seconds, NEVER_SECONDS))
          }
          return response
        })
      },
  }
}

/** A form that Slack didn't open counts as one that took this long. */
const NEVER_SECONDS = 60

/** Slack answers most errors with the status 200. */
async function outcomeOf(response: Response): Promise<string> {
  if (response.status === 429) return 'rate limited'
  if (!response.ok) return 'failed'
  // A body that is cut off is an error of the caller, who may not repeat the call because of it.
  const text = await response
    .clone()
    .text()
    .catch(() => undefined)
  if (text === undefined) return 'failed'
  return /^\{"ok":\s*false/.test(text) ? 'rejected' : 'ok'
}
