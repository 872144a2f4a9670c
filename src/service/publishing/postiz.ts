import { z } from 'zod'
import { addMs, type Runtime } from '../../runtime.ts'
import type { Platform } from '../values.ts'
import type { Media } from './fetch-media.ts'
import { type NetworkResponse, sendNetworkRequest, truncate } from './network-request.ts'
import { POSTIZ_SETTINGS, platformOfChannel, toTitle } from './postiz-settings.ts'
import { toPostizText } from './postiz-text.ts'
import type { CheckOutcome, LookupOutcome, Publisher, PublishOutcome, Rejection } from './publisher.ts'

export type PostizOptions = {
  runtime: Pick<Runtime, 'fetch' | 'nodeFetch' | 'now'>
  /** The address of the instance's API, such as https://postiz.example.com/api */
  url: string
  apiKey: string
}

const DAY_MS = 24 * 60 * 60_000
/** Long enough for a video of 100 MB. */
const UPLOAD_TIMEOUT_MS = 2 * 60_000

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  identifier: z.string(),
  disabled: z.boolean(),
})
type Channel = z.output<typeof Channel>

const CreatedPosts = z.array(z.object({ postId: z.string() })).length(1)
const UploadedFile = z.object({ id: z.string(), path: z.string() })
const ListedPosts = z.object({ posts: z.array(z.unknown()) })
const ListedPost = z.object({
  state: z.string(),
  releaseURL: z.string().nullish(),
  settings: z.string().nullish(),
  integration: z.object({ providerIdentifier: z.string(), name: z.string() }),
})
const Notifications = z.object({
  notifications: z.array(z.object({ content: z.string(), createdAt: z.coerce.date() })),
})

const WRONG_KEY =
  'Postiz rejected the API key. Ask the person who runs Upnext to set POSTIZ_API_KEY to a key of its public API.'
const REMOVED_CHANNEL =
  'The channel was removed from Postiz. Connect it there again, and ask the person who runs Upnext to add it to this project.'
const DISABLED_CHANNEL = 'The channel is disabled in Postiz. Enable it there.'

/** A Postiz channel of a platform that Upnext supports. */
export type PostizChannel = { id: string; name: string; platform: Platform }

export type Postiz = Publisher & {
  /** Returns an error message instead if the channels can't be listed. */
  listChannels: () => Promise<PostizChannel[] | string>
}

