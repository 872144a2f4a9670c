import createClient from 'openapi-fetch'
import type { Runtime } from '../runtime.ts'
import {
  type Page,
  type Post,
  readLogs,
  readNextPost,
  readPost,
  readPosts,
  readProjects,
  readPrompt,
  readSource,
  readSources,
  readTemplate,
  readTemplates,
  readUser,
} from './records.ts'
import { type ApiFailure, type ApiResult, readRetryAfter, toApiResult } from './result.ts'
import type { components, paths } from './schema.d.ts'
import { type Attempt, sendRequest } from './send-request.ts'

export type ApiOptions = Pick<Runtime, 'fetch' | 'now' | 'sleep' | 'random' | 'newId'> & {
  baseUrl: string
  token: string
  deadlineMs?: number
}

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** For the whole call, including its retries and pages. */
  deadlineMs?: number | undefined
}

export type PostFilter = Omit<
  NonNullable<paths['/api/v1/projects/{project_id}/posts']['get']['parameters']['query']>,
  'skip' | 'limit'
>

type PostQuery = PostFilter & { skip?: number; limit?: number }

type Schemas = components['schemas']

export type Api = ReturnType<typeof createApi>

/** The operations of the scheduling service. Each call ends in an ApiResult. */
export function createApi(options: ApiOptions) {
  const { deadlineMs: defaultDeadlineMs = DEFAULT_DEADLINE_MS } = options
  const client = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.token}` },
  })

  async function call<T>(
    read: (payload: unknown) => T,
    callOptions: CallOptions = {},
    operation: (init: Transport) => Promise<{ response: Response; data?: unknown; error?: unknown }>,
  ): Promise<ApiResult<T>> {
    const fetch = (request: Request) => sendWithRetries(request, options, callOptions)
    try {
      return toApiResult(await operation({ fetch, parseAs: 'text' }), read, options.now())
    } catch (error) {
      if (error instanceof NoResponseError) return error.failure
      throw error
    }
  }

  const listPosts = (project_id: string, query: PostQuery, options?: CallOptions) =>
    call(readPosts, options, (init) =>
      client.GET('/api/v1/projects/{project_id}/posts', {
        params: { path: { project_id }, query },
        ...init,
      }),
    )

  return {
    projects: {
      list: (options?: CallOptions) =>
        call(readProjects, options, (init) => client.GET('/api/v1/projects', init)),
    },
    posts: {
      list: listPosts,
      /** Follows the pages up to `maxPages`. `hasMore` says that the list continues after that. */
      listAll: (project_id: string, filter: PostFilter, { maxPages, ...callOptions }: ListAllOptions) =>
        collectPages(
          (skip, deadlineMs) =>
            listPosts(project_id, { ...filter, skip, limit: PAGE_SIZE }, { ...callOptions, deadlineMs }),
          { maxPages, deadlineMs: callOptions.deadlineMs ?? defaultDeadlineMs, now: options.now },
        ),
      create: (project_id: string, body: Schemas['Post'], options?: CallOptions) =>
        call(readPost, options, (init) =>
          client.POST('/api/v1/projects/{project_id}/posts', { ...inProject(project_id, init), body }),
        ),
      /** The post that goes out next; undefined if nothing is scheduled. */
      async getNext(project_id: string, options?: CallOptions): Promise<ApiResult<Post | undefined>> {
        const path = '/api/v1/projects/{project_id}/dashboard/upnext-post'
        const result = await call(readNextPost, options, (init) =>
          client.GET(path, inProject(project_id, init)),
        )
        return result.kind === 'not-found' ? { kind: 'ok', data: undefined } : result
      },
    },
    templates: {
      list: (project_id: string, options?: CallOptions) =>
        call(readTemplates, options, (init) =>
          client.GET('/api/v1/projects/{project_id}/templates', inProject(project_id, init)),
        ),
      get: (project_id: string, template_id: string, options?: CallOptions) =>
        call(readTemplate, options, (init) =>
          client.GET('/api/v1/projects/{project_id}/templates/{template_id}', {
            params: { path: { project_id, template_id } },
            ...init,
          }),
        ),
    },
    prompts: {
      create: (project_id: string, body: Schemas['Prompt'], options?: CallOptions) =>
        call(readPrompt, options, (init) =>
          client.POST('/api/v1/projects/{project_id}/prompts', { ...inProject(project_id, init), body }),
        ),
    },
    sources: {
      list: (project_id: string, options?: CallOptions) =>
        call(readSources, options, (init) =>
          client.GET('/api/v1/projects/{project_id}/sources', inProject(project_id, init)),
        ),
      update: (project_id: string, source_id: string, body: Schemas['SourceUpdate'], options?: CallOptions) =>
        call(readSource, options, (init) =>
          client.PUT('/api/v1/projects/{project_id}/sources/{source_id}', {
            params: { path: { project_id, source_id } },
            body,
            ...init,
          }),
        ),
    },
    users: {
      invite: (project_id: string, body: Schemas['ProjectUserInvitation'], options?: CallOptions) =>
        call(readUser, options, (init) =>
          client.POST('/api/v1/projects/{project_id}/users/invite', { ...inProject(project_id, init), body }),
        ),
      update: (
        project_id: string,
        user_id: string,
        body: Schemas['ProjectUserUpdate'],
        options?: CallOptions,
      ) =>
        call(readUser, options, (init) =>
          client.PUT('/api/v1/projects/{project_id}/users/{user_id}', {
            params: { path: { project_id, user_id } },
            body,
            ...init,
          }),
        ),
    },
    logs: {
      list: (project_id: string, options?: CallOptions) =>
        call(readLogs, options, (init) =>
          client.GET('/api/v1/projects/{project_id}/logs', inProject(project_id, init)),
        ),
    },
    webhook: {
      delete: (project_id: string, options?: CallOptions) =>
        call(readNothing, options, (init) =>
          client.DELETE('/api/v1/projects/{project_id}/webhook', inProject(project_id, init)),
        ),
    },
    file: {
      /** Deletes the file that the bot's token has staged. */
      delete: (options?: CallOptions) =>
        call(readNothing, options, (init) => client.DELETE('/api/v1/common/file', init)),
    },
  }
}

const readNothing = () => undefined

const inProject = (project_id: string, init: Transport) => ({
  params: { path: { project_id } },
  ...init,
})

type Transport = { fetch: (request: Request) => Promise<Response>; parseAs: 'text' }

type ListAllOptions = CallOptions & { maxPages: number }

const PAGE_SIZE = 100

async function collectPages<T>(
  loadPage: (skip: number, deadlineMs: number) => Promise<ApiResult<Page<T>>>,
  { maxPages, deadlineMs, now }: { maxPages: number; deadlineMs: number; now: () => Date },
): Promise<ApiResult<Page<T>>> {
  const endsAt = now().getTime() + deadlineMs
  const items: T[] = []
  for (let page = 0; page < maxPages; page++) {
    const result = await loadPage(page * PAGE_SIZE, Math.max(0, endsAt - now().getTime()))
    if (result.kind !== 'ok') return result
    items.push(...result.data.items)
    if (result.data.items.length < PAGE_SIZE) return { kind: 'ok', data: { items, hasMore: false } }
  }
  return { kind: 'ok', data: { items, hasMore: true } }
}

/** Carries a failure without a response through openapi-fetch, which expects `fetch` to return or throw. */
class NoResponseError extends Error {
  readonly failure: ApiFailure

  constructor(failure: ApiFailure) {
    super(`The request ended without a response: ${failure.kind}`)
    this.failure = failure
  }
}

const DEFAULT_DEADLINE_MS = 10_000
const FIRST_RETRY_MS = 200
/** About three seconds of retries. A service that is down for longer is reported to the user, who is waiting. */
const MAX_ATTEMPTS = 5

/** Sends a request until there is a response or the deadline passes. */
async function sendWithRetries(
  request: Request,
  options: ApiOptions,
  { signal: cancelled, deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS }: CallOptions,
): Promise<Response> {
  const deadline = new AbortController()
  const finished = new AbortController()
  void options.sleep(deadlineMs, finished.signal).then(() => deadline.abort())
  const endsAt = options.now().getTime() + deadlineMs
  try {
    return await repeatRequest(request, options, { cancelled, deadline: deadline.signal, endsAt })
  } finally {
    finished.abort()
  }
}

type Limits = { cancelled: AbortSignal | undefined; deadline: AbortSignal; endsAt: number }

/** Retries only what cannot take effect twice. */
async function repeatRequest(
  request: Request,
  { fetch, now, sleep, random, newId }: ApiOptions,
  { cancelled, deadline, endsAt }: Limits,
): Promise<Response> {
  let mayHaveArrived = false
  let lastResponse: Response | undefined
  for (let attempts = 1; ; attempts++) {
    const attempt = await sendRequest(request.clone(), { fetch, requestId: newId(), cancelled, deadline })
    // An attempt that was cut off before it was sent says less than an earlier response.
    if ('cause' in attempt && !attempt.mayHaveArrived && attempt.cause !== 'connection' && lastResponse)
      return lastResponse
    mayHaveArrived ||= hasUnknownEffect(attempt)
    if ('response' in attempt) lastResponse = attempt.response
    const pauseMs = retryDelay(attempt, { attempts, random, now: now() })
    const isLast =
      !isRetryable(request.method, attempt) || attempts >= MAX_ATTEMPTS || now().getTime() + pauseMs >= endsAt
    if (!isLast) await sleep(pauseMs, cancelled ?? deadline)
    if (isLast || cancelled?.aborted) return finishCall(request.method, attempt, mayHaveArrived)
  }
}

function finishCall(method: string, attempt: Attempt, mayHaveArrived: boolean): Response {
  if ('cause' in attempt)
    throw new NoResponseError({ kind: mayHaveArrived ? 'unclear' : 'unreachable', cause: attempt.cause })
  const { response } = attempt
  // A redirect often follows a POST that succeeded, and also leads to the sign-in page of a proxy.
  if (method === 'POST' && [301, 302, 303].includes(response.status))
    throw new NoResponseError({ kind: 'unclear', cause: 'unreadable' })
  // An earlier attempt seems to have deleted the record.
  if (method === 'DELETE' && mayHaveArrived && response.status === 404)
    return new Response(null, { status: 204 })
  return response
}

/** Whether the service may have acted although nothing confirms it. */
const hasUnknownEffect = (attempt: Attempt): boolean =>
  'cause' in attempt ? attempt.mayHaveArrived : [502, 504].includes(attempt.response.status)

/** A POST creates something, so it is only repeated if it cannot have arrived. */
function isRetryable(method: string, attempt: Attempt): boolean {
  if ('cause' in attempt)
    return attempt.cause === 'connection' && (method !== 'POST' || !attempt.mayHaveArrived)
  return method !== 'POST' && [429, 502, 503, 504].includes(attempt.response.status)
}

type RetryContext = { attempts: number; random: () => number; now: Date }

/** Exponential backoff with jitter, and at least what Retry-After asks for. */
function retryDelay(attempt: Attempt, { attempts, random, now }: RetryContext): number {
  const backoffMs = FIRST_RETRY_MS * 2 ** (attempts - 1) * (0.5 + random() / 2)
  const retryAfter = 'response' in attempt ? readRetryAfter(attempt.response.headers, now) : undefined
  return Math.max(backoffMs, (retryAfter ?? 0) * 1000)
}
