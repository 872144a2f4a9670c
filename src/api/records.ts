import type { components } from './schema.d.ts'

/**
 * The contract does not show what is in `data`, so it is read leniently, once, here: fields in PascalCase, camelCase or
 * snake_case, ids under their usual names, lists bare or under a key. What is handed on has the contract's own field
 * names and strict types; whatever else a record held stays in `raw`.
 */
export type Post = Found<components['schemas']['Post']>
export type User = Found<components['schemas']['ProjectUserInvitation']>
export type Prompt = Found<components['schemas']['Prompt']>
export type Source = Found<{ Description: string; Source: string }>
export type Template = Found<{ Title: string; Content: string; Description: string }>
export type Project = Found<{ Name: string }>
export type Log = Found<{ Message: string; Level: string; Action: string; Actor: string; CreatedAt: string }>

/** A record that somebody else wrote: any field may be missing, and its item may be no object at all. */
type Found<Fields> = { Id?: string } & { [F in keyof Fields]?: Textual<Exclude<Fields[F], undefined>> } & {
  raw: unknown
}
type Textual<T> = T extends unknown[] ? string[] : string

/** `total` where the service says so; `isMore` where it says that there are more than that. */
export type List<T> = { items: T[]; total?: number; isMore: boolean }

type Kind<T> = {
  /** As in `post_id` and `posts`. */
  name: string
  fields: { [F in Exclude<keyof T, 'Id' | 'raw'>]-?: Reader }
}

/** Other names that a field goes by, and how its value is read. */
type Reader = { also: string[]; read: (value: unknown) => unknown }

const text = (...also: string[]): Reader => ({ also, read: readText })
const texts = (...also: string[]): Reader => ({ also, read: readTexts })

