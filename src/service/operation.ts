import type { Role } from './allowed-values.ts'
import type { Db } from './stores/tables.ts'
import type { Caller } from './stores/tokens-store.ts'
import type { Fields, FieldValues } from './validation/fields.ts'
import type { ValidationError } from './validation/validation-error.ts'

/** Successes are sent in the contract's envelope, errors as FastAPI sends them. */
export type OperationResponse =
  | { status: 200 | 201; data: unknown }
  | { status: 400 | 401 | 403 | 404; detail: string }
  | { status: 422; detail: ValidationError[] }

export const ok = (data: unknown): OperationResponse => ({ status: 200, data })
export const created = (data: unknown): OperationResponse => ({ status: 201, data })
export const unauthorized = (detail: string): OperationResponse => ({ status: 401, detail })
export const forbidden = (detail: string): OperationResponse => ({ status: 403, detail })
export const notFound = (detail = 'Not Found'): OperationResponse => ({ status: 404, detail })
export const invalid = (errors: ValidationError[]): OperationResponse => ({ status: 422, detail: errors })

/** A role in the project that the path names, a role in any project, or none beyond a valid token. */
export type RequiredRole = Role | 'ADMIN_OF_ANY_PROJECT' | 'NONE'

export type OperationContext<Q extends Fields = Fields, B extends Fields = Fields> = {
  db: Db
  now: Date
  caller: Caller
  /** From the path. Empty if the path has no project. */
  project_id: string
  params: Record<string, string>
  query: FieldValues<Q>
  body: FieldValues<B>
  rawBody: Buffer
  /** Adds an entry with the caller as its actor to the project's activity log. */
  log(entry: { action: string; message: string; target_id?: string }): Promise<void>
}

/** What rules can see: fields that are missing or invalid have no value. */
export type RuleContext<Q extends Fields, B extends Fields> = Omit<
  OperationContext,
  'query' | 'body' | 'log'
> & {
  query: Partial<FieldValues<Q>>
  body: Partial<FieldValues<B>>
  /** Whether the request contains the field, valid or not. */
  isProvided: (field: keyof B) => boolean
}

export type Operation<Q extends Fields = Fields, B extends Fields = Fields> = {
  /** The contract's operationId. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  requiredRole: RequiredRole
  query?: Q
  body?: B
  /** For an operation whose body isn't JSON. */
  maxRawBodyBytes?: number
  /** Finds errors that involve several fields or the database. They are reported together with the fields' errors. */
  checkRules?(context: RuleContext<Q, B>): Promise<ValidationError[]>
  /** Runs in a transaction unless the method is GET. An error response rolls it back. */
  run(context: OperationContext<Q, B>): Promise<OperationResponse>
}

/** Infers the field types for `run` and `checkRules`, and then drops them because the server treats all operations alike. */
export function operation<const Q extends Fields, const B extends Fields>(
  definition: Operation<Q, B>,
): Operation {
  return definition as unknown as Operation
}
