import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type BytesRequest, type Fault, readForm, sniffType, startBytesServer } from './fake-telegram.ts'

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

type Media = { id: string; path: string; alt?: string; thumbnail?: string }
type Value = { content: string; image: Media[]; id?: string; delay?: number }
type Entry = { channel: PostizChannel; value: Value[]; settings: Record<string, unknown>; group: unknown }
type Json = Record<string, unknown>
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
  let hits = { count: 0, resetAt: 0, blockedUntil: 0 }

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
        headers: { 'Retry-After': String(Math.ceil(hits.blockedUntil - seconds)) },
      },
    })
    if (seconds < hits.blockedUntil) return block()
    if (hits.blockedUntil || seconds >= hits.resetAt) {
      hits = { count: 0, resetAt: seconds + HOUR_SECONDS, blockedUntil: 0 }
    }
    if (++hits.count > limit) {
      hits.blockedUntil = seconds + HOUR_SECONDS
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
    const entries: Entry[] = []
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

const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Some ISO formats pass the check, and then break the server. */
function parseDate(value: unknown): Date | 'invalid' | 'unreadable' {
  if (typeof value !== 'string') return 'invalid'
  if (/^\d{4}-?W\d{2}(-?\d)?$|^\d{8}(T\d{4,6}(\.\d+)?(Z|[+-]\d{4})?)?$/.test(value)) return 'unreadable'
  const pattern =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/
  const match = pattern.exec(value)
  if (!match) return 'invalid'
  const [year, month, day, hour, minute, second, , , zoneHour, zoneMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as number[] as [number, number, number, ...number[]]
  if (month < 1 || month > 12 || day < 1 || day > 31) return 'invalid'
  if (hour === undefined || minute === undefined || second === undefined) return 'invalid'
  if (hour > 23 || minute > 59 || second > 59) return 'invalid'
  const offset = (match[8] === '-' ? -1 : 1) * ((zoneHour ?? 0) * 60 + (zoneMinute ?? 0))
  const milliseconds = Number(`0.${match[7] ?? 0}`) * 1000
  return new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second, Math.floor(milliseconds)))
}

/** Returns the problem with a value, as a phrase that follows the field's name. */
type Rule = (value: unknown) => string | undefined

const textOf =
  (min = 1, max = Infinity): Rule =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max
      ? undefined
      : `must be a string of ${min} to ${max} characters`

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.some((allowed) => allowed === value)
      ? undefined
      : `must be one of the following values: ${values.join(', ')}`

const matches =
  (pattern: RegExp, problem: string): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : problem

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null ? undefined : rule(value)

const listOf =
  (rule: Rule, min = 0): Rule =>
  (value) =>
    Array.isArray(value) && value.length >= min
      ? value.map(rule).find(Boolean)
      : `must be an array of at least ${min} elements`

/** Postiz converts any other value to a boolean, so "false" becomes true. */
const flag: Rule = (value) => (value === undefined || value === null ? 'must be a boolean value' : undefined)

const labelled: Rule = (value) => textOf()(asJson(value).label)
const webAddress = matches(/^https?:\/\/\S+\.\S+$/, 'must be a URL address')

const subreddit: Rule = (item) => {
  const { subreddit, title, type, url, is_flair_required, flair } = asJson(asJson(item).value)
  return (
    textOf()(subreddit) ??
    textOf(2)(title) ??
    textOf()(type) ??
    flag(is_flair_required) ??
    (type === 'link' ? webAddress(url) : undefined) ??
    (is_flair_required ? (textOf()(asJson(flair).id) ?? textOf()(asJson(flair).name)) : undefined)
  )
}

const checkTagLength: Rule = (tags) => {
  const labels = Array.isArray(tags) ? tags.map((tag) => String(asJson(tag).label)) : []
  return labels.join('').length > 500 ? 'must have at most 500 characters in all' : undefined
}

const YES_OR_NO = oneOf('yes', 'no')
const INSTAGRAM = { post_type: oneOf('post', 'story'), collaborators: optional(listOf(labelled)) }
const TIKTOK = {
  title: optional(textOf(0, 90)),
  privacy_level: oneOf('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'),
  duet: flag,
  stitch: flag,
  comment: flag,
  brand_content_toggle: flag,
  brand_organic_toggle: flag,
  autoAddMusic: YES_OR_NO,
  content_posting_method: oneOf('DIRECT_POST', 'UPLOAD'),
}
const SETTINGS: Record<string, Record<string, Rule>> = {
  x: {
    who_can_reply_post: oneOf('everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'),
    community: optional(matches(/^https:\/\/x\.com\/i\/communities\/\d+$/, 'must be a community URL')),
  },
  facebook: { post_type: optional(oneOf('post', 'story')), url: optional(webAddress) },
  instagram: INSTAGRAM,
  'instagram-standalone': INSTAGRAM,
  reddit: { subreddit: listOf(subreddit, 1) },
  youtube: {
    title: textOf(2, 100),
    type: oneOf('public', 'private', 'unlisted'),
    selfDeclaredMadeForKids: optional(YES_OR_NO),
    tags: optional((tags) => listOf(labelled)(tags) ?? checkTagLength(tags)),
  },
  tiktok: TIKTOK,
  'tiktok-business': TIKTOK,
  pinterest: { board: textOf(), title: optional(textOf(0, 100)), link: optional(webAddress) },
}

