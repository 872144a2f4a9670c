import { Webhook } from 'standardwebhooks'
import type { Runtime } from '../../runtime.ts'
import type { Dispatcher } from './public-dispatcher.ts'

export type EventTransport = {
  runtime: Pick<Runtime, 'nodeFetch' | 'now'>
  /** Keeps requests from reaching private addresses. Undefined if requests may reach them. */
  dispatcher: Dispatcher | undefined
}

type EventDelivery = { url: string; secret: string; id: string; event: unknown; timeoutMs: number }

/** Sends an event, signed as in the Standard Webhooks specification. Ignores the body of the response. */
export async function sendSignedEvent(
  { runtime, dispatcher }: EventTransport,
  { url, secret, id, event, timeoutMs }: EventDelivery,
): Promise<{ ok: boolean; status: number }> {
  const now = runtime.now()
  const body = JSON.stringify(event)
  const response = await runtime.nodeFetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    redirect: 'manual',
    ...(dispatcher && { dispatcher }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  return response
}
