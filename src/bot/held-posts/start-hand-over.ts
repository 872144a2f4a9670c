import type { WebClient } from '@slack/web-api'
import { type Poller, startPoller } from '../../poller.ts'
import type { Bot } from '../bot.ts'
import type { HeldPost } from '../database/tables.ts'
import { updatePostMessages } from '../posts/announce-change.ts'
import { toPost } from '../posts/load-posts.ts'
import { postFormValues } from '../posts/post-form.ts'
import { handOver, listPostsToHandOver } from './held-post-store.ts'

const POLL_INTERVAL_MS = 1000

/** Hands held posts over to the outbox in time. Several instances may do so: deleting the row decides which one does. */
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
        const outcome = await handOver(db, post, { form, form_values, now }).catch((err) =>
          log.error({ err, post: post.id }, 'Handing over a held post failed'),
        )
        // Slack may be slow, and the other posts must not wait for it.
        if (outcome)
          void showOutcome(bot, client, post, outcome).catch((err) =>
            log.warn({ err }, 'Updating the messages of a held post failed'),
          )
      }
      return false
    },
  })
}

/** The messages no longer offer to change the post. */
function showOutcome(bot: Bot, client: WebClient, held: HeldPost, kind: 'handed over' | 'missed') {
  const { team_id, project_id, project_name, id: post_id } = held
  const project = { Id: project_id, Name: project_name }
  const post = { ...toPost(held), Status: 'SCHEDULED' }
  const change = { reference: { project_id, post_id, is_held: true }, project, post, kind }
  return updatePostMessages(bot, client, { team_id, changedBy: undefined, change })
}
