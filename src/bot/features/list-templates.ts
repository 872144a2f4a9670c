import type { KnownBlock } from '@slack/types'
import { readTemplate, readTemplates, type Template } from '../../api/records.ts'
import { findPerson } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Feature, Request } from '../feature.ts'
import type { Choice } from '../form/field.ts'
import { openForm } from '../form/open-form.ts'
import { firstPage, pageButtons, type Turned, turning } from '../pages.ts'
import { buttons, escaped, plain, said, section, shortenedEscaped } from '../reply.ts'
import { report } from '../trouble.ts'
import { withProject } from '../with-project.ts'
import { schedulePost } from './schedule-post.ts'

/** A message takes some 13,000 characters in all, its buttons included. */
const PAGE = 5

export const listTemplates: Feature = {
  verb: 'templates',
  usage: '',
  help: 'Lists the templates; *Use* begins a post with one.',
  run: (request) => showPage(request, firstPage('')),
  actions: {
    ...turning('templates', showPage),
    'templates:use': useTemplate,
    'templates:preview': previewTemplate,
  },
}

function showPage(request: Request, { page, project_id }: Turned): Promise<void> {
  return withProject(
    request,
    async ({ project, fail }) => {
      const { bot, asker, reply } = request
      const path = { project_id: project.Id }
      const outcome = await bot.api.GET('/api/v1/projects/{project_id}/templates', { params: { path } })
      if (outcome.kind !== 'ok') return fail(outcome)
      const { items } = readTemplates(outcome.data)
      const name = escaped(project.Name)
      if (!items.length) {
        const text = `There are no templates in ${name}.`
        return reply(said(text))
      }
      return reply({
        text: `Templates of ${name}`,
        blocks: [
          section(`*Templates of ${name}*`),
          ...items
            .slice(page * PAGE, (page + 1) * PAGE)
            .flatMap((template) =>
              templateBlocks(template, { project_id: project.Id, channel: asker.channel_id }),
            ),
          ...pageButtons({
            action_id: 'templates',
            words: '',
            page,
            project_id: project.Id,
            more: items.length > (page + 1) * PAGE,
          }),
        ],
      })
    },
    project_id,
  )
}

const SHORT = 250

function templateBlocks(template: Template, held: Omit<Held, 'template_id'>): KnownBlock[] {
  const { Id, Title = 'Untitled', Content = '', Description } = template
  const words = [
    `*${shortenedEscaped(escaped(Title), SHORT)}*`,
    shortenedEscaped(escaped(Content), 2 * SHORT),
    Description && `_${shortenedEscaped(escaped(Description), SHORT)}_`,
  ]
  const value = JSON.stringify({ ...held, template_id: Id })
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

/** What its buttons hold: a modal does not say in which channel it was opened. */
type Held = { project_id: string; template_id: string; channel?: string | undefined }

const fetchTemplate = ({ api }: Bot, { project_id, template_id }: Held) =>
  api.GET('/api/v1/projects/{project_id}/templates/{template_id}', {
    params: { path: { project_id, template_id } },
  })

/** The form opens at once; what the template says comes in when it has been fetched. */
async function useTemplate(request: Request): Promise<void> {
  const held: Held = JSON.parse(request.words)
  const asker = { ...request.asker, channel_id: request.asker.channel_id ?? held.channel }
  await openForm(
    schedulePost,
    { ...request, asker, words: '' },
    {
      project_id: held.project_id,
      fill: async (bot) => {
        const outcome = await fetchTemplate(bot, held)
        if (outcome.kind !== 'ok') return { failure: outcome }
        const template = readTemplate(outcome.data)
        const TemplateId: Choice = { value: held.template_id, label: template?.Title ?? held.template_id }
        return { values: { Content: template?.Content, TemplateId } }
      },
    },
  )
}

/** The whole of it, as it would stand in a post. */
async function previewTemplate({ bot, asker, words, open }: Request): Promise<void> {
  const view = (...blocks: KnownBlock[]) => ({
    type: 'modal' as const,
    title: plain('Template'),
    close: plain('Close'),
    blocks,
  })
  const opened = await open(view(section('Fetching it…')))
  const outcome = await fetchTemplate(bot, JSON.parse(words))
  if (outcome.kind !== 'ok') {
    const person = await findPerson(bot, asker)
    return opened.update(
      view(section(`:warning: ${report(bot, { asker, person, isLooking: true }, outcome)}`)),
    )
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
