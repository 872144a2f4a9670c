import { created, invalid } from '../answer.ts'
import { brokenRule } from '../checks/fault.ts'
import { choice, email, text } from '../checks/fields.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { projectUserRecord } from '../records.ts'
import { ensurePerson, insertProjectUser } from '../storage/people.ts'
import { ROLES, USER_STATUSES } from '../vocabulary.ts'

export const inviteUser = operation({
  id: 'addNonPlatformUserToProject',
  method: 'POST',
  path: '/api/v1/projects/{project_id}/users/invite',
  needs: 'ADMIN',
  body: {
    FirstName: text(LIMITS.name).optional(),
    LastName: text(LIMITS.name).optional(),
    Email: email(),
    PhoneNumber: text(LIMITS.phoneNumber).optional(),
    Role: choice(ROLES).default('VIEWER'),
    Status: choice(USER_STATUSES).default('ACTIVE'),
  },
  async answer({ db, now, project_id, body, log }) {
    const person = await ensurePerson(db, body.Email)
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
      return invalid([
        brokenRule(['body', 'Email'], 'this person belongs to the project already', body.Email),
      ])
    const message = `Invited ${person.email} as ${user.role}.`
    await log({ action: 'user.invited', message, target_id: person.id })
    return created(projectUserRecord({ ...user, email: person.email }))
  },
})
