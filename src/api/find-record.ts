import { normalizeName } from '../platforms/platform-names.ts'
import {
  type FieldReader,
  type FieldReaders,
  fieldsByName,
  findField,
  joinDateAndTime,
  readField,
  readId,
} from './field-readers.ts'
import { isObject } from './result.ts'
import { canonicalZone, toIsoTimestamp } from './timestamps.ts'

/** Any field may be missing, and `raw` may be any JSON value. */
export type ServiceRecord<Fields extends FieldReaders = FieldReaders> = { Id?: string; raw: unknown } & {
  [F in keyof Fields]?: Fields[F] extends FieldReader<infer T> ? T : never
}

/** `name` is singular, as in `post_id`. Lists are found under its plural. */
export type RecordType = { name: string; fields: Field[]; date?: string | undefined }

/** The field is found under `names`, which are normalized. */
type Field = { name: string; names: string[]; read: FieldReader['read'] }

export const toFields = (readers: FieldReaders): Field[] =>
  Object.entries(readers).map(([name, { synonyms, read }]) => {
    const names = [name, ...synonyms.split(/\s+/).filter(Boolean)].map(normalizeName)
    return { name, names, read }
  })

/** How many levels of wrapping objects are opened. */
const MAX_DEPTH = 3

/** Finds the record with the most fields: the payload itself, or an object or the first item of a list inside it. */
export function findRecord(payload: unknown, type: RecordType, depth = 0): ServiceRecord | undefined {
  if (Array.isArray(payload)) return depth < MAX_DEPTH ? findRecord(payload[0], type, depth + 1) : undefined
  if (!isObject(payload)) return undefined
  const resource = flattenResource(payload)
  const record = readRecord(resource, type)
  if (resource !== payload && (isRecord(record) || countFields(record))) return record
  const wrapped = depth < MAX_DEPTH ? Object.values(payload).filter((value) => typeof value === 'object') : []
  const inner = wrapped.flatMap((value) => findRecord(value, type, depth + 1) ?? [])
  const best = [record, ...inner].reduce((best, other) => (rankOf(other) > rankOf(best) ? other : best))
  if (!rankOf(best)) return undefined
  return best.Id === undefined && record.Id !== undefined ? { ...best, Id: record.Id } : best
}

/** JSON:API keeps the fields of a record in an inner object: `{ type, id, attributes: { … } }`. */
function flattenResource(payload: Record<string, unknown>): Record<string, unknown> {
  const { id, attributes } = payload
  const isResource = isObject(attributes) && (id !== undefined || typeof payload.type === 'string')
  return isResource ? { ...attributes, ...(id !== undefined && { id }) } : payload
}

/** One field alone, such as a message, doesn't make a record. */
const rankOf = (record: ServiceRecord): number =>
  record.Id === undefined && countFields(record) < 2
    ? 0
    : 2 * countFields(record) + (record.Id === undefined ? 0 : 1)

/** Finds a list: the payload itself, a property under a common or any other name, a deeper list, or an object's values. */
export function findItems(payload: unknown, type: RecordType, depth = 0): unknown[] | undefined {
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
  // An object around a list may have an id of its own, so with a list inside, a record needs two known fields.
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
  // An object may map ids to records.
  return entries.length && entries.every(([, value]) => isObject(value))
    ? entries.map(([id, value]) => (readRecord(value, type).Id ? value : { id, ...(value as object) }))
    : undefined
}

const isEmptyValue = (value: unknown): boolean =>
  value === null || (isObject(value) && !Object.keys(value).length)

const TOTAL_NAMES =
  'total totalcount totalitems totalresults totalrecords totaldocs totalelements count'.split(' ')
const NEXT_PAGE_NAMES =
  'hasmore hasmoreitems hasnext hasnextpage next nextpage nextcursor nextpagetoken nextlink nextpageurl'.split(
    ' ',
  )

type Paging = { total: number | undefined; hasMore: boolean | undefined; link: string | undefined }

/** Reads the paging of a list. Each value comes from the first part of the response that has it. */
export function readPaging(parts: unknown[], type: RecordType): Paging {
  const envelopes = parts.flatMap((part) => envelopesOf(part, type))
  const readFirst = <T>(read: (envelope: Map<string, unknown>) => T | undefined) =>
    envelopes.map(read).find((value) => value !== undefined)
  return { total: readFirst(readTotal), hasMore: readFirst(readHasMore), link: readFirst(readNextLink) }
}

/** Services put a list's total and the link to its next page next to the items, or in a separate object such as `meta`. */
function envelopesOf(payload: unknown, type: RecordType, depth = 0): Map<string, unknown>[] {
  if (!isObject(payload)) return []
  const fields = fieldsByName(payload)
  if (depth === 2) return [fields]
  const names = [...ENVELOPE_NAMES, `${type.name}s`]
  return [fields, ...names.flatMap((name) => envelopesOf(fields.get(name), type, depth + 1))]
}

const ENVELOPE_NAMES = ['meta', 'pagination', 'paging', 'page', 'pageinfo', 'links', 'data', 'result']

