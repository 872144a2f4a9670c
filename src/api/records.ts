import { platformCode } from '../platforms/platform-names.ts'
import { isObject } from './result.ts'
import type { components } from './schema.d.ts'
import { toIsoTimestamp } from './timestamps.ts'

// The contract does not describe the payload, so these functions read it tolerantly: fields under their own and other
// common names, in any case, and records and lists that are bare or wrapped in other objects. The result has the
// contract's field names and strict types. `raw` keeps the original.

type FieldReader<T = unknown> = { synonyms: string[]; read: (value: unknown) => T | undefined }
type FieldReaders = { [field: string]: FieldReader }

const asList = (words: string): string[] => words.split(/\s+/).filter(Boolean)

type ContractFields<Name extends keyof components['schemas']> = {
  [Field in keyof components['schemas'][Name]]-?: FieldReader
}

const text = (synonyms = ''): FieldReader<string> => ({ synonyms: asList(synonyms), read: readText })
const code = (synonyms = ''): FieldReader<string> => ({ synonyms: asList(synonyms), read: readCode })
const platforms = (synonyms: string): FieldReader<string[]> => ({
  synonyms: asList(synonyms),
  read: readPlatforms,
})

export const posts = defineRecord(
  'post',
  {
    Content: text('PostContent Text Body Caption Message PostText Copy'),
    Media: text('MediaUrl MediaUrls Image ImageUrl Images Attachment Attachments Picture Photo Photos'),
    TemplateId: text('Template'),
    PromptId: text('Prompt'),
    ScheduleDate: text(
      `ScheduledDate ScheduledAt ScheduledFor ScheduleAt ScheduledTime ScheduleTime ScheduledOn ScheduledDateTime PublishAt
     PublishDate PublishTime PublishOn PublicationDate PostAt PostDate SendAt RunAt DueAt DateTime Date When Schedule`,
    ),
    Timezone: text('TimeZone Tz TimezoneId TimezoneName IanaTimezone Zone'),
    Platforms: platforms(
      'Platform Channels Channel Networks Network SocialNetworks SocialNetwork Targets Destinations Accounts',
    ),
    Status: code('State PostStatus'),
  } satisfies ContractFields<'Post'>,
  'ScheduleDate',
)

export const users = defineRecord('user', {
  FirstName: text('GivenName First Forename'),
  LastName: text('FamilyName Surname Last'),
  Email: text('EmailAddress Mail'),
  PhoneNumber: text('Phone Mobile Telephone'),
  Role: code('Roles UserRole Permission AccessLevel'),
  Status: code('State'),
} satisfies ContractFields<'ProjectUserInvitation'>)

export const prompts = defineRecord('prompt', {
  Title: text('Name Label Subject Headline'),
  PromptText: text('Prompt Text Content Body Instructions'),
  Description: text('Summary Notes'),
} satisfies ContractFields<'Prompt'>)

export const sources = defineRecord('source', {
  Description: text('Summary Notes'),
  Source: text('Value Url Link Href Uri Address'),
} satisfies ContractFields<'SourceUpdate'>)

export const templates = defineRecord('template', {
  Title: text('Name Label Subject Headline'),
  Content: text('Text Body TemplateText'),
  Description: text('Summary Notes'),
})

export const projects = defineRecord('project', { Name: text('Title ProjectName Label DisplayName') })

export const logs = defineRecord(
  'log',
  {
    Message: text('Msg Text Description Summary Details'),
    Level: text('Severity LogLevel Type'),
    Action: text('Event Operation EventType'),
    Actor: text('User By UserEmail Email Author PerformedBy CreatedBy UserName'),
    CreatedAt: text('At Date Time Timestamp Created CreatedOn LoggedAt OccurredAt DateTime Ts'),
    RequestId: text('CorrelationId'),
  },
  'CreatedAt',
)

export type Post = ReturnType<typeof posts.read>
export type User = ReturnType<typeof users.read>
export type Prompt = ReturnType<typeof prompts.read>
export type Source = ReturnType<typeof sources.read>
export type Template = ReturnType<typeof templates.read>
export type Project = ReturnType<typeof projects.read>
export type Log = ReturnType<typeof logs.read>

/** `isReadable` is false if the payload is no list that these functions understand. */
export type List<T> = { items: T[]; isReadable: boolean; total: number | undefined }

/** Any field may be missing, and `raw` may be any JSON value. */
type ServiceRecord<Fields extends FieldReaders = FieldReaders> = { Id?: string; raw: unknown } & {
  [F in keyof Fields]?: Fields[F] extends FieldReader<infer T> ? T : never
}

type RecordReader<Fields extends FieldReaders> = {
  read: (payload: unknown) => ServiceRecord<Fields>
  /** Undefined if the payload contains no record. */
  readOptional: (payload: unknown) => ServiceRecord<Fields> | undefined
  /** Reads the response to a request that created or changed a record. What the response lacks is as it was sent. */
  readSent: (payload: unknown, sent: object) => ServiceRecord<Fields>
  readList: (payload: unknown) => List<ServiceRecord<Fields>>
}

