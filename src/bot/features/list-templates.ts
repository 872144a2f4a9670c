import type { KnownBlock } from '@slack/types'
import type { Template } from '../../api/records.ts'
import { reportFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import type { Prefill } from '../form/field.ts'
import { messageView } from '../form/form-view.ts'
import { openForm } from '../form/open-form.ts'
import { buttonRow, escapeText, section, truncateEscaped } from '../message-blocks.ts'
import { createPagedList, firstPage } from '../paging.ts'
import { accessForModal, VIEW_ACCESS } from '../permissions.ts'
import { schedulePost } from './schedule-post.ts'

/** A message holds about 13,000 characters in all, including its buttons. */
const PAGE_SIZE = 5

const templateList = createPagedList('templates', async ({ bot, actor }, project, { page }) => {
  const result = await bot.api.templates.list(project.Id)
  if (result.kind !== 'ok') return { failure: result }
  const { items } = result.data
  const name = escapeText(project.Name)
  if (!items.length) return { message: `No templates in ${name}.` }
  const start = page * PAGE_SIZE
  const reference = { project_id: project.Id, channel: actor.channel_id }
  return {
    title: `Templates in ${name}`,
    items: items.slice(start, start + PAGE_SIZE).map((template) => templateBlocks(template, reference)),
    hasMore: items.length > start + PAGE_SIZE,
  }
})

const PREVIEW_TITLE = 'Template'

export const listTemplates: Feature = {
  verb: 'templates',
  help: 'List templates. Press *Use* to start a post with one.',
  access: VIEW_ACCESS,
  run: (request) => templateList.show(request, firstPage('')),
  actions: {
    ...templateList.actions,
    'templates:use': {
      access: accessForModal(schedulePost.permission, schedulePost.title),
      run: useTemplate,
    },
    'templates:preview': { access: accessForModal('view', PREVIEW_TITLE), run: previewTemplate },
  },
}

/** The value of the buttons. A modal doesn't report the channel in which it was opened. */
type TemplateReference = { project_id: string; template_id: string; channel?: string | undefined }

const MAX_LINE_LENGTH = 250

function templateBlocks(
  { Id, Title = 'Untitled', Content = '', Description = '' }: Template,
  reference: Omit<TemplateReference, 'template_id'>,
): KnownBlock[] {
  const lines = [
    `*${truncateEscaped(escapeText(Title), MAX_LINE_LENGTH)}*`,
    truncateEscaped(escapeText(Content), 2 * MAX_LINE_LENGTH),
    Description && `_${truncateEscaped(escapeText(Description), MAX_LINE_LENGTH)}_`,
  ]
  const value = JSON.stringify({ ...reference, template_id: Id })
  const buttons = [
    { action_id: 'templates:use', label: 'Use', value },
    { action_id: 'templates:preview', label: 'Preview', value },
  ]
  return [section(lines.filter(Boolean).join('\n')), ...buttonRow(...(Id ? buttons : []))]
}

/** Opens the form at once and adds the template's text when it is loaded. */
async function useTemplate(request: Request): Promise<void> {
  const { project_id, template_id, channel }: TemplateReference = JSON.parse(request.text)
  const { bot, actor } = request
  const loadValues = async (): Promise<Prefill> => {
    const result = await bot.api.templates.get(project_id, template_id)
    if (result.kind !== 'ok') return { failure: result }
    const { Content, Title = template_id } = result.data
    return { values: { Content, TemplateId: { value: template_id, label: Title } } }
  }
  const inChannel = { ...actor, channel_id: actor.channel_id ?? channel }
  await openForm(schedulePost, { ...request, actor: inChannel, text: '' }, { project_id, loadValues })
}

async function previewTemplate(request: Request): Promise<void> {
  const { bot, text, open } = request
  const modal = await open(messageView(PREVIEW_TITLE, section('Loading…')))
  const { project_id, template_id }: TemplateReference = JSON.parse(text)
  const result = await bot.api.templates.get(project_id, template_id)
  const blocks =
    result.kind === 'ok'
      ? previewBlocks(result.data, text)
      : [section(`:warning: ${reportFailure(request, result, { isRead: true })}`)]
  await modal.update(messageView(PREVIEW_TITLE, ...blocks))
}

const previewBlocks = ({ Title = 'Untitled', Content, Description }: Template, value: string) => [
  section(`*${escapeText(Title)}*`),
  ...(Description ? [section(`_${escapeText(Description)}_`)] : []),
  ...splitText(Content || '(no text)').map((part) => section(escapeText(part))),
  ...buttonRow({ action_id: 'templates:use', label: 'Use', value }),
]

const MAX_PARTS = 50

/** A section holds 3,000 characters, and escaping can turn one character into five. */
const splitText = (text: string): string[] => text.match(/[\s\S]{1,600}/gu)?.slice(0, MAX_PARTS) ?? []
