import { ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { listOf, templateRecord } from '../records.ts'
import * as templates from '../storage/templates.ts'

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates',
  needs: 'VIEWER',
  async answer({ db, project_id }) {
    const found = await templates.listTemplates(db, project_id)
    return ok(listOf(found.map(templateRecord)))
  },
})
