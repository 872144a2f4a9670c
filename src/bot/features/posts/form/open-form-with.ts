import type { Prefill } from '../../../forms/field.ts'
import type { Form } from '../../../forms/form.ts'
import { openForm } from '../../../forms/open-form.ts'
import type { Request } from '../../../slack/feature.ts'
import type { Choice } from '../../../slack/message-blocks.ts'
import type { TemplateReference } from '../../projects/list-templates.ts'

/** Opens the form of a new post with a prompt. */
export function openFormWithPrompt(form: Form, request: Request): Promise<void> {
  const { project_id, ...PromptId }: { project_id: string } & Choice = JSON.parse(request.text)
  return openForm(form, { ...request, text: '' }, { project_id, values: { PromptId } })
}

/** Shows the form's fields only once the template's text is loaded, because that text would replace the user's input. */
export async function openFormWithTemplate(form: Form, request: Request): Promise<void> {
  const { project_id, template_id, channel }: TemplateReference = JSON.parse(request.text)
  const { bot, actor } = request
  const loadValues = async (): Promise<Prefill> => {
    const result = await bot.api.templates.get(project_id, template_id)
    if (result.kind !== 'ok') return { failure: result }
    const { Content, Title = template_id } = result.data
    return { values: { Content, TemplateId: { value: template_id, label: Title } } }
  }
  const inChannel = { ...actor, channel_id: actor.channel_id ?? channel }
  await openForm(form, { ...request, actor: inChannel, text: '' }, { project_id, loadValues })
}
