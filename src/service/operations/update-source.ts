import { z } from 'zod'
import { notFound, ok } from '../answer.ts'
import { filledText, text } from '../checks/fields.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { sourceRecord } from '../records.ts'
import * as sources from '../storage/sources.ts'

export const updateSource = operation({
  id: 'updateSource',
  method: 'PUT',
  path: '/api/v1/projects/{project_id}/sources/{source_id}',
  needs: 'EDITOR',
  body: {
    Description: text(LIMITS.description).optional(),
    Source: z.object({ Source: filledText(LIMITS.source).optional() }).optional(),
  },
  async answer({ db, now, project_id, params, body, log }) {
    const source = await sources.updateSource(
      db,
      { project_id, id: params.source_id ?? '' },
      {
        updated_at: now,
        ...(body.Description !== undefined && { description: body.Description }),
        ...(body.Source?.Source !== undefined && { source: body.Source.Source }),
      },
    )
    if (!source) return notFound('The project has no such source.')
    const message = `Updated the source ${source.source}.`
    await log({ action: 'source.updated', message, target_id: source.id })
    return ok(sourceRecord(source))
  },
})
