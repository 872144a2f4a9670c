import { z } from 'zod'
import { MAX_LENGTH } from '../allowed-values.ts'
import { defineOperation, notFound, ok } from '../operation.ts'
import { sourceRecord } from '../records.ts'
import * as sourcesStore from '../stores/sources-store.ts'
import { requiredTextField, textField } from '../validation/fields.ts'

export const updateSource = defineOperation({
  id: 'updateSource',
  method: 'PUT',
  path: '/api/v1/projects/{project_id}/sources/{source_id}',
  requiredRole: 'EDITOR',
  body: {
    Description: textField(MAX_LENGTH.description).optional(),
    Source: z.object({ Source: requiredTextField(MAX_LENGTH.source).optional() }).optional(),
  },
  async run({ db, now, project_id, params, body, log }) {
    const key = { project_id, id: params.source_id ?? '' }
    // Kysely leaves columns unchanged whose value is undefined.
    const change = { updated_at: now, description: body.Description, source: body.Source?.Source }
    const source = await sourcesStore.updateSource(db, key, change)
    if (!source) return notFound("This source doesn't exist in the project.")
    const message = `Updated the source ${source.source}.`
    await log({ action: 'source.updated', message, target_id: source.id })
    return ok(sourceRecord(source))
  },
})
