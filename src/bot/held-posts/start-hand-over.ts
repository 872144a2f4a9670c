import type { WebClient } from '@slack/web-api'
import { type Poller, startPoller } from '../../poller.ts'
import type { Bot } from '../bot.ts'
import type { HeldPost } from '../database/tables.ts'
import { updatePostMessages } from '../posts/announce-change.ts'
import { toPost } from '../posts/load-posts.ts'
import { postFormValues } from '../posts/post-form.ts'
import { handOver, listPostsToHandOver } from './held-post-store.ts'

const POLL_INTERVAL_MS = 1000

/** Hands held posts over to the outbox in time. Several instances may do so: each post leaves the table once. */
export function startHandOver(bot: Bot, client: WebClient, form: string): Poller {
  const { db, log, runtime } = bot
  return startPoller({
    log,
    runtime,
    name: 'Handing over held posts',
    intervalMs: POLL_INTERVAL_MS,
    task: async () => {
      const now = runtime.now()
      const due = await listPostsToHandOver(db, now)
      for (const post of due) {
        const form_values = postFormValues({ ...toPost(post), Status: 'SCHEDULED' })
        if (!(await handOver(db, post, { form, form_values, now }))) continue
        await showHandedOver(bot, client, post).catch((err) =>
          log.warn({ err }, 'Updating the messages of a held post failed'),
        )
      }
      return false
    },
  })
}

/** The messages no longer offer to change the post. */
function showHandedOver(bot: Bot, client: WebClient, held: HeldPost): Promise<void> {
  const { team_id, project_id, project_name, id: post_id } = held
  const project = { Id: project_id, Name: project_name }
  const post = { ...toPost(held), Status: 'SCHEDULED' }
  const reference = { project_id, post_id, is_held: true }
  const change = { reference, project, post, kind: 'handed over' as const }
  return updatePostMessages(bot, client, { team_id, changedBy: undefined, change })
}
