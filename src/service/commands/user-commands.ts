import * as peopleStore from '../stores/people-store.ts'
import { lockProjectUsers } from '../stores/projects-store.ts'
import { emailField } from '../validation/fields.ts'
import { ROLES } from '../values.ts'
import { defineCommand, formatTable } from './command.ts'

export const addUser = defineCommand({
  usage: 'user add <email> --project <project> --role <role>',
  optionalOptions: ['first-name', 'last-name', 'phone'],
  help: `Add a user to a project, or change their role. Roles: ${ROLES.join(', ')}.`,
  async run({ db, log, project: { id: project_id, name } }, input) {
    const role = ROLES.find((role) => role === input.role.toUpperCase())
    if (!role) throw new Error(`"${input.role}" isn't a role. Use ${ROLES.join(', ')}.`)
    const { data: email } = emailField().safeParse(input.email)
    if (!email) throw new Error(`"${input.email}" isn't a valid email address.`)
    const person = await peopleStore.findOrCreatePerson(db, email)
    await lockProjectUsers(db, project_id)
    const key = { project_id, user_id: person.id }
    // Kysely doesn't change columns whose value is undefined.
    const details = {
      role,
      status: 'ACTIVE' as const,
      first_name: input['first-name'],
      last_name: input['last-name'],
      phone_number: input.phone,
    }
    const user = await peopleStore.findProjectUser(db, key)
    if (user && (await peopleStore.wouldRemoveLastAdmin(db, user, details)))
      throw new Error(`${person.email} is the last admin of ${name}. Make someone else ADMIN first.`)
    if (user) await peopleStore.updateProjectUser(db, key, details)
    else await peopleStore.insertProjectUser(db, { ...key, ...details })
    const again = user?.status === 'INACTIVE' ? ', and active again' : ''
    const message = `${person.email} is now ${role} in ${name}${again}.`
    const action = user ? 'user.updated' : 'user.added'
    await log({ action, message, target_id: person.id })
    return message
  },
})

export const listUsers = defineCommand({
  usage: 'user list --project <project>',
  help: "List a project's users.",
  async run({ db, project }) {
    const users = await peopleStore.listProjectUsers(db, project.id)
    const rows = users.map((user) => [user.user_id, user.email, user.role, user.status])
    return formatTable(rows, `${project.name} has no users yet.`)
  },
})

export const removeUser = defineCommand({
  usage: 'user remove <email> --project <project>',
  help: 'Remove a user from a project. Their tokens lose access to it.',
  async run({ db, log, project: { id: project_id, name } }, input) {
    await lockProjectUsers(db, project_id)
    const person = await peopleStore.findPerson(db, input.email)
    const user = person && (await peopleStore.findProjectUser(db, { project_id, user_id: person.id }))
    if (!user) throw new Error(`${name} has no user ${input.email}. Run "user list" to see its users.`)
    if (await peopleStore.wouldRemoveLastAdmin(db, user, { role: user.role, status: 'INACTIVE' }))
      throw new Error(`${user.email} is the last admin of ${name}. Make someone else ADMIN first.`)
    await peopleStore.deleteProjectUser(db, user)
    const message = `${user.email} is no longer a user of ${name}.`
    await log({ action: 'user.removed', message, target_id: user.user_id })
    return message
  },
})
