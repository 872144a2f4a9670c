import { readSource, readSources, type Source } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import type { Choice, Look } from '../form/field.ts'
import { field } from '../form/field.ts'
import { text } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { escaped, section } from '../reply.ts'

type SourceUpdate = components['schemas']['SourceUpdate']

/** The API keeps a source's value inside an object of the same name. */
const value = text('Source', { most: 2000 })
const sourceValue = field<NonNullable<SourceUpdate['Source']>>({
  label: value.label,
  element: value.element,
  take: (entry, scene) => {
    const taken = value.take(entry, scene)
    return taken && 'values' in taken ? { values: [{ Source: taken.values[0] }] } : taken
  },
})

export const updateSource = form<SourceUpdate>({
  verb: 'source',
  command: '/update-source',
  usage: '',
  help: 'Changes a source of the project.',
  title: 'Update a source',
  submit: 'Update',
  right: 'write',
  isForAll: true,
  pick: {
    label: 'Which source',
    options: async (look) => (await listSources(look)).flatMap(choiceOf),
    values: async (look) => {
      const source = (await listSources(look)).find(({ Id }) => Id === look.id)
      return { Description: source?.Description, Source: source?.Source }
    },
  },
  fields: {
    Source: sourceValue,
    Description: text('Description', { most: 500 }).optional(),
  },
  send: (body, { api, project, deadlineMs, picked }) =>
    api.PUT('/api/v1/projects/{project_id}/sources/{source_id}', {
      params: { path: { project_id: project.Id, source_id: picked } },
      body,
      deadlineMs,
    }),
  done: (data, { project }) => {
    const said = `The source *${escaped(readSource(data)?.Source ?? '')}* of ${escaped(project.Name)} is updated.`
    return { text: said, blocks: [section(said)] }
  },
  next: () => [{ action_id: 'source:open', label: 'Update another' }],
})

async function listSources({ bot, project_id }: Look): Promise<Source[]> {
  const params = { path: { project_id } }
  const outcome = await bot.api.GET('/api/v1/projects/{project_id}/sources', { params })
  return outcome.kind === 'ok' ? readSources(outcome.data).items : []
}

const choiceOf = ({ Id, Source, Description }: Source): Choice[] =>
  Id ? [{ value: Id, label: [Source, Description].filter(Boolean).join(' · ') }] : []
