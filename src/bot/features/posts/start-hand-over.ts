import { type Poller, startPoller } from '../../../jobs/poller.ts'
import type { Bot } from '../../slack/bot.ts'
import { handOver, listPostsToHandOver } from './held-post-store.ts'
import { postFormValues } from './post-form.ts'
import { toPost } from './project-posts.ts'

const POLL_INTERVAL_MS = 1000

/** Hands held posts over to the outbox in time. Several instances may do so: deleting the row decides which one does. */
export function startHandOver({ db, log, runtime }: Bot, form: string): Poller {
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
        await handOver(db, post, { form, form_values, now }).catch((err) =>
          log.error({ err, post: post.id }, 'Handing over a held post failed'),
        )
      }
      return false
    },
  })
}
