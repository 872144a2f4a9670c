import { isDeepStrictEqual } from 'node:util'
import createClient from 'openapi-fetch'
import { addMs, type Runtime } from '../runtime.ts'
import type { paths as extensionPaths } from './extensions.d.ts'
import { htmlToText } from './html-text.ts'
import {
  type Account,
  accounts,
  type List,
  logs,
  type Post,
  type PostBody,
  posts,
  projects,
  prompts,
  sources,
  templates,
  users,
} from './records.ts'
import { type ApiResult, isObject, isRecordMissing, type PayloadReader, toApiResult } from './result.ts'
import type { components, paths } from './schema.d.ts'
import { type AttemptOptions, type SendRuntime, sendRequest } from './send-request.ts'
import { IDEMPOTENCY_KEY_HEADER, readExtensions } from './service-extensions.ts'

export type ApiOptions = SendRuntime &
  Pick<Runtime, 'newId'> & { baseUrl: string; token: string; timeoutMs?: number }

export type CallOptions = {
  /** When the call is given up, including its retries and pages. Calls that belong together may share a deadline. */
  deadline?: Date | undefined
  /** An id that the service's log may show. By default, each call has an id of its own. */
  request_id?: string | undefined
}

/** Posts from several pages. If `hasMore` is set, the list may be incomplete, so a post that isn't in it may still exist. */
export type PostList = { items: Post[]; hasMore: boolean; isReadable: boolean }

type PostQuery = NonNullable<paths['/api/v1/projects/{project_id}/posts']['get']['parameters']['query']>

export type PostFilter = Omit<PostQuery, 'skip' | 'limit'>

type Schemas = components['schemas']
type ResultsBody =
  extensionPaths['/extensions/v1/projects/{project_id}/posts/{post_id}/results']['put']['requestBody']['content']['application/json']

export type Api = ReturnType<typeof createApi>

const PROJECT = '/api/v1/projects/{project_id}'
const EXTENSION = '/extensions/v1/projects/{project_id}'
const EXTENSION_POST = `${EXTENSION}/posts/{post_id}` as const
const PAGE_SIZE = 100

