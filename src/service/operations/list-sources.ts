import { ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { listOf, sourceRecord } from '../records.ts'
import * as sources from '../storage/sources.ts'

export const listSources = operation({
  id: 'listSources',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/sources',
  needs: 'VIEWER',
  async answer({ db, project_id }) {
    const found = await sources.listSources(db, project_id)
    return ok(listOf(found.map(sourceRecord)))
  },
})
