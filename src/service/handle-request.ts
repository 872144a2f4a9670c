import { includesRole } from './allowed-values.ts'
import {
  forbidden,
  notFound,
  type Operation,
  type OperationContext,
  type OperationResponse,
  type RequiredRole,
  unauthorized,
  validationFailed,
} from './operation.ts'
import { inTransaction } from './stores/database.ts'
import { insertLogEntries } from './stores/logs-store.ts'
import { isAdminOfAnyProject } from './stores/people-store.ts'
import type { Db } from './stores/tables.ts'
import { type Caller, findCaller } from './stores/tokens-store.ts'
import { isId, validateFields } from './validation/fields.ts'
import { parseJsonBody } from './validation/json-body.ts'
import type { ValidationError } from './validation/validation-error.ts'

type Credentials = {
  authorization: string | undefined
  project_id: string | undefined
  requiredRole: RequiredRole
}

export async function authorizeRequest(
  db: Db,
  { authorization, project_id, requiredRole }: Credentials,
): Promise<{ caller: Caller } | { errorResponse: OperationResponse }> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (!token) return { errorResponse: unauthorized('Not authenticated') }
  const membership = await findCaller(db, token, project_id && isId(project_id) ? project_id : undefined)
  if (!membership) return { errorResponse: unauthorized('Invalid token') }
  const { role, status, ...caller } = membership

  if (requiredRole === 'NONE') return { caller }
  if (requiredRole === 'ADMIN_OF_ANY_PROJECT') {
    if (await isAdminOfAnyProject(db, caller.user_id)) return { caller }
    return { errorResponse: forbidden('You must be an ADMIN of at least one project to do this.') }
  }
  // Outsiders get the same response for existing and unknown projects, so they can't find out which exist.
  if (!role) return { errorResponse: notFound("This project doesn't exist.") }
  if (status !== 'ACTIVE') return { errorResponse: forbidden(`Your status in this project is ${status}.`) }
  if (!includesRole(role, requiredRole))
    return { errorResponse: forbidden(`This requires the ${requiredRole} role. Your role is ${role}.`) }
  return { caller }
}

/** An authorized request that hasn't been validated. */
export type IncomingRequest = {
  caller: Caller
  contentType: string | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  rawBody: Buffer | undefined
}

/** Validates the request and runs the operation. */
export async function handleRequest(
  operation: Operation,
  request: IncomingRequest,
  db: Db,
  now: Date,
): Promise<OperationResponse> {
  const { caller, params, rawBody = Buffer.alloc(0) } = request
  const { project_id = '' } = params
  if (!Object.values(params).every(isId)) return notFound()

  const query = validateFields(operation.query ?? {}, request.query, 'query')
  const body = validateBody(operation, request)
  if ('errorResponse' in body) return body.errorResponse
  const context = { db, now, caller, project_id, params, rawBody }
  const errors = [...query.errors, ...body.errors]
  if (operation.checkRules && body.fields) {
    const isProvided = (field: string) => Object.hasOwn(body.fields ?? {}, field)
    const ruleContext = { ...context, query: query.values, body: body.values, isProvided }
    errors.push(...(await operation.checkRules(ruleContext)))
  }
  if (errors.length) return validationFailed(errors)

  // Without validation errors, every required value is present.
  const values = { query: query.values, body: body.values } as Pick<OperationContext, 'query' | 'body'>
  const run = (db: Db) => {
    const log: OperationContext['log'] = (entry) =>
      insertLogEntries(db, [
        { ...entry, project_id: project_id || null, actor: caller.email, created_at: now },
      ])
    return operation.run({ ...context, ...values, db, log })
  }
  return operation.method === 'GET'
    ? run(db)
    : inTransaction(db, run, { shouldCommit: ({ status }) => status < 400 })
}

type ValidatedBody = {
  fields?: Record<string, unknown>
  values: Record<string, unknown>
  errors: ValidationError[]
}

function validateBody(
  operation: Operation,
  request: IncomingRequest,
): ValidatedBody | { errorResponse: OperationResponse } {
  if (!operation.body) return { values: {}, errors: [] }
  const body = parseJsonBody(request.contentType, request.rawBody)
  if ('isInvalidUtf8' in body)
    return { errorResponse: { status: 400, detail: 'There was an error parsing the body: invalid UTF-8.' } }
  if ('error' in body) return { values: {}, errors: [body.error] }
  return { fields: body.fields, ...validateFields(operation.body, body.fields, 'body') }
}