/** The operations of the scheduling service. Each call ends in an ApiResult. */
export function createApi({ baseUrl, token, timeoutMs = 10_000, ...runtime }: ApiOptions) {
  const defaultDeadline = () => addMs(runtime.now(), timeoutMs)
  const headers = { authorization: `Bearer ${token}` }
  const { GET, POST, PUT, DELETE } = createClient<paths & extensionPaths>({ baseUrl, headers })

  async function call<T, Path extends Record<string, string>>(
    read: PayloadReader<T>,
    path: Path,
    { deadline = defaultDeadline(), request_id = runtime.newId() }: CallOptions = {},
    operation: Operation<Path>,
  ): Promise<ApiResult<T>> {
    // An id can't be "." or "..", because a URL with such a segment leads to another path, even if the segment is encoded.
    if (Object.values(path).some((id) => id === '.' || id === '..'))
      return { kind: 'not-found', message: undefined }
    const result = await sendRequest(
      (options) => operation({ ...options, params: { path }, parseAs: 'text' }),
      { ...runtime, deadline, request_id },
    )
    return 'response' in result ? toApiResult(result, read, runtime.now()) : result
  }

  /** Requests a URL that isn't in the API's contract, such as the link to the next page. */
  const getFromUrl =
    (url: string): Operation<Record<string, string>> =>
    async ({ fetch: send, headers: attemptHeaders, signal, redirect }) => {
      const init = { headers: { ...headers, ...attemptHeaders }, signal, redirect }
      const response = await send(new Request(url, init))
      return { response, [response.ok ? 'data' : 'error']: await response.text() }
    }

  /** Follows the links from page to page. */
  async function callList<T, Path extends Record<string, string>>(
    read: PayloadReader<List<T>>,
    path: Path,
    { deadline = defaultDeadline(), ...rest }: CallOptions = {},
    operation: Operation<Path>,
  ): Promise<ApiResult<List<T>>> {
    const options = { ...rest, deadline }
    const first = failIfUnreadable(await call(read, path, options, operation))
    if (first.kind !== 'ok') return first
    const items = [...first.data.items]
    let { next } = first.data
    for (let page = 1; next && page < MAX_LINKED_PAGES; page++) {
      const result = await call(read, {}, options, getFromUrl(next))
      if (result.kind !== 'ok') break
      items.push(...result.data.items)
      next = result.data.next === next || !result.data.items.length ? undefined : result.data.next
    }
    // Once all links have been followed, only the total can say that records are missing.
    const { total, hasMore } = first.data
    const isIncomplete = hasMoreThan({ total, hasMore: hasMore && !first.data.next }, items.length)
    return { kind: 'ok', data: { ...first.data, items, hasMore: next !== undefined || isIncomplete } }
  }

  const readPostList: PayloadReader<List<Post>> = (payload, response) => {
    const list = posts.readList(payload, response)
    return { ...list, items: list.items.map(withoutHtml) }
  }

  const listPosts = (project_id: string, query: PostQuery, options?: CallOptions) =>
    call(readPostList, { project_id }, options, (init) =>
      GET(`${PROJECT}/posts`, { ...init, params: { ...init.params, query } }),
    )

  /**
   * Sends a new record. A service that takes idempotency keys creates one record for all requests with the same id. If the
   * response only has the record's address, reads the record from that address.
   */
  async function create<T extends { Id?: string }, Path extends Record<string, string>>(
    reader: SavedReader<T>,
    body: object,
    path: Path,
    { deadline = defaultDeadline(), request_id = runtime.newId() }: CallOptions = {},
    operation: Operation<Path>,
  ): Promise<ApiResult<T>> {
    const options = { deadline, request_id }
    const read: PayloadReader<{ record: T; url: URL | undefined }> = (payload, response) => {
      const found: Record<string, unknown> = { ...reader.readOptional(payload) }
      const repeatsInput = Object.entries(body).some(
        ([name, value]) => name !== 'Status' && isDeepStrictEqual(found[name], value),
      )
      // A response with status 202 may describe a job, whose id and status aren't those of the record.
      const describesJob = response.status === 202 && !repeatsInput
      const record = reader.readSaved(describesJob ? null : payload, body)
      const location = response.status === 201 && !record.Id && response.headers.get('location')
      return {
        record,
        url: location && URL.canParse(location, response.url) ? new URL(location, response.url) : undefined,
      }
    }
    const result = await call(read, path, options, (init) =>
      operation({ ...init, headers: { ...init.headers, [IDEMPOTENCY_KEY_HEADER]: request_id } }),
    )
    if (result.kind !== 'ok') return result
    const { record, url } = result.data
    if (!url) return { kind: 'ok', data: record }
    const [Id] = /(?<=\/)[\w.~-]+(?=\/?$)/.exec(url.pathname) ?? []
    const located = { kind: 'ok' as const, data: Id ? { ...record, Id } : record }
    // The token must only be sent to the service itself, so another server isn't asked.
    if (url.origin !== new URL(baseUrl).origin) return located
    const found = await call(savedReader(reader, body), {}, options, getFromUrl(url.href))
    return found.kind === 'ok' && found.data.Id ? found : located
  }

  /** Follows the pages up to `maxPages`. */
  async function listAllPosts(
    project_id: string,
    filter: PostFilter,
    { maxPages, deadline = defaultDeadline() }: CallOptions & { maxPages: number },
  ): Promise<ApiResult<PostList>> {
    const items: Post[] = []
    let isReadable = true
    let longestPage = 0
    let next: string | undefined
    const finish = (hasMore: boolean) => ({ kind: 'ok' as const, data: { items, hasMore, isReadable } })
    for (let page = 0; page < maxPages; page++) {
      const query = { ...filter, skip: items.length, limit: PAGE_SIZE }
      const result = await (next
        ? call(readPostList, { project_id }, { deadline }, getFromUrl(next))
        : listPosts(project_id, query, { deadline }))
      if (result.kind !== 'ok') return result
      const { data } = result
      const wasLinked = next !== undefined
      next = data.next === next ? undefined : data.next
      isReadable &&= data.isReadable
      if (!data.items.length) return finish(hasMoreThan(data, items.length))
      // A service that ignores `skip` sends its first page again.
      if (page > 0 && isDeepStrictEqual(data.items[0]?.raw, items[0]?.raw))
        return finish(hasMoreThan(data, items.length) || COMMON_PAGE_SIZES.includes(data.items.length))
      items.push(...data.items)
      longestPage = Math.max(longestPage, data.items.length)
      const isLast = wasLinked ? !next : isLastPage(data, { count: items.length, longestPage })
      if (isLast) return finish(wasLinked && hasMoreThan(data, items.length))
    }
    return finish(true)
  }

  return {
    baseUrl,
    readExtensions(options?: CallOptions) {
      const getDocument = getFromUrl(`${baseUrl.replace(/\/$/, '')}/openapi.json`)
      const key = runtime.newId()
      return call(
        (document, response) => readExtensions(document, response, key),
        {},
        options,
        (init) => getDocument({ ...init, headers: { ...init.headers, [IDEMPOTENCY_KEY_HEADER]: key } }),
      )
    },
    projects: {
      list: (options?: CallOptions) =>
        callList(projects.readList, {}, options, (init) => GET('/api/v1/projects', { ...init, params: {} })),
    },
    posts: {
      list: async (project_id: string, query: PostQuery, options?: CallOptions) =>
        failIfUnreadable(await listPosts(project_id, query, options)),
      listAll: listAllPosts,
      create: async (project_id: string, body: PostBody, options?: CallOptions): Promise<ApiResult<Post>> => {
        const result = await create(posts, body, { project_id }, options, (init) =>
          POST(`${PROJECT}/posts`, { ...init, body }),
        )
        return result.kind === 'ok' ? { kind: 'ok', data: withoutHtml(result.data) } : result
      },
      /** An extension. Returns a post with the ETag that is required to change it. */
      get: (project_id: string, post_id: string, options?: CallOptions) =>
        call(withEtag(posts.read), { project_id, post_id }, options, (init) => GET(EXTENSION_POST, init)),
      /** An extension. Replaces all fields. The service rejects the ETag of an earlier version with status 412. */
      update: (
        project_id: string,
        { post_id, etag }: PostVersionKey,
        body: PostBody,
        options?: CallOptions,
      ) =>
        call(withEtag(savedReader(posts, body)), { project_id, post_id }, options, ({ params, ...init }) =>
          PUT(EXTENSION_POST, { ...init, body, params: { ...params, header: { 'If-Match': etag } } }),
        ),
      /** An extension. The service rejects the ETag of an earlier version with status 412. */
      delete: (project_id: string, { post_id, etag }: PostVersionKey, options?: CallOptions) =>
        call(readNothing, { project_id, post_id }, options, ({ params, ...init }) =>
          DELETE(EXTENSION_POST, { ...init, params: { ...params, header: { 'If-Match': etag } } }),
        ),
      /** An extension. Publishes a post again on the given platforms, or records whether it was published there. */
      setResults: (project_id: string, post_id: string, body: ResultsBody, options?: CallOptions) =>
        call(posts.read, { project_id, post_id }, options, (init) =>
          PUT(`${EXTENSION_POST}/results`, { ...init, body }),
        ),
      /** The post that goes out next; undefined if nothing is scheduled. */
      async getNext(project_id: string, options?: CallOptions): Promise<ApiResult<Post | undefined>> {
        const readNext = (payload: unknown) => {
          const post = posts.readOptional(payload)
          return post && withoutHtml(post)
        }
        const result = await call(readNext, { project_id }, options, (init) =>
          GET(`${PROJECT}/dashboard/upnext-post`, init),
        )
        return isRecordMissing(result, NO_POST_PATTERN) ? { kind: 'ok', data: undefined } : result
      },
    },
    accounts: {
      list: (project_id: string, options?: CallOptions) =>
        call(readAccounts, { project_id }, options, (init) => GET(`${EXTENSION}/accounts`, init)),
      setConnected: (
        project_id: string,
        account_id: string,
        body: { IsConnected: boolean },
        options?: CallOptions,
      ) =>
        call(accounts.read, { project_id, account_id }, options, (init) =>
          PUT(`${EXTENSION}/accounts/{account_id}`, { ...init, body }),
        ),
      check: (project_id: string, account_id: string, options?: CallOptions) =>
        call(accounts.read, { project_id, account_id }, options, (init) =>
          PUT(`${EXTENSION}/accounts/{account_id}/check`, init),
        ),
    },
    templates: {
      list: (project_id: string, options?: CallOptions) =>
        callList(templates.readList, { project_id }, options, (init) => GET(`${PROJECT}/templates`, init)),
      get: (project_id: string, template_id: string, options?: CallOptions) =>
        call(templates.read, { project_id, template_id }, options, (init) =>
          GET(`${PROJECT}/templates/{template_id}`, init),
        ),
    },
    prompts: {
      create: (project_id: string, body: Schemas['Prompt'], options?: CallOptions) =>
        create(prompts, body, { project_id }, options, (init) =>
          POST(`${PROJECT}/prompts`, { ...init, body }),
        ),
    },
    sources: {
      list: (project_id: string, options?: CallOptions) =>
        callList(sources.readList, { project_id }, options, (init) => GET(`${PROJECT}/sources`, init)),
      update: (project_id: string, source_id: string, body: Schemas['SourceUpdate'], options?: CallOptions) =>
        call(savedReader(sources, body), { project_id, source_id }, options, (init) =>
          PUT(`${PROJECT}/sources/{source_id}`, { ...init, body }),
        ),
    },
    users: {
      invite: (project_id: string, body: Schemas['ProjectUserInvitation'], options?: CallOptions) =>
        create(users, body, { project_id }, options, (init) =>
          POST(`${PROJECT}/users/invite`, { ...init, body }),
        ),
      update: (
        project_id: string,
        user_id: string,
        body: Schemas['ProjectUserUpdate'],
        options?: CallOptions,
      ) =>
        call(savedReader(users, body), { project_id, user_id }, options, (init) =>
          PUT(`${PROJECT}/users/{user_id}`, { ...init, body }),
        ),
    },
    logs: {
      list: (project_id: string, options?: CallOptions) =>
        callList(logs.readList, { project_id }, options, (init) => GET(`${PROJECT}/logs`, init)),
    },
    webhook: {
      delete: (project_id: string, options?: CallOptions) =>
        call(readNothing, { project_id }, options, (init) => DELETE(`${PROJECT}/webhook`, init)),
    },
    file: {
      /** Deletes the file that was staged with Upnext's token. */
      delete: (options?: CallOptions) =>
        call(readNothing, {}, options, (init) => DELETE('/api/v1/common/file', { ...init, params: {} })),
    },
  }
}

