import type { Prompt } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { defineForm } from '../form/define-form.ts'
import { textField } from '../form/fields.ts'
import type { Choice } from '../form/form-value.ts'
import { openForm } from '../form/open-form.ts'
import { escapeText, textReply } from '../message-blocks.ts'
import { accessForModal } from '../permissions.ts'
import { saveKnownRecord } from '../projects/projects-store.ts'
import { schedulePost } from './schedule-post.ts'

export const createPrompt = defineForm<components['schemas']['Prompt'], Prompt>({
  verb: 'prompt',
  usage: '',
  help: 'Save a prompt for writing posts.',
  title: 'Create a prompt',
  submitLabel: 'Create',
  permission: 'write',
  canNotifyChannel: true,
  fields: {
    Title: textField('Title', { maxLength: 150 }),
    PromptText: textField('Prompt', { multiline: true }),
    Description: textField('Description', { maxLength: 500 }).optional(),
  },
  send: (body, { api, project, deadlineMs }) => api.prompts.create(project.Id, body, { deadlineMs }),
  creation: {},
  remember: async ({ Id, Title }, { bot, actor: { team_id }, project }) => {
    if (!Id) return
    await saveKnownRecord(bot.db, {
      team_id,
      project_id: project.Id,
      kind: 'prompt',
      record_id: Id,
      name: Title ?? Id,
      last_seen_at: bot.runtime.now(),
    })
  },
  successReply: ({ Title = 'Untitled' }, { project }) =>
    textReply(`Saved the prompt *${escapeText(Title)}* in ${escapeText(project.Name)}.`),
  nextActions: ({ Id, Title = Id }, project) => {
    const value = JSON.stringify({ project_id: project.Id, value: Id, label: Title })
    return Id ? [{ action_id: 'prompt:use', label: 'Write a post with it', value }] : []
  },
  actions: {
    'prompt:use': {
      access: accessForModal(schedulePost.permission, schedulePost.title),
      run: (request) => {
        const { project_id, ...PromptId }: { project_id: string } & Choice = JSON.parse(request.text)
        const loadValues = async () => ({ values: { PromptId } })
        return openForm(schedulePost, { ...request, text: '' }, { project_id, loadValues })
      },
    },
  },
})
