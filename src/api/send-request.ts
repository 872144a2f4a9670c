import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FailureCause } from './result.ts'

/** One try at a request: a complete response, or why it failed and whether the request may have arrived. */
export type Attempt = { response: Response } | { cause: FailureCause; mayHaveArrived: boolean }

type SendOptions = {
  fetch: typeof fetch
  /** Identifies this attempt among all concurrent ones. */
  requestId: string
  cancelled: AbortSignal | undefined
  deadline: AbortSignal
}

/** Statuses that a Response object only accepts without a body. */
const EMPTY_STATUSES = [204, 205, 304]

export async function sendRequest(request: Request, options: SendOptions): Promise<Attempt> {
  const { fetch, requestId, cancelled, deadline } = options
  const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline
  if (signal.aborted) return { cause: findCause(options), mayHaveArrived: false }
  const headers = new Headers(request.headers)
  headers.set('x-request-id', requestId)
  const connection = watchConnection(requestId)
  try {
    // Redirects are not followed: a request that changes something must not be repeated elsewhere.
    const response = await fetch(new Request(request, { headers, signal, redirect: 'manual' }))
    const body = await response.text().catch(() => undefined)
    if (body === undefined && response.ok) return { cause: findCause(options), mayHaveArrived: true }
    // A Response object accepts no status above 599, which some servers send.
    const status = Math.min(response.status, 599)
    const content = EMPTY_STATUSES.includes(status) ? null : (body ?? '')
    return { response: new Response(content, { status, headers: response.headers }) }
  } catch (error) {
    if (!signal.aborted && !isNetworkError(error)) throw error
    return {
      cause: findCause(options),
      mayHaveArrived: connection.hasSent() ?? !failedBeforeSending(error),
    }
  } finally {
    connection.stopWatching()
  }
}

function findCause({ cancelled, deadline }: SendOptions): FailureCause {
  if (cancelled?.aborted) return 'cancelled'
  return deadline.aborted ? 'deadline' : 'connection'
}

/** `fetch` reports a network failure as a TypeError with a cause; a TypeError without one is a programming error. */
const isNetworkError = (error: unknown) => error instanceof TypeError && error.cause !== undefined

/**
 * Node's HTTP client announces when it sends a request. Only that tells whether a request that hung until its deadline
 * left this process. A `fetch` other than Node's announces nothing, and `hasSent` stays undefined.
 */
function watchConnection(requestId: string) {
  let isCreated = false
  let isSent = false
  const onCreate = (message: unknown) => {
    const { request } = message as { request: { headers: unknown } }
    if (String(request.headers).includes(requestId)) isCreated = true
  }
  const onSend = (message: unknown) => {
    if ((message as { headers: string }).headers.includes(requestId)) isSent = true
  }
  subscribe('undici:request:create', onCreate)
  subscribe('undici:client:sendHeaders', onSend)
  return {
    hasSent: (): boolean | undefined => (isSent ? true : isCreated ? false : undefined),
    stopWatching() {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:client:sendHeaders', onSend)
    },
  }
}

const UNSENT_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** For a `fetch` that cannot be watched. Any other error counts as sent. */
function failedBeforeSending(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string }
  // fetch itself refuses these two before it opens a connection.
  return message === 'bad port' || message === 'unknown scheme' || UNSENT_CODES.includes(code)
}
