import { email } from '../checks/fields.ts'
import * as people from '../storage/people.ts'
import { ROLES } from '../vocabulary.ts'
import { command } from './command.ts'
import { inProject, noteOperator, table } from './operator.ts'

export const addUser = command({
  words: 'user add',
  help: `Lets a person into a project, or changes their role there: ${ROLES.join(', ')}.`,
  args: ['email'],
  needs: ['project', 'role'],
  takes: ['first-name', 'last-name', 'phone'],
  async run(context, input) {
    const { db } = context
    const role = ROLES.find((one) => one === input.role.toUpperCase())
    if (!role) return { fault: `A role is one of ${ROLES.join(', ')}; "${input.role}" is none.` }
    const address = email().safeParse(input.email)
    if (!address.success) return { fault: `"${input.email}" is not an e-mail address.` }
    return inProject(context, input.project, async (project) => {
      const person = await people.ensurePerson(db, address.data)
      const user = { project_id: project.id, user_id: person.id, role, status: 'ACTIVE' as const }
      const added = await people.insertProjectUser(db, {
        ...user,
        first_name: input['first-name'] ?? null,
        last_name: input['last-name'] ?? null,
        phone_number: input.phone ?? null,
      })
      if (!added) await people.updateProjectUser(db, user, { role, status: 'ACTIVE' })
      const message = `${person.email} is ${role} in ${project.name}.`
      await noteOperator(context, {
        project_id: project.id,
        action: 'user.added',
        message,
        target_id: person.id,
      })
      return message
    })
  },
})

export const showUsers = command({
  words: 'user list',
  help: 'Shows the people of a project.',
  needs: ['project'],
  run: (context, input) =>
    inProject(context, input.project, async (project) => {
      const users = await people.listProjectUsers(context.db, project.id)
      const rows = users.map((user) => [user.user_id, user.email, user.role, user.status])
      return table(rows, `Nobody belongs to ${project.name} yet.`)
    }),
})
