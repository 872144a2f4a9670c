import { invalid, notFound, ok } from '../answer.ts'
import { brokenRule } from '../checks/fault.ts'
import { choice } from '../checks/fields.ts'
import { operation } from '../operation.ts'
import { projectUserRecord } from '../records.ts'
import * as people from '../storage/people.ts'
import { lockMembers } from '../storage/projects.ts'
import { ROLES, USER_STATUSES } from '../vocabulary.ts'

export const updateProjectUser = operation({
  id: 'updateProjectUser',
  method: 'PUT',
  path: '/api/v1/projects/{project_id}/users/{user_id}',
  needs: 'ADMIN',
  body: {
    Role: choice(ROLES).optional(),
    Status: choice(USER_STATUSES).optional(),
  },
  async answer({ db, project_id, params, body, log }) {
    const membership = { project_id, user_id: params.user_id ?? '' }
    await lockMembers(db, project_id)
    const user = await people.findProjectUser(db, membership)
    if (!user) return notFound('The project has no such user.')

    const role = body.Role ?? user.role
    const status = body.Status ?? user.status
    if (await people.wouldLoseLastAdmin(db, user, { role, status })) {
      const [field, value] = role === 'ADMIN' ? ['Status', status] : ['Role', role]
      const reason = 'this is the last admin of the project; make somebody else ADMIN first'
      return invalid([brokenRule(['body', field], reason, value)])
    }
    if (role === user.role && status === user.status) return ok(projectUserRecord(user))
    await people.updateProjectUser(db, membership, { role, status })
    const message = `Changed ${user.email} from ${user.role}, ${user.status} to ${role}, ${status}.`
    await log({ action: 'user.updated', message, target_id: user.user_id })
    return ok(projectUserRecord({ ...user, role, status }))
  },
})
