/** How a call ended. What can be expected of a network and a service is here; only bugs throw. */
export type Outcome =
  | { kind: 'ok'; status: number; data: unknown }
  /** The envelope of a success, saying `success: false`. */
  | { kind: 'failed'; status: number; data: unknown }
  /** 422: the details name fields; where there are none, `said` is all there is. */
  | { kind: 'invalid'; details: Detail[]; said: string | undefined }
  | { kind: 'unauthorized'; said: string | undefined }
  | { kind: 'forbidden'; said: string | undefined }
  | { kind: 'not-found'; said: string | undefined }
  /** 429. */
  | { kind: 'too-many'; retryAfterSeconds: number | undefined }
  /** Any other answer that is neither a success nor the service's own failure. */
  | { kind: 'refused'; status: number; said: string | undefined }
  /** 5xx. */
  | { kind: 'broken'; status: number; said: string | undefined }
  /** Nothing was sent: whatever was asked for did not happen. */
  | { kind: 'unreachable'; why: LostBy }
  /** It was sent, and no whole answer came: whatever was asked for may have happened. */
  | { kind: 'unclear'; why: LostBy | 'unreadable' }

/** Whether the connection did not come about or broke, the deadline passed, or the caller called it off. */
export type LostBy = 'connection' | 'deadline' | 'cancelled'

/** A ValidationError of the contract; what else the service says of it is kept. */
export type Detail = { loc: (string | number)[]; msg: string; type: string; [more: string]: unknown }

export type Answer = { status: number; headers: Headers; body: string }

export function readAnswer(answer: Answer, now: Date): Outcome {
  const { status, body } = answer
  const json = parse(body)
  if (status >= 200 && status < 300) return readSuccess(status, body, json)
  const said = readSaid(json, body, answer.headers)
  if (status === 401) return { kind: 'unauthorized', said }
  if (status === 403) return { kind: 'forbidden', said }
  if (status === 404) return { kind: 'not-found', said }
  if (status === 422) return { kind: 'invalid', details: readDetails(json), said }
  if (status === 429) return { kind: 'too-many', retryAfterSeconds: readRetryAfter(answer.headers, now) }
  return { kind: status >= 500 ? 'broken' : 'refused', status, said }
}

function readSuccess(status: number, body: string, json: unknown): Outcome {
  if (body.trim() === '') return { kind: 'ok', status, data: null }
  if (json === undefined) return { kind: 'unclear', why: 'unreadable' }
  if (!isObject(json)) return { kind: 'ok', status, data: json }
  const data = 'data' in json || typeof json.success === 'boolean' ? (json.data ?? null) : json
  return { kind: json.success === false ? 'failed' : 'ok', status, data }
}

function readDetails(json: unknown): Detail[] {
  const detail = isObject(json) ? json.detail : undefined
  return Array.isArray(detail) ? detail.map(readDetail) : []
}

function readDetail(item: unknown): Detail {
  const { loc, msg, type, ...more } = isObject(item) ? item : { msg: item }
  return {
    ...more,
    loc: (Array.isArray(loc) ? loc : []).map((step) => (typeof step === 'number' ? step : String(step))),
    msg: typeof msg === 'string' ? msg : (JSON.stringify(msg ?? item) ?? ''),
    type: typeof type === 'string' ? type : '',
  }
}

const LONGEST_SAID = 500

/** The service's own words for a person; pages of a proxy in between are no such words. */
function readSaid(json: unknown, body: string, headers: Headers): string | undefined {
  const words = isObject(json) ? (json.detail ?? json.message ?? json.error) : json
  if (typeof words === 'string') return words.slice(0, LONGEST_SAID)
  const isPlain = headers.get('content-type')?.startsWith('text/plain')
  return isPlain && body.trim() ? body.trim().slice(0, LONGEST_SAID) : undefined
}

export function readRetryAfter(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  // Date.parse makes a date of nearly anything; an HTTP date begins with the day of the week.
  const date = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
