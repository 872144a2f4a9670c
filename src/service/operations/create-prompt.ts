import { MAX_LENGTH } from '../allowed-values.ts'
import { created, defineOperation } from '../operation.ts'
import { promptRecord } from '../records.ts'
import { insertPrompt } from '../stores/prompts-and-templates-store.ts'
import { requiredTextField, textField } from '../validation/fields.ts'

export const createPrompt = defineOperation({
  id: 'createPrompt',
  method: 'POST',
  path: '/api/v1/projects/{project_id}/prompts',
  requiredRole: 'EDITOR',
  body: {
    Title: requiredTextField(MAX_LENGTH.title),
    PromptText: requiredTextField(MAX_LENGTH.promptText),
    Description: textField(MAX_LENGTH.description).optional(),
  },
  async run({ db, now, project_id, body, log }) {
    const prompt = await insertPrompt(db, {
      project_id,
      created_at: now,
      title: body.Title,
      prompt_text: body.PromptText,
      description: body.Description ?? null,
    })
    const message = `Created the prompt "${prompt.title}".`
    await log({ action: 'prompt.created', message, target_id: prompt.id })
    return created(promptRecord(prompt))
  },
})
