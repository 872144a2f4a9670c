import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Answer, LostBy } from './outcome.ts'

/** One request on the wire: its whole answer, or what is known of how it got lost. */
export type Attempt = { answer: Answer } | { lost: LostBy; sent: boolean }

export type AttemptOptions = {
  fetch: typeof fetch
  /** Names this attempt among all that are under way. */
  id: string
  cancelled: AbortSignal | undefined
  deadline: AbortSignal
}

export async function attempt(request: Request, options: AttemptOptions): Promise<Attempt> {
  const { fetch, id, cancelled, deadline } = options
  const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline
  if (signal.aborted) return { lost: whatLost(options), sent: false }
  const headers = new Headers(request.headers)
  headers.set('x-request-id', id)
  const wire = watchWire(id)
  try {
    // A redirect is not followed: a request that changes something must not be repeated somewhere else.
    const response = await fetch(new Request(request, { headers, signal, redirect: 'manual' }))
    const body = await response.text().catch(() => undefined)
    if (body === undefined && response.ok) return { lost: whatLost(options), sent: true }
    return { answer: { status: response.status, headers: response.headers, body: body ?? '' } }
  } catch (error) {
    if (!signal.aborted && !isLost(error)) throw error
    return { lost: whatLost(options), sent: wire.sent() ?? !failedBeforeSending(error) }
  } finally {
    wire.close()
  }
}

function whatLost({ cancelled, deadline }: AttemptOptions): LostBy {
  if (cancelled?.aborted) return 'cancelled'
  return deadline.aborted ? 'deadline' : 'connection'
}

/** `fetch` tells of a network that failed by a TypeError with a cause; one without is a mistake in the call. */
const isLost = (error: unknown) => error instanceof TypeError && error.cause !== undefined

/**
 * Watches Node's own HTTP client. A connection that is refused tells so, but one that hangs until the deadline may hang
 * before or after the request went out, and only the client knows. With a `fetch` that is not Node's nothing is seen.
 */
function watchWire(id: string): { sent: () => boolean | undefined; close: () => void } {
  let created = false
  let sent = false
  const onCreate = (message: unknown) => {
    if (String((message as { request: { headers: unknown } }).request.headers).includes(id)) created = true
  }
  const onSend = (message: unknown) => {
    if ((message as { headers: string }).headers.includes(id)) sent = true
  }
  subscribe('undici:request:create', onCreate)
  subscribe('undici:client:sendHeaders', onSend)
  return {
    sent: () => (sent ? true : created ? false : undefined),
    close: () => {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:client:sendHeaders', onSend)
    },
  }
}

/** For a `fetch` that cannot be watched: these happen before there is anything to send on. All others count as sent. */
function failedBeforeSending(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string }
  if (message === 'bad port' || message === 'unknown scheme') return true // fetch's own refusals
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
}
