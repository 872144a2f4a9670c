import { UnsentRequestError } from '../api-fetch.ts'
import { msUntil, type Runtime } from '../runtime.ts'
import { type ApiFailure, type FailureCause, readRetryAfter, type ServiceResponse } from './result.ts'

export type SendRuntime = Pick<Runtime, 'fetch' | 'now' | 'sleep' | 'random'>

/** Options that are added to each attempt at a request. */
export type AttemptOptions = {
  fetch: (request: Request) => Promise<Response>
  headers: Record<string, string>
  signal: AbortSignal
  redirect: 'manual'
}

type Send = (options: AttemptOptions) => Promise<Omit<ServiceResponse, 'url'>>

type SendOptions = SendRuntime & { deadline: Date; request_id: string }

const FIRST_RETRY_MS = 200
/** About three seconds of retries. A service that is down for longer is reported to the user, who is waiting. */
const MAX_ATTEMPTS = 5

/** Sends a request up to MAX_ATTEMPTS times before the deadline. Retries only if it can't take effect twice. */
export async function sendRequest(send: Send, options: SendOptions): Promise<ServiceResponse | ApiFailure> {
  const { now, sleep, deadline } = options
  const expired = new AbortController()
  const finished = new AbortController()
  void sleep(msUntil(deadline, now()), finished.signal).then(() => finished.signal.aborted || expired.abort())
  let mayHaveArrived = false
  let lastReceived: ServiceResponse | undefined
  try {
    for (let attempts = 1; ; attempts++) {
      const attempt = await attemptRequest(send, options, expired.signal)
      if ('received' in attempt) lastReceived = attempt.received
      // An attempt that timed out before it was sent reveals less than an earlier response.
      else if (attempt.cause === 'deadline' && !attempt.mayHaveArrived && lastReceived) return lastReceived
      mayHaveArrived ||= hasUnknownEffect(attempt)
      const pauseMs = retryDelay(attempt, attempts, options)
      if (!isRetryable(attempt) || attempts >= MAX_ATTEMPTS || pauseMs >= msUntil(deadline, now()))
        return finishCall(attempt, mayHaveArrived)
      await sleep(pauseMs, expired.signal)
    }
  } finally {
    // Without a reason, `abort` creates an error, which is slow.
    finished.abort('finished')
  }
}

/** The outcome of one attempt. If `isCutOff` is set, the explanation in an error response couldn't be read. */
type Attempt = { method: string } & (
  | { received: ServiceResponse; isCutOff: boolean }
  | { cause: FailureCause; mayHaveArrived: boolean; code?: string | undefined }
)

function finishCall(attempt: Attempt, mayHaveArrived: boolean): ServiceResponse | ApiFailure {
  if ('cause' in attempt) {
    const { cause, code } = attempt
    return { kind: mayHaveArrived ? 'unclear' : 'unreachable', cause, ...(code && { code }) }
  }
  const { method, received } = attempt
  const { status } = received.response
  // A redirect may mean that the POST succeeded, or it may lead to the sign-in page of a proxy.
  if (method === 'POST' && [301, 302, 303].includes(status)) return { kind: 'unclear', cause: 'unreadable' }
  // An earlier attempt seems to have deleted the record.
  if (method === 'DELETE' && mayHaveArrived && status === 404)
    return { response: new Response(null, { status: 204 }), url: received.url }
  return received
}

/** Whether the request may have taken effect although no response confirms it. */
const hasUnknownEffect = (attempt: Attempt): boolean =>
  'cause' in attempt ? attempt.mayHaveArrived : [502, 504].includes(attempt.received.response.status)

/** A POST creates something, so it is only repeated if it cannot have arrived. */
function isRetryable(attempt: Attempt): boolean {
  const isPost = attempt.method === 'POST'
  if ('cause' in attempt) return attempt.cause === 'connection' && (!isPost || !attempt.mayHaveArrived)
  const { received, isCutOff } = attempt
  return !isPost && (isCutOff || [429, 502, 503, 504].includes(received.response.status))
}

/** Exponential backoff with jitter, but at least the time in Retry-After. */
function retryDelay(attempt: Attempt, attempts: number, { random, now }: SendOptions): number {
  const backoffMs = FIRST_RETRY_MS * 2 ** (attempts - 1) * (0.5 + random() / 2)
  const retryAfter =
    'received' in attempt ? readRetryAfter(attempt.received.response.headers, now()) : undefined
  return Math.max(backoffMs, (retryAfter ?? 0) * 1000)
}

async function attemptRequest(
  send: Send,
  { fetch, request_id }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  let method = ''
  let url = ''
  let response: Response | undefined
  if (signal.aborted) return { method, cause: 'deadline', mayHaveArrived: false }
  try {
    const received = await send({
      headers: { 'x-request-id': request_id },
      signal,
      // Redirects are not followed: a request that changes something must not be repeated elsewhere.
      redirect: 'manual',
      fetch: async (request) => {
        method = request.method
        url = request.url
        response = await fetch(request)
        return response
      },
    })
    return { method, received: { ...received, url }, isCutOff: false }
  } catch (error) {
    // An error before the request is a bug. Any error after a response means that the response's body couldn't be read.
    if (!method || !(response || signal.aborted || isNetworkError(error))) throw error
    // An error status is worth returning even if the explanation in its body couldn't be read.
    if (response && !response.ok) return { method, received: { response, url }, isCutOff: true }
    const mayHaveArrived = !(error instanceof UnsentRequestError)
    if (signal.aborted) return { method, cause: 'deadline', mayHaveArrived }
    return { method, cause: 'connection', mayHaveArrived, code: findCode(error) }
  }
}

/** The code that operators search for, such as ENOTFOUND, ECONNREFUSED or CERT_HAS_EXPIRED. */
function findCode(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : cause ? findCode(cause) : undefined
}

/** `fetch` reports a network failure as a TypeError with a cause; a TypeError without one is a programming error. */
const isNetworkError = (error: unknown) => error instanceof TypeError && error.cause !== undefined
