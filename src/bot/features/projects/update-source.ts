import type { Source } from '../../../api/records.ts'
import type { components } from '../../../api/schema.d.ts'
import { type Field, optional } from '../../forms/field.ts'
import { LOAD_FAILED_CHOICE, searchAmong, textField } from '../../forms/fields.ts'
import { defineForm } from '../../forms/open-form.ts'
import { toOutcome } from '../../forms/outcome.ts'
import type { SearchContext } from '../../slack/feature.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'

type SourceUpdate = components['schemas']['SourceUpdate']

/** Slack's limit for a text input. */
const MAX_SOURCE_LENGTH = 3000
const { label, element, read } = textField('Source', { maxLength: MAX_SOURCE_LENGTH })

/** The API expects `{ Source: { Source: value } }`. */
const sourceField: Field<NonNullable<SourceUpdate['Source']>> = {
  label,
  maxLength: MAX_SOURCE_LENGTH,
  element,
  read: (input, context) => {
    const reading = read(input, context)
    return reading && 'values' in reading ? { values: [{ Source: reading.values[0] }] } : reading
  },
}

export const updateSource = defineForm<SourceUpdate, Source>({
  verb: 'source',
  command: '/update-source',
  help: "Update one of the project's sources.",
  title: 'Update a source',
  submitLabel: 'Update',
  permission: 'write',
  canNotifyChannel: true,
  recordSelect: {
    label: 'Source to update',
    fills: ['Source', 'Description'],
    search: searchAmong(async (search) => {
      const result = await listSources(search)
      if (result.kind !== 'ok') return [LOAD_FAILED_CHOICE]
      return result.data.items.flatMap(({ Id, Source, Description }) =>
        Id ? [{ value: Id, label: [Source, Description].filter(Boolean).join(' · ') }] : [],
      )
    }),
    prefill: async (search) => {
      const result = await listSources(search)
      if (result.kind !== 'ok') return { failure: result }
      const source = result.data.items.find(({ Id }) => Id === search.id)
      return { values: { Description: source?.Description, Source: source?.Source } }
    },
  },
  fields: { Source: sourceField, Description: optional(textField('Description')) },
  send: async (body, { bot, actor: { request_id }, project, record_id = '', deadline }) =>
    toOutcome(await bot.api.sources.update(project.Id, record_id, body, { deadline, request_id })),
  successReply: ({ Source = '' }, { project }) =>
    textReply(`Updated the source *${escapeText(Source)}* in ${escapeText(project.Name)}.`),
  nextActions: (_source, { Id: value }) => [{ action_id: 'source:open', label: 'Update another', value }],
})

const listSources = ({ bot, project_id, deadline }: SearchContext) =>
  bot.api.sources.list(project_id, { deadline })
