import { readSource, readSources, type Source } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { type Choice, field, type Look } from '../form/field.ts'
import { text, UNAVAILABLE } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { escaped, said } from '../reply.ts'
import type { Failure } from '../trouble.ts'

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
    options: async (look) => {
      const listed = await listSources(look)
      return 'failure' in listed ? [UNAVAILABLE] : listed.sources.flatMap(choiceOf)
    },
    fill: async (look) => {
      const listed = await listSources(look)
      if ('failure' in listed) return listed
      const source = listed.sources.find(({ Id }) => Id === look.id)
      return { values: { Description: source?.Description, Source: source?.Source } }
    },
  },
  fields: {
    Source: sourceValue,
    Description: text('Description').optional(),
  },
  send: (body, { api, project, deadlineMs, picked }) =>
    api.PUT('/api/v1/projects/{project_id}/sources/{source_id}', {
      params: { path: { project_id: project.Id, source_id: picked } },
      body,
      deadlineMs,
    }),
  done: (data, { project }) =>
    said(`The source *${escaped(readSource(data)?.Source ?? '')}* of ${escaped(project.Name)} is updated.`),
  next: () => [{ action_id: 'source:open', label: 'Update another' }],
})

async function listSources({
  bot,
  project_id,
  deadlineMs,
}: Look): Promise<{ sources: Source[] } | { failure: Failure }> {
  const params = { path: { project_id } }
  const outcome = await bot.api.GET('/api/v1/projects/{project_id}/sources', { params, deadlineMs })
  return outcome.kind === 'ok' ? { sources: readSources(outcome.data).items } : { failure: outcome }
}

const choiceOf = ({ Id, Source, Description }: Source): Choice[] =>
  Id ? [{ value: Id, label: [Source, Description].filter(Boolean).join(' · ') }] : []
