import type { KnownBlock } from '@slack/types'
import { readTemplate, readTemplates, type Template } from '../../api/records.ts'
import { findPerson } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Feature, Request } from '../feature.ts'
import type { Choice } from '../form/field.ts'
import { openForm } from '../form/open-form.ts'
import { pageButtons, type Turned, turning } from '../pages.ts'
import { buttons, escaped, section, shortened } from '../reply.ts'
import { report } from '../trouble.ts'
import { withProject } from '../with-project.ts'
import { schedulePost } from './schedule-post.ts'

const PAGE = 10

export const listTemplates: Feature = {
  verb: 'templates',
  usage: '',
  help: 'Lists the templates; *Use* begins a post with one.',
  run: (request) => showPage(request, { words: '', page: 0 }),
  actions: {
    ...turning('templates', showPage),
    'templates:use': useTemplate,
    'templates:preview': previewTemplate,
  },
}

function showPage(request: Request, { page }: Turned): Promise<void> {
  return withProject(request, async ({ project, fail }) => {
    const { bot, reply } = request
    const path = { project_id: project.Id }
    const outcome = await bot.api.GET('/api/v1/projects/{project_id}/templates', { params: { path } })
    if (outcome.kind !== 'ok') return fail(outcome)
    const { items } = readTemplates(outcome.data)
    const name = escaped(project.Name)
    if (!items.length) {
      const text = `There are no templates in ${name}.`
      return reply({ text, blocks: [section(text)] })
    }
    return reply({
      text: `Templates of ${name}`,
      blocks: [
        section(`*Templates of ${name}*`),
        ...items
          .slice(page * PAGE, (page + 1) * PAGE)
          .flatMap((template) => templateBlocks(template, project.Id)),
        ...pageButtons({ action_id: 'templates', words: '', page, more: items.length > (page + 1) * PAGE }),
      ],
    })
  })
}

const SHORT = 200

function templateBlocks(template: Template, project_id: string): KnownBlock[] {
  const { Id, Title = 'Untitled', Content = '', Description } = template
  const words = [
    `*${escaped(Title)}*`,
    escaped(shortened(Content, SHORT)),
    Description && `_${escaped(Description)}_`,
  ]
  const value = JSON.stringify({ project_id, template_id: Id })
  return [
    section(words.filter(Boolean).join('\n')),
    ...(Id
      ? buttons(
          { action_id: 'templates:use', label: 'Use', value },
          { action_id: 'templates:preview', label: 'Preview', value },
        )
      : []),
  ]
}

type Held = { project_id: string; template_id: string }

const fetchTemplate = ({ api }: Bot, path: Held) =>
  api.GET('/api/v1/projects/{project_id}/templates/{template_id}', { params: { path } })

/** The form opens at once; what the template says comes in when it has been fetched. */
async function useTemplate(request: Request): Promise<void> {
  const held: Held = JSON.parse(request.words)
  await openForm(
    schedulePost,
    { ...request, words: '' },
    {
      fill: async (bot) => {
        const outcome = await fetchTemplate(bot, held)
        const template = outcome.kind === 'ok' ? readTemplate(outcome.data) : undefined
        const TemplateId: Choice = { value: held.template_id, label: template?.Title ?? held.template_id }
        return { Content: template?.Content, TemplateId }
      },
    },
  )
}

/** The whole of it, as it would stand in a post. */
async function previewTemplate({ bot, asker, words, open }: Request): Promise<void> {
  const view = (...blocks: KnownBlock[]) => ({
    type: 'modal' as const,
    title: { type: 'plain_text' as const, text: 'Template' },
    close: { type: 'plain_text' as const, text: 'Close' },
    blocks,
  })
  const opened = await open(view(section('Fetching it…')))
  const outcome = await fetchTemplate(bot, JSON.parse(words))
  if (outcome.kind !== 'ok') {
    const person = await findPerson(bot, asker)
    return opened.update(view(section(`:warning: ${report(bot, { asker, person }, outcome)}`)))
  }
  const { Title = 'Untitled', Content = '', Description } = readTemplate(outcome.data) ?? {}
  await opened.update(
    view(
      section(`*${escaped(Title)}*`),
      ...(Description ? [section(`_${escaped(Description)}_`)] : []),
      ...pieces(Content || '(no text)').map((piece) => section(escaped(piece))),
      ...buttons({ action_id: 'templates:use', label: 'Use', value: words }),
    ),
  )
}

/** A section holds 3,000 characters, and escaping may make five of one. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,600}/gu)?.slice(0, 50) ?? []
