import type { KnownBlock } from '@slack/types'
import type { Api, CallOptions } from '../../api/client.ts'
import type { Post } from '../../api/records.ts'
import type { ApiResult } from '../../api/result.ts'
import { context, section } from '../message-blocks.ts'
import {
  isOverdue,
  isScheduledBetween,
  PUBLISHING_DELAY_MS,
  postBlocks,
  postTime,
  sortBySchedule,
  type Viewer,
} from './post-blocks.ts'

export type UpcomingPosts = {
  next: Post | undefined
  /** A post that the service hasn't published, although its time has passed. */
  overdue: Post | undefined
}

const MAX_PAGES = 5

type FindOptions = CallOptions & {
  now: Date
  /** The next post is the first one after this time. By default, a post that is being published counts. */
  from?: Date
}

/** Finds the post that goes out next. A service may still name one that is overdue. */
export async function findUpcomingPosts(
  { posts }: Api,
  project_id: string,
  { now, from = new Date(now.getTime() - PUBLISHING_DELAY_MS), ...options }: FindOptions,
): Promise<ApiResult<UpcomingPosts>> {
  const named = await posts.getNext(project_id, options)
  if (named.kind !== 'ok') return named
  const post = named.data
  const at = post && postTime(post)?.toJSDate()
  if (!at || at >= from) return { kind: 'ok', data: { next: post, overdue: undefined } }
  const filter = { status: ['SCHEDULED'], schedule_date_from: from.toISOString() }
  const listed = await posts.listAll(project_id, filter, { maxPages: MAX_PAGES, ...options })
  if (listed.kind !== 'ok') return listed
  const [next] = sortBySchedule(listed.data.items.filter((other) => isScheduledBetween(other, from)))
  const scheduledPost = { Status: 'SCHEDULED', ...post }
  return { kind: 'ok', data: { next, overdue: isOverdue(scheduledPost, now) ? scheduledPost : undefined } }
}

export const overdueBlocks = (
  { overdue }: UpcomingPosts,
  viewer: Viewer,
  maxLength?: number,
): KnownBlock[] =>
  overdue
    ? [
        section(':warning: *Overdue*'),
        ...postBlocks(overdue, viewer, maxLength),
        context("The scheduling service hasn't published this post yet."),
      ]
    : []
