import { readUser } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { email, text } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { escaped, said } from '../reply.ts'
import { keepUser, role, status } from '../users-seen.ts'

export const inviteUser = form<components['schemas']['ProjectUserInvitation']>({
  verb: 'invite',
  command: '/invite-user',
  usage: '',
  help: 'Invites somebody into a project. For owners and admins.',
  title: 'Invite someone',
  submit: 'Invite',
  right: 'administer',
  pick: {
    label: 'Somebody of this workspace',
    hint: 'Fills in what Slack knows of them; leave it out for anybody else.',
    isOptional: true,
    fill: async ({ asker, id }) => {
      const { user } = await asker.client.users.info({ user: id })
      const { first_name, last_name, real_name, email, phone } = user?.profile ?? {}
      const { first, last } = namesIn(real_name)
      const known = {
        FirstName: first_name || first,
        LastName: last_name || last,
        Email: email,
        PhoneNumber: phone,
      }
      return { values: Object.fromEntries(Object.entries(known).filter(([, value]) => value)) }
    },
  },
  fields: {
    FirstName: text('First name', { most: 80 }),
    LastName: text('Last name', { most: 80 }).optional(),
    Email: email('E-mail'),
    PhoneNumber: text('Phone', { most: 40 }).optional(),
    Role: role(),
    Status: status().optional(),
  },
  send: (body, { api, project, deadlineMs }) =>
    api.POST('/api/v1/projects/{project_id}/users/invite', {
      params: { path: { project_id: project.Id } },
      body,
      deadlineMs,
    }),
  creates: { idOf: (data) => readUser(data)?.Id },
  keep: keepUser,
  done: (data, { project }) => {
    const user = readUser(data)
    const who = escaped(user?.Email ?? 'They')
    const text = `${who} is invited to ${escaped(project.Name)}${user?.Role ? ` as ${escaped(user.Role.toLowerCase())}` : ''}.`
    return said(text)
  },
  next: () => [
    { action_id: 'invite:open', label: 'Invite another' },
    { action_id: 'user:open', label: 'Change a role' },
  ],
})

/** Not all workspaces ask for first and last names apart. */
function namesIn(real = ''): { first: string | undefined; last: string | undefined } {
  const [first, ...others] = real.trim().split(/\s+/)
  return { first: first || undefined, last: others.join(' ') || undefined }
}
