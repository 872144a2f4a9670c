import { setTimeout as sleep } from 'node:timers/promises'
import createClient, { type FetchOptions } from 'openapi-fetch'
import { type Attempt, attempt } from './attempt.ts'
import { type Outcome, readAnswer, readRetryAfter } from './outcome.ts'
import type { paths } from './schema.d.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P][Lowercase<M>] extends object ? P : never
}[keyof paths]

type OperationOf<P extends keyof paths, M extends Method> = paths[P][Lowercase<M>]

type Init<P extends keyof paths, M extends Method> = Pick<
  FetchOptions<OperationOf<P, M>>,
  Extract<keyof FetchOptions<OperationOf<P, M>>, 'params' | 'body'>
> & {
  /** Calls the call off. */
  signal?: AbortSignal | undefined
  /** For the whole call, its repetitions included. */
  deadlineMs?: number | undefined
}

type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...init: Record<never, never> extends Init<P, M> ? [init?: Init<P, M>] : [init: Init<P, M>]
) => Promise<Outcome>

/** The contract's operations, by method and path; each call ends in an Outcome. */
export type Api = { [M in Method]: Call<M> }

export type ApiOptions = {
  baseUrl: string
  token: string
  fetch: typeof fetch
  now: () => Date
  random: () => number
  newId: () => string
  deadlineMs?: number
}

const DEADLINE_MS = 10_000
const FIRST_PAUSE_MS = 200
/** Some three seconds: what has not come back by then is down, and somebody waits to be told. */
const MOST_TRIES = 5

export function createApi(options: ApiOptions): Api {
  const client = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.token}` },
  })
  const call =
    (method: Method) =>
    async (path: string, init: CallInit = {}): Promise<Outcome> => {
      let outcome: Outcome | undefined
      const { signal, deadlineMs, ...request } = init
      // openapi-fetch makes the request; how it went is ours to tell, so its own reading of an answer gets none.
      const fetch = async (made: Request) => {
        outcome = await converse(made, options, { signal, deadlineMs })
        return new Response(null, { status: 204 })
      }
      // The types of `Api` have checked path and init together; here they are any operation's.
      await client.request(method.toLowerCase() as 'get', path as never, { ...request, fetch } as never)
      if (!outcome) throw new Error(`${method} ${path} was not sent.`)
      return outcome
    }
  return { GET: call('GET'), POST: call('POST'), PUT: call('PUT'), DELETE: call('DELETE') } as Api
}

type CallInit = {
  signal?: AbortSignal | undefined
  deadlineMs?: number | undefined
  [request: string]: unknown
}

type Limits = Pick<CallInit, 'signal' | 'deadlineMs'>

/** Sends the request, again where that can do no harm, until there is an answer or no time. */
async function converse(request: Request, options: ApiOptions, limits: Limits): Promise<Outcome> {
  const { fetch, now, random, newId } = options
  const time = limits.deadlineMs ?? options.deadlineMs ?? DEADLINE_MS
  const endsAt = performance.now() + time
  const deadline = AbortSignal.timeout(time)
  let mayHaveHappened = false
  let outcome: Outcome | undefined
  for (let count = 0; ; count++) {
    const tried = await attempt(request.clone(), { fetch, id: newId(), cancelled: limits.signal, deadline })
    // A try that time cut off before it was sent tells less than the answer before it.
    const tellsNothing = 'lost' in tried && !tried.sent && tried.lost !== 'connection'
    if (!tellsNothing || !outcome)
      outcome = toOutcome(tried, { method: request.method, mayHaveHappened, now: now() })
    mayHaveHappened ||= mayHaveDone(tried)
    if (!mayRepeat(request.method, tried) || count + 1 >= MOST_TRIES) return outcome
    const pause = pauseBefore(tried, { count, random, now: now() })
    if (performance.now() + pause >= endsAt) return outcome
    await sleep(pause, undefined, { signal: limits.signal ?? deadline }).catch(() => {})
    if (limits.signal?.aborted) return outcome
  }
}

/** Whether it may have come to pass though nobody said so: lost on the way back, or in something between. */
const mayHaveDone = (tried: Attempt): boolean =>
  'lost' in tried ? tried.sent : tried.answer.status === 502 || tried.answer.status === 504

type Context = { method: string; mayHaveHappened: boolean; now: Date }

function toOutcome(tried: Attempt, { method, mayHaveHappened, now }: Context): Outcome {
  if ('lost' in tried)
    return { kind: tried.sent || mayHaveHappened ? 'unclear' : 'unreachable', why: tried.lost }
  // What follows a POST that succeeded is often such a redirect, and so is the way to a page of a proxy.
  if (method === 'POST' && [301, 302, 303].includes(tried.answer.status))
    return { kind: 'unclear', why: 'unreadable' }
  const outcome = readAnswer(tried.answer, now)
  // An earlier try of ours seems to have got through: what was to be gone is gone.
  if (method === 'DELETE' && mayHaveHappened && outcome.kind === 'not-found')
    return { kind: 'ok', status: 404, data: null }
  return outcome
}

/** A POST creates, and may be repeated only where nothing can have arrived; the others come to the same twice. */
function mayRepeat(method: string, tried: Attempt): boolean {
  if ('lost' in tried) return tried.lost === 'connection' && (method !== 'POST' || !tried.sent)
  return method !== 'POST' && [429, 502, 503, 504].includes(tried.answer.status)
}

type Pausing = { count: number; random: () => number; now: Date }

/** A little longer each time, and not in step with everybody else; at least as long as the service asks for. */
function pauseBefore(tried: Attempt, { count, random, now }: Pausing): number {
  const ours = FIRST_PAUSE_MS * 2 ** count * (0.5 + random() / 2)
  const asked = 'answer' in tried ? readRetryAfter(tried.answer.headers, now) : undefined
  return Math.max(ours, (asked ?? 0) * 1000)
}
