import { type Answer, forbidden, notFound, unauthorized } from './answer.ts'
import { isId } from './checks/id.ts'
import type { Needs } from './operation.ts'
import { isAdminSomewhere } from './storage/people.ts'
import type { Db } from './storage/tables.ts'
import { type Caller, findCaller } from './storage/tokens.ts'
import { covers } from './vocabulary.ts'

type Request = { authorization: string | undefined; project_id: string | undefined; needs: Needs }

/** Who is calling, if they may; else the answer that they get. */
export async function admit(db: Db, request: Request): Promise<{ caller: Caller } | { refusal: Answer }> {
  const token = /^Bearer +(\S+) *$/i.exec(request.authorization ?? '')?.[1]
  if (!token) return { refusal: unauthorized('Not authenticated') }
  const project =
    request.project_id !== undefined && isId(request.project_id) ? request.project_id : undefined
  const found = await findCaller(db, token, project)
  if (!found) return { refusal: unauthorized('Invalid token') }
  const { role, status, ...caller } = found

  if (request.needs === 'TOKEN') return { caller }
  if (request.needs === 'ADMIN_OF_ANY_PROJECT')
    return (await isAdminSomewhere(db, caller.user_id))
      ? { caller }
      : { refusal: forbidden('This needs the role ADMIN in a project.') }
  // To somebody outside, a project that exists and one that does not look the same.
  if (!role) return { refusal: notFound('There is no such project.') }
  if (status !== 'ACTIVE') return { refusal: forbidden(`Your status in this project is ${status}.`) }
  if (!covers(role, request.needs))
    return { refusal: forbidden(`This needs the role ${request.needs}; yours is ${role}.`) }
  return { caller }
}
