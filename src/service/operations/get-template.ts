import { notFound, ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { templateRecord } from '../records.ts'
import { findTemplate } from '../storage/templates.ts'

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates/{template_id}',
  needs: 'VIEWER',
  async answer({ db, project_id, params }) {
    const template = await findTemplate(db, project_id, params.template_id ?? '')
    return template ? ok(templateRecord(template)) : notFound('The project has no such template.')
  },
})
