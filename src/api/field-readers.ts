import { isPlatform, normalizeName, platformCode } from '../platforms/platform-names.ts'
import { isObject } from './result.ts'

/** Reads a field by its name, or by a synonym that a service may use instead. Spaces separate the synonyms. */
export type FieldReader<T = unknown> = { synonyms: string; read: (value: unknown) => T | undefined }
export type FieldReaders = { [field: string]: FieldReader }

export const text = (synonyms = ''): FieldReader<string> => ({ synonyms, read: readText })
export const date = (synonyms: string): FieldReader<string> => ({ synonyms, read: readDate })
export const postStatus = (synonyms: string): FieldReader<string> => ({ synonyms, read: readPostStatus })
export const code = (synonyms = ''): FieldReader<string> => ({ synonyms, read: readCode })
export const platforms = (synonyms: string): FieldReader<string[]> => ({ synonyms, read: readPlatforms })
export const platformTexts = (synonyms = ''): FieldReader<PlatformTexts> => ({ synonyms, read: readTexts })
export const results = (synonyms = ''): FieldReader<PlatformResult[]> => ({ synonyms, read: readResults })

export const readField = <T>(values: Map<string, unknown>, names: string[], read: FieldReader<T>['read']) =>
  findField(values, names, read)?.value

/** Finds the first of the normalized names whose value can be read, and that value. */
export function findField<T>(values: Map<string, unknown>, names: string[], read: FieldReader<T>['read']) {
  for (const name of names) {
    const value = read(values.get(name))
    if (value !== undefined) return { name, value }
  }
  return undefined
}

/** `ScheduleDate`, `scheduleDate` and `schedule_date` are the same field. If a record has several, the first wins. */
export function fieldsByName(record: Record<string, unknown>): Map<string, unknown> {
  const fields = Object.entries(record).map(([name, value]) => [normalizeName(name), value] as const)
  return new Map(fields.reverse())
}

/** A longer id doesn't fit into an option of a Slack menu. */
const MAX_ID_LENGTH = 150

/** Ids become part of request paths, so an empty or structured value isn't an id, except for MongoDB's `{ $oid }`. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && value.trim() && value.length <= MAX_ID_LENGTH) return value.toWellFormed()
  return isObject(value) && typeof value.$oid === 'string' ? value.$oid : undefined
}

/** Some services respond with nothing but an id. Text with spaces is a message, not an id. */
export const readBareId = (payload: unknown): string | undefined =>
  typeof payload === 'number' || (typeof payload === 'string' && /^(?=.*\d)[\w-]+$/.test(payload))
    ? String(payload)
    : undefined

/**
 * Properties that hold the value of a field, as in `Source: { Source: … }`, `Content: { text }`, or an expanded reference
 * such as `Template: { Id, Title }`.
 */
const INNER_NAMES =
  `source value text body content email platform network service channel code name title type url href id date datetime
   iso at seconds numberlong`.split(/\s+/)

function readText(value: unknown, depth = 0): string | undefined {
  // JSON can contain half of a surrogate pair, which Slack rejects.
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return Array.isArray(value[0]) ? undefined : readText(value[0])
  if (!isObject(value)) return undefined
  return readField(fieldsByName(value), INNER_NAMES, (inner) => {
    if (isObject(inner)) return depth ? undefined : readText(inner, depth + 1)
    return typeof inner === 'string' || typeof inner === 'number' ? String(inner).toWellFormed() : undefined
  })
}

