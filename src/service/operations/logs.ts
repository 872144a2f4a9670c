import { defineOperation } from '../operation.ts'
import { toLogRecord, toRecordList } from '../records.ts'
import { listLogEntries } from '../stores/logs-store.ts'

const MAX_LOG_ENTRIES = 500

export const listLogs = defineOperation('GET /api/v1/projects/{project_id}/logs', {
  requiredRole: 'VIEWER',
  async run({ db, caller, project_id }) {
    const entries = await listLogEntries(db, MAX_LOG_ENTRIES + 1, project_id)
    const newest = entries.slice(0, MAX_LOG_ENTRIES)
    return toRecordList(
      newest,
      (row) => toLogRecord(row, caller.email),
      newest.length,
      entries.length > newest.length,
    )
  },
})