const MAX_LENGTHS: Record<string, number> = {
  x: 280,
  linkedin: 3000,
  'linkedin-page': 3000,
  facebook: 63_206,
  instagram: 2200,
  'instagram-standalone': 2200,
  threads: 500,
  telegram: 4096,
  reddit: 10_000,
  youtube: 5000,
  tiktok: 2000,
  'tiktok-business': 2200,
  pinterest: 500,
}

function checkTags(tags: unknown): string[] {
  if (!Array.isArray(tags)) return ['tags must be an array']
  return tags.flatMap((tag, index) => {
    const { value, label } = asJson(tag)
    const isTag = typeof value === 'string' && typeof label === 'string'
    return isTag ? [] : [`tags.${index} must have a value and a label`]
  })
}

/** Checks the fields of an entry, and converts its booleans as Postiz does. */
function checkEntry({ channel, value, settings }: Entry, path: string, uploadDomain = ''): string[] {
  const problems = value.length ? [] : [`${path}.value must contain at least 1 elements`]
  for (const [index, { content, image }] of value.entries()) {
    const field = `${path}.value.${index}`
    if (!Array.isArray(image)) problems.push(`${field}.image must be an array`)
    if (typeof content !== 'string') problems.push(`${field}.content must be a string`)
    else if (!content.trim() && !image?.length) {
      problems.push(`${field}. If images do not exist, content must be a non-empty string.`)
    }
    for (const [position, media] of (Array.isArray(image) ? image.map(asJson) : []).entries()) {
      const { id, path, thumbnail } = media
      const item = `${field}.image.${position}`
      if (typeof id !== 'string') problems.push(`${item}.id must be a string`)
      const [file = ''] = typeof path === 'string' ? path.split('?') : []
      const isValid = /\.(png|jpe?g|gif|webp|mp4)$/.test(file) && String(path).includes(uploadDomain)
      if (!isValid) problems.push(`${item}.path must have a valid file extension and domain`)
      const problem = optional(webAddress)(thumbnail)
      if (problem) problems.push(`${item}.thumbnail ${problem}`)
    }
  }
  for (const [name, check] of Object.entries(SETTINGS[channel.identifier] ?? {})) {
    const problem = check(settings[name])
    if (problem) problems.push(`${path}.settings.${name} ${problem}`)
    else if (check === flag) settings[name] = Boolean(settings[name])
  }
  return problems
}

const isVideo = ({ path }: Media) => /\.mp4(\?|$)/.test(path)

/** Checks the media and the length, which Postiz skips for drafts. */
function checkPlatform({ channel, value, settings }: Entry): string | undefined {
  const { identifier, maxLength } = channel
  const image = value[0]?.image ?? []
  const count = image.length
  const videos = image.filter(isVideo).length
  const platform = identifier.replace(/-(standalone|page|business)$/, '')
  if (platform === 'linkedin') {
    if (videos && count > 1) return 'a video must be the only media'
    if (settings.post_as_images_carousel && count < 2) return 'a carousel needs at least 2 images'
    if (value.slice(1).some(({ image }) => image.length)) return 'comments can only contain text'
  }
  if (platform === 'facebook' && settings.post_type === 'story' && !count) return 'a story needs media'
  if (['instagram', 'tiktok', 'pinterest'].includes(platform) && !count)
    return 'at least one media is required'
  if (identifier === 'instagram' && count > 10) return 'at most 10 media are allowed'
  if (platform === 'tiktok' && videos && count > 1) return 'a video must be the only media'
  if (identifier === 'tiktok-business' && count > 35) return 'at most 35 images are allowed'
  if (platform === 'pinterest' && count > 5) return 'at most 5 media are allowed'
  if (platform === 'pinterest' && videos && (videos > 1 || count < 2)) return 'a video needs a cover image'
  if (platform === 'youtube' && (count !== 1 || !videos)) return 'exactly one video is required'
  if (platform === 'reddit') {
    const items = settings.subreddit as { value: { type: string } }[]
    if (items.some((item) => item.value.type === 'media')) {
      if (count !== 1) return 'exactly one media is required'
      if (image.some((media) => isVideo(media) && !media.thumbnail)) return 'a video needs a thumbnail'
    }
  }
  const isLong = value.some(({ content }) => measureText(sanitize(content), identifier) > maxLength)
  return isLong ? 'post is too long, please fix it' : undefined
}

