import type { Api, PostList } from '../api/client.ts'
import type { FieldNames } from '../api/find-record.ts'
import { logs, posts, projects, sources, templates } from '../api/records.ts'
import type { ApiFailure, ApiResult } from '../api/result.ts'
import { readTimestamp } from '../api/timestamps.ts'
import { isPlatform } from '../platforms/platform-names.ts'
import type { Runtime } from '../runtime.ts'
import { checkServiceAccess, explainServiceFailure } from '../service-access.ts'
import { type Check, fail, ok, warn } from './check.ts'

type ListedRecord = { raw: unknown }

type RecordReader = { fieldNames: (item: unknown) => FieldNames }

const SAMPLE_SIZE = 20
const MAX_NAMES = 12
const POST_FIELDS = ['Content', 'ScheduleDate', 'Platforms']

/** Reads each list once, and reports the service's name for each field. */
export async function checkService(api: Api, url: string, { now }: Pick<Runtime, 'now'>): Promise<Check[]> {
  const access = await checkServiceAccess(api, url, now())
  if (access.kind !== 'ok') return [fail('service', access.message)]
  const service = ok('service', access.message, ["Write access wasn't tested."])
  const list = await api.projects.list()
  if (list.kind !== 'ok') return [service, toFailedCheck('projects', list)]
  const [project] = list.data.items.filter(({ Id }) => Id)
  const projectsCheck = checkList('projects', list.data.items, projects, ['Id', 'Name'])
  if (!project?.Id)
    return [service, fail('projects', "The token can't see any project. Give its user access to one.")]
  const { Id } = project
  const checks = [
    checkNextPost(api, Id),
    checkLoaded('posts', api.posts.list(Id, { limit: SAMPLE_SIZE }), posts, POST_FIELDS),
    checkLoaded('templates', api.templates.list(Id), templates, ['Id', 'Content']),
    checkLoaded('sources', api.sources.list(Id), sources, ['Id', 'Source']),
    checkLoaded('activity log', api.logs.list(Id), logs, ['CreatedAt']),
  ]
  return [service, projectsCheck, ...(await Promise.all(checks))]
}

async function checkLoaded(
  name: string,
  loading: Promise<ApiResult<{ items: ListedRecord[] }>>,
  reader: RecordReader,
  needed: string[],
): Promise<Check> {
  const result = await loading
  return result.kind === 'ok'
    ? checkList(name, result.data.items, reader, needed)
    : toFailedCheck(name, result)
}

async function checkNextPost(api: Api, project_id: string): Promise<Check> {
  const result = await api.posts.getNext(project_id)
  if (result.kind !== 'ok') return toFailedCheck('next post', result)
  return result.data
    ? checkList('next post', [result.data], posts, POST_FIELDS)
    : ok('next post', 'Nothing is scheduled.')
}

function toFailedCheck(name: string, failure: ApiFailure): Check {
  const { problem, serviceMessage } = explainServiceFailure(failure)
  return fail(name, `The service ${problem}${serviceMessage}`)
}

/** Without the `needed` fields, the records can't be shown or compared. */
function checkList(name: string, items: ListedRecord[], reader: RecordReader, needed: string[]): Check {
  if (!items.length) return ok(name, "The list is empty, so its fields can't be checked.")
  const read = new Map<string, string>()
  const unused = new Set<string>()
  for (const { raw } of items) {
    const names = reader.fieldNames(raw)
    for (const [field, original] of Object.entries(names.read)) read.set(field, original)
    for (const original of names.unused) unused.add(original)
  }
  const fields = [...read].map(([field, original]) =>
    field === original ? field : `${field} from ${quote(original)}`,
  )
  const details = [`Fields read: ${fields.join(', ') || 'none'}.`]
  const unusedNames = [...unused].filter((original) => ![...read.values()].includes(original))
  if (unusedNames.length) details.push(`Not read: ${listNames(unusedNames)}.`)
  const problems = [
    ...needed.filter((field) => !read.has(field)).map((field) => `No field was recognized as ${field}.`),
    ...describeUnknownValues(items),
  ]
  const count = `Records read: ${items.length}.`
  return problems.length ? warn(name, [count, ...problems].join(' '), details) : ok(name, count, details)
}

/** Dates and platforms that Upnext can show, but not understand. */
function describeUnknownValues(items: PostList['items']): string[] {
  const dates = items.flatMap(({ ScheduleDate, Timezone }) =>
    ScheduleDate && !readTimestamp(ScheduleDate, Timezone) ? [ScheduleDate] : [],
  )
  const platforms = items.flatMap(({ Platforms = [] }) => Platforms.filter((name) => !isPlatform(name)))
  return [
    ...(dates.length ? [`Unreadable dates: ${listNames(dates)}.`] : []),
    ...(platforms.length ? [`Unknown platforms: ${listNames(platforms)}.`] : []),
  ]
}

const quote = (name: string): string => JSON.stringify(name)

function listNames(names: string[]): string {
  const distinct = [...new Set(names)]
  const more = distinct.length > MAX_NAMES ? ` and ${distinct.length - MAX_NAMES} more` : ''
  return distinct.slice(0, MAX_NAMES).map(quote).join(', ') + more
}
