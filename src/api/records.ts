import { isObject } from './result.ts'
import type { components } from './schema.d.ts'

// The contract does not describe the payload, so these functions read it tolerantly: fields in PascalCase, camelCase or
// snake_case, ids under any of several common names, and lists that are bare or wrapped in an object. The result has
// the contract's field names and strict types. `raw` keeps the original.

type FieldReader<T = unknown> = { synonyms: string[]; read: (value: unknown) => T | undefined }
type FieldReaders = { [field: string]: FieldReader }

type ContractFields<Name extends keyof components['schemas']> = {
  [Field in keyof components['schemas'][Name]]-?: FieldReader
}

const text = (...synonyms: string[]): FieldReader<string> => ({ synonyms, read: readText })
const texts = (...synonyms: string[]): FieldReader<string[]> => ({ synonyms, read: readTexts })

export const posts = defineRecord('post', {
  Content: text('Text', 'Body', 'Caption'),
  Media: text('MediaUrl', 'MediaUrls', 'Image', 'ImageUrl'),
  TemplateId: text('Template'),
  PromptId: text('Prompt'),
  ScheduleDate: text('ScheduledDate', 'ScheduledAt', 'ScheduledFor', 'ScheduleAt'),
  Timezone: text('TimeZone', 'Tz'),
  Platforms: texts('Platform'),
  Status: text('State'),
} satisfies ContractFields<'Post'>)

export const users = defineRecord('user', {
  FirstName: text('GivenName'),
  LastName: text('FamilyName', 'Surname'),
  Email: text('EmailAddress', 'Mail'),
  PhoneNumber: text('Phone'),
  Role: text(),
  Status: text('State'),
} satisfies ContractFields<'ProjectUserInvitation'>)

export const prompts = defineRecord('prompt', {
  Title: text('Name'),
  PromptText: text('Prompt', 'Text', 'Content'),
  Description: text(),
} satisfies ContractFields<'Prompt'>)

export const sources = defineRecord('source', {
  Description: text(),
  Source: text('Value', 'Url', 'Link'),
} satisfies ContractFields<'SourceUpdate'>)

export const templates = defineRecord('template', {
  Title: text('Name'),
  Content: text('Text', 'Body', 'TemplateText'),
  Description: text(),
})

export const projects = defineRecord('project', { Name: text('Title', 'ProjectName') })

export const logs = defineRecord('log', {
  Message: text('Msg', 'Text', 'Description'),
  Level: text('Severity', 'Type'),
  Action: text('Event'),
  Actor: text('User', 'By', 'UserEmail', 'Email'),
  CreatedAt: text('At', 'Date', 'Time', 'Timestamp', 'Created'),
  RequestId: text('CorrelationId'),
})

export type Post = ReturnType<typeof posts.read>
export type User = ReturnType<typeof users.read>
export type Prompt = ReturnType<typeof prompts.read>
export type Source = ReturnType<typeof sources.read>
export type Template = ReturnType<typeof templates.read>
export type Project = ReturnType<typeof projects.read>
export type Log = ReturnType<typeof logs.read>

export type Page<T> = { items: T[]; hasMore: boolean }

/** Any field may be missing, and `raw` may be any JSON value. */
type ServiceRecord<Fields extends FieldReaders = FieldReaders> = { Id?: string; raw: unknown } & {
  [F in keyof Fields]?: Fields[F] extends FieldReader<infer T> ? T : never
}

type RecordReader<Fields extends FieldReaders> = {
  read: (payload: unknown) => ServiceRecord<Fields>
  /** Undefined if the payload contains no record. */
  readOptional: (payload: unknown) => ServiceRecord<Fields> | undefined
  readList: (payload: unknown) => { items: ServiceRecord<Fields>[] }
}

/** `name` is singular, as in `post_id`. Lists are found under its plural. */
type RecordType = { name: string; fields: FieldReaders }

function defineRecord<Fields extends FieldReaders>(name: string, fields: Fields): RecordReader<Fields> {
  const type = { name, fields }
  const reader: RecordReader<FieldReaders> = {
    read: (payload) => findRecord(payload, type) ?? { raw: payload },
    readOptional: (payload) => findRecord(payload, type),
    readList: (payload) => ({ items: findItems(payload, type)?.map((item) => readRecord(item, type)) ?? [] }),
  }
  // The readers of `fields` produce these types, which TypeScript cannot follow through Object.entries.
  return reader as RecordReader<Fields>
}

/** How many levels of wrapping objects are opened. */
const MAX_DEPTH = 3

/** Also finds a record under the name of its type, and as the only item of a list. */
function findRecord(payload: unknown, type: RecordType, depth = 0): ServiceRecord | undefined {
  if (payload === null || payload === undefined) return undefined
  if (depth < MAX_DEPTH && Array.isArray(payload)) return findRecord(payload[0], type, depth + 1)
  const record = readRecord(payload, type)
  if (!isObject(payload) || isRecord(record)) return record
  const fields = fieldsByName(payload)
  if (depth < MAX_DEPTH)
    for (const wrapper of [type.name, 'item', 'record', 'result', 'data']) {
      const inner = fields.get(wrapper)
      if (isObject(inner) || inner === null) return findRecord(inner, type, depth + 1)
    }
  return fields.size ? record : undefined
}

/** The list may be the payload, a property with a common or any other name, nested deeper, or an object's values. */
function findItems(payload: unknown, type: RecordType, depth = 0): unknown[] | undefined {
  if (Array.isArray(payload)) return payload
  if (payload === null || payload === undefined) return undefined
  if (!isObject(payload)) return depth ? undefined : [payload]
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
    for (const name of commonNames) {
      const inner = isObject(fields.get(name)) && findItems(fields.get(name), type, depth + 1)
      if (inner) return inner
    }
  if (listsOfObjects.length) return listsOfObjects.flat()
  if (lists.length) return namedLists[0] ?? lists.flat()
  const values = Object.values(payload)
  return values.length && values.every(isObject) ? values : undefined
}

/** Tells a record from an object that wraps a record or a list. */
const isRecord = (record: ServiceRecord): boolean => record.Id !== undefined || countFields(record) >= 2

const countFields = (record: ServiceRecord): number =>
  Object.keys(record).filter((name) => name !== 'Id' && name !== 'raw').length

function readRecord(item: unknown, type: RecordType): ServiceRecord {
  if (!isObject(item)) return { raw: item }
  const values = fieldsByName(item)
  const Id = readField(values, ['id', `${type.name}id`, 'uuid', 'key', 'slug'], readId)
  const fields = Object.entries(type.fields).map(([name, { synonyms, read }]) => [
    name,
    readField(values, [name, ...synonyms], read),
  ])
  return Object.fromEntries([['raw', item], ['Id', Id], ...fields].filter(([, value]) => value !== undefined))
}

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
  const names = ['source', 'value', 'email', 'name', 'title', 'url', 'id', 'date']
  return readField(fieldsByName(value), names, (inner) =>
    typeof inner === 'string' || typeof inner === 'number' ? String(inner) : undefined,
  )
}

function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter(Boolean)
  if (!Array.isArray(value)) return undefined
  return value.map(readText).filter((item) => item !== undefined)
}
