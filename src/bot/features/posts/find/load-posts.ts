import type { PostFilter, PostList } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import type { ApiFailure, ApiResult } from '../../../../api/result.ts'
import { addMs } from '../../../../runtime.ts'
import { DAY_MS } from '../../../database/table-rules.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { MAX_PUBLISHING_DELAY_MS } from '../display/overdue.ts'
import { listPostsWithFallback } from './project-posts.ts'

const MAX_PAGES = 5

/** If the service failed, the list has only the posts that wait in Upnext, and `failure` says why. */
export type LoadedList = PostList & { failure?: ApiFailure }
export type LoadPosts = (changes?: PostFilter) => Promise<ApiResult<LoadedList>>

export const createLoader =
  (bot: Pick<Bot, 'api' | 'db'>, scope: ProjectKey, filter: PostFilter): LoadPosts =>
  (changes) =>
    listPostsWithFallback(bot, scope, { ...filter, ...changes }, { maxPages: MAX_PAGES })

/** Loads the posts that aren't out yet, and also the drafts that have no date or whose date has passed. */
export async function loadUpcoming(load: LoadPosts, now: Date): Promise<ApiResult<LoadedList>> {
  const from = addMs(now, -MAX_PUBLISHING_DELAY_MS)
  return mergeLists(
    await Promise.all([load({ schedule_date_from: from.toISOString() }), load({ status: ['DRAFT'] })]),
  )
}

/** A service lists the oldest posts first, so the latest ones are looked for in growing periods. */
const LOOKBACK_DAYS = [2, 14, 45, 90]
export const SEARCH_DAYS = 90
/** Enough for most readers. */
const MIN_LATEST_POSTS = 25

type Search = {
  isWanted: (post: Post) => boolean
  /** Also looks for posts that are older than `SEARCH_DAYS`. */
  isUnlimited?: boolean
}

/** Loads past posts, until there are enough of those that are wanted. */
export async function loadLatest(
  load: LoadPosts,
  now: Date,
  { isWanted, isUnlimited = false }: Search,
): Promise<ApiResult<LoadedList>> {
  const lists: ApiResult<LoadedList>[] = []
  let to: string | undefined
  for (const days of [...LOOKBACK_DAYS, ...(isUnlimited ? [undefined] : [])]) {
    const from = addMs(now, -(days ?? 0) * DAY_MS).toISOString()
    lists.push(
      await load(days === undefined ? {} : { schedule_date_from: from, ...(to && { schedule_date_to: to }) }),
    )
    const merged = mergeLists(lists)
    if (merged.kind !== 'ok' || merged.data.failure) return merged
    const isEnough = merged.data.items.filter(isWanted).length >= MIN_LATEST_POSTS
    if (isEnough) return { kind: 'ok', data: { ...merged.data, hasMore: days !== undefined } }
    to = from
  }
  return mergeLists(lists)
}

/** Loads the posts in which someone searches for words. */
export async function loadUpcomingAndLatest(
  load: LoadPosts,
  now: Date,
  isWanted: Search['isWanted'],
): Promise<ApiResult<LoadedList>> {
  return mergeLists(await Promise.all([loadUpcoming(load, now), loadLatest(load, now, { isWanted })]))
}

/** The posts of all lists. A list may have posts that another one has too. */
export function mergeLists(lists: ApiResult<LoadedList>[]): ApiResult<LoadedList> {
  const loaded = lists.flatMap((list) => (list.kind === 'ok' ? [list.data] : []))
  const failure = loaded.find((list) => list.failure)?.failure
  const failed = lists.find((list) => list.kind !== 'ok')
  if (failed && !failure) return failed
  const byKey = new Map(
    loaded.flatMap(({ items }) => items).map((post) => [post.Id ?? JSON.stringify(post.raw), post]),
  )
  return {
    kind: 'ok',
    data: {
      items: [...byKey.values()],
      hasMore: loaded.some(({ hasMore }) => hasMore),
      isReadable: loaded.every(({ isReadable }) => isReadable),
      ...(failure && { failure }),
    },
  }
}
