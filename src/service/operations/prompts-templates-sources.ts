import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { toPromptRecord, toRecordList, toSourceRecord, toTemplateRecord } from '../records.ts'
import * as store from '../stores/prompts-templates-sources-store.ts'
import { notFound } from '../validation/errors.ts'
import { requiredTextField, textField } from '../validation/fields.ts'
import { MAX_LENGTH } from './field-lengths.ts'

export const createPrompt = defineOperation('POST /api/v1/projects/{project_id}/prompts', {
  requiredRole: 'EDITOR',
  body: {
    Title: requiredTextField(MAX_LENGTH.title),
    PromptText: requiredTextField(MAX_LENGTH.promptText),
    Description: textField(MAX_LENGTH.description).optional(),
  },
  async run({ db, now, project_id, body, log }) {
    const prompt = await store.insertPrompt(db, {
      project_id,
      created_at: now,
      title: body.Title,
      prompt_text: body.PromptText,
      description: body.Description,
    })
    const message = `Created the prompt "${prompt.title}".`
    await log({ action: 'prompt.created', message, target_id: prompt.id })
    return toPromptRecord(prompt)
  },
})

export const listTemplates = defineOperation('GET /api/v1/projects/{project_id}/templates', {
  requiredRole: 'VIEWER',
  run: async ({ db, project_id }) =>
    toRecordList(await store.listTemplates(db, project_id), toTemplateRecord),
})

export const getTemplate = defineOperation('GET /api/v1/projects/{project_id}/templates/{template_id}', {
  requiredRole: 'VIEWER',
  async run({ db, project_id, params }) {
    const template = await store.findTemplate(db, project_id, params.template_id ?? '')
    if (!template) throw notFound("This template doesn't exist in the project.")
    return toTemplateRecord(template)
  },
})

export const listSources = defineOperation('GET /api/v1/projects/{project_id}/sources', {
  requiredRole: 'VIEWER',
  run: async ({ db, project_id }) => toRecordList(await store.listSources(db, project_id), toSourceRecord),
})

export const updateSource = defineOperation('PUT /api/v1/projects/{project_id}/sources/{source_id}', {
  requiredRole: 'EDITOR',
  body: {
    Description: textField(MAX_LENGTH.description).optional(),
    Source: z.object({ Source: requiredTextField(MAX_LENGTH.source).optional() }).optional(),
  },
  async run({ db, now, project_id, params, body, log }) {
    const key = { project_id, id: params.source_id ?? '' }
    // Kysely doesn't change columns whose value is undefined.
    const change = { updated_at: now, description: body.Description, source: body.Source?.Source }
    const source = await store.updateSource(db, key, change)
    if (!source) throw notFound("This source doesn't exist in the project.")
    const message = `Updated the source ${source.source}.`
    await log({ action: 'source.updated', message, target_id: source.id })
    return toSourceRecord(source)
  },
})