/** Publishes through the public API of a Postiz instance, which keeps up with the APIs of the networks. */
export function createPostiz({ runtime, url, apiKey }: PostizOptions): Postiz {
  const base = `${url.replace(/\/$/, '')}/public/v1`
  const headers = { authorization: apiKey }
  const get = (path: string) => sendNetworkRequest(runtime, base + path, { headers })
  const post = (path: string, body: Record<string, unknown> | FormData, timeoutMs = 30_000) =>
    sendNetworkRequest(runtime, base + path, { method: 'POST', headers, body, timeoutMs })

  async function getChannels(): Promise<Channel[] | Failure> {
    const response = await get('/integrations')
    return readBody(response, z.array(Channel)) ?? explainResponse(response)
  }

  async function findUsableChannel(id: string): Promise<Channel | Failure> {
    const channels = await getChannels()
    if (!Array.isArray(channels)) return channels
    const channel = channels.find((channel) => channel.id === id)
    if (channel && !channel.disabled) return channel
    const problem = channel ? DISABLED_CHANNEL : REMOVED_CHANNEL
    return { state: 'failed', error: problem, accountProblem: problem }
  }

  async function upload({ file, name }: Media): Promise<z.output<typeof UploadedFile> | Failure> {
    const form = new FormData()
    form.set('file', file, name)
    const response = await post('/upload', form, UPLOAD_TIMEOUT_MS)
    return readBody(response, UploadedFile) ?? explainResponse(response)
  }

  /** Returns Postiz's notification that the network has rejected the channel's post. */
  async function findRejection({ platform, name, since }: RejectedPost): Promise<string | undefined> {
    const list = readBody(await get('/notifications'), Notifications)
    const messages = (list?.notifications ?? [])
      .filter(({ createdAt, content }) => createdAt >= since && namesPlatform(content, platform))
      .map(({ content }) => content)
      .filter((content) => !/has been published/.test(content))
    const [, channel = name] = / for (.+) because /.exec(messages[0] ?? '') ?? []
    return channel === name && messages.every((text) => REJECTION.test(text)) ? messages[0] : undefined
  }

  return {
    // All channels share the rate limit of the API key.
    queueKeyOf: () => 'postiz',
    hasSharedLimit: true,

    async publish(publication, { platform, target, settings }): Promise<PublishOutcome> {
      const { text, title, media, mediaDescription, date, reference } = publication
      if (/\(post:[^)]*\)/.test(text)) return { state: 'failed', error: PLACEHOLDER_IN_TEXT }
      // Postiz also accepts posts for channels that it can't publish on.
      const channel = await findUsableChannel(target)
      if ('state' in channel) return channel
      const uploaded = media && (await upload(media))
      if (uploaded && 'state' in uploaded) return uploaded
      const image = uploaded ? [{ ...uploaded, ...(mediaDescription && { alt: mediaDescription }) }] : []
      const response = await post('/posts', {
        type: 'schedule',
        shortLink: false,
        date: date.toISOString(),
        tags: [],
        posts: [
          {
            integration: { id: target },
            value: [{ content: toPostizText(platform, text), image }],
            settings: {
              ...POSTIZ_SETTINGS[platform].build(settings, {
                title: toTitle(platform, { title, text }),
                hasMedia: Boolean(media),
              }),
              clientRef: reference,
            },
          },
        ],
      })
      const [created] = readBody(response, CreatedPosts) ?? []
      const now = runtime.now()
      if (created) return { state: 'accepted', ...findPause(response, now) }
      return toPublishOutcome(response, now)
    },

    async find({ date, reference, platform, matchesAnyVersion = false }): Promise<LookupOutcome> {
      const [from, to] = [addMs(date, -DAY_MS), addMs(date, DAY_MS)]
      const response = await get(`/posts?startDate=${from.toISOString()}&endDate=${to.toISOString()}`)
      const list = readBody(response, ListedPosts)
      if (!list) return { state: 'unreachable', error: explainResponse(response).error }
      const posts = list.posts.flatMap((post) => ListedPost.safeParse(post).data ?? [])
      const wanted = referencePattern(reference, matchesAnyVersion)
      const matches = posts.filter(({ settings }) => settings && wanted.test(settings))
      const isOut = ({ releaseURL, state }: (typeof posts)[number]) => releaseURL || state === 'PUBLISHED'
      const isCurrent = ({ settings }: (typeof posts)[number]) =>
        settings && referencePattern(reference, false).test(settings)
      // A failure of another version reveals nothing about this one.
      const found =
        matches.find(isOut) ?? matches.find(isCurrent) ?? matches.find(({ state }) => state !== 'ERROR')
      if (!found) return { state: 'absent' }
      // Even after an error, a link means that the post is out.
      if (found.releaseURL) return { state: 'published', link: found.releaseURL }
      if (found.state === 'PUBLISHED') return { state: 'published' }
      if (found.state !== 'ERROR') return { state: 'waiting' }
      // Notifications don't name their post, so one counts only if no other post on the platform has failed.
      const isOnlyError = posts.every(
        (post) =>
          post === found ||
          post.state !== 'ERROR' ||
          platformOfChannel(post.integration.providerIdentifier) !== platform,
      )
      const { name } = found.integration
      const rejection = isOnlyError ? await findRejection({ platform, name, since: date }) : undefined
      return {
        state: 'doubtful',
        error: POSTIZ_ERROR,
        ...(rejection && { rejection: explainRejection(rejection) }),
      }
    },

    async check({ target }): Promise<CheckOutcome> {
      const channel = await findUsableChannel(target)
      if (!('state' in channel)) return { state: 'ok', name: toName(channel), target }
      const problem = channel.state === 'failed' && channel.accountProblem
      return problem ? { state: 'problem', problem } : { state: 'unreachable', error: channel.error }
    },

    async listChannels() {
      const channels = await getChannels()
      if (!Array.isArray(channels))
        return (channels.state === 'failed' && channels.accountProblem) || channels.error
      return channels.flatMap((channel) => {
        const platform = platformOfChannel(channel.identifier)
        return platform && !channel.disabled ? [{ id: channel.id, name: toName(channel), platform }] : []
      })
    },
  }
}

