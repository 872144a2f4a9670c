import type { Role } from './allowed-values.ts'
import type { Db } from './stores/tables.ts'
import type { Caller } from './stores/tokens-store.ts'
import type { Fields, FieldValues } from './validation/fields.ts'
import type { ValidationError } from './validation/request-error.ts'

/** The role that the caller needs in the project of the path. NONE only requires a valid token. */
export type RequiredRole = Role | 'ADMIN_OF_ANY_PROJECT' | 'NONE'

export type OperationContext<Q extends Fields = Fields, B extends Fields = Fields> = {
  db: Db
  now: Date
  caller: Caller
  /** The project in the path, or an empty string if the path has none. */
  project_id: string
  params: Record<string, string>
  query: FieldValues<Q>
  body: FieldValues<B>
  rawBody: Buffer
  /** Adds an entry with the caller as its actor to the project's activity log. */
  log(entry: { action: string; message: string; target_id?: string }): Promise<void>
}

/** Rules also run if fields are missing or invalid. Those fields have no value. */
export type RuleContext<Q extends Fields, B extends Fields> = Omit<
  OperationContext,
  'query' | 'body' | 'log'
> & {
  query: Partial<FieldValues<Q>>
  body: Partial<FieldValues<B>>
  /** Whether the request contains the field, valid or not. */
  isProvided: (field: keyof B) => boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type OperationDefinition<Q extends Fields, B extends Fields> = {
  /** The contract's operationId. */
  id: string
  requiredRole: RequiredRole
  query?: Q
  body?: B
  /** The size limit for an operation whose body isn't JSON. */
  maxRawBodyBytes?: number
  /** Finds errors that involve several fields or the database. */
  checkRules?(context: RuleContext<Q, B>): Promise<ValidationError[]>
  /**
   * Returns the `data` of the response, or throws a RequestError. Runs in a transaction unless the method is
   * GET, and an error rolls it back.
   */
  run(context: OperationContext<Q, B>): Promise<unknown>
}

export type Operation = OperationDefinition<Fields, Fields> & { method: Method; path: string }

/** Infers the field types for `run` and `checkRules`. The server then treats all operations alike. */
export function defineOperation<const Q extends Fields, const B extends Fields>(
  route: `${Method} /${string}`,
  definition: OperationDefinition<Q, B>,
): Operation {
  const [method, path] = route.split(' ')
  return { method, path, ...definition } as unknown as Operation
}
