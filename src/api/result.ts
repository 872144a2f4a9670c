/** How a call to the scheduling service ended. Every failure of the network or the service is listed. Only bugs throw. */
export type ApiResult<T> = { kind: 'ok'; data: T } | ApiFailure

export type ApiFailure =
  /** A 2xx response whose envelope says `success: false`. */
  | { kind: 'unsuccessful'; message?: string | undefined }
  /** 422. The details name fields. A service that sends no details may send a message. */
  | { kind: 'invalid'; details: FieldError[]; message?: string | undefined }
  /** 401, 403 and 404. */
  | { kind: 'unauthorized' | 'forbidden' | 'not-found'; message: string | undefined }
  /** 429. */
  | { kind: 'rate-limited'; retryAfterSeconds: number | undefined }
  /** Any other 3xx or 4xx response. */
  | { kind: 'rejected'; status: number; message: string | undefined }
  /** 5xx. */
  | { kind: 'server-error'; status: number; message: string | undefined }
  /** The request was not sent: nothing changed at the service. */
  | { kind: 'unreachable'; cause: FailureCause; code?: string }
  /** The request was sent, but no complete response arrived, so it may have taken effect. */
  | { kind: 'unclear'; cause: FailureCause | 'unreadable' | 'incomplete'; code?: string }

/** Nothing was found in a list, but the list may be incomplete. */
export const INCOMPLETE_FAILURE: ApiFailure = { kind: 'unclear', cause: 'incomplete' }

/** The connection failed, or the deadline passed. */
export type FailureCause = 'connection' | 'deadline'

/** A ValidationError of the contract, with any further properties that the service sends. */
export type FieldError = { loc: (string | number)[]; msg: string; type?: string; [property: string]: unknown }

/**
 * The response, and its body: text if the request succeeded, parsed JSON or text if it failed. The body is missing if the
 * connection was lost before all of it arrived.
 */
export type ServiceResponse = { response: Response; url: string; data?: unknown; error?: unknown }

/** Turns the payload of a successful response into a record. `body` is the payload with its envelope. */
export type PayloadReader<T> = (payload: unknown, response: SuccessfulResponse) => T

export type SuccessfulResponse = { status: number; headers: Headers; body: unknown; url: string }

export function toApiResult<T>(
  { response, url, data, error }: ServiceResponse,
  read: PayloadReader<T>,
  now: Date,
): ApiResult<T> {
  const { status, headers } = response
  if (response.ok)
    return readSuccess(String(data ?? ''), (payload, body) => read(payload, { status, headers, body, url }))
  const message = readMessage(error, headers)
  if (status === 401) return { kind: 'unauthorized', message }
  if (status === 403) return { kind: 'forbidden', message }
  if (status === 404) return { kind: 'not-found', message }
  if (status === 422) {
    const details = readFieldErrors(error)
    return { kind: 'invalid', details, message: details.length ? undefined : message }
  }
  if (status === 429) return { kind: 'rate-limited', retryAfterSeconds: readRetryAfter(headers, now) }
  return { kind: status >= 500 ? 'server-error' : 'rejected', status, message }
}

function readSuccess<T>(text: string, read: (payload: unknown, body: unknown) => T): ApiResult<T> {
  if (text.trim() === '') return { kind: 'ok', data: read(null, null) }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { kind: 'unclear', cause: 'unreadable' }
  }
  if (!isObject(json)) return { kind: 'ok', data: read(json, json) }
  if (json.success === false) return { kind: 'unsuccessful', message: findMessage(json) }
  const hasEnvelope = 'data' in json || json.success === true
  return { kind: 'ok', data: read(hasEnvelope ? (json.data ?? null) : json, json) }
}

function readFieldErrors(body: unknown): FieldError[] {
  if (!isObject(body)) return []
  const details = Array.isArray(body.detail) ? body.detail : []
  if (!details.length && Array.isArray(body.errors)) return body.errors.filter(isObject).map(readJsonApiError)
  return details.map((detail) => {
    const { loc, msg, type, ...rest }: Record<string, unknown> = isObject(detail) ? detail : { msg: detail }
    return {
      ...rest,
      loc: (Array.isArray(loc) ? loc : typeof loc === 'string' ? loc.split('.') : []).map((step) =>
        typeof step === 'number' ? step : String(step),
      ),
      msg: toMessage(typeof msg === 'string' ? msg : (JSON.stringify(msg ?? detail) ?? '')),
      type: typeof type === 'string' ? type : '',
    }
  })
}

/** Reads a JSON:API error such as `{ detail, source: { pointer: "/data/attributes/Content" } }`. */
function readJsonApiError({ source, ...error }: Record<string, unknown>): FieldError {
  const { pointer, parameter } = isObject(source) ? source : {}
  const path = typeof pointer === 'string' ? pointer.split('/') : []
  const loc = path.filter((step) => step && !['data', 'attributes'].includes(step))
  const msg = findMessage(error) ?? JSON.stringify(error)
  return { loc: loc.length ? loc : typeof parameter === 'string' ? [parameter] : [], msg: toMessage(msg) }
}

const MAX_MESSAGE_LENGTH = 500

/** JSON can contain half of a surrogate pair, which Slack rejects. */
const toMessage = (text: string): string => text.trim().slice(0, MAX_MESSAGE_LENGTH).toWellFormed()

/** The service's own explanation. An HTML page from a proxy in between doesn't count. */
function readMessage(body: unknown, headers: Headers): string | undefined {
  if (isObject(body)) return findMessage(body)
  const contentType = headers.get('content-type') ?? ''
  if (typeof body !== 'string' || !/^(text\/plain|application\/json)/.test(contentType)) return undefined
  return toMessage(body) || undefined
}

const MESSAGE_NAMES =
  'detail message error error_description reason title msg errors description data code'.split(' ')

/** Services send their explanation under various names, sometimes inside an object. */
function findMessage(body: Record<string, unknown>, depth = 0): string | undefined {
  for (const name of MESSAGE_NAMES) {
    const found = body[name]
    const value = Array.isArray(found) ? found[0] : found
    const message = isObject(value) && depth < 2 ? findMessage(value, depth + 1) : value
    if (typeof message === 'string' && message.trim()) return toMessage(message)
  }
  return undefined
}

const GENERIC_404 =
  /^\W*(?:404\W*)?(?:(?:the |requested )*(?:resource|object|item|record|entity|data) )?(?:was |is |could )?(?:not (?:be )?found|does ?n['’o]t exist)?\W*$/i
const PROJECT_OR_PAGE_404 =
  /^\W*(?:the |this )?(?:project|workspace|account|route|page|url|endpoint)\b(?!.*\bno\b)/i

/** Whether a 404 means that a record is missing. It may also mean that the project or the path doesn't exist. */
export function isRecordMissing(result: ApiResult<unknown>, recordPattern: RegExp): boolean {
  if (result.kind !== 'not-found') return false
  // Paths are left out, because they also contain the names of records.
  const words = (result.message ?? '')
    .split(/\s+/)
    .filter((word) => !word.includes('/'))
    .join(' ')
  return !PROJECT_OR_PAGE_404.test(words) && (GENERIC_404.test(words) || recordPattern.test(words))
}

export function readRetryAfter(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  // Date.parse accepts nearly anything. An HTTP date starts with a weekday.
  const date = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
