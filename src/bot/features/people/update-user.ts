import type { User } from '../../../api/records.ts'
import type { components } from '../../../api/schema.d.ts'
import { optional } from '../../forms/field.ts'
import { searchAmong } from '../../forms/fields.ts'
import { defineForm } from '../../forms/open-form.ts'
import { toOutcome } from '../../forms/outcome.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import {
  listKnownUsers,
  rememberAcceptedValues,
  rememberUser,
  roleField,
  statusField,
} from './known-users.ts'

export const updateUser = defineForm<components['schemas']['ProjectUserUpdate'], User>({
  verb: 'user',
  help: "Change a user's role or status in a project. For owners and admins.",
  title: 'Change a user',
  submitLabel: 'Change',
  permission: 'admin',
  recordSelect: {
    label: 'User',
    hint: 'People invited from Slack. For others, paste their user ID from the scheduling service.',
    search: searchAmong(async (search) => {
      const users = await listKnownUsers(search)
      const id = search.query.trim()
      const isListed = users.some(({ value }) => value === id)
      // The audit trail shows the id, so an email address must not pass for one.
      const isNewId = id && !isListed && !id.includes('@')
      return isNewId ? [...users, { value: id, label: `User ID ${id}` }] : users
    }),
  },
  fields: {
    Role: optional(roleField()),
    Status: optional(statusField()),
  },
  validate: ({ Role, Status }) => (Role || Status ? {} : { Role: 'Pick a role or a status.' }),
  send: async (body, context) => {
    const { bot, actor, project, record_id = '', deadline } = context
    const { request_id } = actor
    const result = await bot.api.users.update(project.Id, record_id, body, { deadline, request_id })
    await rememberAcceptedValues(result, body, context)
    return toOutcome(result)
  },
  followUp: rememberUser,
  successReply: ({ Email, Role, Status }, { project }) => {
    const user = escapeText(Email ?? 'the user')
    const state = [Role, Status].filter(Boolean).join(', ').toLowerCase()
    return textReply(
      `Updated ${user} in ${escapeText(project.Name)}${state ? `: ${escapeText(state)}` : ''}.`,
    )
  },
  nextActions: (_user, { Id: value }) => [{ action_id: 'user:open', label: 'Change another', value }],
})
