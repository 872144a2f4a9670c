import { addJobs } from '../../jobs/job-store.ts'
import type { Runtime } from '../../runtime.ts'
import { createDateFormat } from '../date-format.ts'
import { toPostRecord } from '../records.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { findProjectsWithWebhook } from '../stores/projects-store.ts'
import type { Db, PublishResult, Row } from '../stores/tables.ts'
import type { ResultState } from '../values.ts'
import { createWebhookJob } from './deliver-webhook.ts'

/** Logs the posts whose platforms have all settled, and sends them to the projects' webhooks. */
export async function announceSettledPosts(
  db: Db,
  posts: Row<'post'>[],
  { now: readClock, newId }: Pick<Runtime, 'now' | 'newId'>,
): Promise<void> {
  const settled = posts.filter(({ status }) => status !== 'SCHEDULED')
  if (!settled.length) return
  const now = readClock()
  const entries = settled.map((post) => ({
    project_id: post.project_id,
    ...toLogEntry(post),
    actor: 'scheduler',
    target_id: post.id,
    created_at: now,
  }))
  await insertLogEntries(db, entries)
  const projectsWithWebhook = await findProjectsWithWebhook(db, [
    ...new Set(settled.map((post) => post.project_id)),
  ])
  const postsWithWebhook = settled.filter((post) => projectsWithWebhook.has(post.project_id))
  const formatDate = createDateFormat()
  const jobs = postsWithWebhook.map((post, index) => {
    const type = toLogEntry(post).action
    const event = { type, timestamp: now.toISOString(), data: toPostRecord(post, formatDate) }
    return createWebhookJob(newId(), index, { project_id: post.project_id, event })
  })
  await addJobs(db, jobs, now)
}

/** The log entry for a settled post. The entry's action is also the type of the webhook event. */
function toLogEntry({ status, platforms, results }: Row<'post'>) {
  const withState = (...states: ResultState[]) =>
    (results ?? []).filter(({ state }) => states.includes(state))
  const withReason = ({ platform, error }: PublishResult) => (error ? `${platform} (${error})` : platform)
  const failures = withState('FAILED').map(withReason)
  if (status === 'FAILED')
    return {
      action: 'post.failed',
      level: 'ERROR' as const,
      message: `Failed to publish a post: ${failures.join(', ')}.`,
    }
  const publishedPlatforms = withState('PUBLISHED').map(({ platform }) => platform)
  const unknown = withState('UNKNOWN').map(withReason)
  if (!publishedPlatforms.length && !unknown.length)
    return {
      action: 'post.published',
      message: `Marked a post as published on ${platforms.join(', ')}, where this project has no account.`,
    }
  const unconnected = withState('NOT_CONNECTED').map(({ platform }) => platform)
  const outcomes = [
    publishedPlatforms.length ? `Published a post on ${publishedPlatforms.join(', ')}` : '',
    unknown.length
      ? `${publishedPlatforms.length ? 'it' : 'A post'} may be out on ${unknown.join(', ')}`
      : '',
  ]
  const failed = failures.length ? `, but not on ${failures.join(', ')}` : ''
  const missing = unconnected.length ? ` The project has no account for ${unconnected.join(', ')}.` : ''
  return {
    action: 'post.published',
    ...(unknown.length && { level: 'WARNING' as const }),
    ...(failures.length && { level: 'ERROR' as const }),
    message: `${outcomes.filter(Boolean).join(', and ')}${failed}.${missing}`,
  }
}
