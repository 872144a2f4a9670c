import { defineOperation } from '../operation.ts'
import { logRecord, projectRecord, recordList } from '../records.ts'
import { listLogEntries } from '../stores/logs-store.ts'
import * as store from '../stores/projects-store.ts'
import { notFound } from '../validation/errors.ts'
import { MAX_LOG_ENTRIES } from '../values-and-limits.ts'

export const listProjects = defineOperation('GET /api/v1/projects', {
  requiredRole: 'NONE',
  run: async ({ db, caller }) =>
    recordList(await store.listProjectsOfUser(db, caller.user_id), projectRecord),
})

export const listLogs = defineOperation('GET /api/v1/projects/{project_id}/logs', {
  requiredRole: 'VIEWER',
  async run({ db, caller, project_id }) {
    const entries = await listLogEntries(db, MAX_LOG_ENTRIES + 1, project_id)
    const newest = entries.slice(0, MAX_LOG_ENTRIES)
    return recordList(
      newest,
      (row) => logRecord(row, caller.email),
      newest.length,
      entries.length > newest.length,
    )
  },
})

export const deleteWebhook = defineOperation('DELETE /api/v1/projects/{project_id}/webhook', {
  requiredRole: 'ADMIN',
  async run({ db, project_id, log }) {
    const webhook = await store.deleteWebhook(db, { project_id })
    if (!webhook) throw notFound('This project has no webhook.')
    await log({ action: 'webhook.deleted', message: `Deleted the webhook to ${new URL(webhook.url).host}.` })
    return null
  },
})
