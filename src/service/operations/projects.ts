import { defineOperation } from '../operation.ts'
import { toProjectRecord, toRecordList } from '../records.ts'
import * as store from '../stores/projects-store.ts'
import { notFound } from '../validation/errors.ts'

export const listProjects = defineOperation('GET /api/v1/projects', {
  requiredRole: 'NONE',
  run: async ({ db, caller }) =>
    toRecordList(await store.listProjectsOfUser(db, caller.user_id), toProjectRecord),
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
