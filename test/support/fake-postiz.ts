import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type BytesRequest, type Fault, readForm, sniffType, startBytesServer } from './fake-network.ts'
import {
  asJson,
  checkEntry,
  checkPlatform,
  checkTags,
  type Entry,
  MAX_LENGTHS,
  type Media,
  parseDate,
  SETTINGS,
  type Value,
} from './fake-postiz-rules.ts'
import { renderText, sanitize } from './fake-postiz-text.ts'

// The Postiz API as observed at commit 74b01ada.

export type PostizChannel = {
  id: string
  name: string
  identifier: string
  picture: string | null
  disabled: boolean
  profile: string | null
  customer?: { id: string; name: string }
  /** Deleted channels still accept posts. */
  deleted: boolean
  /** The channel's token expired. The API doesn't show it. */
  refreshNeeded: boolean
  maxLength: number
  /** The outputs of `integration-trigger`. An `Error` stands for a failure of the platform. */
  tools: Record<string, unknown>
}

export type PostizPost = {
  id: string
  channel: PostizChannel
  state: 'DRAFT' | 'QUEUE' | 'PUBLISHED' | 'ERROR'
  /** As it was sent. GET /posts returns it sanitized. */
  content: string
  /** The text that the platform publishes. */
  readonly published: string
  image: Media[]
  /** Items of the thread after the first one. */
  thread: Value[]
  settings: Record<string, unknown>
  group: string
  publishDate: Date
  /** When the timer ends. A post that was never scheduled has none. */
  dueAt: Date | null
  releaseURL: string | null
  releaseId: string | null
  error: string | null
  deleted: boolean
  intervalInDays: number | null
  creationMethod: string
}

export type PostizUpload = { path: string; bytes: Buffer; name: string; type: string }

export type PostizRequest = {
  method: string
  /** The path after `/public/v1`, with the query. */
  path: string
  authorization: string | undefined
  /** Parsed if it is JSON. */
  body: unknown
  at: Date
  /** Missing until there is a response. */
  status?: number
}

export type PostizNotification = { id: string; content: string; link: string | null; createdAt: string }

export type PlannedRequest = {
  route: string
  /** The number of earlier requests that the same plan covers. */
  index: number
  body: unknown
}

export type FakePostizOptions = {
  now?: () => Date
  key?: string
  /** A path before `/public/v1`, as self-hosted Postiz has `/api`. */
  prefix?: string
  /** POST /posts an hour. */
  limit?: number
  /** Publishes posts as soon as they are due. By default, only `publishPost` does. */
  autoPublish?: boolean
  /** RESTRICT_UPLOAD_DOMAINS of the instance. */
  uploadDomain?: string
}

type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

const HOUR_SECONDS = 3600
const MAX_BODY_BYTES = 100 * 1024
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
const NOTIFICATIONS_PER_PAGE = 100

const ok = (body: unknown, status = 200): Reply => ({ status, body })
const failAuth = (msg: string): Reply => ({ status: 401, body: { msg } })
/** Postiz sends an array for a field that fails a check, and a string for other errors. */
const failRequest = (message: string | string[]): Reply => ({
  status: 400,
  body: { message, error: 'Bad Request', statusCode: 400 },
})
const failServer = (status: number, message: string): Reply => ({
  status,
  body: { statusCode: status, message },
})
const failInternally = () => failServer(500, 'Internal server error')

