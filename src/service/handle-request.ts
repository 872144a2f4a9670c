import type { Operation, OperationContext, RequestContext } from './operation.ts'
import { readIdempotencyKey, runOnce } from './run-once.ts'
import { insertLogEntries } from './stores/logs-store.ts'
import { isAdminOfAnyProject } from './stores/people-store.ts'
import type { Db } from './stores/tables.ts'
import type { Caller, Membership } from './stores/tokens-store.ts'
import { notFound, RequestError, validationFailed } from './validation/errors.ts'
import { isId, validateFields } from './validation/fields.ts'
import { parseJsonBody } from './validation/json-body.ts'
import { ROLES } from './values.ts'

export const readToken = (authorization = ''): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

export async function authorize(
  db: Db,
  { requiredRole }: Operation,
  membership: Membership,
  { isBot }: { isBot: boolean },
): Promise<Caller> {
  const { role, status, is_bot_only, ...user } = membership
  const caller = { ...user, may_schedule: isBot || !is_bot_only }
  if (requiredRole === 'NONE') return caller
  if (requiredRole === 'ADMIN_OF_ANY_PROJECT') {
    if (await isAdminOfAnyProject(db, caller.user_id)) return caller
    throw new RequestError(403, 'You must be an ADMIN of at least one project to do this.')
  }
  // Outsiders get the same response for existing and unknown projects, so they can't find out which exist.
  if (!role) throw notFound("This project doesn't exist.")
  if (status !== 'ACTIVE')
    throw new RequestError(
      403,
      `Your status in this project is ${status}. Ask one of its admins to make you ACTIVE.`,
    )
  if (ROLES.indexOf(role) < ROLES.indexOf(requiredRole))
    throw new RequestError(403, `This requires the ${requiredRole} role. Your role is ${role}.`)
  return caller
}

/** An authorized request that hasn't been validated. */
type IncomingRequest = Omit<RequestContext, 'project_id'> & {
  contentType: string | undefined
  query: Record<string, unknown>
  idempotencyKey: string | string[] | undefined
}

/** Validates the request and runs the operation, or returns the data of an earlier request with the same key. */
export async function handleRequest(operation: Operation, request: IncomingRequest): Promise<unknown> {
  const { db, now, caller, contentType, params, rawBody, idempotencyKey } = request
  if (!operation.acceptsAnyId && !Object.values(params).every(isId)) throw notFound()
  const key = operation.method === 'POST' ? readIdempotencyKey(idempotencyKey) : undefined
  const fields = operation.body ? parseJsonBody(contentType, rawBody) : {}
  if (key === undefined) return runOperation(operation, request, fields)
  const target = [operation.path, ...Object.values(params)].join(' ')
  return runOnce(db, { key, user_id: caller.user_id, target, body: fields, now }, (db) =>
    runOperation(operation, { ...request, db }, fields),
  )
}

async function runOperation(
  operation: Operation,
  request: IncomingRequest,
  fields: Record<string, unknown>,
): Promise<unknown> {
  const { db, now, caller, request_id } = request
  const { project_id = '' } = request.params
  const query = validateFields(operation.query ?? {}, request.query, 'query')
  const body = validateFields(operation.body ?? {}, fields, 'body')
  const origin = { actor: caller.email, request_id, created_at: now }
  const logWith =
    (db: Db): OperationContext['log'] =>
    (entry) =>
      insertLogEntries(db, [{ ...entry, ...origin, project_id: project_id || null }])
  // Object.assign is faster here than a spread followed by further properties.
  const context = Object.assign({}, request, {
    project_id,
    origin,
    log: logWith(db),
    query: query.values,
    body: body.values,
    isProvided: (field: string) => Object.hasOwn(fields, field),
  })
  const ruleErrors = (await operation.checkRules?.(context)) ?? []
  const errors = [...query.errors, ...body.errors, ...ruleErrors]
  if (errors.length) throw validationFailed(...errors)

  // Without validation errors, every required value is present.
  const validContext = context as typeof context & Pick<OperationContext, 'query' | 'body'>
  const needsTransaction = operation.method !== 'GET' && !operation.skipsTransaction
  if (db.isTransaction || !needsTransaction) return operation.run(validContext)
  return db.transaction().execute((db) => operation.run({ ...validContext, db, log: logWith(db) }))
}
