import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { toProjectUserRecord } from '../records.ts'
import * as peopleStore from '../stores/people-store.ts'
import { lockProjectUsers } from '../stores/projects-store.ts'
import { notFound, validationFailed, valueError } from '../validation/errors.ts'
import { emailField, textField } from '../validation/fields.ts'
import { ROLES, USER_STATUSES } from '../values.ts'
import { MAX_LENGTH } from './field-lengths.ts'

const inviteUser = defineOperation('POST /api/v1/projects/{project_id}/users/invite', {
  requiredRole: 'ADMIN',
  body: {
    FirstName: textField(MAX_LENGTH.name).optional(),
    LastName: textField(MAX_LENGTH.name).optional(),
    Email: emailField(),
    PhoneNumber: textField(MAX_LENGTH.phoneNumber).optional(),
    Role: z.enum(ROLES).default('VIEWER'),
    Status: z.enum(USER_STATUSES).default('ACTIVE'),
  },
  async run({ db, now, project_id, body, log }) {
    const { id: user_id, email } = await peopleStore.findOrCreatePerson(db, body.Email)
    const user = await peopleStore.insertProjectUser(db, {
      project_id,
      created_at: now,
      user_id,
      first_name: body.FirstName,
      last_name: body.LastName,
      phone_number: body.PhoneNumber,
      role: body.Role,
      status: body.Status,
    })
    if (!user)
      throw validationFailed(valueError('Email', 'this person is already in the project', body.Email))
    await log({ action: 'user.invited', message: `Invited ${email} as ${user.role}.`, target_id: user_id })
    return toProjectUserRecord({ ...user, email })
  },
})

/** The contract's operationId for inviting a user. */
export { inviteUser as addNonPlatformUserToProject }

export const updateProjectUser = defineOperation('PUT /api/v1/projects/{project_id}/users/{user_id}', {
  requiredRole: 'ADMIN',
  changesRoles: true,
  body: { Role: z.enum(ROLES).optional(), Status: z.enum(USER_STATUSES).optional() },
  async run({ db, project_id, params, body, log }) {
    const key = { project_id, user_id: params.user_id ?? '' }
    await lockProjectUsers(db, project_id)
    const user = await peopleStore.findProjectUser(db, key)
    if (!user) throw notFound("This user doesn't exist in the project.")

    const { Role: role = user.role, Status: status = user.status } = body
    if (await peopleStore.wouldRemoveLastAdmin(db, user, { role, status })) {
      const [field, value] = role === 'ADMIN' ? ['Status', status] : ['Role', role]
      const reason = 'this is the last admin of the project; make someone else ADMIN first'
      throw validationFailed(valueError(field, reason, value))
    }
    if (role === user.role && status === user.status) return toProjectUserRecord(user)
    await peopleStore.updateProjectUser(db, key, { role, status })
    const message = `Changed ${user.email} from ${user.role}, ${user.status} to ${role}, ${status}.`
    await log({ action: 'user.updated', message, target_id: user.user_id })
    return toProjectUserRecord({ ...user, role, status })
  },
})