/** Also reads a date in an object, as in `{ date: "2026-11-22", time: "09:00" }`. */
function readDate(value: unknown): string | undefined {
  const text = readText(value)
  return text !== undefined && isObject(value) ? joinDateAndTime(text, fieldsByName(value)) : text
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME_OF_DAY = /^\d{2}:\d{2}(?::\d{2})?$/

/** If the text is only a day or only a time of day, takes the missing part from the record's other values. */
export function joinDateAndTime(text: string, values: Map<string, unknown>): string {
  const find = (ending: RegExp, pattern: RegExp) =>
    pattern.test(text)
      ? text
      : [...values].find(([name, value]) => ending.test(name) && pattern.test(String(value)))?.[1]
  if (!DAY.test(text) && !TIME_OF_DAY.test(text)) return text
  const [day, time] = [find(/(?:date|day)$/, DAY), find(/time$/, TIME_OF_DAY)]
  return day && time ? `${day}T${time}` : text
}

/** "scheduled" and "SCHEDULED" are the same status. */
function readCode(value: unknown): string | undefined {
  const code = readText(value)?.toUpperCase()
  // These are statuses of the request, not of the record.
  return code && !/^(?:\d+|OK|SUCCESS|CREATED|TRUE|FALSE)$/.test(code) ? code : undefined
}

const SCHEDULED_SYNONYMS = ['QUEUE', 'QUEUED', 'PENDING', 'UPCOMING']

function readPostStatus(value: unknown): string | undefined {
  const status = readCode(value)
  return status && SCHEDULED_SYNONYMS.includes(status) ? 'SCHEDULED' : status
}

function readPlatforms(value: unknown): string[] | undefined {
  const names = readNames(value)
  return names && [...new Set(names.map(platformCode))]
}

function readNames(value: unknown): string[] | undefined {
  if (typeof value === 'string')
    return value
      .toWellFormed()
      .split(/[\s,;]+/)
      .filter(Boolean)
  // As in `{ linkedin: true, x: { enabled: false } }`.
  if (isObject(value) && Object.values(value).every((setting) => isOn(setting) !== undefined))
    return Object.keys(value)
      .filter((name) => isOn(value[name]))
      .map((name) => name.toWellFormed())
  const items = isObject(value) ? [value] : value
  if (!Array.isArray(items)) return undefined
  return items
    .map(platformOf)
    .map((item) => readText(item))
    .filter((item) => item !== undefined)
}

const PLATFORM_PROPERTIES =
  'platform network service provider provideridentifier channel type key identifier code name'

/** An account has names and an id of its own in addition to the platform. */
function platformOf(item: unknown): unknown {
  if (!isObject(item)) return item
  const readName = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const fields = fieldsByName(item)
  const readPlatform = (value: unknown) => {
    const name = readName(isObject(value) ? readText(value) : value)
    return name && isPlatform(platformCode(name)) ? name : undefined
  }
  return (
    readField(fields, PLATFORM_PROPERTIES.split(' '), readPlatform) ??
    readField(fields, ['provider', 'provideridentifier'], readName) ??
    (fields.has('name') ? undefined : readName(fields.get('type'))) ??
    item
  )
}

function isOn(setting: unknown): boolean | undefined {
  const value = isObject(setting) ? setting.enabled : setting
  return typeof value === 'boolean' ? value : undefined
}

/** A post's title or text on individual platforms, by the platform's code. */
export type PlatformTexts = Record<string, string>

function readTexts(value: unknown): PlatformTexts | undefined {
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).flatMap(([platform, item]) => {
    const text = readText(item)
    return text?.trim() ? [[platformCode(platform), text]] : []
  })
  return texts.length ? Object.fromEntries(texts) : undefined
}

/** The result of publishing a post on one platform. */
export type PlatformResult = {
  Platform: string
  /** NOT_CONNECTED, PUBLISHING, PUBLISHED, UNKNOWN or FAILED. */
  State: string
  Account?: string | undefined
  AccountId?: string | undefined
  Link?: string | undefined
  Error?: string | undefined
  At?: string | undefined
}

function readResults(value: unknown): PlatformResult[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((item) => {
    if (!isObject(item)) return []
    const { Platform, State, Account, AccountId, Link, Error: error, At } = item
    const [platform, state] = [readText(Platform), readCode(State)]
    if (platform === undefined || state === undefined) return []
    return {
      Platform: platformCode(platform),
      State: state,
      Account: readText(Account),
      AccountId: readText(AccountId),
      Link: readText(Link),
      Error: readText(error),
      At: readText(At),
    }
  })
}
