import {
  code,
  date,
  type FieldReader,
  type FieldReaders,
  fieldsByName,
  type PlatformTexts,
  platforms,
  platformTexts,
  postStatus,
  readBareId,
  results,
  text,
} from './field-readers.ts'
import {
  countFields,
  findFieldNames,
  findItems,
  findRecord,
  findWrittenDate,
  readPaging,
  readRecord,
  type ServiceRecord,
  toFields,
} from './find-record.ts'
import { isObject, type SuccessfulResponse } from './result.ts'
import type { components } from './schema.d.ts'

// The contract does not describe the payload, so these functions read it tolerantly. They accept fields under their own
// and other common names, in upper or lower case, and records and lists that are bare or wrapped in other objects. The
// result has the contract's field names and strict types. `raw` keeps the original.

type ContractFields<Name extends keyof components['schemas']> = {
  [Field in keyof components['schemas'][Name]]-?: FieldReader
}

const EXTENSION_FIELDS = {
  MediaDescription: text('AltText'),
  Titles: platformTexts(),
  Texts: platformTexts(),
  Results: results(),
}

export const posts = defineRecord(
  'post',
  {
    Content: text('PostContent Text Body Caption Message PostText Copy'),
    Media: text('MediaUrl MediaUrls Image ImageUrl Images Attachment Attachments Picture Photo Photos'),
    TemplateId: text('Template'),
    PromptId: text('Prompt'),
    ScheduleDate: date(
      `ScheduledDate ScheduledAt ScheduledFor ScheduleAt ScheduledTime ScheduleTime ScheduledOn ScheduledDateTime PublishAt
     PublishDate PublishTime PublishOn PublicationDate PostAt PostDate SendAt RunAt DueAt DateTime Date When Schedule`,
    ),
    Timezone: text('TimeZone Tz TimezoneId TimezoneName IanaTimezone Zone'),
    Platforms: platforms(
      'Platform Channels Channel Networks Network SocialNetworks SocialNetwork Targets Destinations Accounts Provider Providers ProviderIdentifier Integration Integrations',
    ),
    Status: postStatus('State PostStatus'),
    ...EXTENSION_FIELDS,
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

export const accounts = defineRecord('account', {
  Platform: code('Network'),
  Name: text(),
  State: code(),
  Problem: text(),
  CreatedAt: text(),
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

/**
 * The token must go only to the service. Behind a proxy, the service's links may name another origin, so only their
 * query is used.
 */
function resolveLink(link: string, requestUrl: string): string | undefined {
  if (!URL.canParse(link, requestUrl)) return undefined
  const [target, request] = [new URL(link, requestUrl), new URL(requestUrl)]
  if (target.origin === request.origin) return target.href
  request.search = target.search
  return target.search ? request.href : undefined
}

/** Reads the next page from a header such as `Link: <https://service.example/posts?page=2>; rel="next"`. */
const readLinkHeader = (headers: Headers): string | undefined =>
  /<([^<>]+)>\s*;[^,<]*\brel="?next\b/i.exec(headers.get('link') ?? '')?.[1]

/** The request body that creates or replaces a post. */
export type PostBody = components['schemas']['Post'] & {
  MediaDescription?: string | undefined
  Titles?: PlatformTexts | undefined
  Texts?: PlatformTexts | undefined
}
export type Post = ReturnType<typeof posts.read>
export type PartialPost = { [Field in keyof Post]?: Post[Field] | undefined }
export type User = ReturnType<typeof users.read>
export type Prompt = ReturnType<typeof prompts.read>
export type Source = ReturnType<typeof sources.read>
export type Template = ReturnType<typeof templates.read>
export type Account = ReturnType<typeof accounts.read>
export type Project = ReturnType<typeof projects.read>
export type Log = ReturnType<typeof logs.read>

/** `isReadable` is false if the payload isn't a list that these functions understand. */
export type List<T> = {
  items: T[]
  isReadable: boolean
  /** The minimum number of items on all pages together, if the service reports it. */
  total: number | undefined
  /** Whether another page follows, if the service says so. */
  hasMore: boolean | undefined
  /** The address of the next page. */
  next: string | undefined
}

type ListResponse = Pick<SuccessfulResponse, 'body' | 'headers' | 'url'>

/** `date` is the field whose date is converted to ISO format, in the record's time zone. */
function defineRecord<Fields extends FieldReaders>(
  name: string,
  fields: Fields,
  date?: keyof Fields & string,
) {
  const type = { name, fields: toFields(fields), date }
  // The readers of `fields` produce these types, which TypeScript cannot follow through Object.entries.
  const find = (payload: unknown) => findRecord(payload, type) as ServiceRecord<Fields> | undefined
  const readFields = (item: unknown) => readRecord(item, type) as ServiceRecord<Fields>
  return {
    read: (payload: unknown) => find(payload) ?? ({ raw: payload } as ServiceRecord<Fields>),
    readOptional: find,
    /** Reads the response to a request that created or changed a record. Missing fields keep the sent values. */
    readSaved(payload: unknown, sent: object): ServiceRecord<Fields> {
      const isList = Array.isArray(payload) && payload.length !== 1
      const record = isList ? undefined : find(payload)
      // In `{ "message": "Post created" }`, the message isn't the text of the post.
      const isMessage = isObject(record?.raw) && fieldsByName(record.raw).has('message')
      if (record && !(isMessage && countFields(record) === 1)) return { ...readFields(sent), ...record }
      const Id = record?.Id ?? readBareId(payload)
      return { ...readFields(sent), ...(Id && { Id }), raw: payload }
    },
    /** Reads a list. The total and the next page's link may be in the payload, or around it in the body or headers. */
    readList(
      payload: unknown,
      { body, headers, url }: ListResponse = { body: payload, headers: new Headers(), url: '' },
    ): List<ServiceRecord<Fields>> {
      const { total, hasMore, link = readLinkHeader(headers) } = readPaging([payload, body], type)
      const items = findItems(payload, type)
      const isEmpty = payload === null || payload === undefined || payload === ''
      return {
        items: (items ?? []).map((item) => ({ ...(find(item) ?? readFields(item)), raw: item })),
        isReadable: isEmpty || Boolean(items && (!items.length || items.some(isObject))),
        total,
        hasMore: hasMore ?? (link !== undefined || undefined),
        next: link && resolveLink(link, url),
      }
    },
    fieldNames: (item: unknown) => findFieldNames(item, type),
    writtenDate: (record: ServiceRecord<Fields>) => findWrittenDate(record, type),
  }
}
