import { type Answer, invalid, notFound } from './answer.ts'
import { checkFields } from './checks/check.ts'
import type { Fault } from './checks/fault.ts'
import { isId } from './checks/id.ts'
import { readJsonBody } from './checks/json-body.ts'
import type { Call, Operation } from './operation.ts'
import { writeLog } from './storage/logs.ts'
import type { Db } from './storage/tables.ts'
import type { Caller } from './storage/tokens.ts'
import { inTransaction } from './storage/transaction.ts'

/** A request whose caller has been let in, and of which nothing else is known. */
export type Request = {
  caller: Caller
  contentType: string | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  rawBody: Buffer | undefined
}

/** The way of every request once its caller is let in: is it well-formed, then the operation's own answer. */
export async function perform(operation: Operation, request: Request, db: Db, now: Date): Promise<Answer> {
  const { caller, params, rawBody = Buffer.alloc(0) } = request
  const { project_id = '' } = params
  if (!Object.values(params).every(isId)) return notFound()

  const query = checkFields(operation.query ?? {}, request.query, 'query')
  const body = readFields(operation, request)
  if ('unreadable' in body) return body.unreadable
  const context = { db, now, caller, project_id, params, rawBody }
  const faults = [...query.faults, ...body.faults]
  if (operation.rules && body.given) {
    const given = body.given
    const has = (field: string) => Object.hasOwn(given, field)
    faults.push(...(await operation.rules({ ...context, query: query.values, body: body.values, has })))
  }
  if (faults.length) return invalid(faults)

  // No fault was found, so nothing is missing.
  const values = { query: query.values, body: body.values } as Pick<Call, 'query' | 'body'>
  const answer = (db: Db) => operation.answer({ ...context, ...values, db, log: logFor({ ...context, db }) })
  return operation.method === 'GET' ? answer(db) : inTransaction(db, answer, isRefusal)
}

const isRefusal = ({ status }: Answer) => status >= 400

type Fields = { given?: Record<string, unknown>; values: Record<string, unknown>; faults: Fault[] }

function readFields(operation: Operation, request: Request): Fields | { unreadable: Answer } {
  if (!operation.body) return { values: {}, faults: [] }
  const read = readJsonBody(request.contentType, request.rawBody)
  if ('notText' in read)
    return { unreadable: { status: 400, detail: 'There was an error parsing the body: it is not UTF-8.' } }
  if ('fault' in read) return { values: {}, faults: [read.fault] }
  return { given: read.fields, ...checkFields(operation.body, read.fields, 'body') }
}

const logFor =
  ({ db, now, caller, project_id }: Pick<Call, 'db' | 'now' | 'caller' | 'project_id'>): Call['log'] =>
  (entry) =>
    writeLog(db, [{ ...entry, project_id: project_id || null, actor: caller.email, created_at: now }])
