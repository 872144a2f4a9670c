import type { CallOptions, PostFilter, PostList } from '../../../../api/client.ts'
import { comparePosts } from '../../../../api/compare-posts.ts'
import type { Post, PostBody } from '../../../../api/records.ts'
import type { ApiFailure, ApiResult } from '../../../../api/result.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import { listUnfinishedPosts } from '../../../outbox/find-items-store.ts'
import type { OutboxItem } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { isOverdue } from '../display/overdue.ts'
import { isScheduledBetween, sortBySchedule } from '../display/post-blocks.ts'
import { problemResults } from '../display/post-results.ts'
import { HANDED_OVER, HELD, isHeld } from '../display/post-states.ts'

type ListOptions = CallOptions & {
  /** The service returns up to 100 posts a page. */
  maxPages: number
  /** If the service fails, lists only the posts that wait in Upnext, so that they can still be changed and cancelled. */
  hasFallback?: boolean
}

/** If the service failed, the list has only the posts that wait in Upnext, and `failure` says why. */
export type LoadedList = PostList & { failure?: ApiFailure }

/** Lists the posts of the service, followed by posts in Upnext that haven't reached the service yet. */
export async function listProjectPosts(
  { api, db }: Pick<Bot, 'api' | 'db'>,
  scope: ProjectKey,
  filter: PostFilter,
  { hasFallback = false, ...options }: ListOptions,
): Promise<ApiResult<LoadedList>> {
  const [listed, matching] = await Promise.all([
    api.posts.listAll(scope.project_id, filter, options),
    listMatchingOutboxPosts({ db }, scope, filter),
  ])
  if (listed.kind !== 'ok')
    return hasFallback && matching.length
      ? { kind: 'ok', data: { items: matching, hasMore: true, isReadable: true, failure: listed } }
      : listed
  const { items } = listed.data
  const isInService = (post: Post) => items.some((item) => comparePosts(post, item) === 'same')
  // The service may list a post before Upnext has received the confirmation that the post was created.
  const others = matching.filter((post) => isHeld(post) || !isInService(post))
  return { kind: 'ok', data: { ...listed.data, items: [...items, ...others] } }
}

export const OUTBOX_ONLY_NOTE =
  ":warning: The list couldn't be loaded from the scheduling service, so these are only the posts in Upnext."

const MAX_PROBLEM_PAGES = 3

/** Lists posts that failed, may not be out, or are overdue. A service without accounts reports none. */
export async function listPostsWithProblems(
  { api, extensions, runtime }: Bot,
  { project_id }: ProjectKey,
  { from, to, ...options }: CallOptions & { from: Date; to: Date },
): Promise<ApiResult<{ items: Post[]; hasMore: boolean }>> {
  if (!extensions.current.hasAccounts) return { kind: 'ok', data: { items: [], hasMore: false } }
  const filter = { schedule_date_from: from.toISOString(), schedule_date_to: to.toISOString() }
  const listed = await api.posts.listAll(project_id, filter, { maxPages: MAX_PROBLEM_PAGES, ...options })
  if (listed.kind !== 'ok') return listed
  const { items, hasMore } = listed.data
  const now = runtime.now()
  const hasProblem = (post: Post) => problemResults(post).length > 0 || isOverdue(post, now)
  return { kind: 'ok', data: { items: sortBySchedule(items.filter(hasProblem)), hasMore } }
}

async function listMatchingOutboxPosts(
  { db }: Pick<Bot, 'db'>,
  scope: ProjectKey,
  { status, platforms, schedule_date_from: from, schedule_date_to: to }: PostFilter,
): Promise<Post[]> {
  if (status?.length && !status.includes('SCHEDULED')) return []
  const range = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined }
  const posts = await listOutboxPosts({ db }, scope, range)
  if (!platforms?.length) return posts
  return posts.filter(({ Platforms = [] }) => Platforms.some((platform) => platforms.includes(platform)))
}

/** Lists the posts that are held in Upnext or on their way to the service, sorted by time. */
export async function listOutboxPosts(
  { db }: Pick<Bot, 'db'>,
  scope: ProjectKey,
  { from = new Date(0), to }: { from?: Date | undefined; to?: Date | undefined } = {},
): Promise<Post[]> {
  const posts = (await listUnfinishedPosts(db, scope)).flatMap((item) => {
    const post = toPost(item)
    if (item.state === 'held') return post
    return post.Status === 'DRAFT' ? [] : { ...post, Status: HANDED_OVER }
  })
  return sortBySchedule(posts.filter((post) => isScheduledBetween(post, from, to)))
}

/** Turns an outbox item into a post that looks like one from the service. */
export function toPost({ id, body }: Pick<OutboxItem, 'id' | 'body'>): Post {
  const values = (body ?? {}) as PostBody & { MediaFile?: unknown; AltText?: unknown }
  const { MediaFile: _file, AltText: _altText, Status = HELD, ...fields } = values
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
  return { Id: id, ...filled, Status, raw: values }
}
