import { MAX_LENGTH, ROLES, USER_STATUSES } from '../allowed-values.ts'
import { created, defineOperation, validationFailed } from '../operation.ts'
import { projectUserRecord } from '../records.ts'
import { findOrCreatePerson, insertProjectUser } from '../stores/people-store.ts'
import { emailField, enumField, textField } from '../validation/fields.ts'
import { valueError } from '../validation/validation-error.ts'

export const inviteUser = defineOperation({
  id: 'addNonPlatformUserToProject',
  method: 'POST',
  path: '/api/v1/projects/{project_id}/users/invite',
  requiredRole: 'ADMIN',
  body: {
    FirstName: textField(MAX_LENGTH.name).optional(),
    LastName: textField(MAX_LENGTH.name).optional(),
    Email: emailField(),
    PhoneNumber: textField(MAX_LENGTH.phoneNumber).optional(),
    Role: enumField(ROLES).default('VIEWER'),
    Status: enumField(USER_STATUSES).default('ACTIVE'),
  },
  async run({ db, now, project_id, body, log }) {
    const person = await findOrCreatePerson(db, body.Email)
    const user = await insertProjectUser(db, {
      project_id,
      created_at: now,
      user_id: person.id,
      first_name: body.FirstName ?? null,
      last_name: body.LastName ?? null,
      phone_number: body.PhoneNumber ?? null,
      role: body.Role,
      status: body.Status,
    })
    if (!user)
      return validationFailed([
        valueError(['body', 'Email'], 'this person is already in the project', body.Email),
      ])
    const message = `Invited ${person.email} as ${user.role}.`
    await log({ action: 'user.invited', message, target_id: person.id })
    return created(projectUserRecord({ ...user, email: person.email }))
  },
})
