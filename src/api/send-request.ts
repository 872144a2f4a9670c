import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Runtime } from '../runtime.ts'
import { type ApiFailure, type FailureCause, readRetryAfter } from './result.ts'

export type SendRuntime = Pick<Runtime, 'fetch' | 'now' | 'sleep' | 'random'>

const FIRST_RETRY_MS = 200
/** About three seconds of retries. A service that is down for longer is reported to the user, who is waiting. */
const MAX_ATTEMPTS = 5

/** Sends a request until there is a response or the deadline passes. Retries only what cannot take effect twice. */
export async function sendRequest(
  request: Request,
  runtime: SendRuntime,
  { deadlineMs, request_id }: { deadlineMs: number; request_id: string },
) {
  const { now, sleep } = runtime
  const { method } = request
  const deadline = new AbortController()
  const finished = new AbortController()
  void sleep(deadlineMs, finished.signal).then(() => deadline.abort())
  const endsAt = now().getTime() + deadlineMs
  let mayHaveArrived = false
  let lastResponse: Response | undefined
  try {
    for (let attempts = 1; ; attempts++) {
      const attempt = await attemptRequest(request.clone(), runtime, request_id, deadline.signal)
      if ('response' in attempt) lastResponse = attempt.response
      // An attempt that was cut off before it was sent says less than an earlier response.
      else if (attempt.cause === 'deadline' && !attempt.mayHaveArrived && lastResponse) return lastResponse
      mayHaveArrived ||= hasUnknownEffect(attempt)
      const pauseMs = retryDelay(attempt, attempts, runtime)
      if (!isRetryable(method, attempt) || attempts >= MAX_ATTEMPTS || now().getTime() + pauseMs >= endsAt)
        return finishCall(method, attempt, mayHaveArrived)
      await sleep(pauseMs, deadline.signal)
    }
  } finally {
    finished.abort()
  }
}

/**
 * One try at a request: a response, which may be an error without its explanation, or why there is none and whether the
 * request may have arrived.
 */
type Attempt = { response: Response; isCutOff: boolean } | { cause: FailureCause; mayHaveArrived: boolean }

function finishCall(method: string, attempt: Attempt, mayHaveArrived: boolean): Response | ApiFailure {
  if ('cause' in attempt) return { kind: mayHaveArrived ? 'unclear' : 'unreachable', cause: attempt.cause }
  const { response } = attempt
  const { status } = response
  // A redirect often follows a POST that succeeded, and also leads to the sign-in page of a proxy.
  if (method === 'POST' && [301, 302, 303].includes(status)) return { kind: 'unclear', cause: 'unreadable' }
  // An earlier attempt seems to have deleted the record.
  if (method === 'DELETE' && mayHaveArrived && status === 404) return new Response(null, { status: 204 })
  return response
}

/** Whether the request may have taken effect although no response confirms it. */
const hasUnknownEffect = (attempt: Attempt): boolean =>
  'cause' in attempt ? attempt.mayHaveArrived : [502, 504].includes(attempt.response.status)

/** A POST creates something, so it is only repeated if it cannot have arrived. */
function isRetryable(method: string, attempt: Attempt): boolean {
  if ('cause' in attempt)
    return attempt.cause === 'connection' && (method !== 'POST' || !attempt.mayHaveArrived)
  const { response, isCutOff } = attempt
  return method !== 'POST' && (isCutOff || [429, 502, 503, 504].includes(response.status))
}

/** Exponential backoff with jitter, and at least what Retry-After asks for. */
function retryDelay(attempt: Attempt, attempts: number, { random, now }: SendRuntime): number {
  const backoffMs = FIRST_RETRY_MS * 2 ** (attempts - 1) * (0.5 + random() / 2)
  const retryAfter = 'response' in attempt ? readRetryAfter(attempt.response.headers, now()) : undefined
  return Math.max(backoffMs, (retryAfter ?? 0) * 1000)
}

async function attemptRequest(
  request: Request,
  runtime: SendRuntime,
  request_id: string,
  signal: AbortSignal,
): Promise<Attempt> {
  if (signal.aborted) return { cause: 'deadline', mayHaveArrived: false }
  const findCause = () => (signal.aborted ? 'deadline' : 'connection')
  const headers = new Headers(request.headers)
  headers.set('x-request-id', request_id)
  const connection = watchConnection(request_id)
  try {
    // Redirects are not followed: a request that changes something must not be repeated elsewhere.
    const response = await runtime.fetch(new Request(request, { headers, signal, redirect: 'manual' }))
    const body = await response.text().catch(() => undefined)
    if (body === undefined && response.ok) return { cause: findCause(), mayHaveArrived: true }
    // A Response object accepts no status above 599, which some servers send, and no body with some statuses.
    const status = Math.min(response.status, 599)
    const content = [204, 205, 304].includes(status) ? null : (body ?? '')
    const isCutOff = body === undefined
    return { response: new Response(content, { status, headers: response.headers }), isCutOff }
  } catch (error) {
    if (!signal.aborted && !isNetworkError(error)) throw error
    return { cause: findCause(), mayHaveArrived: connection.hasSent() ?? !failedBeforeSending(error) }
  } finally {
    connection.stopWatching()
  }
}

/** `fetch` reports a network failure as a TypeError with a cause; a TypeError without one is a programming error. */
const isNetworkError = (error: unknown) => error instanceof TypeError && error.cause !== undefined

/**
 * Node's HTTP client announces when it sends a request. Only that tells whether a request that hung until its deadline
 * left this process. A `fetch` other than Node's announces nothing, so `hasSent` returns undefined.
 */
function watchConnection(requestId: string) {
  let hasSent: boolean | undefined
  const onCreate = (message: unknown) => {
    const { request } = message as { request: { headers: unknown } }
    if (String(request.headers).includes(requestId)) hasSent ??= false
  }
  const onSend = (message: unknown) => {
    if ((message as { headers: string }).headers.includes(requestId)) hasSent = true
  }
  subscribe('undici:request:create', onCreate)
  subscribe('undici:client:sendHeaders', onSend)
  return {
    hasSent: () => hasSent,
    stopWatching() {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:client:sendHeaders', onSend)
    },
  }
}

const UNSENT_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Used when `fetch` can't be observed. After any other error, the request may have been sent. */
function failedBeforeSending(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string }
  // fetch itself refuses these two before it opens a connection.
  return message === 'bad port' || message === 'unknown scheme' || UNSENT_CODES.test(code)
}
