import { notFound, ok } from '../answer.ts'
import { operation } from '../operation.ts'
import * as webhooks from '../storage/webhooks.ts'

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/projects/{project_id}/webhook',
  needs: 'ADMIN',
  async answer({ db, project_id, log }) {
    const webhook = await webhooks.deleteWebhook(db, project_id)
    if (!webhook) return notFound('The project has no webhook.')
    const message = `Deleted the webhook to ${new URL(webhook.url).host}.`
    await log({ action: 'webhook.deleted', message })
    return ok(null)
  },
})
