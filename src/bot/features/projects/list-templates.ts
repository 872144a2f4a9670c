import type { KnownBlock } from '@slack/types'
import type { Template } from '../../../api/records.ts'
import { reportFailure } from '../../slack/errors.ts'
import type { Request } from '../../slack/feature.ts'
import { buttonRow, escapeText, messageView, section, truncate } from '../../slack/message-blocks.ts'
import { definePagedList, slicePage } from '../../slack/paged-list.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'

/** Slack allows about 13,000 characters in a message, including those of its buttons. */
const PAGE_SIZE = 5

const PREVIEW_TITLE = 'Template'

export const listTemplates = definePagedList({
  verb: 'templates',
  help: 'List templates. Press *Use* to start a post with one.',
  loadPage: async (request, { page: requestedPage, project_id }) => {
    const { bot, actor } = request
    const project = await resolveProject(request, project_id)
    if (!project) return undefined
    const result = await bot.api.templates.list(project.Id)
    if (result.kind !== 'ok') return { failure: result }
    const name = escapeText(project.Name)
    const { items, page, hasMore } = slicePage(result.data.items, requestedPage, PAGE_SIZE)
    if (!result.data.items.length) return { message: `No templates in ${name}.` }
    const reference = { project_id: project.Id, channel: actor.channel_id }
    const blocks = items.map((template) => templateBlocks(template, reference))
    return { title: `Templates in ${name}`, items: blocks, page, hasMore, project_id: project.Id }
  },
  actions: {
    'templates:preview': { access: accessForModal('view', PREVIEW_TITLE), run: previewTemplate },
  },
})

/** The value of the buttons. It has the channel, because Slack doesn't report a channel for a button in a modal. */
export type TemplateReference = { project_id: string; template_id: string; channel?: string | undefined }

const MAX_LINE_LENGTH = 250

function templateBlocks(
  { Id, Title = 'Untitled', Content = '', Description = '' }: Template,
  reference: Omit<TemplateReference, 'template_id'>,
): KnownBlock[] {
  const lines = [
    `*${truncate(escapeText(Title), MAX_LINE_LENGTH)}*`,
    truncate(escapeText(Content), 2 * MAX_LINE_LENGTH),
    Description && `_${truncate(escapeText(Description), MAX_LINE_LENGTH)}_`,
  ]
  const value = JSON.stringify({ ...reference, template_id: Id })
  const buttons = [
    { action_id: 'templates:use', label: 'Use', value },
    { action_id: 'templates:preview', label: 'Preview', value },
  ]
  return [section(lines.filter(Boolean).join('\n')), ...buttonRow(...(Id ? buttons : []))]
}

async function previewTemplate(request: Request): Promise<void> {
  const { bot, text, open } = request
  const modal = await open(messageView(PREVIEW_TITLE, section('Loading…')))
  const { project_id, template_id }: TemplateReference = JSON.parse(text)
  const result = await bot.api.templates.get(project_id, template_id)
  const blocks =
    result.kind === 'ok'
      ? previewBlocks(result.data, text)
      : [section(`:warning: ${reportFailure(request, result, { isReadOnly: true })}`)]
  await modal.update(messageView(PREVIEW_TITLE, ...blocks))
}

const previewBlocks = ({ Title = 'Untitled', Content, Description }: Template, value: string) => [
  section(`*${escapeText(Title)}*`),
  ...(Description ? [section(`_${escapeText(Description)}_`)] : []),
  ...splitText(Content || '(no text)').map((part) => section(escapeText(part))),
  ...buttonRow({ action_id: 'templates:use', label: 'Use', value }),
]

const MAX_PARTS = 50

/** Slack allows 3,000 characters in a section, and escaping can turn one character into five. */
const splitText = (text: string): string[] => text.match(/[\s\S]{1,600}/gu)?.slice(0, MAX_PARTS) ?? []