/** `name` is singular, as in `post_id`. Lists are found under its plural. */
type RecordType = { name: string; fields: FieldReaders; date?: string | undefined }

/** `date` is the field whose date is brought into ISO format, in the record's time zone. */
function defineRecord<Fields extends FieldReaders>(
  name: string,
  fields: Fields,
  date?: keyof Fields & string,
): RecordReader<Fields> {
  const type = { name, fields, date }
  const readOptional = (payload: unknown) => findRecord(payload, type)
  const reader: RecordReader<FieldReaders> = {
    read: (payload) => readOptional(payload) ?? { raw: payload },
    readOptional,
    readSent(payload, sent) {
      const isList = Array.isArray(payload) && payload.length !== 1
      const record = isList ? undefined : readOptional(payload)
      const sentRecord = readRecord(sent, type)
      // "Post created" isn't the text of the post.
      const isMessage = isObject(record?.raw) && fieldsByName(record.raw).has('message')
      if (record && !(isMessage && countFields(record) === 1)) return { ...sentRecord, ...record }
      const Id = record?.Id ?? readBareId(payload)
      return { ...sentRecord, ...(Id && { Id }), raw: payload }
    },
    readList(payload) {
      const items = findItems(payload, type)
      const isEmpty = payload === null || payload === undefined || payload === ''
      return {
        items: (items ?? []).map((item) => ({
          ...(findRecord(item, type) ?? readRecord(item, type)),
          raw: item,
        })),
        isReadable: isEmpty || Boolean(items && (!items.length || items.some(isObject))),
        total: readTotal(payload, type),
      }
    },
  }
  // The readers of `fields` produce these types, which TypeScript cannot follow through Object.entries.
  return reader as RecordReader<Fields>
}

/** How many levels of wrapping objects are opened. */
const MAX_DEPTH = 3

/** Finds the record with the most fields: the payload, or an object or the first item of a list in it. */
function findRecord(payload: unknown, type: RecordType, depth = 0): ServiceRecord | undefined {
  if (Array.isArray(payload)) return depth < MAX_DEPTH ? findRecord(payload[0], type, depth + 1) : undefined
  if (!isObject(payload)) return undefined
  const record = readRecord(payload, type)
  const wrapped = depth < MAX_DEPTH ? Object.values(payload).filter((value) => typeof value === 'object') : []
  const inner = wrapped.flatMap((value) => findRecord(value, type, depth + 1) ?? [])
  const best = [record, ...inner].reduce((best, other) => (rankOf(other) > rankOf(best) ? other : best))
  if (!rankOf(best)) return undefined
  // As in JSON:API: `{ id, attributes: { … } }`.
  return best.Id === undefined && record.Id !== undefined ? { ...best, Id: record.Id } : best
}

/** One field alone, such as a message, doesn't make a record. */
const rankOf = (record: ServiceRecord): number =>
  record.Id === undefined && countFields(record) < 2
    ? 0
    : 2 * countFields(record) + (record.Id === undefined ? 0 : 1)

/** The list may be the payload, a property with a common or any other name, nested deeper, or an object's values. */
function findItems(payload: unknown, type: RecordType, depth = 0): unknown[] | undefined {
  if (Array.isArray(payload)) return payload
  if (!isObject(payload)) return undefined
  const fields = fieldsByName(payload)
  const commonNames = [`${type.name}s`, 'items', 'results', 'data', 'records', 'rows', 'list', type.name]
  const namedLists = commonNames.map((name) => fields.get(name)).filter(Array.isArray)
  const filledList = namedLists.find((list) => list.length)
  if (filledList) return filledList
  const lists = Object.values(payload).filter(Array.isArray)
  const listsOfObjects = lists.filter((list) => list.some(isObject))
  const record = readRecord(payload, type)
  // The envelope of a list may carry an id too, but a record has more fields of its type than that.
  if (listsOfObjects.length ? countFields(record) >= 2 : isRecord(record)) return [payload]
  if (depth < MAX_DEPTH)
    for (const name of [...commonNames, 'page', 'result', 'response', 'payload', 'embedded']) {
      const inner = isObject(fields.get(name)) && findItems(fields.get(name), type, depth + 1)
      if (inner) return inner
    }
  if (listsOfObjects.length) return listsOfObjects.flat()
  if (lists.length) return namedLists[0] ?? lists.flat()
  if (commonNames.some((name) => isEmptyValue(fields.get(name)))) return []
  const entries = Object.entries(payload)
  // The ids may be the names of the properties.
  return entries.length && entries.every(([, value]) => isObject(value))
    ? entries.map(([id, value]) => (readRecord(value, type).Id ? value : { id, ...(value as object) }))
    : undefined
}

const isEmptyValue = (value: unknown): boolean =>
  value === null || (isObject(value) && !Object.keys(value).length)

const TOTALS = 'total totalcount totalitems totalresults totalrecords totaldocs totalelements count'.split(
  ' ',
)

