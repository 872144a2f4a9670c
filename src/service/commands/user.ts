import { email } from '../checks/fields.ts'
import * as people from '../storage/people.ts'
import { lockMembers } from '../storage/projects.ts'
import type { Row } from '../storage/tables.ts'
import { ROLES, type Role } from '../vocabulary.ts'
import { type Context, command, type Result } from './command.ts'
import { inProject, noteOperator, table } from './operator.ts'

export const addUser = command({
  words: 'user add',
  help: `Lets a person into a project, or changes what they are there. Roles: ${ROLES.join(', ')}.`,
  args: ['email'],
  needs: ['project', 'role'],
  takes: ['first-name', 'last-name', 'phone'],
  async run(context, input) {
    const role = ROLES.find((one) => one === input.role.toUpperCase())
    if (!role) return { fault: `A role is one of ${ROLES.join(', ')}; "${input.role}" is none.` }
    const address = email().safeParse(input.email)
    if (!address.success) return { fault: `"${input.email}" is not an e-mail address.` }
    return inProject(context, input.project, (project) =>
      addOrChange(context, project, { email: address.data, role, names: namesIn(input) }),
    )
  },
})

/** Only what was given: what is left out stays as it is. */
const namesIn = (input: Record<string, string | undefined>) => ({
  ...(input['first-name'] !== undefined && { first_name: input['first-name'] }),
  ...(input['last-name'] !== undefined && { last_name: input['last-name'] }),
  ...(input.phone !== undefined && { phone_number: input.phone }),
})

type Wanted = { email: string; role: Role; names: ReturnType<typeof namesIn> }

async function addOrChange(context: Context, project: Row<'project'>, wanted: Wanted): Promise<Result> {
  const { db } = context
  await lockMembers(db, project.id)
  const person = await people.ensurePerson(db, wanted.email)
  const membership = { project_id: project.id, user_id: person.id }
  const change = { role: wanted.role, status: 'ACTIVE' as const, ...wanted.names }
  const present = await people.findProjectUser(db, membership)
  if (present && (await people.wouldLoseLastAdmin(db, present, change)))
    return { fault: `${person.email} is the last admin of ${project.name}. Make somebody else ADMIN first.` }
  if (present) await people.updateProjectUser(db, membership, change)
  else await people.insertProjectUser(db, { ...membership, ...change })
  const message = `${person.email} is ${wanted.role} in ${project.name}.`
  const action = present ? 'user.updated' : 'user.added'
  await noteOperator(context, { project_id: project.id, action, message, target_id: person.id })
  return message
}

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
