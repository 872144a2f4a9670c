import type { KnownBlock } from '@slack/types'
import type { CallOptions } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { type ApiResult, INCOMPLETE_FAILURE } from '../../../../api/result.ts'
import { postTime } from '../../../../api/timestamps.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { context, section, type Viewer } from '../../../slack/message-blocks.ts'
import { isOverdue, MAX_PUBLISHING_DELAY_MS } from '../display/overdue.ts'
import { isScheduledBetween, type PostOptions, postBlocks, sortBySchedule } from '../display/post-blocks.ts'
import { listOutboxPosts } from './project-posts.ts'

export type NextPost = {
  next: Post | undefined
  /** A post that the service hasn't published, although its time has passed. */
  overdue: Post | undefined
}

const MAX_PAGES = 5

type FindOptions = CallOptions & {
  now: Date
  /** The search begins at this time. The default is early enough to find a post that is being published. */
  from?: Date
}

/** Finds the post that goes out next. If the service returns an overdue post, searches the service's list for the next one. */
export async function findNextPost(
  { api, db }: Pick<Bot, 'api' | 'db'>,
  scope: ProjectKey,
  { now, from = new Date(now.getTime() - MAX_PUBLISHING_DELAY_MS), ...options }: FindOptions,
): Promise<ApiResult<NextPost>> {
  const { project_id } = scope
  const [nextResult, [waiting]] = await Promise.all([
    api.posts.getNext(project_id, options),
    listOutboxPosts({ db }, scope, { from }),
  ])
  if (nextResult.kind !== 'ok') return nextResult
  const post = nextResult.data
  const at = post && postTime(post)?.toJSDate()
  if (!at || at >= from) return { kind: 'ok', data: { next: pickEarlier(post, waiting), overdue: undefined } }
  const filter = { status: ['SCHEDULED'], schedule_date_from: from.toISOString() }
  const listed = await api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES, ...options })
  if (listed.kind !== 'ok') return listed
  const [listedNext] = sortBySchedule(listed.data.items.filter((other) => isScheduledBetween(other, from)))
  if (!listedNext && listed.data.hasMore) return INCOMPLETE_FAILURE
  const next = pickEarlier(listedNext, waiting)
  const scheduledPost = { Status: 'SCHEDULED', ...post }
  return { kind: 'ok', data: { next, overdue: isOverdue(scheduledPost, now) ? scheduledPost : undefined } }
}

/** A post without a readable date goes out at a time that only the service knows, so it comes first. */
function pickEarlier(post: Post | undefined, other: Post | undefined): Post | undefined {
  if (!post || !other) return post ?? other
  return sortBySchedule([post, other])[0]
}

export const overdueBlocks = ({ overdue }: NextPost, viewer: Viewer, options?: PostOptions): KnownBlock[] =>
  overdue
    ? [
        section(':warning: *Overdue*'),
        ...postBlocks(overdue, viewer, options),
        context("The scheduling service hasn't published this post yet."),
      ]
    : []
