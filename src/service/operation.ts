import type { FormatDate } from './date-format.ts'
import type { Publishers } from './publishing/publisher.ts'
import type { ChangeEntry } from './stores/logs-store.ts'
import type { Db } from './stores/tables.ts'
import type { Caller } from './stores/tokens-store.ts'
import type { ValidationError } from './validation/errors.ts'
import type { FieldSchemas, FieldValues } from './validation/fields.ts'
import type { ProjectRole } from './values.ts'

/** The role that the caller needs in the project named in the path. NONE only requires a valid token. */
type RequiredRole = ProjectRole | 'ADMIN_OF_ANY_PROJECT' | 'NONE'

export type RequestContext = {
  db: Db
  now: Date
  caller: Caller
  /** The project in the path, or an empty string if the path has none. */
  project_id: string
  params: Record<string, string>
  rawBody: Buffer
  request_id: string
  formatDate: FormatDate
  /** The If-Match header: the version that a change is based on. */
  ifMatch: string | undefined
  newId: () => string
  publishers: Publishers
  requireAccounts: boolean
}

export type OperationContext<
  Q extends FieldSchemas = FieldSchemas,
  B extends FieldSchemas = FieldSchemas,
> = RequestContext & {
  query: FieldValues<Q>
  body: FieldValues<B>
  /** Who sent the request and when, for the activity log. */
  origin: Pick<ChangeEntry, 'actor' | 'request_id' | 'created_at'>
  /** Adds an entry with this origin to the log. */
  log(entry: { action: string; message: string; target_id?: string }): Promise<void>
}

/** Rules also run if fields are missing or invalid. Those fields have no value. */
export type RuleContext<Q extends FieldSchemas, B extends FieldSchemas> = RequestContext & {
  query: Partial<FieldValues<Q>>
  body: Partial<FieldValues<B>>
  /** Whether the request contains the field, valid or not. */
  isProvided: (field: keyof B) => boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type OperationDefinition<Q extends FieldSchemas, B extends FieldSchemas> = {
  requiredRole: RequiredRole
  query?: Q
  body?: B
  /** The size limit for an operation whose body isn't JSON. */
  maxRawBodyBytes?: number
  /** Finds errors that involve several fields or the database. */
  checkRules?(context: RuleContext<Q, B>): Promise<ValidationError[]>
  /** Whether the operation changes what users may do. */
  changesRoles?: true
  /** Whether a single statement makes the change, so that it needs no transaction. */
  skipsTransaction?: true
  /** A POST operation that creates no record. */
  createsNothing?: true
  /** Whether the ids in the path may be something other than UUIDs. */
  acceptsAnyId?: true
  /** Returns the response's data. Changes run in a transaction, unless `skipsTransaction` is set. An error rolls it back. */
  run(context: OperationContext<Q, B>): Promise<unknown>
}

export type Operation = OperationDefinition<FieldSchemas, FieldSchemas> & { method: Method; path: string }

/** Gives `run` and `checkRules` the types of their fields. The result has the same type for all operations. */
export function defineOperation<const Q extends FieldSchemas, const B extends FieldSchemas>(
  route: `${Method} /${string}`,
  definition: OperationDefinition<Q, B>,
): Operation {
  const [method, path] = route.split(' ')
  return { method, path, ...definition } as unknown as Operation
}
