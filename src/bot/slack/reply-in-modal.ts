import type { Request } from './feature.ts'
import { context, messageView, section } from './message-blocks.ts'

/** On the Home tab, opens a modal before a slow answer is ready, because Slack allows only three seconds to open one. */
export async function replyInModal(request: Request, title: string): Promise<Request> {
  if (request.actor.channel_id || request.origin === 'modal') return request
  const modal = await request.open(messageView(title, context('One moment…')))
  return {
    ...request,
    reply: ({ text, blocks }) => modal.update(messageView(title, ...(blocks ?? [section(text)]))),
  }
}