/** Starts a strict server of Postiz's public API. A request that hangs is processed on `release()`. */
export async function startFakePostiz(options: FakePostizOptions = {}) {
  const { now = () => new Date(), key = 'postiz-key', prefix = '', limit = 90 } = options
  const channels: PostizChannel[] = []
  const posts: PostizPost[] = []
  const uploads: PostizUpload[] = []
  const requests: PostizRequest[] = []
  const notifications: PostizNotification[] = []
  const conditions = { databaseDown: false, subscribed: true }
  const plans = { writes: createPlan(), others: createPlan() }
  let hanging: (() => Promise<void>)[] = []
  let hits = { count: 0, resetAt: 0, earliestNextRun: 0 }

  const notify = (content: string, link: string | null = null) =>
    void notifications.unshift({ id: randomUUID(), content, link, createdAt: now().toISOString() })

  const findPost = (id: string): PostizPost => {
    const post = posts.find((post) => post.id === id)
    if (!post) throw new Error(`There is no post ${id}.`)
    return post
  }

  const publishPost = (id: string, { releaseURL }: { releaseURL?: string } = {}) => {
    const post = findPost(id)
    const { identifier } = post.channel
    const url = releaseURL ?? `https://${identifier}.example/${id}`
    Object.assign(post, { state: 'PUBLISHED', error: null, releaseURL: url, releaseId: `release-${id}` })
    notify(`Your post has been published on ${identifier} at ${url}`, url)
  }

  /** With a `releaseURL`, the post is live, and a later item of its thread failed. */
  const failPost = (id: string, { error, releaseURL }: { error: string; releaseURL?: string }) => {
    const post = findPost(id)
    Object.assign(post, { state: 'ERROR', error, releaseURL: releaseURL ?? post.releaseURL })
    notify(`An error occurred while posting on ${post.channel.identifier}: ${error}`)
  }

  const runTimers = () => {
    for (const post of posts) {
      const { channel, dueAt } = post
      if (post.state !== 'QUEUE' || post.deleted || !dueAt || dueAt > now()) continue
      const problem = channel.refreshNeeded ? 'you need to reconnect it' : channel.disabled && "it's disabled"
      if (problem) {
        Object.assign(post, { state: 'ERROR', error: channel.disabled ? 'Channel disabled' : problem })
        notify(`We couldn't post to ${channel.identifier} for ${channel.name} because ${problem}.`)
      } else if (options.autoPublish) publishPost(post.id)
    }
  }

  const checkKey = (authorization: string | undefined): Reply | undefined => {
    if (!authorization) return failAuth('No API Key found')
    if (conditions.databaseDown) return { status: 401, headers: { logout: 'true', 'set-cookie': 'auth=' } }
    if (authorization !== key) {
      return failAuth(authorization.startsWith('pos_') ? 'Invalid OAuth token' : 'Invalid API key')
    }
    return conditions.subscribed ? undefined : failAuth('No subscription found')
  }

  /** Only POST /posts has a limit. A request over it blocks a full hour, counted from that request. */
  const countRequest = (): { headers: Record<string, string>; failure?: Reply } => {
    const seconds = now().getTime() / 1000
    const block = () => ({
      headers: {},
      failure: {
        ...failServer(429, 'ThrottlerException: Too Many Requests'),
        headers: { 'Retry-After': String(Math.ceil(hits.earliestNextRun - seconds)) },
      },
    })
    if (seconds < hits.earliestNextRun) return block()
    if (hits.earliestNextRun || seconds >= hits.resetAt) {
      hits = { count: 0, resetAt: seconds + HOUR_SECONDS, earliestNextRun: 0 }
    }
    if (++hits.count > limit) {
      hits.earliestNextRun = seconds + HOUR_SECONDS
      return block()
    }
    return {
      headers: {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(limit - hits.count),
        'X-RateLimit-Reset': String(Math.ceil(hits.resetAt - seconds)),
      },
    }
  }

  const createPosts = (body: unknown): Reply => {
    const { type, date, tags, shortLink, inter, republish, creationMethod, posts: sent } = asJson(body)
    const entries: Entry<PostizChannel>[] = []
    if (!Array.isArray(sent) || sent.length === 0) return failRequest('All posts must have an integration id')
    for (const post of sent.map(asJson)) {
      const id = asJson(post.integration).id
      if (!id) return failRequest('All posts must have an integration id')
      const channel = channels.find((channel) => channel.id === id)
      if (!channel) return failRequest(`Integration with id ${id} not found`)
      const value = Array.isArray(post.value) ? post.value.map(asJson) : []
      const settings = { ...asJson(post.settings), __type: channel.identifier }
      entries.push({ channel, value: value as Value[], settings, group: post.group })
    }
    const publishDate =
      type === 'now' ? new Date(Math.floor(now().getTime() / 60_000) * 60_000) : parseDate(date)
    const problems = [
      ...(shortLink === undefined || shortLink === null ? ['shortLink must be a boolean value'] : []),
      ...(parseDate(date) === 'invalid' ? ['date must be a valid ISO 8601 date string'] : []),
      ...checkTags(tags),
      ...entries.flatMap((entry, index) => checkEntry(entry, `posts.${index}`, options.uploadDomain)),
    ]
    if (problems.length > 0 || publishDate === 'invalid') return failRequest(problems)
    if (publishDate === 'unreadable') return failInternally()
    for (const entry of entries) {
      const message = type === 'draft' ? undefined : checkPlatform(entry)
      const { identifier: provider, name } = entry.channel
      if (message) return { status: 400, body: { statusCode: 400, provider, name, message } }
    }

    const answers = []
    for (const { channel, value, settings, group } of entries) {
      const [first = { content: '', image: [] }, ...thread] = value
      // An entry that fails here leaves the entries before it created.
      if (value.some(({ content }) => content.includes('\0') || !content.isWellFormed()))
        return failInternally()
      const known = posts.find((post) => post.id === first.id)
      const isPublished = known?.state === 'PUBLISHED'
      if (isPublished && type !== 'update' && type !== 'draft' && !republish) {
        return failRequest(
          `This post was already published on ${known.publishDate.toISOString()} pass republish: true.`,
        )
      }
      for (const post of posts) if (post.group === group && post !== known) post.deleted = true
      const post: PostizPost = known ?? {
        id: `c${randomUUID().replaceAll('-', '').slice(0, 24)}`,
        get published() {
          return renderText(sanitize(this.content), this.channel.identifier, posts)
        },
        channel,
        state: 'QUEUE',
        content: '',
        image: [],
        thread: [],
        settings: {},
        group: '',
        publishDate,
        dueAt: null,
        releaseURL: null,
        releaseId: null,
        error: null,
        deleted: false,
        intervalInDays: null,
        creationMethod: 'API',
      }
      Object.assign(post, { channel, thread, settings, group: randomUUID(), publishDate })
      Object.assign(post, { content: first.content, image: first.image })
      post.intervalInDays = inter ? Number(inter) : null
      post.creationMethod = creationMethod === 'CLI' ? 'CLI' : 'API'
      // An update doesn't move the timer, so the post is published at its old time.
      if (type !== 'update') {
        post.state = type === 'draft' ? 'DRAFT' : 'QUEUE'
        post.dueAt = type === 'draft' ? null : publishDate
      }
      if (!known) posts.push(post)
      answers.push({ postId: post.id, integration: channel.id })
    }
    return ok(answers, 201)
  }

  const listPosts = (query: URLSearchParams): Reply => {
    const [from, until] = ['startDate', 'endDate'].map((name) => parseDate(query.get(name)))
    if (from === 'unreadable' || until === 'unreadable') return failInternally()
    if (!(from instanceof Date) || !(until instanceof Date)) {
      const invalid = ['startDate', 'endDate'].filter((name) => parseDate(query.get(name)) === 'invalid')
      return failRequest(invalid.map((name) => `${name} must be a valid ISO 8601 date string`))
    }
    const customer = query.get('customer')
    const listed = posts.filter(
      ({ deleted, channel, publishDate }) =>
        !deleted &&
        !channel.deleted &&
        publishDate >= from &&
        publishDate <= until &&
        (!customer || channel.customer?.id === customer),
    )
    return ok({ posts: listed.map(describePost) })
  }

  const deletePosts = (targets: PostizPost[]): Reply => {
    for (const post of targets) post.deleted = true
    // This is what Postiz responds with on success.
    return ok({ error: true })
  }

  const storeUpload = async (request: BytesRequest): Promise<Reply> => {
    const noFile: Reply = { status: 400, body: { msg: 'No file provided' } }
    if (!request.headers['content-type']?.startsWith('multipart/form-data')) return noFile
    const form = await readForm(request)
    if (!form) return failRequest('Malformed part header')
    const files = [...form].filter(([, value]) => typeof value !== 'string')
    const unexpected = files.find(([name], index) => name !== 'file' || index > 0)
    if (unexpected) return failRequest(`Unexpected field - ${unexpected[0]}`)
    const file = files[0]?.[1]
    if (!file || typeof file === 'string') return noFile
    const bytes = Buffer.from(await file.arrayBuffer())
    const type = sniffType(bytes)
    if (!type) return failRequest('Unsupported file type.')
    if (type !== 'mp4' && bytes.length > MAX_IMAGE_BYTES) {
      return failRequest(`File size exceeds the maximum allowed size of ${MAX_IMAGE_BYTES} bytes.`)
    }
    const name = `${randomUUID()}.${type}`
    const folder = now().toISOString().slice(0, 10).replaceAll('-', '/')
    const path = `${server.url}/uploads/${folder}/${name}`
    uploads.push({ path, bytes, name: file.name, type })
    return ok({ id: randomUUID(), name, originalName: null, path, thumbnail: null, alt: null }, 201)
  }

  const runTool = (id: string, body: unknown): Reply => {
    const channel = channels.find((channel) => channel.id === id)
    if (!channel) return { status: 404, body: { msg: 'Integration not found' } }
    const name = String(asJson(body).methodName)
    const output = Object.hasOwn(channel.tools, name) ? channel.tools[name] : undefined
    if (output instanceof Error) return { status: 500, body: { msg: 'Unexpected error' } }
    return output === undefined ? { status: 404, body: { msg: 'Tool not found' } } : ok({ output }, 201)
  }

  const reply = async (request: BytesRequest, path: string, body: unknown): Promise<Reply> => {
    const { method, url } = request
    const route = `${method} ${path}`
    const notFound: Reply = {
      status: 404,
      body: { message: `Cannot ${method} ${url.pathname}`, error: 'Not Found', statusCode: 404 },
    }
    if (!path) return notFound
    const failure = checkKey(request.headers.authorization)
    if (failure) return failure
    const [, id = ''] =
      /^\/(?:integration-settings|integration-trigger|posts(?:\/group)?)\/([^/]+)$/.exec(path) ?? []
    const live = posts.filter(({ deleted }) => !deleted)
    if (route === 'GET /is-connected') return ok({ connected: true })
    if (route === 'GET /integrations') {
      const group = url.searchParams.get('group')
      const listed = channels.filter(
        ({ deleted, customer }) => !deleted && (!group || customer?.id === group),
      )
      return ok(listed.map(describeChannel))
    }
    if (route === 'GET /notifications') {
      const page = Number(url.searchParams.get('page') ?? 0)
      const [from, to] = [page * NOTIFICATIONS_PER_PAGE, (page + 1) * NOTIFICATIONS_PER_PAGE]
      const total = notifications.length
      const paging = { total, page, limit: NOTIFICATIONS_PER_PAGE, hasMore: total > to }
      return ok({ notifications: notifications.slice(from, to), ...paging })
    }
    if (route === 'GET /posts') return listPosts(url.searchParams)
    if (route === 'POST /posts') {
      const { headers, failure } = countRequest()
      return failure ?? { ...createPosts(body), headers }
    }
    if (route === 'POST /upload') return storeUpload(request)
    if (route === `GET /integration-settings/${id}`)
      return describeSettings(channels.find((c) => c.id === id))
    if (route === `POST /integration-trigger/${id}`) return runTool(id, body)
    if (route === `DELETE /posts/group/${id}`) return deletePosts(live.filter(({ group }) => group === id))
    if (route === `DELETE /posts/${id}`) {
      const group = live.find((post) => post.id === id)?.group
      return group ? deletePosts(live.filter((post) => post.group === group)) : failInternally()
    }
    return notFound
  }

  const respond = async (request: BytesRequest, response: ServerResponse) => {
    const { method, url, headers } = request
    const upload = uploads.find(({ path }) => path === `${server.url}${url.pathname}`)
    if (method === 'GET' && upload) return void response.end(upload.bytes)
    const base = `${prefix}/public/v1`
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : ''
    const isJson = headers['content-type']?.startsWith('application/json')
    const body = isJson ? parseJson(request.body) : undefined
    const { authorization } = headers
    const record: PostizRequest = { method, path: path + url.search, authorization, body, at: now() }
    requests.push(record)
    const answer = ({ status, body, headers }: Reply) => {
      record.status = status
      const isText = typeof body === 'string' || body === undefined
      response.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers })
      response.end(isText ? body : JSON.stringify(body))
    }
    const run = async (): Promise<Reply> => {
      if (isJson && request.body.length > MAX_BODY_BYTES) return failServer(413, 'request entity too large')
      if (isJson && body === undefined) return failRequest('Unexpected token in JSON')
      runTimers()
      const result = await reply(request, path, body)
      runTimers()
      return result
    }

    const isWrite = method === 'POST' && (path === '/posts' || path === '/upload')
    const fault = (isWrite ? plans.writes : plans.others).ask(`${method} ${path}`, body)
    if (!fault) return answer(await run())
    if (fault.kind === 'redirect') return answer({ status: 307, headers: { location: fault.to } })
    if (fault.kind === 'status') return answer(describeFault(fault))
    if (fault.kind === 'hang') return void hanging.push(async () => answer(await run()))
    if (fault.kind === 'lost') await run()
    response.destroy()
  }

  const server = await startBytesServer(respond)
  return {
    /** The base before `/public/v1`. */
    url: server.url + prefix,
    close: server.close,
    key,
    channels,
    uploads,
    requests,
    notifications,
    /** A test can change them at any time. */
    conditions,
    get posts() {
      runTimers()
      return posts
    },
    addChannel(channel: Pick<PostizChannel, 'identifier'> & Partial<PostizChannel>): PostizChannel {
      const { identifier } = channel
      const added: PostizChannel = {
        id: `channel-${channels.length + 1}`,
        name: `Our ${identifier}`,
        picture: null,
        profile: null,
        disabled: false,
        deleted: false,
        refreshNeeded: false,
        tools: {},
        maxLength: MAX_LENGTHS[identifier] ?? 3000,
        ...channel,
      }
      channels.push(added)
      return added
    },
    publishPost,
    failPost,
    /** Asks `decide` about each POST /posts and POST /upload. */
    plan: plans.writes.set,
    /** Asks `decide` about each other request. */
    planOthers: plans.others.set,
    /** Processes the hanging requests, even if their clients are gone. */
    async release() {
      const released = hanging
      hanging = []
      for (const finish of released) await finish()
    },
  }
}

