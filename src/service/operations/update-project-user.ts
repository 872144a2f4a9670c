import { ROLES, USER_STATUSES } from '../allowed-values.ts'
import { defineOperation, notFound, ok, validationFailed } from '../operation.ts'
import { projectUserRecord } from '../records.ts'
import * as peopleStore from '../stores/people-store.ts'
import { lockProjectUsers } from '../stores/projects-store.ts'
import { enumField } from '../validation/fields.ts'
import { valueError } from '../validation/validation-error.ts'

export const updateProjectUser = defineOperation({
  id: 'updateProjectUser',
  method: 'PUT',
  path: '/api/v1/projects/{project_id}/users/{user_id}',
  requiredRole: 'ADMIN',
  body: {
    Role: enumField(ROLES).optional(),
    Status: enumField(USER_STATUSES).optional(),
  },
  async run({ db, project_id, params, body, log }) {
    const key = { project_id, user_id: params.user_id ?? '' }
    await lockProjectUsers(db, project_id)
    const user = await peopleStore.findProjectUser(db, key)
    if (!user) return notFound("This user doesn't exist in the project.")

    const role = body.Role ?? user.role
    const status = body.Status ?? user.status
    if (await peopleStore.wouldRemoveLastAdmin(db, user, { role, status })) {
      const [field, value] = role === 'ADMIN' ? ['Status', status] : ['Role', role]
      const reason = 'this is the last admin of the project; make someone else ADMIN first'
      return validationFailed([valueError(['body', field], reason, value)])
    }
    if (role === user.role && status === user.status) return ok(projectUserRecord(user))
    await peopleStore.updateProjectUser(db, key, { role, status })
    const message = `Changed ${user.email} from ${user.role}, ${user.status} to ${role}, ${status}.`
    await log({ action: 'user.updated', message, target_id: user.user_id })
    return ok(projectUserRecord({ ...user, role, status }))
  },
})
