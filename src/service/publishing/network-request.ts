import { UnsentRequestError } from '../../api-fetch.ts'
import type { Runtime } from '../../runtime.ts'
import { failSpan, traceCall } from '../../tracing/spans.ts'

/** The error completes a sentence that begins with the network's name. */
export type NetworkResponse =
  | { kind: 'answered'; status: number; headers: Headers; body: unknown }
  /** The network can't have received the whole request. */
  | { kind: 'unsent'; error: string }
  /** The network may have received the request. */
  | { kind: 'unclear'; error: string }

type NetworkRequest = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: Record<string, unknown> | FormData
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000

/**
 * Sends a request to an address that the operator has set, and follows no redirect. The errors don't contain the
 * address, which may contain a token.
 */
export async function sendNetworkRequest(
  { fetch, nodeFetch }: Pick<Runtime, 'fetch' | 'nodeFetch'>,
  url: string,
  { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS }: NetworkRequest,
): Promise<NetworkResponse> {
  const isForm = body instanceof FormData
  const send = () =>
    (isForm ? nodeFetch : fetch)(url, {
      method,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  try {
    const response = await traceCall(method, { 'http.request.method': method }, async (span) => {
      const response = await send()
      span.setAttributes({ 'http.response.status_code': response.status })
      if (response.status >= 400) failSpan({ code: String(response.status) }, span)
      return response
    })
    const { status, headers: responseHeaders } = response
    return { kind: 'answered', status, headers: responseHeaders, body: parseJson(await response.text()) }
  } catch (error) {
    const isUnsent = isForm ? failedToConnect(error as Error) : error instanceof UnsentRequestError
    return isUnsent
      ? { kind: 'unsent', error: "couldn't be reached" }
      : { kind: 'unclear', error: "didn't respond" }
  }
}

/** A proxy may respond with an HTML page instead of JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Codes that can't come from an established connection. */
const CONNECT_CODE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|CERT|^UNABLE_TO_/

/** Whether an error of `fetch` means that the request wasn't sent. */
export function failedToConnect({ cause }: { cause?: unknown }): boolean {
  // An AggregateError has one error for each address of the host.
  if (cause instanceof AggregateError) return cause.errors.every((error) => failedToConnect({ cause: error }))
  const { code = '', syscall } = (cause ?? {}) as NodeJS.ErrnoException
  return CONNECT_CODE.test(code) || syscall === 'connect'
}

const MAX_ERROR_LENGTH = 300

/** Networks, and proxies in front of them, may send text of any length. */
export const truncate = (text: string): string =>
  text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH).replace(/\p{Cs}$/u, '')}…`