function readTotal(envelope: Map<string, unknown>): number | undefined {
  const total = TOTAL_NAMES.map((name) => envelope.get(name)).find(isCount)
  if (total === undefined) return undefined
  // TotalIsMore means that the service stopped counting at the total, so there are more records.
  return Number(total) + (envelope.get('totalismore') === true ? 1 : 0)
}

function readHasMore(envelope: Map<string, unknown>): boolean | undefined {
  const markers = NEXT_PAGE_NAMES.filter((name) => envelope.has(name)).map((name) => envelope.get(name))
  if (markers.length) return markers.some(indicatesNextPage)
  return envelope.get('totalismore') === false ? false : undefined
}

const readNextLink = (envelope: Map<string, unknown>): string | undefined =>
  ['next', 'nextlink', 'nextpageurl', 'nextpage', 'nexturl']
    .map((name) => envelope.get(name))
    .map((link) => (isObject(link) ? link.href : link))
    .find((link): link is string => typeof link === 'string' && /^(?:https?:\/\/|[/?])/.test(link))

/** Whether the marker is a flag that is set, or the number, cursor or link of a page. */
const indicatesNextPage = (marker: unknown): boolean =>
  isObject(marker) ? typeof marker.href === 'string' : Boolean(marker)

const isCount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** Distinguishes a record from an object that wraps a record or a list. */
const isRecord = (record: ServiceRecord): boolean => record.Id !== undefined || countFields(record) >= 2

export const countFields = (record: ServiceRecord): number =>
  Object.keys(record).filter((name) => name !== 'Id' && name !== 'raw').length

export function readRecord(item: unknown, type: RecordType): ServiceRecord {
  if (!isObject(item)) return { raw: item }
  const values = fieldsByName(item)
  const Id = readField(values, idNames(type, values), readId)
  const fields = type.fields.map(({ name, names, read }) => [name, readField(values, names, read)])
  const record = Object.fromEntries(
    [['raw', item], ['Id', Id], ...fields].filter(([, value]) => value !== undefined),
  )
  const { date: dateField } = type
  if (!dateField || !record[dateField]) return record
  const zone = record.Timezone ?? findInnerZone(values)
  const Timezone = zone === undefined ? undefined : canonicalZone(zone)
  const date = joinDateAndTime(record[dateField], values)
  return { ...record, ...(Timezone && { Timezone }), [dateField]: toIsoTimestamp(date, Timezone) }
}

/** The date of a record as the service wrote it, before `readRecord` converted it to ISO format. */
export function findWrittenDate(
  record: Record<string, unknown> & ServiceRecord,
  type: RecordType,
): string | undefined {
  const field = type.fields.find(({ name }) => name === type.date)
  const item = findRecord(record.raw, type)?.raw ?? record.raw
  const values = isObject(item) ? fieldsByName(item) : new Map<string, unknown>()
  const value = field && readField(values, field.names, field.read)
  const date = typeof value === 'string' ? joinDateAndTime(value, values) : record[field?.name ?? '']
  return typeof date === 'string' ? date : undefined
}

function idNames({ name }: RecordType, values: Map<string, unknown>): string[] {
  const prefixedIds = [...values.keys()].filter((other) => other.endsWith(`${name}id`))
  return ['id', `${name}id`, 'uuid', 'guid', 'key', 'insertedid', 'createdid', ...prefixedIds, 'slug']
}

/** `read` maps each field that was read to the service's name for it. `unused` lists the service's other field names. */
export type FieldNames = { read: Record<string, string>; unused: string[] }

export function findFieldNames(item: unknown, type: RecordType): FieldNames {
  const record = findRecord(item, type)?.raw ?? item
  if (!isObject(record)) return { read: {}, unused: [] }
  const serviceNames = new Map(
    Object.keys(record)
      .toReversed()
      .map((name) => [normalizeName(name), name]),
  )
  const values = fieldsByName(record)
  const wanted = [{ name: 'Id', names: idNames(type, values), read: readId }, ...type.fields]
  const found = wanted.flatMap(({ name, names, read }) => {
    const ownName = serviceNames.get(findField(values, names, read)?.name ?? '')
    return ownName ? [[name, ownName] as const] : []
  })
  const usedNames = new Set(found.map(([, name]) => name))
  // In JSON:API, the id is outside the attributes.
  const outerId = findRecord(item, type)?.Id === undefined ? {} : { Id: 'id' }
  return {
    read: { ...outerId, ...Object.fromEntries(found) },
    unused: Object.keys(record).filter((name) => record[name] !== null && !usedNames.has(name)),
  }
}

/** Finds a zone inside a value, as in `{ start: { dateTime, timeZone } }` and `{ at: { date, time, tz } }`. */
const findInnerZone = (values: Map<string, unknown>): string | undefined =>
  [...values.values()]
    .map((value) =>
      isObject(value) ? readField(fieldsByName(value), ['timezone', 'tz', 'zone'], readZone) : undefined,
    )
    .find((zone) => zone !== undefined)

const readZone = (value: unknown) => (typeof value === 'string' ? value : undefined)