/** A response without a list isn't an empty list. */
const failIfUnreadable = <L extends List<unknown>>(result: ApiResult<L>): ApiResult<L> =>
  result.kind === 'ok' && !result.data.isReadable && !result.data.items.length
    ? { kind: 'unclear', cause: 'unreadable' }
    : result

type Operation<Path> = (
  init: OperationInit<Path>,
) => Promise<{ response: Response; data?: unknown; error?: unknown }>

type OperationInit<Path> = AttemptOptions & { params: { path: Path }; parseAs: 'text' }

const MAX_LINKED_PAGES = 20

type SavedReader<T> = {
  readOptional: (payload: unknown) => T | undefined
  readSaved: (payload: unknown, sent: object) => T
}

const savedReader =
  <T>(reader: SavedReader<T>, body: object) =>
  (payload: unknown): T =>
    reader.readSaved(payload, body)

const NO_POST_PATTERN = /\b(?:posts?|scheduled|upcoming|queued?|nothing)\b/i

export type PostVersionKey = { post_id: string; etag: string }

/** A proxy that compresses a response makes its ETag weak, and `If-Match` never matches a weak ETag. */
const withEtag =
  <T>(read: (payload: unknown) => T): PayloadReader<{ post: T; etag: string }> =>
  (payload, { headers }) => ({
    post: read(payload),
    etag: (headers.get('etag') ?? '').replace(/^W\//, ''),
  })

/** Services may store posts as HTML. `get` and `update` keep the HTML, so edited posts stay as users entered them. */
const withoutHtml = (post: Post): Post =>
  post.Content === undefined ? post : { ...post, Content: htmlToText(post.Content) }

const readAccounts: PayloadReader<List<Account> & { areRequired: boolean }> = (payload, response) => ({
  ...accounts.readList(payload, response),
  areRequired: isObject(payload) && payload.AreRequired === true,
})

const readNothing = () => undefined

const hasMoreThan = (
  { total = 0, hasMore = false }: Pick<List<Post>, 'total' | 'hasMore'>,
  count: number,
): boolean => hasMore || total > count

/** A service may limit a page to fewer items than requested, usually to one of these numbers. */
const COMMON_PAGE_SIZES = [10, 15, 20, 25, 30, 40, 50, PAGE_SIZE]

type Progress = { count: number; longestPage: number }

/** A list ends with a short page, unless the service says that there is more. */
function isLastPage(page: List<Post>, { count, longestPage }: Progress): boolean {
  const { items, total, hasMore } = page
  // If a page is full, the total may be just the number at which the service stopped counting.
  if (hasMoreThan(page, count) || items.length >= PAGE_SIZE) return false
  if (hasMore === false || items.length < longestPage) return true
  // The total may count only this page's items. If their number is a usual limit, there may be more pages.
  return total !== undefined && !COMMON_PAGE_SIZES.includes(items.length)
}
