import { created } from '../answer.ts'
import { filledText, text } from '../checks/fields.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { promptRecord } from '../records.ts'
import { insertPrompt } from '../storage/prompts.ts'

export const createPrompt = operation({
  id: 'createPrompt',
  method: 'POST',
  path: '/api/v1/projects/{project_id}/prompts',
  needs: 'EDITOR',
  body: {
    Title: filledText(LIMITS.title),
    PromptText: filledText(LIMITS.promptText),
    Description: text(LIMITS.description).optional(),
  },
  async answer({ db, now, project_id, body, log }) {
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
