import { defineOperation, notFound, ok } from '../operation.ts'
import * as webhooksStore from '../stores/webhooks-store.ts'

export const deleteWebhook = defineOperation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/projects/{project_id}/webhook',
  requiredRole: 'ADMIN',
  async run({ db, project_id, log }) {
    const webhook = await webhooksStore.deleteWebhook(db, project_id)
    if (!webhook) return notFound('This project has no webhook.')
    const message = `Deleted the webhook to ${new URL(webhook.url).host}.`
    await log({ action: 'webhook.deleted', message })
    return ok(null)
  },
})
