import { isObject } from './result.ts'
import type { components } from './schema.d.ts'

// The contract does not describe the payload, so these functions read it tolerantly: fields in PascalCase, camelCase or
// snake_case, ids under common names, lists bare or under a key. The result has the contract's field names and strict
// types. `raw` keeps the original.

export type Post = ServiceRecord<components['schemas']['Post']>
export type User = ServiceRecord<components['schemas']['ProjectUserInvitation']>
export type Prompt = ServiceRecord<components['schemas']['Prompt']>
export type Source = ServiceRecord<{ Description: string; Source: string }>
export type Template = ServiceRecord<{ Title: string; Content: string; Description: string }>
export type Project = ServiceRecord<{ Name: string }>
export type Log = ServiceRecord<{
  Message: string
  Level: string
  Action: string
  Actor: string
  CreatedAt: string
}>

/** Any field may be missing, and `raw` may be any JSON value. */
type ServiceRecord<Fields> = { Id?: string } & {
  [F in keyof Fields]?: Exclude<Fields[F], undefined> extends unknown[] ? string[] : string
} & { raw: unknown }

export type Page<T> = {
  items: T[]
  /** How many records the service says there are in all. */
  total?: number | undefined
  hasMore: boolean
}

type RecordType<T> = {
  /** Singular, as in `post_id`; lists are found under its plural. */
  name: string
  fields: { [F in Exclude<keyof T, 'Id' | 'raw'>]-?: FieldReader }
}

type FieldReader = { synonyms: string[]; read: (value: unknown) => unknown }

const text = (...synonyms: string[]): FieldReader => ({ synonyms, read: readText })
const texts = (...synonyms: string[]): FieldReader => ({ synonyms, read: readTexts })

const POST_TYPE: RecordType<Post> = {
  name: 'post',
  fields: {
    Content: text('Text', 'Body', 'Caption'),
    Media: text('MediaUrl', 'MediaUrls', 'Image', 'ImageUrl'),
    TemplateId: text('Template'),
    PromptId: text('Prompt'),
    ScheduleDate: text('ScheduledDate', 'ScheduledAt', 'ScheduledFor', 'ScheduleAt'),
    Timezone: text('TimeZone', 'Tz'),
    Platforms: texts('Platform'),
    Status: text('State'),
  },
}

const USER_TYPE: RecordType<User> = {
  name: 'user',
  fields: {
    FirstName: text('GivenName'),
    LastName: text('FamilyName', 'Surname'),
    Email: text('EmailAddress', 'Mail'),
    PhoneNumber: text('Phone'),
    Role: text(),
    Status: text('State'),
  },
}

const PROMPT_TYPE: RecordType<Prompt> = {
  name: 'prompt',
  fields: { Title: text('Name'), PromptText: text('Prompt', 'Text', 'Content'), Description: text() },
}

const SOURCE_TYPE: RecordType<Source> = {
  name: 'source',
  fields: { Description: text(), Source: text('Value', 'Url', 'Link') },
}

const TEMPLATE_TYPE: RecordType<Template> = {
  name: 'template',
  fields: { Title: text('Name'), Content: text('Text', 'Body', 'TemplateText'), Description: text() },
}

const PROJECT_TYPE: RecordType<Project> = { name: 'project', fields: { Name: text('Title', 'ProjectName') } }

const LOG_TYPE: RecordType<Log> = {
  name: 'log',
  fields: {
    Message: text('Msg', 'Text', 'Description'),
    Level: text('Severity', 'Type'),
    Action: text('Event'),
    Actor: text('User', 'By', 'UserEmail', 'Email'),
    CreatedAt: text('At', 'Date', 'Time', 'Timestamp', 'Created'),
  },
}

export const readPost = (payload: unknown): Post => readOne(payload, POST_TYPE) ?? { raw: payload }
export const readNextPost = (payload: unknown): Post | undefined => readOne(payload, POST_TYPE)
export const readPosts = (payload: unknown): Page<Post> => readList(payload, POST_TYPE)
export const readUser = (payload: unknown): User => readOne(payload, USER_TYPE) ?? { raw: payload }
export const readPrompt = (payload: unknown): Prompt => readOne(payload, PROMPT_TYPE) ?? { raw: payload }
export const readSource = (payload: unknown): Source => readOne(payload, SOURCE_TYPE) ?? { raw: payload }
export const readSources = (payload: unknown): Page<Source> => readList(payload, SOURCE_TYPE)
export const readTemplate = (payload: unknown): Template =>
  readOne(payload, TEMPLATE_TYPE) ?? { raw: payload }
export const readTemplates = (payload: unknown): Page<Template> => readList(payload, TEMPLATE_TYPE)
export const readProjects = (payload: unknown): Page<Project> => readList(payload, PROJECT_TYPE)
export const readLogs = (payload: unknown): Page<Log> => readList(payload, LOG_TYPE)

/** How many levels of wrapping objects are opened. */
const MAX_DEPTH = 3