const POST: Kind<Post> = {
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

const USER: Kind<User> = {
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

const PROMPT: Kind<Prompt> = {
  name: 'prompt',
  fields: { Title: text('Name'), PromptText: text('Prompt', 'Text', 'Content'), Description: text() },
}

const SOURCE: Kind<Source> = {
  name: 'source',
  fields: { Description: text(), Source: text('Value', 'Url', 'Link') },
}

const TEMPLATE: Kind<Template> = {
  name: 'template',
  fields: { Title: text('Name'), Content: text('Text', 'Body', 'TemplateText'), Description: text() },
}

const PROJECT: Kind<Project> = { name: 'project', fields: { Name: text('Title', 'ProjectName') } }

const LOG: Kind<Log> = {
  name: 'log',
  fields: {
    Message: text('Msg', 'Text', 'Description'),
    Level: text('Severity', 'Type'),
    Action: text('Event'),
    Actor: text('User', 'By', 'UserEmail', 'Email'),
    CreatedAt: text('At', 'Date', 'Time', 'Timestamp', 'Created'),
  },
}

export const readPost = (data: unknown): Post | undefined => readOne(data, POST)
export const readPosts = (data: unknown): List<Post> => readList(data, POST)
export const readUser = (data: unknown): User | undefined => readOne(data, USER)
export const readUsers = (data: unknown): List<User> => readList(data, USER)
export const readPrompt = (data: unknown): Prompt | undefined => readOne(data, PROMPT)
export const readPrompts = (data: unknown): List<Prompt> => readList(data, PROMPT)
export const readSource = (data: unknown): Source | undefined => readOne(data, SOURCE)
export const readSources = (data: unknown): List<Source> => readList(data, SOURCE)
export const readTemplate = (data: unknown): Template | undefined => readOne(data, TEMPLATE)
export const readTemplates = (data: unknown): List<Template> => readList(data, TEMPLATE)
export const readProject = (data: unknown): Project | undefined => readOne(data, PROJECT)
export const readProjects = (data: unknown): List<Project> => readList(data, PROJECT)
export const readLog = (data: unknown): Log | undefined => readOne(data, LOG)
export const readLogs = (data: unknown): List<Log> => readList(data, LOG)

/** How deep a record or a list is looked for, and a text inside a value. */
const DEEPEST = 3

/** The record in `data`, also where it stands under its kind's name or as the only item of a list. */
function readOne<T>(data: unknown, kind: Kind<T>, depth = 0): T | undefined {
  if (data === null || data === undefined) return undefined
  if (depth < DEEPEST && Array.isArray(data))
    return data.length ? readOne(data[0], kind, depth + 1) : undefined
  if (!isObject(data)) return readRecord(data, kind)
  const keys = keysOf(data)
  if (isRecord(keys, kind)) return readRecord(data, kind)
  if (depth < DEEPEST)
    for (const wrapper of [kind.name, 'item', 'record', 'result', 'data']) {
      const inner = keys.get(wrapper)
      if (isObject(inner) || (keys.has(wrapper) && inner === null)) return readOne(inner, kind, depth + 1)
    }
  return Object.keys(data).length ? readRecord(data, kind) : undefined
}

function readList<T>(data: unknown, kind: Kind<T>): List<T> {
  const { items, around } = findItems(data, kind, 0) ?? { items: [], around: data }
  const keys = isObject(around) ? keysOf(around) : new Map<string, unknown>()
  const total = ['total', 'totalcount', 'totalitems', 'count'].map((key) => keys.get(key)).find(isCount)
  const isMore = ['totalismore', 'hasmore', 'more'].some((key) => keys.get(key) === true)
  return { items: items.map((item) => readRecord(item, kind)), ...(total !== undefined && { total }), isMore }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0

type FoundItems = { items: unknown[]; around: unknown }

/** Where in `data` the list is: `data` itself, under a usual name, deeper, under other names, or its values. */
function findItems(data: unknown, kind: Kind<never>, depth: number): FoundItems | undefined {
  if (Array.isArray(data)) return { items: data, around: undefined }
  if (data === null || data === undefined) return undefined
  if (!isObject(data)) return depth ? undefined : { items: [data], around: undefined }
  const keys = keysOf(data)
  const usual = [`${kind.name}s`, 'items', 'results', 'data', 'records', 'rows', 'list', kind.name]
  const named = usual.map((key) => keys.get(key)).filter(Array.isArray)
  const filled = named.find((list) => list.length)
  if (filled) return { items: filled, around: data }
  const lists = Object.values(data).filter(Array.isArray)
  const ofObjects = lists.filter((list) => list.some(isObject))
  // A list may carry an id too; a record of that kind has more than an id.
  if (isRecord(keys, kind) && (fieldsIn(keys, kind) >= 2 || !ofObjects.length))
    return { items: [data], around: undefined }
  if (depth < DEEPEST)
    for (const key of usual) {
      const inner = isObject(keys.get(key)) && findItems(keys.get(key), kind, depth + 1)
      if (inner) return inner
    }
  if (ofObjects.length) return { items: ofObjects.flat(), around: data }
  if (lists.length) return { items: named[0] ?? lists.flat(), around: data }
  const values = Object.values(data)
  return values.length && values.every(isObject) ? { items: values, around: undefined } : undefined
}

/** Whether an object is a record of that kind itself, and not what a record or a list of them is wrapped in. */
const isRecord = (keys: Map<string, unknown>, kind: Kind<never>): boolean =>
  idIn(keys, kind) !== undefined || fieldsIn(keys, kind) >= 2

const fieldsIn = (keys: Map<string, unknown>, kind: Kind<never>): number =>
  Object.entries<Reader>(kind.fields).filter(([name, reader]) => readField(keys, name, reader) !== undefined)
    .length

function readRecord<T>(item: unknown, kind: Kind<T>): T {
  const record: Record<string, unknown> = { raw: item }
  if (isObject(item)) {
    const keys = keysOf(item)
    const id = idIn(keys, kind)
    if (id !== undefined) record.Id = id
    for (const [name, reader] of Object.entries<Reader>(kind.fields)) {
      const value = readField(keys, name, reader)
      if (value !== undefined) record[name] = value
    }
  }
  return record as T
}

const idIn = (keys: Map<string, unknown>, kind: { name: string }): string | undefined =>
  ['id', `${kind.name}id`, 'uuid', 'key', 'slug']
    .map((key) => readId(keys.get(key)))
    .find((id) => id !== undefined)

function readField(keys: Map<string, unknown>, name: string, { also, read }: Reader): unknown {
  for (const key of [name, ...also]) {
    const value = read(keys.get(folded(key)))
    if (value !== undefined) return value
  }
  return undefined
}

const folded = (key: string): string => key.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** The fields by a name in which `ScheduleDate`, `scheduleDate` and `schedule_date` are the same. The first one counts. */
function keysOf(record: Record<string, unknown>): Map<string, unknown> {
  const keys = new Map<string, unknown>()
  for (const [key, value] of Object.entries(record)) if (!keys.has(folded(key))) keys.set(folded(key), value)
  return keys
}

/** Ids are used in paths: what is empty or no plain value cannot be one. */
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
  // As in `Source: { Source: … }`, or a reference that was filled in: `Template: { Id, Title }`.
  const keys = keysOf(value)
  for (const key of ['source', 'value', 'email', 'name', 'title', 'url', 'id', '$date'].map(folded)) {
    const inner = keys.get(key)
    if (typeof inner === 'string' || typeof inner === 'number') return String(inner)
  }
  return undefined
}

function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,;]+/).filter(Boolean)
  if (!Array.isArray(value)) return undefined
  return value.map(readText).filter((one) => one !== undefined)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
