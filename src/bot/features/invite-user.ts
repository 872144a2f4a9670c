import { readUser } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { choice, email, text } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { context, escaped, section } from '../reply.ts'
import { keepUser } from './update-user.ts'

export const inviteUser = form<components['schemas']['ProjectUserInvitation']>({
  verb: 'invite',
  command: '/invite-user',
  usage: '',
  help: 'Invites somebody into a project. For owners and admins.',
  title: 'Invite someone',
  submit: 'Invite',
  right: 'administer',
  fields: {
    FirstName: text('First name', { most: 80 }),
    LastName: text('Last name', { most: 80 }).optional(),
    Email: email('E-mail'),
    PhoneNumber: text('Phone', { most: 40 }).optional(),
    Role: choice('Role', { VIEWER: 'Viewer', EDITOR: 'Editor', ADMIN: 'Admin' }),
    Status: choice('Status', { ACTIVE: 'Active', INACTIVE: 'Inactive' }).optional(),
  },
  send: (body, { api, project, deadlineMs }) =>
    api.POST('/api/v1/projects/{project_id}/users/invite', {
      params: { path: { project_id: project.Id } },
      body,
      deadlineMs,
    }),
  keep: keepUser,
  done: (data, { project }) => {
    const user = readUser(data)
    const who = escaped(user?.Email ?? 'They')
    const text = `${who} is invited to ${escaped(project.Name)}${user?.Role ? ` as ${escaped(user.Role.toLowerCase())}` : ''}.`
    return { text, blocks: [section(text), context('`/invite-user` invites the next one.')] }
  },
})