/** Also finds a record under the name of its type, and as the only item of a list. */
function readOne<T>(payload: unknown, type: RecordType<T>, depth = 0): T | undefined {
  if (payload === null || payload === undefined) return undefined
  if (depth < MAX_DEPTH && Array.isArray(payload))
    return payload.length ? readOne(payload[0], type, depth + 1) : undefined
  if (!isObject(payload)) return readRecord(payload, type)
  const fields = fieldsByName(payload)
  if (isRecord(fields, type)) return readRecord(payload, type)
  if (depth < MAX_DEPTH)
    for (const wrapper of [type.name, 'item', 'record', 'result', 'data']) {
      const inner = fields.get(wrapper)
      if (isObject(inner) || (fields.has(wrapper) && inner === null)) return readOne(inner, type, depth + 1)
    }
  return fields.size ? readRecord(payload, type) : undefined
}

function readList<T>(payload: unknown, type: RecordType<T>): Page<T> {
  const { items, envelope } = findItems(payload, type, 0) ?? { items: [], envelope: payload }
  const fields = isObject(envelope) ? fieldsByName(envelope) : new Map<string, unknown>()
  return {
    items: items.map((item) => readRecord(item, type)),
    total: ['total', 'totalcount', 'totalitems', 'count'].map((name) => fields.get(name)).find(isCount),
    hasMore: ['totalismore', 'hasmore', 'more'].some((name) => fields.get(name) === true),
  }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

type ItemList = { items: unknown[]; envelope: unknown }

/** The list may be the payload, a property with a common or any other name, nested deeper, or an object's values. */
function findItems(payload: unknown, type: RecordType<never>, depth: number): ItemList | undefined {
  if (Array.isArray(payload)) return { items: payload, envelope: undefined }
  if (payload === null || payload === undefined) return undefined
  if (!isObject(payload)) return depth ? undefined : { items: [payload], envelope: undefined }
  const fields = fieldsByName(payload)
  const commonNames = [`${type.name}s`, 'items', 'results', 'data', 'records', 'rows', 'list', type.name]
  const namedLists = commonNames.map((name) => fields.get(name)).filter(Array.isArray)
  const filledList = namedLists.find((list) => list.length)
  if (filledList) return { items: filledList, envelope: payload }
  const lists = Object.values(payload).filter(Array.isArray)
  const listsOfObjects = lists.filter((list) => list.some(isObject))
  // The envelope of a list may carry an id too, but a record has more fields of its type than that.
  if (isRecord(fields, type) && (countFields(fields, type) >= 2 || !listsOfObjects.length))
    return { items: [payload], envelope: undefined }
  if (depth < MAX_DEPTH)
    for (const name of commonNames) {
      const inner = isObject(fields.get(name)) && findItems(fields.get(name), type, depth + 1)
      if (inner) return inner
    }
  if (listsOfObjects.length) return { items: listsOfObjects.flat(), envelope: payload }
  if (lists.length) return { items: namedLists[0] ?? lists.flat(), envelope: payload }
  const values = Object.values(payload)
  return values.length && values.every(isObject) ? { items: values, envelope: undefined } : undefined
}

/** Tells a record from an object that wraps a record or a list. */
const isRecord = (fields: Map<string, unknown>, type: RecordType<never>): boolean =>
  findId(fields, type.name) !== undefined || countFields(fields, type) >= 2

const countFields = (fields: Map<string, unknown>, type: RecordType<never>): number =>
  Object.entries<FieldReader>(type.fields).filter(
    ([name, reader]) => readField(fields, name, reader) !== undefined,
  ).length

function readRecord<T>(item: unknown, type: RecordType<T>): T {
  const record: Record<string, unknown> = { raw: item }
  if (isObject(item)) {
    const fields = fieldsByName(item)
    const id = findId(fields, type.name)
    if (id !== undefined) record.Id = id
    for (const [name, reader] of Object.entries<FieldReader>(type.fields)) {
      const value = readField(fields, name, reader)
      if (value !== undefined) record[name] = value
    }
  }
  // The readers of `type.fields` produce the types of T, which TypeScript cannot follow through Object.entries.
  return record as T
}

const findId = (fields: Map<string, unknown>, typeName: string): string | undefined =>
  ['id', `${typeName}id`, 'uuid', 'key', 'slug']
    .map((name) => readId(fields.get(name)))
    .find((id) => id !== undefined)

function readField(fields: Map<string, unknown>, name: string, { synonyms, read }: FieldReader): unknown {
  for (const synonym of [name, ...synonyms]) {
    const value = read(fields.get(normalizeName(synonym)))
    if (value !== undefined) return value
  }
  return undefined
}

/** `ScheduleDate`, `scheduleDate` and `schedule_date` are the same field. */
const normalizeName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** If two names normalize to the same one, the first wins. */
function fieldsByName(record: Record<string, unknown>): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [key, value] of Object.entries(record)) {
    const name = normalizeName(key)
    if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

/** Ids become part of request paths, so an empty or structured value isn't one. */
function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && value.trim()) return value
  return isObject(value) && typeof value.$oid === 'string' ? value.$oid : undefined
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return Array.isArray(value[0]) ? undefined : readText(value[0])
  if (!isObject(value)) return undefined
  // As in `Source: { Source: … }`, or an expanded reference such as `Template: { Id, Title }`.
  const fields = fieldsByName(value)
  for (const name of ['source', 'value', 'email', 'name', 'title', 'url', 'id', 'date']) {
    const inner = fields.get(name)
    if (typeof inner === 'string' || typeof inner === 'number') return String(inner)
  }
  return undefined
}

function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter(Boolean)
  if (!Array.isArray(value)) return undefined
  return value.map(readText).filter((item) => item !== undefined)
}
