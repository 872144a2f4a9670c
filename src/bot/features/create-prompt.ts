import { readPrompt } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { saveRecordSeen } from '../../store/records-seen.ts'
import type { Choice } from '../form/field.ts'
import { text } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { openForm } from '../form/open-form.ts'
import { escaped, said } from '../reply.ts'
import { schedulePost } from './schedule-post.ts'

export const createPrompt = form<components['schemas']['Prompt']>({
  verb: 'prompt',
  usage: '',
  help: 'Stores a prompt that posts can be written from.',
  title: 'Create a prompt',
  submit: 'Create',
  right: 'write',
  isForAll: true,
  fields: {
    Title: text('Title', { most: 150 }),
    PromptText: text('Prompt', { multiline: true }),
    Description: text('Description', { most: 500 }).optional(),
  },
  send: (body, { api, project, deadlineMs }) =>
    api.POST('/api/v1/projects/{project_id}/prompts', {
      params: { path: { project_id: project.Id } },
      body,
      deadlineMs,
    }),
  creates: { idOf: (data) => readPrompt(data)?.Id },
  keep: async (data, { bot, asker: { team_id }, project }) => {
    const prompt = readPrompt(data)
    if (!prompt?.Id) return
    const kept = { team_id, project_id: project.Id, kind: 'prompt' as const, seen_at: bot.runtime.now() }
    await saveRecordSeen(bot.db, { ...kept, record_id: prompt.Id, name: prompt.Title ?? prompt.Id })
  },
  done: (data, { project }) =>
    said(
      `The prompt *${escaped(readPrompt(data)?.Title ?? 'without a title')}* is in ${escaped(project.Name)}.`,
    ),
  next: (data, project) => {
    const { Id, Title = Id } = readPrompt(data) ?? {}
    const value = JSON.stringify({ project_id: project.Id, value: Id, label: Title })
    return Id ? [{ action_id: 'prompt:use', label: 'Write a post with it', value }] : []
  },
  actions: {
    'prompt:use': (request) => {
      const { project_id, ...PromptId }: { project_id: string } & Choice = JSON.parse(request.words)
      return openForm(
        schedulePost,
        { ...request, words: '' },
        { project_id, fill: async () => ({ values: { PromptId } }) },
      )
    },
  },
})
