import { ROLES } from '../allowed-values.ts'
import * as peopleStore from '../stores/people-store.ts'
import { lockProjectUsers } from '../stores/projects-store.ts'
import { emailField } from '../validation/fields.ts'
import { defineCommand, formatTable, logOperatorAction, withProject } from './command.ts'

const EMPTY_NAMES = { first_name: null, last_name: null, phone_number: null }

export const addUser = defineCommand({
  name: 'user add',
  help: `Add a user to a project, or change their role. Roles: ${ROLES.join(', ')}.`,
  argumentNames: ['email'],
  requiredOptions: ['project', 'role'],
  optionalOptions: ['first-name', 'last-name', 'phone'],
  async run(context, input) {
    const { db } = context
    const role = ROLES.find((role) => role === input.role.toUpperCase())
    if (!role) return { error: `"${input.role}" isn't a role. Use ${ROLES.join(', ')}.` }
    const { data: email } = emailField().safeParse(input.email)
    if (!email) return { error: `"${input.email}" isn't a valid email address.` }
    return withProject(context, input.project, async (project) => {
      await lockProjectUsers(db, project.id)
      const person = await peopleStore.findOrCreatePerson(db, email)
      const key = { project_id: project.id, user_id: person.id }
      const active = { role, status: 'ACTIVE' as const }
      const names = {
        first_name: input['first-name'],
        last_name: input['last-name'],
        phone_number: input.phone,
      }
      const user = await peopleStore.findProjectUser(db, key)
      if (user && (await peopleStore.wouldRemoveLastAdmin(db, user, active)))
        return {
          error: `${person.email} is the last admin of ${project.name}. Make someone else ADMIN first.`,
        }
      if (!user) await peopleStore.insertProjectUser(db, { ...key, ...active, ...EMPTY_NAMES })
      // Kysely leaves columns unchanged whose value is undefined.
      await peopleStore.updateProjectUser(db, key, { ...active, ...names })
      const message = `${person.email} is now ${role} in ${project.name}.`
      const action = user ? 'user.updated' : 'user.added'
      await logOperatorAction(context, { project_id: project.id, action, message, target_id: person.id })
      return message
    })
  },
})

export const showUsers = defineCommand({
  name: 'user list',
  help: "List a project's users.",
  requiredOptions: ['project'],
  run: (context, input) =>
    withProject(context, input.project, async (project) => {
      const users = await peopleStore.listProjectUsers(context.db, project.id)
      const rows = users.map((user) => [user.user_id, user.email, user.role, user.status])
      return formatTable(rows, `${project.name} has no users yet.`)
    }),
})
