import { ok } from '../answer.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { listOf, logRecord } from '../records.ts'
import * as logs from '../storage/logs.ts'

export const listLogs = operation({
  id: 'listLogs',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/logs',
  needs: 'VIEWER',
  async answer({ db, project_id }) {
    const found = await logs.listLogs(db, { project_id, most: LIMITS.logs + 1 })
    const shown = found.slice(0, LIMITS.logs)
    return ok(listOf(shown.map(logRecord), shown.length, { more: found.length > shown.length }))
  },
})
