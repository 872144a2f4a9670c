import type { KnownBlock } from '@slack/types'
import type { Api, CallOptions } from '../api/client.ts'
import type { Post } from '../api/records.ts'
import type { ApiResult } from '../api/result.ts'
import { context, section } from './message-blocks.ts'
import {
  isOverdue,
  PUBLISHING_DELAY_MS,
  postBlocks,
  postTime,
  sortBySchedule,
  type Viewer,
} from './post-blocks.ts'

export type NextPosts = {
  next: Post | undefined
  /** A post that the service hasn't published, although its time has passed. */
  overdue: Post | undefined
}

type FindOptions = CallOptions & {
  now: Date
  /** The next post is the first one after this time. By default, a post that is being published counts. */
  from?: Date
}

/** Finds the post that goes out next. A service may still name one that is overdue. */
export async function findNextPosts(
  { posts }: Api,
  project_id: string,
  { now, from = new Date(now.getTime() - PUBLISHING_DELAY_MS), ...options }: FindOptions,
): Promise<ApiResult<NextPosts>> {
  const named = await posts.getNext(project_id, options)
  if (named.kind !== 'ok') return named
  const post = named.data
  const isLater = (candidate: Post) => (postTime(candidate)?.toJSDate() ?? from) >= from
  if (!post || isLater(post)) return { kind: 'ok', data: { next: post, overdue: undefined } }
  const filter = { status: ['SCHEDULED'], schedule_date_from: from.toISOString() }
  const upcoming = await posts.listAll(project_id, filter, { maxPages: 1, ...options })
  if (upcoming.kind !== 'ok') return upcoming
  const [next] = sortBySchedule(upcoming.data.items.filter(isLater))
  return { kind: 'ok', data: { next, overdue: isOverdue(post, now) ? post : undefined } }
}

export const overdueBlocks = ({ overdue }: NextPosts, viewer: Viewer, maxLength?: number): KnownBlock[] =>
  overdue
    ? [
        section(':warning: *Overdue*'),
        ...postBlocks(overdue, viewer, maxLength),
        context("The scheduling service hasn't published this post yet."),
      ]
    : []
