import type { Answer } from './answer.ts'
import type { Shape, ValuesOf } from './checks/check.ts'
import type { Fault } from './checks/fault.ts'
import type { Db } from './storage/tables.ts'
import type { Caller } from './storage/tokens.ts'
import type { Role } from './vocabulary.ts'

/** What the caller must be: somebody with a token, an admin of any project, or that role in the project named. */
export type Needs = 'TOKEN' | 'ADMIN_OF_ANY_PROJECT' | Role

export type Call<Q extends Shape = Shape, B extends Shape = Shape> = {
  db: Db
  now: Date
  caller: Caller
  /** From the path; the empty string where the path names no project. */
  project_id: string
  params: Record<string, string>
  query: ValuesOf<Q>
  body: ValuesOf<B>
  rawBody: Buffer
  /** Notes in the project's log what the caller did. */
  log(entry: { action: string; message: string; target_id?: string }): Promise<void>
}

/** While rules look at a request, any of its fields may be absent or at fault already. */
export type DoubtfulCall<Q extends Shape, B extends Shape> = Omit<Call, 'query' | 'body' | 'log'> & {
  query: Partial<ValuesOf<Q>>
  body: Partial<ValuesOf<B>>
  /** Whether the field was given at all, rightly or wrongly. */
  has: (field: keyof B) => boolean
}

export type Operation<Q extends Shape = Shape, B extends Shape = Shape> = {
  /** The operationId in the contract; method and path are as there. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  needs: Needs
  query?: Q
  body?: B
  /** In bytes, where the operation takes a body that is not JSON. */
  rawBodyLimit?: number
  /** Faults that no field shows alone. They are told together with those of the fields. */
  rules?(call: DoubtfulCall<Q, B>): Fault[] | Promise<Fault[]>
  /** Runs in one transaction where it can change anything; a refusal takes everything back. */
  answer(call: Call<Q, B>): Promise<Answer>
}

/** Lets the compiler infer the fields, and then forget them: the server treats all operations alike. */
export function operation<const Q extends Shape, const B extends Shape>(
  definition: Operation<Q, B>,
): Operation {
  return definition as unknown as Operation
}
