import type { Api, PostList } from '../api/client.ts'
import { type FieldNames, logs, posts, projects, sources, templates } from '../api/records.ts'
import type { ApiFailure, ApiResult } from '../api/result.ts'
import { readTimestamp } from '../api/timestamps.ts'
import { isPlatform } from '../platforms/platform-names.ts'
import { type Poller, type PollerOptions, startPoller } from '../poller.ts'
import { type Check, fail, ok, warn } from './check.ts'

export type ServiceAccess =
  | { kind: 'ok'; message: string }
  /** The settings are wrong, so trying again doesn't help. */
  | { kind: 'refused'; message: string }
  | { kind: 'no answer'; message: string }

/** Checks the URL and the token with one request. */
export async function checkServiceAccess(api: Api, url: string): Promise<ServiceAccess> {
  const result = await api.projects.list({ deadlineMs: ACCESS_TIMEOUT_MS })
  if (result.kind === 'ok') return { kind: 'ok', message: `${url} answers and accepts the token.` }
  const explanation = explainFailure(result)
  const isRefused =
    ['unauthorized', 'forbidden', 'not-found', 'rejected', 'invalid'].includes(result.kind) ||
    (result.kind === 'unclear' && result.cause === 'unreadable')
  return { kind: isRefused ? 'refused' : 'no answer', message: `${url} ${explanation}` }
}

const ACCESS_TIMEOUT_MS = 5000

const RETRY_INTERVAL_MS = 10_000

type ReportOptions = Pick<PollerOptions, 'log' | 'runtime'> & { api: Api; url: string }

/** Prints that the service answers as soon as it does. Until then, every request tries again by itself. */
export function reportWhenServiceAnswers({ api, url, ...options }: ReportOptions): Poller {
  const poller = startPoller({
    ...options,
    name: 'Checking the scheduling service',
    intervalMs: RETRY_INTERVAL_MS,
    async task() {
      const access = await checkServiceAccess(api, url)
      if (access.kind === 'no answer') return false
      console.log(`service   ${access.message}`)
      void poller.stop()
      return false
    },
  })
  return poller
}

const NOT_AN_API = 'API_BASE_URL must be the address of the scheduling service, up to where /api/v1 begins.'

function explainFailure(failure: ApiFailure): string {
  const { message = '' } = failure as { message?: string }
  const said = message && ` It said: ${message}`
  switch (failure.kind) {
    case 'unauthorized':
      return `refused the token. Set API_TOKEN to a valid token.${said}`
    case 'forbidden':
      return `doesn't give the token access. Use the token of an account that can see the projects.${said}`
    case 'not-found':
      return `has no such page (status 404). ${NOT_AN_API}${said}`
    case 'rejected':
      return `answered with status ${failure.status}. ${NOT_AN_API}${said}`
    case 'invalid':
      return `rejected the request (status 422). ${NOT_AN_API}${said}`
    case 'unsuccessful':
      return `reported that the request failed.${said}`
    case 'rate-limited':
      return 'gets too many requests. Try again in a minute.'
    case 'server-error':
      return `has a problem (status ${failure.status}). Check the service.${said}`
    case 'unclear':
      return failure.cause === 'unreadable'
        ? `sent a response that can't be read. ${NOT_AN_API}`
        : "didn't answer in time. Check the service and the network."
    case 'unreachable':
      return "can't be reached. Check that the service is running, and the network."
  }
}

type ListedRecord = { raw: unknown }

type RecordReader = { fieldNames: (item: unknown) => FieldNames }

type ListCheck = {
  name: string
  load: (api: Api, project_id: string) => Promise<ApiResult<{ items: ListedRecord[] }>>
  reader: RecordReader
  /** Without these, the records can't be shown or compared. */
  needed: string[]
}

const SAMPLE_SIZE = 20
const MAX_NAMES = 12

