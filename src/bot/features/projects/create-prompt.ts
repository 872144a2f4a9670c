import type { Prompt } from '../../../api/records.ts'
import type { components } from '../../../api/schema.d.ts'
import { optional } from '../../forms/field.ts'
import { textField } from '../../forms/fields.ts'
import { defineForm } from '../../forms/open-form.ts'
import { toOutcome } from '../../forms/outcome.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { saveKnownRecord } from './projects-store.ts'

export const createPrompt = defineForm<components['schemas']['Prompt'], Prompt>({
  verb: 'prompt',
  help: 'Save a prompt for writing posts.',
  title: 'Create a prompt',
  submitLabel: 'Create',
  permission: 'write',
  canNotifyChannel: true,
  fields: {
    Title: textField('Title', { maxLength: 150 }),
    PromptText: textField('Prompt', { multiline: true }),
    Description: optional(textField('Description', { maxLength: 500 })),
  },
  send: async (body, { bot, actor: { request_id }, project, deadline }) =>
    toOutcome(await bot.api.prompts.create(project.Id, body, { deadline, request_id })),
  creation: {},
  followUp: async ({ Id: record_id, Title: name = record_id }, { bot, actor: { team_id }, project }) => {
    const project_id = project.Id
    const last_seen_at = bot.runtime.now()
    if (record_id && name)
      await saveKnownRecord(bot.db, { team_id, project_id, kind: 'prompt', record_id, name, last_seen_at })
  },
  successReply: ({ Title = 'Untitled' }, { project }) =>
    textReply(`Saved the prompt *${escapeText(Title)}* in ${escapeText(project.Name)}.`),
  nextActions: ({ Id, Title = Id }, project) => {
    const value = JSON.stringify({ project_id: project.Id, value: Id, label: Title })
    return Id ? [{ action_id: 'prompt:use', label: 'Write a post with it', value }] : []
  },
})
