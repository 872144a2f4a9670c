import type { CallOptions } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import type { ApiResult } from '../../../../api/result.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { isOverdue } from '../display/overdue.ts'
import { sortBySchedule } from '../display/post-blocks.ts'
import { failedResults, unknownResults } from '../display/post-results.ts'

type Period = CallOptions & { from: Date; to: Date }

const MAX_PAGES = 3

/** Lists posts that failed on a platform, may not be out, or are overdue. Empty if the service has no accounts, because then it reports no failures. */
export async function listPostsWithProblems(
  { api, extensions, runtime }: Bot,
  { project_id }: ProjectKey,
  { from, to, ...options }: Period,
): Promise<ApiResult<{ items: Post[]; hasMore: boolean }>> {
  if (!extensions.current.hasAccounts) return { kind: 'ok', data: { items: [], hasMore: false } }
  const filter = { schedule_date_from: from.toISOString(), schedule_date_to: to.toISOString() }
  const listed = await api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES, ...options })
  if (listed.kind !== 'ok') return listed
  const { items, hasMore } = listed.data
  const now = runtime.now()
  const hasProblem = (post: Post) =>
    failedResults(post).length > 0 || unknownResults(post).length > 0 || isOverdue(post, now)
  return { kind: 'ok', data: { items: sortBySchedule(items.filter(hasProblem)), hasMore } }
}
