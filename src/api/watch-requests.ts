import { subscribe } from 'node:diagnostics_channel'

export type WatchRequest = (request_id: string) => WatchedRequest

type WatchedRequest = {
  /** Send the request with these headers. */
  headers: Record<string, string>
  /** Undefined if nothing announced the request: `fetch` isn't Node's, or failed before it made the request. */
  hasBeenSent: () => boolean | undefined
  stopWatching: () => void
}

const ID_HEADER = 'x-request-id'

/**
 * Node's HTTP client announces when it sends a request. Only that tells whether a request that hung until its deadline
 * left this process. One subscription watches all requests, because each subscriber is told of each of them. It lasts
 * as long as the process.
 */
export function watchRequests(): WatchRequest {
  const watched = new Set<{ request_id: string; isSent: boolean | undefined }>()
  const setSent = (message: unknown, isSent: boolean) => {
    const { headers } = (message as { request: { headers: string[] } }).request
    const request_id = headers[headers.indexOf(ID_HEADER) + 1]
    for (const request of watched) if (request.request_id === request_id) request.isSent ||= isSent
  }
  subscribe('undici:request:create', (message) => setSent(message, false))
  subscribe('undici:client:sendHeaders', (message) => setSent(message, true))
  return (request_id) => {
    const request = { request_id, isSent: undefined }
    watched.add(request)
    return {
      headers: { [ID_HEADER]: request_id },
      hasBeenSent: () => request.isSent,
      stopWatching: () => watched.delete(request),
    }
  }
}