type RejectedPost = { platform: Platform; name: string; since: Date }

/** Outcomes that prove that nothing was published. */
type Failure = Extract<PublishOutcome, { state: 'failed' | 'postponed' }>

const PLACEHOLDER_IN_TEXT = 'remove "(post:…)" from the text, because Postiz would replace it'
const POSTIZ_ERROR = 'Postiz reported an error'

/** "An error occurred while posting on threads: Duplicate content" */
const REJECTION = /An error occurred while posting on|because you need to reconnect it|because it's disabled/

function explainRejection(error: string): Rejection {
  const accountProblem = /need to reconnect it/.test(error)
    ? 'Postiz has lost its access to the channel. Connect it there again.'
    : /because it's disabled/.test(error)
      ? DISABLED_CHANNEL
      : undefined
  return { error: truncate(error), ...(accountProblem && { accountProblem }) }
}

const namesPlatform = (content: string, platform: Platform): boolean =>
  new RegExp(`\\b${platform}\\b`, 'i').test(content)

/** Matches the quoted reference or, with `matchesAnyVersion`, that of any version of its post. */
const referencePattern = (reference: string, matchesAnyVersion: boolean): RegExp =>
  new RegExp(
    `"${matchesAnyVersion ? reference.replace(/(?<=^upnext-[0-9a-f-]{36}-)[^-]+/, '[^"-]+') : reference}"`,
  )

const toName = ({ name }: Channel): string => name.replace(/\s+/g, ' ').trim()

function readBody<T extends z.ZodType>(response: NetworkResponse, schema: T): z.output<T> | undefined {
  if (response.kind !== 'answered' || response.status < 200 || response.status > 299) return undefined
  return schema.safeParse(response.body).data
}

/** Explains the response to a request that doesn't create a post, such as an upload. */
function explainResponse(response: NetworkResponse): Failure {
  if (response.kind !== 'answered') return { state: 'postponed', error: `Postiz ${response.error}` }
  const { status, body } = response
  const error = readError(body) ?? `Postiz responded with ${status}`
  // While its database is down, Postiz responds with 401 and an empty body.
  if (status === 401 && body !== undefined) return { state: 'failed', error, accountProblem: WRONG_KEY }
  const isRejected = [400, 404, 413].includes(status) && body !== undefined
  return { state: isRejected ? 'failed' : 'postponed', error }
}

/** Explains the response to a request to create a post. Only some responses mean that nothing was created. */
function toPublishOutcome(response: NetworkResponse, now: Date): PublishOutcome {
  const failure = explainResponse(response)
  if (response.kind === 'unsent') return failure
  if (response.kind === 'unclear') return { state: 'unknown', error: failure.error }
  const { status, headers } = response
  if (status === 429) {
    const seconds = Number(headers.get('retry-after')) || 3600
    return {
      state: 'postponed',
      error: 'Postiz accepts no more posts this hour',
      until: addMs(now, seconds * 1000),
    }
  }
  return status < 300 || status >= 500 ? { state: 'unknown', error: failure.error } : failure
}

/** A request above the limit would block the key for an hour. */
function findPause(response: NetworkResponse, now: Date): { until?: Date } {
  if (response.kind !== 'answered' || response.headers.get('x-ratelimit-remaining') !== '0') return {}
  const seconds = Number(response.headers.get('x-ratelimit-reset')) || 3600
  return { until: addMs(now, seconds * 1000) }
}

const ErrorBody = z.object({
  message: z.union([z.string(), z.array(z.string())]).optional(),
  msg: z.string().optional(),
})

/** Postiz returns an error in `message`, as a string or a list of strings, or in `msg`. */
function readError(body: unknown): string | undefined {
  const { message, msg } = ErrorBody.safeParse(body).data ?? {}
  const error = Array.isArray(message) ? message.join('; ') : (message ?? msg)
  return error && truncate(error)
}
