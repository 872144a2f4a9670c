import type { User } from '../../../api/records.ts'
import type { components } from '../../../api/schema.d.ts'
import { optional } from '../../forms/field.ts'
import { emailField, textField } from '../../forms/fields.ts'
import { defineForm } from '../../forms/open-form.ts'
import { toOutcome } from '../../forms/outcome.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { rememberAcceptedValues, rememberUser, roleField, statusField } from './known-users.ts'

export const inviteUser = defineForm<components['schemas']['ProjectUserInvitation'], User>({
  verb: 'invite',
  command: '/invite-user',
  help: 'Invite someone to a project. For owners and admins.',
  title: 'Invite someone',
  submitLabel: 'Invite',
  permission: 'admin',
  recordSelect: {
    label: 'Workspace member',
    hint: 'Fills in the name, email and phone number from Slack.',
    isOptional: true,
    fills: ['FirstName', 'LastName', 'Email', 'PhoneNumber'],
    prefill: async ({ actor, id }) => {
      const { user } = await actor.client.users.info({ user: id })
      const { first_name, last_name, real_name, email, phone } = user?.profile ?? {}
      const name = splitName(real_name)
      const values = {
        FirstName: first_name || name.first,
        LastName: last_name || name.last,
        Email: email,
        PhoneNumber: phone,
      }
      return { values: Object.fromEntries(Object.entries(values).filter(([, value]) => value)) }
    },
  },
  fields: {
    FirstName: textField('First name', { maxLength: 80 }),
    LastName: optional(textField('Last name', { maxLength: 80 })),
    Email: emailField('Email'),
    PhoneNumber: optional(textField('Phone', { maxLength: 40 })),
    Role: roleField(),
    Status: optional(statusField()),
  },
  send: async (body, context) => {
    const { bot, actor, project, deadline } = context
    const { request_id } = actor
    const result = await bot.api.users.invite(project.Id, body, { deadline, request_id })
    await rememberAcceptedValues(result, body, context)
    return toOutcome(result)
  },
  creation: {},
  followUp: rememberUser,
  successReply: ({ Email, Role }, { project }) => {
    const role = Role ? ` as ${escapeText(Role.toLowerCase())}` : ''
    return textReply(`Invited ${escapeText(Email ?? 'the user')} to ${escapeText(project.Name)}${role}.`)
  },
  nextActions: (_user, { Id: value }) => [
    { action_id: 'invite:open', label: 'Invite another', value },
    { action_id: 'user:open', label: 'Change a role', value },
  ],
})

/** Some workspaces have no separate fields for first and last names. */
function splitName(fullName = ''): { first: string | undefined; last: string | undefined } {
  const [first, ...others] = fullName.trim().split(/\s+/)
  return { first: first || undefined, last: others.join(' ') || undefined }
}