const LISTS: ListCheck[] = [
  {
    name: 'posts',
    load: (api, id) => api.posts.list(id, { limit: SAMPLE_SIZE }),
    reader: posts,
    needed: ['Content', 'ScheduleDate', 'Platforms'],
  },
  {
    name: 'templates',
    load: (api, id) => api.templates.list(id),
    reader: templates,
    needed: ['Id', 'Content'],
  },
  { name: 'sources', load: (api, id) => api.sources.list(id), reader: sources, needed: ['Id', 'Source'] },
  { name: 'activity log', load: (api, id) => api.logs.list(id), reader: logs, needed: ['CreatedAt'] },
]

/** Reads each list once and says how its fields were read. */
export async function checkService(api: Api, url: string): Promise<Check[]> {
  const access = await checkServiceAccess(api, url)
  if (access.kind !== 'ok') return [fail('service', access.message)]
  const service = ok('service', access.message, [
    'Only reading was tried. What the token may change shows in use.',
  ])
  const list = await api.projects.list()
  if (list.kind !== 'ok') return [service, fail('projects', explainFailure(list))]
  const [project] = list.data.items.filter(({ Id }) => Id)
  const projectsCheck = describeList('projects', list.data.items, projects, ['Id', 'Name'])
  if (!project?.Id)
    return [service, fail('projects', "The token can't see any project. Give its account access to one.")]
  const { Id } = project
  const checks = LISTS.map(async ({ name, load, reader, needed }) => {
    const result = await load(api, Id)
    if (result.kind !== 'ok') return fail(name, `This list ${explainFailure(result)}`)
    return describeList(name, result.data.items, reader, needed)
  })
  return [service, projectsCheck, await checkNextPost(api, Id), ...(await Promise.all(checks))]
}

async function checkNextPost(api: Api, project_id: string): Promise<Check> {
  const result = await api.posts.getNext(project_id)
  if (result.kind !== 'ok') return fail('next post', `It ${explainFailure(result)}`)
  return result.data
    ? describeList('next post', [result.data], posts, ['Content', 'ScheduleDate', 'Platforms'])
    : ok('next post', 'Nothing is scheduled.')
}

function describeList(name: string, items: ListedRecord[], reader: RecordReader, needed: string[]): Check {
  if (!items.length) return ok(name, "It's empty, so its fields can't be checked.")
  const read = new Map<string, string>()
  const unread = new Set<string>()
  for (const { raw } of items) {
    const names = reader.fieldNames(raw)
    for (const [field, original] of Object.entries(names.read)) read.set(field, original)
    for (const original of names.unread) unread.add(original)
  }
  const fields = [...read].map(([field, original]) =>
    field === original ? field : `${field} from ${quote(original)}`,
  )
  const details = [`Read: ${fields.join(', ') || 'nothing'}.`]
  const unreadNames = [...unread].filter((original) => ![...read.values()].includes(original))
  if (unreadNames.length) details.push(`Not read: ${listNames(unreadNames)}.`)
  const problems = [
    ...needed.filter((field) => !read.has(field)).map((field) => `None has a field that reads as ${field}.`),
    ...findUnreadValues(items),
  ]
  const count = `${items.length} read.`
  return problems.length ? warn(name, [count, ...problems].join(' '), details) : ok(name, count, details)
}

/** Dates and platforms that Upnext can show, but not understand. */
function findUnreadValues(items: PostList['items']): string[] {
  const dates = items.flatMap(({ ScheduleDate, Timezone }) =>
    ScheduleDate && !readTimestamp(ScheduleDate, Timezone) ? [ScheduleDate] : [],
  )
  const platforms = items.flatMap(({ Platforms = [] }) => Platforms.filter((name) => !isPlatform(name)))
  return [
    ...(dates.length ? [`Not a date: ${listNames(dates)}.`] : []),
    ...(platforms.length ? [`Unknown platforms: ${listNames(platforms)}.`] : []),
  ]
}

const quote = (name: string): string => JSON.stringify(name)

function listNames(names: string[]): string {
  const distinct = [...new Set(names)]
  const more = distinct.length > MAX_NAMES ? ` and ${distinct.length - MAX_NAMES} more` : ''
  return distinct.slice(0, MAX_NAMES).map(quote).join(', ') + more
}
