import { readUser } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { form } from '../form/form.ts'
import { escaped, said } from '../reply.ts'
import { keepUser, listUsersSeen, role, status } from '../users-seen.ts'

export const updateUser = form<components['schemas']['ProjectUserUpdate']>({
  verb: 'user',
  usage: '',
  help: "Changes somebody's role or status in a project. For owners and admins.",
  title: 'Change a user',
  submit: 'Change',
  right: 'administer',
  pick: {
    label: 'Who',
    hint: 'Those who were invited from here are listed; for anybody else type the id that the service has for them.',
    options: async (look) => {
      const known = await listUsersSeen(look)
      const id = look.typed.trim()
      return id && !known.some(({ value }) => value === id)
        ? [...known, { value: id, label: `The id ${id}` }]
        : known
    },
  },
  fields: {
    Role: role().optional(),
    Status: status().optional(),
  },
  faults: ({ Role, Status }) => (Role || Status ? {} : { Role: 'Choose a role or a status.' }),
  send: (body, { api, project, deadlineMs, picked }) =>
    api.PUT('/api/v1/projects/{project_id}/users/{user_id}', {
      params: { path: { project_id: project.Id, user_id: picked } },
      body,
      deadlineMs,
    }),
  keep: keepUser,
  done: (data, { project }) => {
    const user = readUser(data)
    const now = [user?.Role, user?.Status].filter(Boolean).join(', ').toLowerCase()
    const who = escaped(user?.Email ?? 'They')
    return said(now ? `${who}: ${escaped(now)} in ${escaped(project.Name)} now.` : `${who}: changed.`)
  },
  next: () => [{ action_id: 'user:open', label: 'Change another' }],
})