function createPlan() {
  let decide: (request: PlannedRequest) => Fault | undefined = () => undefined
  let count = 0
  return {
    ask: (route: string, body: unknown) => decide({ route, index: count++, body }),
    set(newDecide: typeof decide) {
      decide = newDecide
      count = 0
    },
  }
}

function describeFault(fault: Fault & { kind: 'status' }): Reply {
  const {
    status,
    description = 'Internal server error',
    retryAfter,
    contentType = 'application/json',
  } = fault
  const body = fault.body ?? JSON.stringify({ statusCode: status, message: description })
  const headers = {
    ...(body && { 'content-type': contentType }),
    ...(retryAfter && { 'Retry-After': String(retryAfter) }),
  }
  return { status, body, headers }
}

const describeChannel = ({ id, name, identifier, picture, disabled, profile, customer }: PostizChannel) => ({
  id,
  name,
  identifier,
  picture,
  disabled,
  profile,
  ...(customer && { customer }),
})

function describePost(post: PostizPost) {
  const { id, releaseURL, releaseId, state, intervalInDays, group, creationMethod, channel } = post
  return {
    id,
    content: sanitize(post.content),
    publishDate: post.publishDate.toISOString(),
    releaseURL,
    releaseId,
    state,
    intervalInDays,
    group,
    creationMethod,
    settings: JSON.stringify(post.settings),
    // Labels that match no tag of the organization are dropped, and the fake has no tags.
    tags: [],
    integration: {
      id: channel.id,
      providerIdentifier: channel.identifier,
      name: channel.name,
      picture: channel.picture,
    },
  }
}

function describeSettings(channel: PostizChannel | undefined): Reply {
  if (!channel) return { status: 404, body: { msg: 'Integration not found' } }
  const rules = Object.entries(SETTINGS[channel.identifier] ?? {})
  const required = rules.filter(([, check]) => check(undefined)).map(([name]) => name)
  const properties = Object.fromEntries(rules.map(([name]) => [name, {}]))
  const settings = rules.length ? { type: 'object', properties, required } : 'No additional settings required'
  const tools = Object.keys(channel.tools).map((methodName) => ({ methodName }))
  return ok({ output: { rules: '', maxLength: channel.maxLength, settings, tools } })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
