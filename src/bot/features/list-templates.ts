import { readTemplate, readTemplates } from '../../api/records.ts'
import type { Feature } from '../feature.ts'
import { openForm } from '../form/open-form.ts'
import { pageButtons, readTurned, type Turned, turning } from '../pages.ts'
import { escaped, section, shortened } from '../reply.ts'
import { withProject } from '../with-project.ts'
import { schedulePost } from './schedule-post.ts'

const PAGE = 10

export const listTemplates: Feature = {
  verb: 'templates',
  usage: '',
  help: 'Lists the templates; *Use* begins a post with one.',
  run: (request) => showPage(request, { words: '', page: 0 }),
  actions: {
    ...turning('templates', (request) => showPage(request, readTurned(request.words))),
    'templates:use': useTemplate,
  },
}

type Request = Parameters<Feature['run']>[0]

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
    const shown = items.slice(page * PAGE, (page + 1) * PAGE)
    return reply({
      text: `Templates of ${name}`,
      blocks: [
        section(`*Templates of ${name}*`),
        ...shown.map(({ Id, Title, Content = '', Description }) => ({
          type: 'section' as const,
          text: {
            type: 'mrkdwn' as const,
            text: [
              `*${escaped(Title ?? 'Untitled')}*`,
              escaped(shortened(Content, 300)),
              Description && `_${escaped(Description)}_`,
            ]
              .filter(Boolean)
              .join('\n'),
          },
          ...(Id && {
            accessory: {
              type: 'button' as const,
              action_id: 'templates:use',
              text: { type: 'plain_text' as const, text: 'Use' },
              value: JSON.stringify({ project_id: project.Id, template_id: Id }),
            },
          }),
        })),
        ...pageButtons({ action_id: 'templates', words: '', page, more: items.length > (page + 1) * PAGE }),
      ],
    })
  })
}

/** The form opens at once; what the template says comes in when it has been fetched. */
async function useTemplate(request: Request): Promise<void> {
  const path: { project_id: string; template_id: string } = JSON.parse(request.words)
  await openForm(
    schedulePost,
    { ...request, words: '' },
    {
      fill: async ({ api }) => {
        const outcome = await api.GET('/api/v1/projects/{project_id}/templates/{template_id}', {
          params: { path },
        })
        const template = outcome.kind === 'ok' ? readTemplate(outcome.data) : undefined
        return {
          Content: template?.Content,
          TemplateId: { value: path.template_id, label: template?.Title ?? path.template_id },
        }
      },
    },
  )
}