/** How many items there are on all pages, if the service says so. */
function readTotal(payload: unknown, type: RecordType, depth = 0): number | undefined {
  if (!isObject(payload)) return undefined
  const fields = fieldsByName(payload)
  const total = TOTALS.map((name) => fields.get(name)).find(isCount)
  if (total !== undefined || depth === 2) return total === undefined ? undefined : Number(total)
  const envelopes = ['meta', 'pagination', 'paging', 'page', 'data', 'result', `${type.name}s`]
  return envelopes
    .map((name) => readTotal(fields.get(name), type, depth + 1))
    .find((value) => value !== undefined)
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** Tells a record from an object that wraps a record or a list. */
const isRecord = (record: ServiceRecord): boolean => record.Id !== undefined || countFields(record) >= 2

const countFields = (record: ServiceRecord): number =>
  Object.keys(record).filter((name) => name !== 'Id' && name !== 'raw').length

function readRecord(item: unknown, type: RecordType): ServiceRecord {
  if (!isObject(item)) return { raw: item }
  const values = fieldsByName(item)
  const prefixedIds = [...values.keys()].filter((name) => name.endsWith(`${type.name}id`))
  const Id = readField(
    values,
    ['id', `${type.name}id`, 'uuid', 'guid', 'key', 'slug', 'insertedid', 'createdid', ...prefixedIds],
    readId,
  )
  const fields = Object.entries(type.fields).map(([name, { synonyms, read }]) => [
    name,
    readField(values, [name, ...synonyms], read),
  ])
  const record = Object.fromEntries(
    [['raw', item], ['Id', Id], ...fields].filter(([, value]) => value !== undefined),
  )
  const { date: name } = type
  if (!name || !record[name]) return record
  const Timezone = record.Timezone ?? findInnerZone(values)
  return { ...record, ...(Timezone && { Timezone }), [name]: toIsoTimestamp(record[name], Timezone) }
}

/** As in `{ start: { dateTime, timeZone } }`. */
const findInnerZone = (values: Map<string, unknown>): string | undefined =>
  [...values.values()]
    .flatMap((value) => (isObject(value) ? (fieldsByName(value).get('timezone') ?? []) : []))
    .find((zone) => typeof zone === 'string')

function readField<T>(values: Map<string, unknown>, names: string[], read: FieldReader<T>['read']) {
  return names.map((name) => read(values.get(normalizeName(name)))).find((value) => value !== undefined)
}

/** `ScheduleDate`, `scheduleDate` and `schedule_date` are the same field. */
const normalizeName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** If two names normalize to the same one, the first wins. */
function fieldsByName(record: Record<string, unknown>): Map<string, unknown> {
  const fields = Object.entries(record).map(([name, value]) => [normalizeName(name), value] as const)
  return new Map(fields.reverse())
}

/** An option of a Slack menu can't carry a longer one. */
const MAX_ID_LENGTH = 150

/** Ids become part of request paths, so an empty or structured value isn't one. */
function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && value.trim() && value.length <= MAX_ID_LENGTH) return value
  return isObject(value) && typeof value.$oid === 'string' ? value.$oid : undefined
}

/** Some services answer with nothing but the id. A message has spaces. */
const readBareId = (payload: unknown): string | undefined =>
  typeof payload === 'number' || (typeof payload === 'string' && /^(?=.*\d)[\w-]+$/.test(payload))
    ? String(payload)
    : undefined

/** As in `Source: { Source: … }`, `Content: { text }`, or an expanded reference such as `Template: { Id, Title }`. */
const INNER_NAMES =
  `source value text body content email platform network service channel code name title type url href id date datetime
   iso at seconds numberlong`.split(/\s+/)

function readText(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return Array.isArray(value[0]) ? undefined : readText(value[0])
  if (!isObject(value)) return undefined
  return readField(fieldsByName(value), INNER_NAMES, (inner) => {
    if (isObject(inner)) return depth ? undefined : readText(inner, depth + 1)
    return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : undefined
  })
}

/** "scheduled" and "SCHEDULED" are the same status. */
function readCode(value: unknown): string | undefined {
  const code = readText(value)?.toUpperCase()
  // The status of the request, not of the record.
  return code && !/^(?:\d+|OK|SUCCESS|CREATED|TRUE|FALSE)$/.test(code) ? code : undefined
}

function readPlatforms(value: unknown): string[] | undefined {
  const names = readTexts(Array.isArray(value) ? value.map(platformOf) : value)
  return names && [...new Set(names.map(platformCode))]
}

/** An account has an id of its own beside the platform. */
const platformOf = (item: unknown): unknown =>
  isObject(item) && !('name' in item) && typeof item.type === 'string' ? item.type : item

function isOn(setting: unknown): boolean | undefined {
  const value = isObject(setting) ? setting.enabled : setting
  return typeof value === 'boolean' ? value : undefined
}

function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter(Boolean)
  // As in `{ linkedin: true, x: { enabled: false } }`.
  if (isObject(value) && Object.values(value).every((setting) => isOn(setting) !== undefined))
    return Object.keys(value).filter((name) => isOn(value[name]))
  const items = isObject(value) ? [value] : value
  if (!Array.isArray(items)) return undefined
  return items.map(readText).filter((item) => item !== undefined)
}