/** Some common entities. As in HTML, the semicolon is optional, so the URL parameter `&copy=` contains one. */
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  para: '¶',
  sect: '§',
  not: '¬',
  times: '×',
  deg: '°',
  curren: '¤',
  yen: '¥',
  cent: '¢',
  pound: '£',
  micro: 'µ',
}
const ENTITY = new RegExp(`&(?:#(\\d+);|#x([\\da-f]+);|(${Object.keys(ENTITIES).join('|')});?)`, 'g')
const TELEGRAM_ENTITY = /&(?:#(\d+);|#x([\da-f]+);|(amp|lt|gt|quot);)/g

const decodeEntities = (text: string, pattern = ENTITY) =>
  text.replace(pattern, (match, decimal, hexadecimal, name) => {
    if (name) return ENTITIES[name] ?? match
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16))
  })

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;')

const KEPT_TAG = /^(p|br|strong|u|a|ul|li|h[123]|span)$/i
const PIECE = /<\/?([a-z][^\s>/]*)[^>]*(?:>|$)|<[!?/][^>]*(?:>|$)|[^<]+|</gi

/** Text without a `<` stays as it is. Otherwise it is HTML, and unknown tags are dropped. */
const sanitize = (content: string): string =>
  content.includes('<')
    ? content.replace(PIECE, (piece, tag) => {
        if (tag) return KEPT_TAG.test(tag) ? piece : ''
        return /^<./.test(piece) ? '' : escapeText(decodeEntities(piece))
      })
    : content

const isHtml = (stored: string) => /<\/?[a-z]/i.test(stored)

/** Returns the text that a platform publishes. X and Telegram decode entities before and after the conversion. */
function renderText(stored: string, identifier: string, posts: PostizPost[]): string {
  const linked = stored.replace(
    /\(post:([^)]+)\)/g,
    (_, id) => posts.find((post) => post.id === id)?.releaseURL ?? '',
  )
  const isTelegram = identifier === 'telegram'
  if (!isHtml(linked)) return isTelegram ? decodeEntities(linked, TELEGRAM_ENTITY) : linked
  if (isTelegram) return decodeEntities(toLines(decodeEntities(linked), true), TELEGRAM_ENTITY)
  if (identifier !== 'x' && /<p\s/.test(linked)) return linked
  const lines = toLines(identifier === 'x' ? decodeEntities(linked) : linked, false)
  return decodeEntities(lines).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\u00a0', ' ')
}

/** On Telegram, a paragraph that contains a newline keeps its tags. */
const toLines = (html: string, isTelegram: boolean) =>
  html
    .replace(/<strong>(.*?)<\/strong>/gs, (_, text) => (isTelegram ? text : toBold(text)))
    .replace(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs, isTelegram ? '$2' : '$1')
    .replace(/<li>(?:<p>)?(.*?)(?:<\/p>)?<\/li>/gs, '- $1\n')
    .replace(isTelegram ? /<(p|h[123])>(.*?)<\/\1>/g : /<(p|h[123])>(.*?)<\/\1>/gs, '$2\n')
    .replace(isTelegram ? /<(?!\/?p\b)[^>]*>/g : /<[^>]*>/g, '')
    .replace(/\n$/, '')

/** Letters of Unicode that look bold. */
const toBold = (text: string) =>
  text.replace(/&\w+;|[a-z]/gi, (match) => {
    if (match.length > 1) return match
    const code = match.charCodeAt(0)
    return String.fromCodePoint(code > 90 ? 0x1d5ee + code - 97 : 0x1d5d4 + code - 65)
  })

/** Plain text counts as its HTML, so an `&` counts 5. */
function measureText(stored: string, identifier: string): number {
  const text = isHtml(stored) ? renderText(stored, identifier, []) : stored
  const length = isHtml(stored) ? text.length : escapeText(stored).length
  return identifier === 'x' ? Math.max(length, weighForX(text)) : length
}

/** Unlike X itself, Postiz counts URLs in full. */
const weighForX = (text: string): number =>
  [...new Intl.Segmenter().segment(text)].reduce((sum, { segment }) => {
    if (/\p{Emoji_Presentation}|\ufe0f/u.test(segment)) return sum + 2
    const lightCharacter = /^[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]$/u
    return (
      sum + [...segment].reduce((weight, character) => weight + (lightCharacter.test(character) ? 1 : 2), 0)
    )
  }, 0)
